/// A fault of another sanitizer with a fragment.
package struct OtherFault: Sendable, Hashable {
  /// The kind of fault, most severe first.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Something in the output runs in a browser.
    case unsafe
    /// Something in the output makes a browser ask a server by itself.
    case loads
    /// A name in the output hides a property of the page from its scripts.
    case clobbers
    /// Something in the output looks like another link or part of the page.
    case spoofs
    /// Something in the output is not allowed by the given rules.
    case disallowed = "not allowed"
    /// A tag of the output is unbalanced, which changes what is around it.
    case unbalanced
    /// A browser builds something other than the markup describes.
    case rebuilt
    /// Sanitizing the output again changes it.
    case unstable = "not idempotent"
    /// A text is no longer visible to a reader.
    case lost
    /// The program reported an error.
    case refused
    /// The program crashed, timed out, or gave an invalid answer.
    case unanswered = "no answer"
    /// Two programs differ.
    case different
  }

  /// The kind of fault.
  package var kind: Kind
  /// The fault in words.
  package var message: String
  /// The program, when there are two.
  package var program: String?
  /// The output; nil when it is not informative.
  package var output: String?

  /// Creates a fault.
  ///
  /// - Parameters:
  ///   - kind: the kind of fault.
  ///   - message: the fault in words.
  ///   - output: the output; nil when it is not informative.
  package init(kind: Kind, message: String, output: String? = nil) {
    (self.kind, self.message, self.output) = (kind, message, output)
  }
}

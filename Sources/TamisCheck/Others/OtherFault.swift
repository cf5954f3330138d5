/// What another sanitizer is found to do wrong with a fragment.
package struct OtherFault: Sendable, Hashable {
  /// What it is, the gravest first.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Something in the output runs in a browser.
    case unsafe
    /// Something of the output is not in the rules that were asked for.
    case disallowed = "not allowed"
    /// A tag of the output ends nothing, or is not ended: what stands around it changes.
    case unbalanced
    /// A browser builds something else than what is written.
    case rebuilt
    /// Sanitizing the output again changes it.
    case unstable = "not idempotent"
    /// A reader does not see this text any more.
    case lost
    /// The program said that it will not.
    case refused
    /// The program died, was silent or said what is no answer.
    case unanswered = "no answer"
    /// Two programs differ.
    case different
  }

  /// What it is.
  package var kind: Kind
  /// The fault in words.
  package var message: String
  /// The program, where there are two.
  package var program: String?
  /// What came out; nil where that tells nothing.
  package var output: String?
}

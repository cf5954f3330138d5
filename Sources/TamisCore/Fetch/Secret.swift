/// A text that is sent to one server and never shown: a password, a token, a session.
///
/// Whatever prints, dumps or mirrors the value gets ``description``, and nothing encodes it.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: String

  /// Creates a secret.
  package init(_ text: String) { self.text = text }

  /// The text, for what sends it and nothing else.
  package var revealed: String { text }

  /// A word in place of the text.
  package var description: String { "(secret)" }
  /// A word in place of the text.
  package var debugDescription: String { description }
  /// A mirror without children.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The error for a text that is not what it should be.
package struct TextMistake: Error, Hashable {
  /// The offset of the mistake in bytes.
  package var offset: Int
  /// The mistake and how to correct it.
  package var message: String

  /// Creates an error.
  package init(offset: Int, message: String) { (self.offset, self.message) = (offset, message) }
}

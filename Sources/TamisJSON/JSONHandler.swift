/// What ``JSONReader`` found wrong.
package struct JSONFault: Sendable, Hashable {
  /// The fault, on one line.
  package var message: String
  /// Line from 1.
  package var line: Int
  /// Column in bytes from 1.
  package var column: Int
}

/// What ``JSONReader`` tells while it reads.
///
/// Text is valid UTF-8 with its escapes decoded; it may hold NUL. Of two members with one name both are reported.
package protocol JSONHandler: AnyObject {
  /// `null`
  func null()
  /// `true` or `false`
  func bool(_ value: Bool)
  /// A number as it was written.
  func number(_ text: borrowing Span<UInt8>)
  /// A string.
  func string(_ text: borrowing Span<UInt8>)
  /// An object begins.
  func startObject()
  /// The name of a member; its value comes next.
  func key(_ name: borrowing Span<UInt8>)
  /// An object ends.
  func endObject()
  /// An array begins.
  func startArray()
  /// An array ends.
  func endArray()
  /// Something is wrong; nothing comes after this.
  func fault(_ fault: JSONFault)
}

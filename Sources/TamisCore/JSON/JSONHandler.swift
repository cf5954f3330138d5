/// A fault that ``JSONReader`` has found.
package struct JSONFault: Sendable, Hashable {
  /// The description of the fault, on one line.
  package var message: String
  /// The line, from 1.
  package var line: Int
  /// The column in bytes, from 1.
  package var column: Int
}

/// The receiver of the events of a ``JSONReader``.
///
/// Text is valid UTF-8 with its escapes decoded; it may contain NUL. Members with the same name are all reported.
package protocol JSONHandler: AnyObject {
  /// Reports `null`.
  func null()
  /// Reports `true` or `false`.
  func bool(_ value: Bool)
  /// Reports a number as written.
  func number(_ text: borrowing Span<UInt8>)
  /// Reports a string.
  func string(_ text: borrowing Span<UInt8>)
  /// Reports the beginning of an object.
  func startObject()
  /// Reports the name of a member, whose value comes next.
  func key(_ name: borrowing Span<UInt8>)
  /// Reports the end of an object.
  func endObject()
  /// Reports the beginning of an array.
  func startArray()
  /// Reports the end of an array.
  func endArray()
  /// Reports a fault, after which nothing is reported.
  func fault(_ fault: JSONFault)
}

/// Nothing happens at an event that a handler does not read.
extension JSONHandler {
  package func null() {}
  package func bool(_ value: Bool) {}
  package func number(_ text: borrowing Span<UInt8>) {}
  package func startArray() {}
  package func endArray() {}
  package func fault(_ fault: JSONFault) {}
}

package import TamisCore

/// A value of JSON whose shape is not known, such as the answer of a program.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number as it is written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads one value; nil when the bytes are not one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: a JSON text (RFC 8259).
  ///   - limits: the limits, of which ``Limits/fieldBytes`` applies to each string: a longer one is cut.
  package init?(_ bytes: some Sequence<UInt8>, limits: Limits = .standard) {
    let builder = Builder()
    let reader = JSONReader(handler: builder, limits: limits)
    _ = reader.read(Array(bytes).span)
    reader.finish()
    guard !builder.hasFault, let value = builder.value else { return nil }
    self = value
  }

  /// The members of an object; nil for another value.
  package var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// The elements of an array; nil for another value.
  package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The text of a string; nil for another value.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The texts of an array of strings; nil for another value.
  package var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }

  /// The number as an integer; nil for another value and for a number that is not an integer.
  package var integer: Int64? {
    guard case .number(let text) = self else { return nil }
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
  }

  /// Whether the value is `null`.
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// A string, a number or a condition as text; nil for another value.
  package var scalarText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let condition): String(condition)
    case .null, .array, .object: nil
    }
  }
}

/// A receiver of events that builds the value.
private final class Builder: JSONHandler {
  /// An open array or object; a member without a name is one of an array.
  private struct Open {
    var isArray: Bool
    var elements: [JSONValue] = []
    var members: [String: JSONValue] = [:]
    var key = ""
  }

  private var open: [Open] = []
  private(set) var value: JSONValue?
  private(set) var hasFault = false

  private func add(_ value: JSONValue) {
    guard let last = open.indices.last else {
      self.value = value
      return
    }
    if open[last].isArray {
      open[last].elements.append(value)
    } else {
      open[last].members[open[last].key] = value
    }
  }

  private static func text(_ bytes: borrowing Span<UInt8>) -> String { String(bytes, 0..<bytes.count) }

  func null() { add(.null) }
  func bool(_ value: Bool) { add(.bool(value)) }
  func number(_ text: borrowing Span<UInt8>) { add(.number(Self.text(text))) }
  func string(_ text: borrowing Span<UInt8>) { add(.string(Self.text(text))) }
  func startObject() { open.append(Open(isArray: false)) }
  func key(_ name: borrowing Span<UInt8>) { if !open.isEmpty { open[open.count - 1].key = Self.text(name) } }
  func endObject() { if let last = open.popLast() { add(.object(last.members)) } }
  func startArray() { open.append(Open(isArray: true)) }
  func endArray() { if let last = open.popLast() { add(.array(last.elements)) } }
  func fault(_ fault: JSONFault) { hasFault = true }
}

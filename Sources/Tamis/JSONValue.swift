import TamisCore

/// A JSON value whose object keys keep their order, so that output is the same everywhere.
public enum JSONValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// Any other number; one that JSON cannot write is written as `null`.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, its members in the order in which they are written.
  case object([(key: String, value: JSONValue)])

  /// Compares values, members in order.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool { lhs.serialized() == rhs.serialized() }

  /// Hashes the serialization.
  public func hash(into hasher: inout Hasher) { hasher.combine(serialized()) }

  /// The value in UTF-8 (RFC 8259), on one line.
  public func serialized() -> [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  /// Appends the value to a buffer.
  public func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): output.append(contentsOf: String(value).utf8)
    case .number(let value): output.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
    case .string(let text): Self.write(text, to: &output)
    case .array(let items):
      output.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        item.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static let hex = Array("0123456789abcdef".utf8)

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var runStart = 0
      for index in bytes.indices {
        let byte = bytes[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        output.append(contentsOf: bytes[runStart..<index])
        runStart = index + 1
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case ASCII.lineFeed: output.append(UInt8(ascii: "n"))
        case ASCII.tab: output.append(UInt8(ascii: "t"))
        case ASCII.carriageReturn: output.append(UInt8(ascii: "r"))
        default:
          output.append(contentsOf: "u00".utf8)
          output.append(hex[Int(byte >> 4)])
          output.append(hex[Int(byte & 15)])
        }
      }
      output.append(contentsOf: bytes[runStart...])
    }
    output.append(UInt8(ascii: "\""))
  }
}

/// HTML that the sanitizer wrote: balanced, without scripts, and limited to what its policy allows.
///
/// Holding a value of this type is the proof that the text was sanitized. The initializer is `package`, and a test
/// (`HouseTests`) verifies that only `TamisSanitizer` calls it; templates insert unescaped only bodies that are made of
/// this type (`PageBody`).
public struct SanitizedHTML: Sendable, Hashable, CustomStringConvertible {
  /// The markup, valid UTF-8.
  public let string: String

  package init(sanitizerOutput string: String) {
    self.string = string
  }

  /// Makes markup that shows a text: `&`, `<`, `>`, `"` and `'` are escaped, so that it may also stand in a quoted
  /// attribute.
  ///
  /// - Parameter text: any text; NUL and other controls that HTML has no place for become U+FFFD.
  public init(escaping text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "\"": bytes += "&quot;".utf8
      case "'": bytes += "&#39;".utf8
      case "\t", "\n", "\u{C}", "\r", " "..."~", "\u{A0}"..."\u{10FFFF}": bytes.append(scalar: scalar)
      default: bytes.append(scalar: "\u{FFFD}")
      }
    }
    string = String(decoding: bytes, as: UTF8.self)
  }

  /// Empty markup.
  public static let empty = SanitizedHTML(sanitizerOutput: "")

  /// The markup.
  public var description: String { string }
}

extension SanitizedHTML: Encodable {
  /// Encodes the markup as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

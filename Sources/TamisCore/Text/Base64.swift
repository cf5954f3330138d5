/// Base64 (RFC 4648), as Atom 0.3's `mode="base64"` uses it, and plug-ins for what waits for a consent.
package enum Base64 {
  /// Returns the decoded text, or nil when the text is not base64 or the bytes are not UTF-8.
  package static func decode(_ text: String) -> String? {
    var output: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for byte in text.utf8 where !byte.isHTMLSpace && byte != UInt8(ascii: "=") {
      guard let value = value(of: byte) else { return nil }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    return String(validating: output, as: UTF8.self)
  }

  /// Whether a text is likely base64: a long run without spaces.
  package static func isLikely(_ text: String) -> Bool {
    let start = text.utf8.prefix(76)
    return (text.utf8.count >= 24 || text.hasSuffix("="))
      && start.prefix(while: { value(of: $0) != nil }).count >= min(start.count - 2, 60)
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

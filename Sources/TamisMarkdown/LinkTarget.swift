import TamisCore

/// The targets of links and pictures as they are written.
enum LinkTarget {
  /// Returns the URL and the title.
  static func text(of target: MarkdownDocument.Target) -> String {
    target.title.isEmpty ? url(target.url) : "\(url(target.url)) \"\(title(target.title))\""
  }

  /// Returns a URL, never in angle brackets: where a link is not read as one, they would be an element.
  ///
  /// Characters that would end it, those that extensions read, and those outside of ASCII are percent-encoded, as in a
  /// URL that a browser sends.
  private static func url(_ url: String) -> String {
    let bytes = Array(url.utf8)
    var output: [UInt8] = []
    // The length of what may be a character reference, from its ampersand on; 0 outside of one.
    var reference = 0
    let address = addressEnd(in: bytes)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0...0x1F, 0x7F..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "`"),
        UInt8(ascii: "|"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "*"),
        UInt8(ascii: "^"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "'"):
        output +=
          "%\(String(byte >> 4, radix: 16, uppercase: true))\(String(byte & 15, radix: 16, uppercase: true))".utf8
      // Some renderers decode references twice, so that no escape of the ampersand would do.
      case UInt8(ascii: "["), UInt8(ascii: "]"):
        output += (index < address ? String(Unicode.Scalar(byte)) : byte == UInt8(ascii: "[") ? "%5B" : "%5D").utf8
      case UInt8(ascii: ";") where reference > 1: output += "%3B".utf8
      case UInt8(ascii: "&") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "#"):
        output += "%26".utf8
      case ASCII.space: output += "%20".utf8
      default: output.append(byte)
      }
      let isPart = byte == UInt8(ascii: "#") || byte.isASCIIAlphanumeric
      reference = byte == UInt8(ascii: "&") ? 1 : reference > 0 && isPart ? reference + 1 : 0
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the end of an IP address in brackets after the scheme, where alone a URL has brackets; 0 without one.
  private static func addressEnd(in url: [UInt8]) -> Int {
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://[".utf8),
      let end = url[colon...].firstIndex(of: UInt8(ascii: "]"))
    else { return 0 }
    let isAddress = url[(colon + 4)..<end].allSatisfy {
      $0.isASCIIAlphanumeric || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
    }
    return isAddress ? end + 1 : 0
  }

  /// Returns a title for double quotes, on one line.
  private static func title(_ title: String) -> String {
    var text = ""
    for scalar in title.collapsingSpace().unicodeScalars {
      switch scalar {
      case "\"": text += "&quot;"
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case "\\", "`", "*", "_", "[", "]", "{", "|", "~": text += "&#\(scalar.value);"
      case "\u{85}", "\u{2028}", "\u{2029}": text += " "
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// The links of a document that are written by reference.
struct References {
  private var numbers: [MarkdownDocument.Target: Int] = [:]
  private(set) var targets: [MarkdownDocument.Target] = []

  /// Returns the number of a target, from 1; the same target has the same number.
  mutating func number(of target: MarkdownDocument.Target) -> Int {
    if let number = numbers[target] { return number }
    targets.append(target)
    numbers[target] = targets.count
    return targets.count
  }
}

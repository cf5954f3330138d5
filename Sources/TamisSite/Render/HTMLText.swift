import Mustache
import TamisCore
import TamisDigest

/// What a template may print: text that was escaped, or markup that the sanitizer or the theme's maker wrote.
///
/// Templates print every value as it is. Escaping is done here, by type and byte by byte, because swift-mustache escapes
/// by grapheme: a quotation mark followed by a combining accent is another character to it and passes unescaped.
struct HTMLText: MustacheCustomRenderable {
  let renderText: String

  /// Text; `&`, `<`, `>`, `"` and `'` are escaped, so that it may stand in an attribute too.
  init(_ text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
      // Controls other than white space have no place in a page.
      case 0..<0x09, 0x0B, 0x0E..<0x20, 0x7F: break
      default: bytes.append(byte)
      }
    }
    renderText = String(decoding: bytes, as: UTF8.self)
  }

  /// Markup that the sanitizer wrote.
  init(_ html: SanitizedHTML) {
    renderText = html.string
  }

  /// The theme's style sheet.
  init(_ style: StyleSheet) {
    renderText = style.text
  }

  var isNull: Bool { renderText.isEmpty }
}

/// A theme's style sheet, which pages hold between `<style>` and `</style>`.
struct StyleSheet: Sendable {
  let text: String
  /// The digest by which a page's Content-Security-Policy allows it.
  let hash: String

  /// Nil when the text would end the element around it.
  init?(_ text: String) {
    guard !text.utf8.contains(UInt8(ascii: "<")) else { return nil }
    self.text = text
    hash = "sha256-" + SHA256(text).base64
  }
}

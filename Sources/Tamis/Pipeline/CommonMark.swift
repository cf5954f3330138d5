import CCMarkGFM
import Synchronization

/// Renders Markdown with libcmark-gfm: CommonMark with the tables, task lists and strikethrough of GitHub.
///
/// The result is as unsafe as any HTML: raw HTML passes. It has to be sanitized.
package enum CommonMark {
  /// The largest text that is rendered, in bytes (64 KiB).
  ///
  /// libcmark-gfm 0.29 costs the square for some inputs (CVE-2023-22484, CVE-2023-37463), and a text of links to one
  /// long definition becomes the square of itself. With these bounds each takes less than a third of a second.
  package static let maximumSize = 64 << 10
  private static let mostBrackets = 2000
  private static let mostBars = 128
  private static let mostExpansion = 4 << 20

  /// A lock that lets one text be rendered at a time: a parser changes tables that all share while it reads.
  private static let lock = Mutex(())

  /// Returns the text as HTML; nil when it is beyond the bounds.
  package static func html(of text: String) -> String? {
    guard text.utf8.count <= maximumSize, isModest(text) else { return nil }
    return lock.withLock { _ in rendered(text) }
  }

  private static func rendered(_ text: String) -> String? {
    cmark_gfm_core_extensions_ensure_registered()
    let options = CMARK_OPT_UNSAFE | CMARK_OPT_VALIDATE_UTF8
    guard let parser = unsafe cmark_parser_new(options) else { return nil }
    defer { unsafe cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "tasklist"] {
      guard let found = unsafe cmark_find_syntax_extension(name) else { continue }
      _ = unsafe cmark_parser_attach_syntax_extension(parser, found)
    }
    var text = text
    text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe cmark_parser_feed(parser, characters.baseAddress, characters.count)
      }
    }
    guard let document = unsafe cmark_parser_finish(parser) else { return nil }
    defer { unsafe cmark_node_free(document) }
    guard let html = unsafe cmark_render_html(document, options, cmark_parser_get_syntax_extensions(parser)) else {
      return nil
    }
    defer { unsafe free(html) }
    return unsafe String(cString: html)
  }

  /// Whether a text has so few brackets, and bars in a line, that its cost is bounded.
  private static func isModest(_ text: String) -> Bool {
    var (brackets, bars) = (0, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "|"): bars += 1
      case 0x0A, 0x0D: bars = 0
      default: break
      }
      if brackets > mostBrackets || bars > mostBars { return false }
    }
    return !text.contains("]:") || brackets * text.utf8.count <= mostExpansion
  }
}

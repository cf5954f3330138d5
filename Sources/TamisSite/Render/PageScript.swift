import CBuiltInFiles
import TamisCore
import TamisSystem

/// The script of the search page, which is the only one that a page can have.
///
/// The script is part of the page, whose policy allows it by its digest (Content Security Policy Level 3, 2.3.1).
struct PageScript: Sendable {
  /// The text for browsers that run no scripts.
  let alternative: String

  /// The script.
  ///
  /// The script contains `<` as an operator only, so that nothing in it ends its element.
  static let source = "\n" + String(decoding: Array(tamis_search_js), as: UTF8.self)

  /// The digest of the script, as a policy names it.
  static let hash = "sha256-" + SHA256(source).base64

  /// Appends the script and its alternative as markup.
  func append(to output: inout [UInt8]) {
    output += "<noscript><p>".utf8
    HTMLText.append(alternative, to: &output)
    output += "</p></noscript>\n<script>\(Self.source)</script>".utf8
  }
}

import TamisCore
import TamisSanitizer

/// A place in a page into which an output is put.
package enum OutputContext: String, Sendable, Hashable, CaseIterable {
  case body, td, select, svg, math, noscript
  case rawText = "raw-text"
  case attribute, document, twice

  /// Returns the fragments of pages that hold an output at this place, each with its name in messages.
  ///
  /// There is none for `body`, `attribute` and `twice`, which are judged always.
  func pages(around html: String) -> [(place: String, html: String)] {
    func inside(_ names: String...) -> [(String, String)] {
      names.map { ("inside <\($0)>", "<\($0)>\(html)</\($0)>") }
    }
    switch self {
    case .body, .attribute, .twice: return []
    case .td: return [("inside <td>", "<table><tbody><tr><td>\(html)</td></tr></tbody></table>")]
    case .select: return inside("select")
    case .svg: return inside("svg")
    case .math: return inside("math")
    // Without scripts the element is like one that browsers do not know.
    case .noscript:
      return inside("noscript") + [("inside <noscript> without scripts", "<x-noscript>\(html)</x-noscript>")]
    case .rawText: return inside("textarea", "title", "style", "xmp", "iframe")
    case .document: return [("at the beginning of a page", html)]
    }
  }

  /// Returns the part of an output that runs at this place, in words; nil when nothing does.
  func running(_ html: String) -> String? {
    for page in pages(around: html) {
      let tree = BrowserTree(page.html, in: self == .document ? .page : .fragment)
      if let running = tree.running { return "\(running), \(page.place)" }
    }
    return nil
  }
}

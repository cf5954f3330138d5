import TamisCore
import TamisURL

/// Decides whether links to anchors stay in the fragment or lead to its page (Tamis.docc/Links.md, L4).
///
/// A link with the page's URL stays in the fragment when the fragment has the anchor; a link of `#name` alone goes to
/// the page when the fragment lacks the anchor.
struct OwnAnchors {
  /// The page's URL and a `#`; empty when it is not known.
  private var page: [UInt8] = []
  /// The anchors of the fragment, as they are written, with the node of the first tag that has each.
  private var names: [[UInt8]: Int32] = [:]
  /// The tags that go after all.
  private var removed: Set<Int32> = []
  private let url: WebURL?
  private let prefix: [UInt8]

  /// Creates a value for a fragment without anchors.
  ///
  /// - Parameters:
  ///   - page: the URL of the fragment's page; nil when it is not known.
  ///   - prefix: the prefix of ids in the output; nil for none.
  init(page: WebURL?, prefix: String?) {
    (url, self.prefix) = (page, Array((prefix ?? "").utf8))
    guard let page, page.isHTTP else { return }
    self.page = page.removingFragment.utf8 + [UInt8(ascii: "#")]
  }

  /// Whether the page's URL is known.
  var isAsked: Bool { !page.isEmpty }

  /// Adds an anchor of the fragment, as it is written.
  mutating func add(_ name: [UInt8], of node: Int32) { if names[name] == nil { names[name] = node } }

  /// Removes the anchors of a tag.
  mutating func remove(of node: Int32) { removed.insert(node) }

  private func isHere(_ name: [UInt8]) -> Bool {
    [name, WebURL.percentDecoded(name)].contains { name in
      [prefix + name, name].contains { names[$0].map { !removed.contains($0) } ?? false }
    }
  }

  /// The URL for a link of `#name` alone; nil when its anchor is in the fragment.
  func address(of link: [UInt8]) -> [UInt8]? {
    let name = Array(link.dropFirst())
    // These refer to the top of any page.
    if name.isEmpty || name.map(\.asciiLowercased).elementsEqual("top".utf8) || isHere(name) { return nil }
    return WebURL(utf8: link.span, base: url)?.utf8
  }

  /// The link within the fragment for one to the page; nil when it leads elsewhere, or the fragment lacks its anchor.
  func link(insteadOf link: [UInt8]) -> [UInt8]? {
    guard link.count > page.count, link.starts(with: page) else { return nil }
    let name = Array(link[page.count...])
    return isHere(name) ? [UInt8(ascii: "#")] + (name.starts(with: prefix) ? [] : prefix) + name : nil
  }
}

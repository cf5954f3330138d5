import TamisCore
import TamisURL

/// Decides whether links to anchors stay in the fragment or lead to its page (Tamis.docc/Links.md, L4).
///
/// A link with the page's URL stays in the fragment when the fragment has the anchor; a link of `#name` alone goes to
/// the page when the fragment lacks the anchor.
struct OwnAnchors {
  /// The page's URL and a `#`; empty when it is not known.
  private var page: [UInt8] = []
  /// The anchors of the fragment, as they are written, with the number of tags that have each.
  private var names: [[UInt8]: Int] = [:]
  /// The anchors of the last picture, which goes if it is a placeholder.
  private var ofPicture: [[UInt8]] = []
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

  /// Adds the anchors of a tag, as they are written.
  mutating func add(_ names: [[UInt8]], ofPicture isPicture: Bool) {
    for name in names { self.names[name, default: 0] += 1 }
    if isPicture { ofPicture = names }
  }

  /// Removes the anchors of the last picture, which goes after all.
  mutating func removeLastPicture() {
    for name in ofPicture { names[name, default: 1] -= 1 }
    ofPicture = []
  }

  private func isHere(_ name: [UInt8]) -> Bool {
    [name, WebURL.percentDecoded(name)].contains { name in
      [prefix + name, name].contains { names[$0, default: 0] > 0 }
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

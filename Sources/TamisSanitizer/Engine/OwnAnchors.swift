import TamisCore
import TamisURL

/// Decides whether links to anchors stay in the fragment or lead to its page (Tamis.docc/Links.md, L4).
///
/// A link with the page's URL stays in the fragment when the fragment has the anchor; a link of `#name` alone goes to
/// the page when the fragment lacks the anchor. The anchors are known only at the end, as notes come after the links to
/// them. Fragments with such links are therefore read twice, which is rare.
struct OwnAnchors {
  /// The page's URL and a `#`; empty when it is not known.
  private var page: [UInt8] = []
  /// The anchors to which links with the page's URL lead.
  private var targets: Set<[UInt8]> = []
  /// The anchors of the fragment, as they are written, with the offsets of their tags in the output.
  private var anchors: [(name: [UInt8], start: Int)] = []
  /// The anchors of the current tag.
  private var found: [[UInt8]] = []
  /// The anchors to which links of `#name` alone lead.
  private var bareTargets: Set<[UInt8]> = []
  /// The linked anchors that are in the fragment.
  private var local: Set<[UInt8]> = []
  /// The linked anchors that are only in the page.
  private var distant: Set<[UInt8]> = []
  private var isSecondReading = false

  private let url: WebURL?

  init(page: WebURL?) {
    url = page
    guard let page, page.isHTTP else { return }
    self.page = page.removingFragment.utf8 + [UInt8(ascii: "#")]
  }

  /// Whether the page's URL is known.
  var isAsked: Bool { !page.isEmpty }

  /// Begins a reading.
  mutating func begin() {
    if !targets.isEmpty { targets.removeAll() }
    if !bareTargets.isEmpty { bareTargets.removeAll() }
    if !anchors.isEmpty { anchors.removeAll() }
    if !found.isEmpty { found.removeAll() }
  }

  /// Records an `id` or `name` of the current tag.
  mutating func found(anchor: [UInt8]) { if !page.isEmpty { found.append(anchor) } }

  /// Adds the anchors of the current tag when it is written, or drops them when it is removed.
  ///
  /// - Parameter start: the offset of the tag in the output; nil when it is removed.
  mutating func endTag(at start: Int?) {
    if found.isEmpty { return }
    if let start { anchors += found.map { ($0, start) } }
    found.removeAll()
  }

  /// Removes the anchors of a tag that was removed from the output.
  mutating func takeBack(_ tag: Range<Int>) {
    // The anchors are in the order of the output, and the tag is near its end.
    let first = anchors.lastIndex { $0.start < tag.lowerBound }.map { $0 + 1 } ?? 0
    anchors.removeSubrange(first..<(anchors[first...].firstIndex { $0.start >= tag.upperBound } ?? anchors.endIndex))
    for index in anchors.indices[first...] { anchors[index].start -= tag.count }
  }

  /// Whether a second reading would decide differently about links.
  mutating func wantsSecondReading(prefix: String) -> Bool {
    guard !isSecondReading, !targets.isEmpty || !bareTargets.isEmpty else { return false }
    let here = Set(anchors.map(\.name))
    func isHere(_ name: [UInt8]) -> Bool {
      [name, WebURL.percentDecoded(name)].contains { here.contains(prefix.utf8 + $0) || here.contains($0) }
    }
    local = targets.filter(isHere)
    distant = bareTargets.filter { !isHere($0) }
    isSecondReading = true
    return !local.isEmpty || !distant.isEmpty
  }

  /// The URL for a link of `#name` alone; nil when its anchor is in the fragment, or while that is not known.
  mutating func address(of link: [UInt8]) -> [UInt8]? {
    let name = Array(link.dropFirst())
    // These refer to the top of any page.
    if name.isEmpty || name.map(\.asciiLowercased).elementsEqual("top".utf8) { return nil }
    if distant.contains(name) { return WebURL(utf8: link.span, base: url)?.utf8 }
    bareTargets.insert(name)
    return nil
  }

  /// The anchor in the fragment to which a link leads; nil when it leads elsewhere, or while that is not known.
  mutating func anchor(of link: [UInt8]) -> [UInt8]? {
    guard link.count > page.count, link.starts(with: page) else { return nil }
    let name = Array(link[page.count...])
    if local.contains(name) { return name }
    targets.insert(name)
    return nil
  }
}

import TamisCore
import TamisURL

/// Keeps links to places of the fragment in it, and lets those to other places of its page leave (rule L4 of the design).
///
/// A link with the page's whole address stays when the fragment has the place; one of `#name` alone goes to the page when
/// it has not. Which places there are is known at the end only, as notes stand behind what leads to them: so the fragment
/// is read twice when there are such links, which is rare.
struct OwnAnchors {
  /// The page's address and the `#` behind it; empty when it is not known.
  private var page: [UInt8] = []
  /// What links to the page name as a place in it.
  private var targets: Set<[UInt8]> = []
  /// The places that the fragment has, as they are written, and where their tags begin in the output.
  private var places: [(name: [UInt8], start: Int)] = []
  /// Places of the tag that is being decided about.
  private var found: [[UInt8]] = []
  /// What links without an address name as a place in the fragment.
  private var bareTargets: Set<[UInt8]> = []
  /// The places that links lead to without leaving the fragment.
  private var local: Set<[UInt8]> = []
  /// The places of the page that the fragment has not.
  private var distant: Set<[UInt8]> = []
  private var isSecondReading = false

  private let url: WebURL?

  init(page: WebURL?) {
    url = page
    guard let page, page.scheme == "https" || page.scheme == "http" else { return }
    self.page = page.removingFragment.utf8 + [UInt8(ascii: "#")]
  }

  /// Whether the page's address is known.
  var isAsked: Bool { !page.isEmpty }

  /// Begins a reading.
  mutating func begin() {
    if !targets.isEmpty { targets.removeAll() }
    if !bareTargets.isEmpty { bareTargets.removeAll() }
    if !places.isEmpty { places.removeAll() }
    if !found.isEmpty { found.removeAll() }
  }

  /// Tells of an `id` or `name` of the tag that is being decided about.
  mutating func found(place: [UInt8]) { if !page.isEmpty { found.append(place) } }

  /// Notes what was found when the tag is written, or forgets it when it is not.
  ///
  /// - Parameter start: where the tag begins in the output, nil when it goes.
  mutating func endTag(at start: Int?) {
    if found.isEmpty { return }
    if let start { places += found.map { ($0, start) } }
    found.removeAll()
  }

  /// Forgets the places of a tag that was taken back.
  mutating func takeBack(_ tag: Range<Int>) {
    // They are in the order of the output, and the tag is near its end.
    let first = places.lastIndex { $0.start < tag.lowerBound }.map { $0 + 1 } ?? 0
    places.removeSubrange(first..<(places[first...].firstIndex { $0.start >= tag.upperBound } ?? places.endIndex))
    for index in places.indices[first...] { places[index].start -= tag.count }
  }

  /// Whether a second reading would find links that stay or go.
  mutating func wantsSecondReading(prefix: String) -> Bool {
    guard !isSecondReading, !targets.isEmpty || !bareTargets.isEmpty else { return false }
    let here = Set(places.map(\.name))
    func isHere(_ name: [UInt8]) -> Bool {
      [name, WebURL.percentDecoded(name)].contains { here.contains(prefix.utf8 + $0) || here.contains($0) }
    }
    local = targets.filter(isHere)
    distant = bareTargets.filter { !isHere($0) }
    isSecondReading = true
    return !local.isEmpty || !distant.isEmpty
  }

  /// The whole address of a link that has none; nil when it leads to a place in the fragment, or when that is not known
  /// yet.
  mutating func address(of link: ArraySlice<UInt8>) -> [UInt8]? {
    let name = Array(link.dropFirst())
    // These are the top of whichever page it is.
    if name.isEmpty || name.map(\.asciiLowercased).elementsEqual("top".utf8) { return nil }
    if distant.contains(name) { return WebURL(utf8: Array(link).span, base: url)?.utf8 }
    bareTargets.insert(name)
    return nil
  }

  /// The place in the fragment that a link leads to; nil when it leads elsewhere, or when that is not known yet.
  mutating func place(of link: [UInt8]) -> [UInt8]? {
    guard link.count > page.count, link.starts(with: page) else { return nil }
    let name = Array(link[page.count...])
    if local.contains(name) { return name }
    targets.insert(name)
    return nil
  }
}

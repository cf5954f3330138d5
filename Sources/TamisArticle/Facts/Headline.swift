import TamisCore

/// The headline of a page: the heading most similar to the page's title, else the title without the site's name.
struct Headline {
  /// The headline's element; nil when there is none.
  private(set) var element: Int?
  private(set) var title: Article.Facts.Fact?

  private static let mostBytes = 1000

  private struct Name {
    var text: String
    var source: String
    var words: [UInt32]
  }

  /// Chooses the headline of a page.
  ///
  /// - Parameters:
  ///   - tape: the page.
  ///   - scan: the scan of the page.
  ///   - linked: the headline in its linked data.
  ///   - sites: the names of the site, squashed.
  init(_ tape: PageTape, _ scan: PageScan, linked: String, sites: Set<String>) {
    var names: [Name] = []
    func add(_ text: String, source: String) {
      let text = Self.withoutSite(text.prefix(bytes: Self.mostBytes), sites)
      if !text.isEmpty, !sites.contains(Squash.text(text)) {
        names.append(Name(text: text, source: source, words: Self.words(text)))
      }
    }
    let said = scan.candidates[FactNames.Slot.title.rawValue].sorted { $0.rank < $1.rank }
    for each in said.prefix(4) where each.source == "og:title" { add(each.value, source: each.source) }
    add(linked.squeezed(), source: "json-ld")
    for each in said.prefix(4) where each.source != "og:title" { add(each.value, source: each.source) }
    let parts = Self.parts(scan.titleElement)
    let whole = Self.withoutSite(scan.titleElement, sites)
    if whole == scan.titleElement, parts.count > 1, let longest = Self.headlinePart(parts) {
      add(longest, source: "title")
      names.append(Name(text: whole, source: "title", words: Self.words(whole)))
    } else {
      add(scan.titleElement, source: "title")
    }
    // A heading may be the first of several parts: the page, its section, its site.
    if parts.count > 2 { names.append(Name(text: parts[0], source: "title", words: Self.words(parts[0]))) }
    choose(tape, scan, names, sites)
    if element == nil { findWithoutHeading(tape, scan, names) }
  }

  /// The maximum number of items on the tape of a line.
  private static let longestLine = 8
  /// The maximum number of elements searched.
  private static let mostElements = 5000

  /// Finds the headline of a page without a heading for it.
  ///
  /// The headline is the first line outside of navigation that equals the page's title, or with which the title begins.
  private mutating func findWithoutHeading(_ tape: PageTape, _ scan: PageScan, _ names: [Name]) {
    guard let called = title?.value else { return }
    let whole = scan.titleElement
    for index in tape.elements.indices.prefix(Self.mostElements) {
      let own = tape.elements[index]
      let kind = tape.kind(of: index)
      guard own.end > own.first, Int(own.end - own.first) <= Self.longestLine, !kind.isSilent, !kind.isLink,
        own.zones.isDisjoint(with: [.navigation, .footer, .hidden, .control])
      else { continue }
      let text = tape.text(in: index, most: Self.mostBytes).squeezed()
      guard text.utf8.count >= 6 else { continue }
      if Squash.text(text) == Squash.text(called) {
        element = index
        return
      }
      if whole.hasPrefix(text), text.utf8.count * 3 >= called.utf8.count, Self.isEnd(whole.dropFirst(text.count)) {
        (element, title) = (index, .init(value: text, source: "line"))
        return
      }
    }
  }

  /// Whether the text after a part of a title begins with a separator.
  private static func isEnd(_ rest: Substring) -> Bool {
    guard let next = rest.drop(while: { $0 == " " }).first else { return true }
    return separators.contains(String(next)[...])
  }

  private mutating func choose(_ tape: PageTape, _ scan: PageScan, _ names: [Name], _ sites: Set<String>) {
    var best = (score: 0, element: -1, text: "")
    var first = (element: -1, text: "", count: 0)
    for heading in scan.headings {
      let zones = tape.elements[heading].zones
      if !zones.isDisjoint(with: [.navigation, .footer]) { continue }
      let text = tape.text(in: heading, most: Self.mostBytes).squeezed()
      let words = Self.words(text)
      let isFirst = tape.name(of: heading) == "h1"
      // The name of the site is in a heading on every page of some sites.
      if words.isEmpty || sites.contains(Squash.text(text)) { continue }
      if isFirst {
        if first.element < 0 { (first.element, first.text) = (heading, text) }
        first.count += 1
      }
      let likeness = names.map { Self.likeness(words, $0.words) }.max() ?? 0
      let score = likeness == 0 ? 0 : likeness + (isFirst ? 100 : 0) - (zones.contains(.hidden) ? 50 : 0)
      if score > best.score { best = (score, heading, text) }
    }
    let isEnough = best.element >= 0 && best.score >= (tape.name(of: best.element) == "h1" ? 600 : 750)
    if isEnough {
      element = best.element
      title = .init(
        value: Self.withoutMore(Self.withoutSite(best.text, sites), names.map(\.text)),
        source: tape.name(of: best.element))
    } else if let name = names.first {
      element = best.score >= 400 ? best.element : first.element >= 0 ? first.element : nil
      title = .init(value: name.text, source: name.source)
    } else if first.element >= 0 {
      element = first.element
      title = .init(value: first.text, source: "h1")
    } else if !scan.titleElement.isEmpty {
      title = .init(value: scan.titleElement, source: "title")
    }
  }

  /// Returns a heading without a label, a date or a count next to the headline.
  ///
  /// These are only removed when the heading contains the page's title.
  private static func withoutMore(_ text: String, _ names: [String]) -> String {
    let heading = Squash.text(text)
    // A name that is the whole heading says that nothing in it is more.
    if names.contains(where: { Squash.text($0) == heading }) { return withoutAnchor(text) }
    for name in names where !name.hasSuffix("…") && !name.hasSuffix("...") {
      let squashed = Squash.text(name)
      guard squashed.utf8.count * 2 >= heading.utf8.count, squashed != heading else { continue }
      if heading.hasSuffix(squashed) || heading.hasPrefix(squashed) || heading.contains(squashed) { return name }
    }
    return withoutAnchor(text)
  }

  /// Returns a heading without the sign at its end that links to itself.
  static func withoutAnchor(_ text: String) -> String {
    var scalars = text.unicodeScalars
    while let last = scalars.last, isAnchor(last) || last == " " { scalars.removeLast() }
    return String(scalars)
  }

  /// Whether a character is the link of a heading to itself; icon fonts use the private use area.
  private static func isAnchor(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "¶" || scalar == "§" || scalar == "\u{1F517}" || (0xE000...0xF8FF).contains(scalar.value)
  }

  // MARK: - Words

  private static func words(_ text: String) -> [UInt32] {
    var count = TextCount()
    count.add(Array(text.utf8)[...])
    count.endWord()
    return count.words
  }

  /// Returns the share, per thousand, of words that both texts have.
  private static func likeness(_ one: [UInt32], _ other: [UInt32]) -> Int {
    if one.isEmpty || other.isEmpty { return 0 }
    var counts: [UInt32: Int] = [:]
    for word in one { counts[word, default: 0] += 1 }
    var shared = 0
    for word in other {
      if let count = counts[word], count > 0 {
        counts[word] = count - 1
        shared += 1
      }
    }
    return 2000 * shared / (one.count + other.count)
  }

  // MARK: - The site's name

  private static let separators: Set<Substring> = [
    "|", "-", "–", "—", "::", "·", "»", "«", "•", "/", "<", ">", "‹", "›", "~", "｜", "_",
  ]

  /// Returns the parts of a title between separators.
  private static func parts(_ title: String) -> [String] {
    var parts: [[Substring]] = [[]]
    for word in title.split(separator: " ") {
      if separators.contains(word) { parts.append([]) } else { parts[parts.count - 1].append(word) }
    }
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// Returns the title without parts at either end that are the site's name.
  static func withoutSite(_ title: String, _ sites: Set<String>) -> String {
    var words = title.split(separator: " ")
    // From the end, then from the beginning.
    for _ in 0..<3 {
      guard let index = words.lastIndex(where: separators.contains), index > 0,
        sites.contains(Squash.text(words[(index + 1)...].joined()))
      else { break }
      words = Array(words[..<index])
    }
    if let index = words.firstIndex(where: separators.contains), index > 0, index + 1 < words.count,
      sites.contains(Squash.text(words[..<index].joined()))
    {
      words = Array(words[(index + 1)...])
    }
    return words.joined(separator: " ")
  }

  /// Returns the part that is the headline when the site's name is not known: the first one, unless it is much shorter.
  private static func headlinePart(_ parts: [String]) -> String? {
    guard let first = parts.first, let last = parts.last else { return nil }
    if last.count <= 40 || last.count < first.count { return parts.dropLast().joined(separator: " - ") }
    return first.count * 2 < last.count ? parts.dropFirst().joined(separator: " - ") : first
  }
}

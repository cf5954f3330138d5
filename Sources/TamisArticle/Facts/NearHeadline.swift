import TamisCore

/// The facts near the headline: the author, the dates as readers see them, and the first picture.
struct NearHeadline {
  private(set) var bylines: [PageScan.Candidate] = []
  private(set) var published: [PageScan.Candidate] = []
  private(set) var updated: [PageScan.Candidate] = []
  /// The URL of the first large picture, as far as sizes are declared.
  private(set) var picture: String?

  private let tape: PageTape
  private let scan: PageScan
  private let byline: Byline
  private let language: String
  /// The current line, and the dates of the `time` elements in it.
  private var line: [UInt8] = []
  private var times: [(date: PageDate, isUpdate: Bool, isNamed: Bool)] = []
  /// Whether the current line begins in a link of a menu.
  private var isMenuLine = false
  /// The last link.
  private var link: Int?
  /// A word like "By" in a line of its own.
  private var lead = ""
  private var prose = 0
  private var isBefore = false

  /// The distance searched before and after the headline, in items of the tape.
  private static let (mostBefore, mostBehind) = (160, 500)
  /// The minimum size of a line of prose in bytes, and the number of such lines after which text is no longer near.
  private static let (proseBytes, mostProse) = (240, 3)
  /// The maximum size in bytes of a line with an author or a date.
  private static let mostBytes = 140

  init(_ tape: PageTape, _ scan: PageScan, headline: Int, byline: Byline, language: String) {
    (self.tape, self.scan, self.byline, self.language) = (tape, scan, byline, language)
    let heading = tape.elements[headline]
    read(Int(heading.first)..<Int(heading.end))
    read(Int(heading.end)..<min(tape.items.count, Int(heading.end) + Self.mostBehind))
    (isBefore, prose, lead) = (true, 0, "")
    let start = Int(heading.first) - 1
    read(max(0, start - Self.mostBefore)..<start)
  }

  private mutating func read(_ range: Range<Int>) {
    var skipped = range.lowerBound
    for (index, item) in zip(range, tape.items[range]) where index >= skipped {
      switch item {
      case .text(let text):
        if line.allSatisfy(\.isHTMLSpace) { isMenuLine = isInMenu(link, at: index) }
        PageTape.join(tape.bytes[Int(text.lowerBound)..<Int(text.upperBound)].prefix(2000), to: &line)
      case .element(let element):
        let kind = tape.kind(of: element)
        if kind.isBlock || kind.isLineBreak { endLine() }
        // "By Staff Writer" does not go on in the caption of a picture.
        if kind.headingLevel > 0 || !kind.zones.isDisjoint(with: [.figure, .caption]) { lead = "" }
        if prose >= Self.mostProse { return }
        if isPageFooter(element) || kind.isSilent {
          skipped = Int(tape.elements[element].end)
        } else {
          look(at: element, kind)
        }
      case .foreign: continue
      }
    }
    endLine()
  }

  /// Returns the rank, which is worse before the headline.
  private func rank(_ rank: Int, plus more: Int = 0) -> Int { rank + more + (isBefore ? 3 : 0) }

  // MARK: - Lines

  private mutating func endLine() {
    let text = line.count <= 2 * Self.mostBytes ? String(streamSafe: line).squeezed() : nil
    addTimes(near: text)
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return }
    if line.count > Self.proseBytes { prose += 1 }
    guard let text, !text.isEmpty, text.utf8.count <= Self.mostBytes else { return }
    if isMenuLine {
      lead = ""
    } else if Byline.saysBy(text) {
      if byline.names(in: text) == nil, text.utf8.count < 24 { return lead = text }
      addByline(text, rank: rank(FactNames.Rank.line), source: "text")
    } else if !lead.isEmpty {
      addByline(lead + " " + text, rank: rank(FactNames.Rank.line), source: "text")
    }
    lead = ""
    if let date = PageDate(text, language: language), date.other <= 40 {
      let isByline = !isMenuLine && Byline.saysBy(text)
      add(
        date, isUpdate: Self.saysUpdate(text),
        rank: rank(isByline ? FactNames.Rank.byline : FactNames.Rank.line), source: "text")
    }
  }

  /// Adds the dates of the `time` elements of a line: an event's and a ticker's are behind one that a class or the line
  /// marks as the article's.
  private mutating func addTimes(near text: String?) {
    var unnamed = FactNames.Rank.proseTime
    if let text, text.utf8.count <= Self.mostBytes {
      unnamed = Byline.saysBy(text) ? FactNames.Rank.timeElement : FactNames.Rank.bareTime
    }
    for time in times {
      let rank = rank(time.isNamed ? FactNames.Rank.timeElement : unnamed)
      add(time.date, isUpdate: time.isUpdate, rank: rank, source: "time")
    }
    times.removeAll()
  }

  private static func saysUpdate(_ text: String) -> Bool {
    let folded = text.lowercased()
    return FactNames.updateWords.contains { folded.contains($0) } && !folded.contains("publi")
  }

  private mutating func add(_ date: PageDate, isUpdate: Bool, rank: Int, source: String) {
    let candidate = PageScan.Candidate(value: date.text, rank: rank, source: source)
    if isUpdate { updated.append(candidate) } else { published.append(candidate) }
  }

  private mutating func addByline(_ text: String, rank: Int, source: String) {
    guard text.utf8.count <= Self.mostBytes, let names = byline.names(in: text) else { return }
    let isName = byline.areNames(names, short: source != "class" || Byline.saysBy(text))
    if isName { bylines.append(PageScan.Candidate(value: names, rank: rank, source: source)) }
  }

  // MARK: - Elements

  private mutating func look(at element: Int, _ kind: ElementKind) {
    if scan.role(of: element) == .time { lookAtTime(element) }
    if kind.isLink { lookAtLink(element) }
    if kind.isPicture, picture == nil, !isBefore { lookAtPicture(element) }
    guard let classes = scan.range(.classes, of: element)?.prefix(300), !classes.isEmpty else { return }
    let isByline = tape.contains(any: FactNames.bylineHints, in: classes)
    let isDate = !isByline && tape.contains(any: FactNames.dateHints, in: classes)
    guard isByline || isDate, !tape.contains(any: FactNames.otherHints, in: classes) else { return }
    let text = tape.pieces(in: element, most: 2 * Self.mostBytes).squeezed()
    guard text.utf8.count <= Self.mostBytes else { return }
    if isByline {
      addByline(text, rank: rank(FactNames.Rank.hint), source: "class")
    } else if let date = PageDate(text, language: language), date.other <= 40 {
      add(date, isUpdate: Self.saysUpdate(text), rank: rank(FactNames.Rank.hint), source: "class")
    }
  }

  /// Whether an element is the footer of the page, which names the maker of its theme; that of an article names its
  /// author.
  private func isPageFooter(_ element: Int) -> Bool {
    let zones = tape.elements[element].zones
    return zones.contains(.footer) && zones.isDisjoint(with: [.article, .main, .body])
  }

  private mutating func lookAtTime(_ element: Int) {
    guard let text = scan.date(of: element), let date = PageDate(text, language: language), !scan.isElsewhere(element)
    else {
      return
    }
    let classes = (scan.value(.classes, of: element, most: 200) ?? "").asciiLowercased()
    let isUpdate = Self.saysUpdate(classes) || Self.saysUpdate(String(streamSafe: line.suffix(40)))
    times.append((date, isUpdate, isNamed(element)))
  }

  /// Whether a class of an element, or of one close around it, marks the time of the article.
  private func isNamed(_ element: Int) -> Bool {
    ([element] + tape.ancestors(of: element).prefix(Self.mostNamed)).contains { outer in
      guard let classes = scan.range(.classes, of: outer)?.prefix(300) else { return false }
      return tape.contains(any: FactNames.dateHints + FactNames.bylineHints, in: classes)
        && !tape.contains(any: FactNames.otherHints, in: classes)
    }
  }

  /// The number of elements around a `time` whose classes may name it.
  private static let mostNamed = 3

  private mutating func lookAtLink(_ element: Int) {
    link = element
    guard let href = scan.range(.href, of: element)?.prefix(500), tape.contains(any: FactNames.peoplePaths, in: href),
      !isInMenu(element, at: Int(tape.elements[element].first))
    else { return }
    addByline(tape.pieces(in: element, most: 300).squeezed(), rank: rank(FactNames.Rank.hint, plus: 1), source: "link")
  }

  /// The number of elements around a link that may be a menu.
  private static let mostOuter = 5

  /// Whether a position on the tape is in a link of a menu or a table of contents, whose "By Price" and "Author" name
  /// nobody.
  private func isInMenu(_ link: Int?, at index: Int) -> Bool {
    guard let link, tape.elements[link].first <= index, index < tape.elements[link].end else { return false }
    if tape.elements[link].zones.contains(.navigation) { return true }
    if let href = scan.range(.href, of: link), tape.bytes[Int(href.lowerBound)..<Int(href.upperBound)].first == 0x23 {
      return true
    }
    return tape.ancestors(of: link).prefix(Self.mostOuter).contains { element in
      tape.name(of: element) != "body"
        && scan.range(.classes, of: element).map { tape.contains(any: ["menu"], in: $0.prefix(300)) } ?? false
    }
  }

  private mutating func lookAtPicture(_ element: Int) {
    guard tape.name(of: element) == "img" || tape.name(of: element) == "amp-img" else { return }
    let width = tape.value(of: "width", in: element).flatMap { Int($0.prefix(6)) }
    guard width ?? 1000 >= 200 else { return }
    for name in ["data-src", "data-lazy-src", "data-original", "src"] {
      if let value = tape.value(of: name, in: element)?.trimmedOrNil(), !value.hasPrefix("data:"),
        value.utf8.count < 2000, !PictureWords.decoration.areInFolder(of: value.utf8),
        !PictureWords.sounds.areIn(value.utf8)
      {
        return picture = value
      }
    }
  }
}

/// Which blocks make the article: what the trees say of each, and what is one thing decided as one.
///
/// Tables, lists and figures stay or go as wholes. A picture says nothing of itself: it stays where it stands among what stays.
struct Choice {
  /// What is shown, by the numbers of blocks.
  private(set) var isShown: [Bool]
  /// What is read: no captions, and no pictures.
  private(set) var isText: [Bool]
  /// What decided of each block.
  private(set) var rules: [BlockReport.Rule]

  private let page: MeasuredPage
  private var tape: PageTape { page.tape }
  private var list: [Block] { page.blocks.list }

  /// - Parameter scores: the sums of the trees' weights, by the numbers of blocks.
  init(_ page: MeasuredPage, _ scores: [Int]) {
    self.page = page
    let blocks = page.blocks.list
    isText = blocks.indices.map { scores[$0] > 0 && blocks[$0].characters > 0 && !Self.isCaption(blocks[$0]) }
    rules = blocks.map { Self.isCaption($0) ? .caption : $0.characters == 0 ? .picture : .weighed }
    isShown = []
    settleWholes()
    dropLooseLinks()
    dropRepeated()
    dropLooseHeadings()
    isShown = isText
    addPictures()
  }

  /// How many words the article has; none when it is mostly links: that is a page that leads to others.
  var words: Int {
    var (words, characters, linked) = (0, 0, 0)
    for index in list.indices where isText[index] {
      words += list[index].words
      characters += list[index].characters
      linked += list[index].linkCharacters
    }
    return linked * 10 > characters * 7 ? 0 : words
  }

  private static func isCaption(_ block: Block) -> Bool {
    block.zones.contains(.caption) && !block.zones.contains(.table)
      || block.zones.contains(.figure)
        && block.pictures > 0 && block.words < 40
  }

  /// Takes all that stands where a rule for the site says that the article is, but furniture, and nothing else.
  mutating func keep(_ keeping: [BlockKeeping]) {
    for index in list.indices {
      switch (keeping[index].place, rules[index]) {
      case (.outside, _): (isText[index], isShown[index], rules[index]) = (false, false, .siteKeep)
      case (.hidden, _), (.kept, .looseLink), (.kept, .looseHeading), (.kept, .headline), (.kept, .repeated): break
      case (.kept, _):
        isShown[index] = true
        isText[index] = list[index].characters > 0 && !Self.isCaption(list[index])
        rules[index] = .siteKeep
      }
    }
  }

  // MARK: - Wholes

  /// Tables of data and lists are kept as they are when most of their words are, else not at all.
  private mutating func settleWholes() {
    var index = 0
    while index < list.count {
      guard let (whole, end) = whole(at: index) else {
        index += 1
        continue
      }
      let range = index..<end
      let words = range.reduce(0) { $0 + list[$1].words }
      let kept = range.reduce(0) { $0 + (isText[$1] ? list[$1].words : 0) }
      let isKept = kept * 2 >= max(1, words)
      // Where half of a list is an article of its own, it is no list but the way in which the page was made.
      if words < 60 * range.count || tape.name(of: whole) == "table" {
        for each in range where list[each].characters > 0 && isText[each] != isKept {
          (isText[each], rules[each]) = (isKept, .whole)
        }
      }
      index = end
    }
  }

  /// The outermost list or table of data that begins with a block, and the block behind it.
  private func whole(at index: Int) -> (element: Int, end: Int)? {
    guard list[index].owner >= 0, !list[index].zones.isDisjoint(with: [.list, .table]) else { return nil }
    var outermost = -1
    for element in tape.ancestors(of: list[index].owner) {
      switch tape.name(of: element) {
      case "ul", "ol", "dl": outermost = element
      case "table": outermost = page.isDataTable(element) ? element : -1
      default: break
      }
    }
    guard outermost >= 0 else { return nil }
    let place = tape.elements[outermost].end
    var end = index + 1
    while end < list.count, list[end].items.lowerBound < place { end += 1 }
    return (outermost, end)
  }

  /// Short lines that are nothing but links, among paragraphs, lead to something else: read more, related, an advertisement.
  private mutating func dropLooseLinks() {
    for index in list.indices where isText[index] && list[index].linkShare >= 950 {
      let block = list[index]
      guard block.words <= 25, block.owner >= 0, block.zones.isDisjoint(with: [.list, .table]) else { continue }
      let role = tape.kind(of: block.owner).role
      if role == .paragraph || role == .box || role == .quote { drop(index, .looseLink) }
    }
  }

  /// What stands on other pages of the site too goes before the first paragraph that stands on this one alone, and behind the last.
  private mutating func dropRepeated() {
    guard let repeated = page.repeated else { return }
    let own = list.indices.filter {
      isText[$0] && repeated.isOwn($0) && Landmarks.headingLevel(tape, list[$0]) == 0
    }
    guard let first = own.first, let last = own.last else { return }
    for index in list.indices where isText[index] && repeated.isFurniture(index) {
      // A heading before the first is that of what stays.
      let isHeading = Landmarks.headingLevel(tape, list[index]) > 0
      if index > last || index < first && !isHeading { drop(index, .repeated) }
    }
  }

  /// A heading under which nothing stays goes too, and so does the headline: the page's title stands above.
  private mutating func dropLooseHeadings() {
    var below = 0
    for index in list.indices.reversed() where isText[index] {
      let level = Landmarks.headingLevel(tape, list[index])
      if level == 0 {
        below = 7
      } else if below == 0 || below <= level {
        drop(index, .looseHeading)
      } else if index == page.marks.headline, level < 3 {
        drop(index, .headline)
      } else {
        below = max(below, level)
      }
    }
  }

  private mutating func drop(_ index: Int, _ rule: BlockReport.Rule) { (isText[index], rules[index]) = (false, rule) }

  // MARK: - Pictures

  private mutating func addPictures() {
    var before = [Int?](repeating: nil, count: list.count)
    var last: Int?
    for index in list.indices {
      before[index] = last
      if isText[index] { last = index }
    }
    var next: Int?
    for index in list.indices.reversed() {
      if !isText[index], list[index].pictures > 0, isInPlace(index, after: before[index], before: next) {
        (isShown[index], rules[index]) = (true, .picture)
      }
      if isText[index] { next = index }
    }
    addCaptions()
  }

  private static let elsewhere: ElementKind.Zones = [.navigation, .footer, .aside, .form, .control, .hidden]

  /// Whether a picture stands among what stays.
  private func isInPlace(_ index: Int, after: Int?, before: Int?) -> Bool {
    let block = list[index]
    guard block.zones.isDisjoint(with: Self.elsewhere) || block.zones.contains(.body) else { return false }
    // A picture with words of its own is a teaser, or has its credit beside it.
    if block.words > 40 || block.characters > 0 && block.linkShare > 500 && !block.zones.contains(.figure) {
      return false
    }
    switch (after, before) {
    case (nil, nil): return false
    case (let after?, let before?):
      return index - after <= 14 && before - index <= 14 && !isInTeaser(index, between: after, before)
    case (nil, let before?):
      if let headline = page.marks.headline, headline < before, index < headline - 4 { return false }
      return before - index <= 14 && !isInTeaser(index, between: before, before)
    case (let after?, nil):
      return index - after <= 4 && page.marks.contains(tape, block) && !isInTeaser(index, between: after, after)
    }
  }

  /// Whether a picture stands in a box of its own with words that do not stay, most of them links.
  private func isInTeaser(_ index: Int, between first: Int, _ second: Int) -> Bool {
    let places = [list[first].items.lowerBound, list[second].items.lowerBound]
    var part = -1
    guard list[index].owner >= 0 else { return false }
    for element in tape.ancestors(of: list[index].owner) {
      let own = tape.elements[element]
      if places.contains(where: { own.first <= $0 && $0 < own.end }) { break }
      part = element
    }
    guard part >= 0 else { return false }
    let sum = page.sums.elements[part]
    return sum.words > 12 && sum.linkShare > 400 || sum.words > 120
  }

  /// What stands under a picture that stays.
  private mutating func addCaptions() {
    var shown: Set<Int> = []
    for index in list.indices where isShown[index] && list[index].pictures > 0 {
      if let figure = figure(around: index) { shown.insert(figure) }
    }
    for index in list.indices where !isShown[index] && list[index].zones.contains(.figure) {
      if let figure = figure(around: index), shown.contains(figure) {
        (isShown[index], rules[index]) = (true, .caption)
      }
    }
  }

  private func figure(around index: Int) -> Int? {
    guard list[index].zones.contains(.figure), list[index].owner >= 0 else { return nil }
    return tape.ancestors(of: list[index].owner).first { tape.name(of: $0) == "figure" }
  }
}

extension MeasuredPage {
  /// Whether a table holds data: one that holds a page, or paragraphs, is the way in which the page was made.
  func isDataTable(_ table: Int) -> Bool {
    let sum = sums.elements[table]
    return sum.blocks >= 3 && sum.words < 25 * sum.blocks && sum.words * 2 < sums.page.words + 200
  }
}

import TamisCore

/// The choice of the blocks of the article by the scores of the trees.
///
/// Tables, lists and figures stay or go as wholes. A picture is not scored: it stays when it is between blocks that
/// stay.
struct Choice {
  /// Whether each block is shown.
  private(set) var isShown: [Bool]
  /// Whether each block is text, as opposed to a caption or a picture.
  private(set) var isText: [Bool]
  /// The deciding rule for each block.
  private(set) var rules: [BlockReport.Rule]
  /// The block with the picture for each block shown as its caption.
  private(set) var pictureOfCaption: [Int: Int] = [:]

  // The thresholds here and below are scores with the bias of the candidate, in millionths, chosen by the F of the text
  // on the training pages (Training); trees that are trained anew ask for new ones.

  /// The score from which the trees are sure that a block is part of the article.
  private static let sureFor = 1_200_000
  /// The score up to which the trees are sure that a block is not part of the article.
  private static let sureAgainst = -1_500_000
  /// The score between which and 0 the trees would drop a block, but are in doubt.
  private static let inDoubt = -250_000

  private let page: MeasuredPage
  private let scores: [Int]
  private var tape: PageTape { page.tape }
  private var list: [Block] { page.blocks.list }

  /// Chooses the blocks of the article.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - scores: the sums of the trees' weights and the bias, by the numbers of blocks.
  init(_ page: MeasuredPage, _ scores: [Int]) {
    (self.page, self.scores) = (page, scores)
    let blocks = page.blocks.list
    isText = blocks.indices.map { scores[$0] > 0 && blocks[$0].characters > 0 && !Self.isCaption(blocks[$0]) }
    rules = blocks.map { Self.isCaption($0) ? .caption : $0.characters == 0 ? .picture : .weighed }
    isShown = []
    dropScriptless()
    settleWholes()
    dropLooseLinks()
    keepCards()
    keepHeadings()
    keepWordless()
    keepFirstParagraph()
    keepLongRuns()
    keepNotes()
    dropRepeated()
    dropLabels()
    dropByline()
    dropLooseHeadings()
    isShown = isText
    dropHidden()
  }

  /// Shows the pictures that are among the text, and their captions.
  mutating func showPictures() {
    let pictures = PictureChoice(page, isText)
    for index in pictures.pictures { (isShown[index], rules[index]) = (true, .picture) }
    for (caption, picture) in pictures.captions {
      (isShown[caption], isText[caption], rules[caption]) = (true, false, .caption)
      pictureOfCaption[caption] = picture
    }
    showCaptions()
    keepNotes()
    dropHidden()
  }

  /// Shows the captions of what is shown in a figure: tables, code, quotations.
  private mutating func showCaptions() {
    var shown: Set<Int> = []
    for index in list.indices where isShown[index] {
      if let figure = figure(around: list[index].owner) { shown.insert(figure) }
    }
    for index in list.indices where !isShown[index] && Self.isCaption(list[index]) && list[index].characters > 0 {
      guard let figure = figure(around: list[index].owner), shown.contains(figure) else { continue }
      (isShown[index], rules[index]) = (true, .caption)
    }
    for index in list.indices.dropLast() where !isShown[index] && isCodeTitle(index) {
      (isShown[index], rules[index]) = (true, .caption)
    }
  }

  /// Whether a line is the title of the shown code behind it, in one box with it.
  ///
  ///     <div><span class="filename">gate.py</span><pre>…</pre></div>
  private func isCodeTitle(_ index: Int) -> Bool {
    let (block, code) = (list[index], list[index + 1])
    guard block.owner >= 0, block.isReadable, block.words <= Self.longestTitle, isShown[index + 1], isInCode(code)
    else { return false }
    let around = ([max(block.opening, block.owner)] + tape.ancestors(of: block.owner)).prefix(4)
    guard let box = around.first(where: { tape.elements[$0].holds(code.items.lowerBound) }) else { return false }
    return around.prefix { $0 != box }.contains { element in
      guard let classes = tape.value(of: "class", in: element)?.lowercased() else { return false }
      return Self.titleWords.contains { classes.contains($0) }
    }
  }

  private static let longestTitle = 15
  /// Parts of the classes of titles of code: of Sphinx, MkDocs, Docusaurus, Asciidoctor, Crayon, Confluence.
  private static let titleWords = ["title", "caption", "filename", "file-name", "codeheader", "code-header"]

  private func isInCode(_ block: Block) -> Bool {
    block.owner >= 0
      && tape.ancestors(of: block.owner).prefix(4).contains { tape.kind(of: $0).role == .preformatted }
  }

  /// Drops what nobody sees, whatever the trees say.
  private mutating func dropHidden() {
    drop(list.indices.filter { list[$0].zones.contains(.concealed) }, .hidden)
  }

  /// Drops blocks by a rule.
  mutating func drop(_ blocks: [Int], _ rule: BlockReport.Rule) {
    for index in blocks { (isShown[index], isText[index], rules[index]) = (false, false, rule) }
  }

  /// The number of words of the article.
  var words: Int { list.indices.reduce(0) { $0 + (isText[$1] ? list[$1].words : 0) } }

  private static func isCaption(_ block: Block) -> Bool {
    block.zones.contains(.caption) && !block.zones.contains(.table)
      || block.zones.contains(.figure)
        && block.pictures > 0 && block.words < 40
  }

  /// Drops content for readers without scripts, unless the page has no other.
  private mutating func dropScriptless() {
    guard list.contains(where: { $0.isGood && !$0.zones.contains(.scriptless) }) else { return }
    for index in list.indices where isText[index] && list[index].zones.contains(.scriptless) {
      drop(index, .scriptless)
    }
  }

  /// Keeps exactly the blocks in the elements that a rule for the site names, except boilerplate.
  mutating func keep(_ keeping: [BlockKeeping]) {
    for index in list.indices {
      switch (keeping[index].place, rules[index]) {
      case (.outside, _): (isText[index], isShown[index], rules[index]) = (false, false, .siteKeep)
      case (.hidden, _), (.kept, .scriptless), (.kept, .looseLink), (.kept, .looseHeading), (.kept, .headline),
        (.kept, .repeated):
        break
      case (.kept, _):
        isShown[index] = true
        isText[index] = list[index].characters > 0 && !Self.isCaption(list[index])
        rules[index] = .siteKeep
      }
    }
    dropHidden()
  }

  // MARK: - Wholes

  /// Keeps or drops data tables and lists as wholes.
  ///
  /// One is kept when most of its words are, or when it is between kept blocks and has few links. A list with much text
  /// in each item is the layout of the page, and so is one that would go with most of the text that the trees keep: its
  /// blocks stay as weighed.
  private mutating func settleWholes() {
    let weighed = isText
    let allKept = list.indices.reduce(0) { $0 + (weighed[$1] ? list[$1].words : 0) }
    var index = 0
    while index < list.count {
      guard let (whole, end) = whole(at: index) else {
        index += 1
        continue
      }
      let range = index..<end
      index = end
      let isTable = tape.name(of: whole) == "table"
      let words = range.reduce(0) { $0 + list[$1].words }
      let kept = range.reduce(0) { $0 + (weighed[$1] ? list[$1].words : 0) }
      let isKept = kept * 2 >= max(1, words)
      guard isTable || words < 60 * range.count && (isKept || kept * 2 <= allKept) else { continue }
      let isAmong = !isKept && isAmongKept(range, whole, weighed)
      for each in range
      where list[each].characters + list[each].formulas > 0 && isText[each] != (isKept || isAmong) {
        (isText[each], rules[each]) = (isKept || isAmong, isAmong ? .amongKept : .whole)
      }
      if !isTable { settleLeadIn(of: range, stays: isKept || isAmong) }
    }
  }

  /// The maximum number of dropped blocks between a kept block and a list or table kept with it, on the nearer and on
  /// the other side.
  private static let reach = (near: 3, far: 14)
  /// The maximum mean number of words per item of a list that is kept with the blocks around it.
  private static let longestItem = 15
  /// Whether a data table, or a list of short items without pictures, is between two kept blocks and has few links.
  private func isAmongKept(_ range: Range<Int>, _ whole: Int, _ kept: [Bool]) -> Bool {
    let sum = page.sums.elements[whole]
    guard list[range.lowerBound].isReadable else { return false }
    if tape.name(of: whole) == "table" {
      guard sum.linkShare < 500 else { return false }
    } else {
      guard tape.name(of: whole) != "dl", range.reduce(0, { $0 + scores[$1] }) > Self.sureAgainst * range.count else {
        return false
      }
      guard sum.linkShare < (isAnnounced(range) ? 500 : 150), sum.words <= Self.longestItem * range.count else {
        return false
      }
      guard range.allSatisfy({ list[$0].pictures == 0 && Landmarks.headingLevel(tape, list[$0]) == 0 }) else {
        return false
      }
    }
    let before = (0..<range.lowerBound).suffix(Self.reach.far + 1).last { kept[$0] }.map { range.lowerBound - 1 - $0 }
    let after = (range.upperBound..<list.count).prefix(Self.reach.far + 1).first { kept[$0] }.map {
      $0 - range.upperBound
    }
    guard let before, let after else { return false }
    return min(before, after) <= Self.reach.near
  }

  /// Whether a kept line that ends in a colon directly precedes a list.
  private func isAnnounced(_ range: Range<Int>) -> Bool {
    range.lowerBound > 0 && scores[range.lowerBound - 1] > 0 && list[range.lowerBound - 1].last == .colon
  }

  /// Keeps or drops the line that introduces a list together with it.
  private mutating func settleLeadIn(of range: Range<Int>, stays: Bool) {
    let index = range.lowerBound - 1
    guard index >= 0, isText[index] != stays, list[index].words <= 12, list[index].links == 0, list[index].isReadable
    else { return }
    let isHeading = Landmarks.headingLevel(tape, list[index]) > 0
    guard list[index].last == .colon || isHeading && stays else { return }
    (isText[index], rules[index]) = (stays, .amongKept)
  }

  /// Returns the outermost list or data table that begins with a block, and the block after it.
  private func whole(at index: Int) -> (element: Int, end: Int)? {
    guard list[index].owner >= 0, !list[index].zones.isDisjoint(with: [.list, .table]) else { return nil }
    var outermost = -1
    for element in tape.ancestors(of: list[index].owner) {
      switch tape.name(of: element) {
      case "ul", "ol", "dl": outermost = element
      case "table": outermost = page.tables.contains(element) ? element : -1
      default: break
      }
    }
    guard outermost >= 0 else { return nil }
    let position = tape.elements[outermost].end
    var end = index + 1
    while end < list.count, list[end].items.lowerBound < position { end += 1 }
    return (outermost, end)
  }

  /// Drops short lines of links among paragraphs ("read more", related pages, advertisements), unless the trees are
  /// sure of them.
  private mutating func dropLooseLinks() {
    for index in list.indices where isText[index] && list[index].linkShare >= 950 {
      let block = list[index]
      guard block.words <= 25, block.owner >= 0, scores[index] < Self.sureFor || page.keeping != nil,
        block.zones.isDisjoint(with: [.list, .table])
      else { continue }
      let role = tape.kind(of: block.owner).role
      if role == .paragraph || role == .box || role == .quote { drop(index, .looseLink) }
    }
  }

  /// The maximum number of blocks between a card and a kept block on each side.
  private static let besideCard = 1

  /// Keeps a figure that is a link as a whole, such as the title, description and picture of another page, when it is
  /// between two kept blocks.
  private mutating func keepCards() {
    let kept = isText
    var index = 0
    while index < list.count {
      let (start, figure) = (index, list[index].owner < 0 ? nil : self.figure(around: list[index].owner))
      index += 1
      guard let figure else { continue }
      while index < list.count, tape.elements[figure].holds(list[index].items.lowerBound) { index += 1 }
      let range = start..<index
      // One line is the caption of a picture.
      guard range.count(where: { list[$0].characters > 0 && !list[$0].zones.contains(.caption) }) > 1,
        range.allSatisfy({ list[$0].isReadable && (list[$0].characters == 0 || list[$0].linkShare >= 950) }),
        kept[max(0, start - 1 - Self.besideCard)..<start].contains(true),
        kept[index..<min(list.count, index + 1 + Self.besideCard)].contains(true)
      else { continue }
      for each in range where list[each].characters > 0 { (isText[each], rules[each]) = (true, .amongKept) }
    }
  }

  private func figure(around element: Int) -> Int? {
    if element < 0 { return nil }
    return ([element] + tape.ancestors(of: element).prefix(6)).first { tape.name(of: $0) == "figure" }
  }

  /// The maximum number of blocks between code or a formula and a kept block, before, behind, and at the end.
  private static let besideWordless = (before: 12, behind: 12, last: 2)

  /// Keeps formulas and code in the main box that are among kept blocks, and those right between two, wherever: the
  /// trees weigh words, and these have others.
  private mutating func keepWordless() {
    let kept = isText
    var index = 0
    while index < list.count {
      let start = index
      while index < list.count, isWordless(list[index]) { index += 1 }
      guard start < index else {
        index += 1
        continue
      }
      let before = kept[max(0, start - Self.besideWordless.before)..<start].contains(true)
      let behind = kept[index..<min(list.count, index + Self.besideWordless.behind)].contains(true)
      let isLast = kept[max(0, start - Self.besideWordless.last)..<start].contains(true)
      guard before && behind || isLast else { continue }
      let isBetween = isLast && kept[index..<min(list.count, index + Self.besideWordless.last)].contains(true)
      for each in start..<index
      where !isText[each] && list[each].isReadable && (isBetween || page.box?.contains(list[each]) != false) {
        (isText[each], rules[each]) = (true, .amongKept)
      }
    }
  }

  private func isWordless(_ block: Block) -> Bool {
    block.isFormula || block.linkShare < 500 && isInCode(block)
  }

  /// Keeps prose directly after the headline when the trees doubt it; many pages have it in a box of its own.
  private mutating func keepFirstParagraph() {
    guard let first = isText.firstIndex(of: true), let headline = page.marks.headline, headline < first else { return }
    for index in (headline + 1)..<max(first, headline + 1)
    where list[index].isGood && list[index].isReadable && scores[index] > Self.inDoubt {
      (isText[index], rules[index]) = (true, .amongKept)
    }
  }

  /// The maximum number of words of a footnote.
  private static let longestNote = 600

  /// Keeps the footnotes to which kept blocks refer, and the heading above them.
  private mutating func keepNotes() {
    if tape.references.isEmpty { return }
    var wanted: Set<Int> = []
    for index in list.indices where isText[index] || isShown.indices.contains(index) && isShown[index] {
      for item in tape.items[Int(list[index].items.lowerBound)..<Int(list[index].items.upperBound)] {
        if case .element(let element) = item, let note = tape.references[element] { wanted.insert(note) }
      }
    }
    var isFirst = true
    for index in list.indices where list[index].owner >= 0 && list[index].characters > 0 {
      guard let note = tape.ancestors(of: list[index].owner).prefix(6).first(where: { tape.notes[$0] != nil }),
        let number = tape.notes[note], wanted.contains(number), page.sums.elements[note].words <= Self.longestNote
      else { continue }
      if !isText[index] { keep(note: index) }
      if isFirst, index > 0, !isText[index - 1], list[index - 1].words <= 3,
        Landmarks.headingLevel(tape, list[index - 1]) > 0
      {
        keep(note: index - 1)
      }
      isFirst = false
    }
  }

  private mutating func keep(note index: Int) {
    (isText[index], rules[index]) = (true, .note)
    if isShown.indices.contains(index) { isShown[index] = true }
  }

  /// The length of a run of paragraphs that exceeds those of most training pages.
  private static let longRun = 40

  /// Keeps blocks similar to a long run of kept paragraphs in one box, unless the trees are sure against them.
  ///
  /// The distance of such blocks from the beginning of the page counts against them.
  private mutating func keepLongRuns() {
    var run = (box: -1, way: UInt64(0), count: 0)
    for index in list.indices where list[index].isGood && list[index].isReadable {
      let owner = list[index].owner
      let own = (box: owner < 0 ? -1 : Int(tape.elements[owner].parent), way: page.sums.ways[index])
      if own != (run.box, run.way) { run = (own.box, own.way, 0) }
      if isText[index] {
        run.count += 1
      } else if run.count >= Self.longRun, scores[index] > Self.sureAgainst {
        (isText[index], rules[index]) = (true, .amongKept)
      }
    }
  }

  /// Keeps a heading between two kept blocks of its box when the trees doubt it.
  private mutating func keepHeadings() {
    for index in list.indices.dropFirst().dropLast() where !isText[index] && isText[index - 1] && isText[index + 1] {
      let block = list[index]
      guard Landmarks.headingLevel(tape, block) > 1, block.words <= 15, block.isReadable,
        scores[index] > Self.inDoubt, index != page.marks.headline
      else { continue }
      let box = Int(tape.elements[block.owner].parent)
      if box >= 0, tape.elements[box].holds(list[index + 1].items.lowerBound) {
        (isText[index], rules[index]) = (true, .amongKept)
      }
    }
  }

  /// Drops blocks shared with other pages of the site before the first paragraph unique to this page and after the
  /// last.
  private mutating func dropRepeated() {
    guard let repeated = page.repeated else { return }
    let own = list.indices.filter {
      isText[$0] && repeated.isOwn($0) && Landmarks.headingLevel(tape, list[$0]) == 0
    }
    guard let first = own.first, let last = own.last else { return }
    for index in list.indices where isText[index] && repeated.isBoilerplate(index) {
      // A heading directly before the first paragraph is kept.
      let isHeading = Landmarks.headingLevel(tape, list[index]) > 0
      if index > last || index < first && !isHeading { drop(index, .repeated) }
    }
  }

  /// Lines that announce an advertisement, which is itself drawn by scripts, in lower case.
  private static let labels: Set<String> = [
    "advertisement", "advertisements", "advertising", "advertorial", "sponsored", "story continues below advertisement",
    "continue reading below", "article continues below", "anzeige", "werbung", "publicité", "publicidad", "pubblicità",
    "publicidade", "advertentie", "reklama", "reklame", "reklam", "annons", "annonse", "广告", "広告", "реклама",
  ]
  /// The maximum number of characters of these lines.
  private static let longestLabel = 40

  /// Drops lines that announce an advertisement.
  private mutating func dropLabels() {
    guard page.keeping == nil else { return }
    for index in list.indices where isText[index] && isLine(index, atMost: Self.longestLabel) {
      if Self.labels.contains(tape.text(of: list[index]).collapsingSpace().lowercased()) { drop(index, .label) }
    }
  }

  /// The maximum number of characters of a line that names the author.
  private static let longestByline = 80
  /// The number of kept blocks at the beginning that may name the author.
  private static let firstBlocks = 3

  /// Drops a line at the beginning that names the author, such as "By Jane Doe": the byline is shown above the article.
  private mutating func dropByline() {
    guard let byline = page.facts.byline?.value, page.keeping == nil else { return }
    let known = Set(Self.names(byline))
    for index in list.indices.filter({ isText[$0] }).prefix(Self.firstBlocks) {
      guard isLine(index, atMost: Self.longestByline), list[index].sentences == 0 else { continue }
      let line = tape.text(of: list[index]).collapsingSpace()
      guard Byline.saysBy(line), let names = Byline().names(in: line) else { continue }
      if known.isSuperset(of: Self.names(names)) { drop(index, .byline) }
    }
  }

  private static func names(_ byline: String) -> [String] {
    byline.split(separator: ",").map { Squash.text(String($0)) }
  }

  /// Whether a block is a short line of its own, in no list and no table, without a picture.
  private func isLine(_ index: Int, atMost characters: Int) -> Bool {
    let block = list[index]
    guard block.characters <= characters, block.pictures == 0, block.zones.isDisjoint(with: [.list, .table]) else {
      return false
    }
    return block.owner >= 0 && [.paragraph, .box].contains(tape.kind(of: block.owner).role)
  }

  /// Drops headings without kept content below them, and the headline if the page's title, shown above, says it.
  private mutating func dropLooseHeadings() {
    var below = 0
    for index in list.indices.reversed() where isText[index] {
      let level = Landmarks.headingLevel(tape, list[index])
      if level == 0 {
        below = 7
      } else if below == 0 || below <= level {
        drop(index, .looseHeading)
      } else if index == page.marks.headline, level < 3, isInTitle(list[index]) {
        drop(index, .headline)
      } else {
        below = max(below, level)
      }
    }
  }

  /// Whether the page's title is taken from its headline, or has three quarters of its words; the title of a page can
  /// be `My blog` above the headline `New library opens in town`.
  private func isInTitle(_ headline: Block) -> Bool {
    guard let title = page.facts.title else { return false }
    if ["h1", "h2"].contains(title.source) { return true }
    let (words, said) = (page.blocks.digests(of: headline), WordRuns(title.value).words)
    return 4 * words.count(where: said.contains) >= 3 * words.count
  }

  private mutating func drop(_ index: Int, _ rule: BlockReport.Rule) { (isText[index], rules[index]) = (false, rule) }
}

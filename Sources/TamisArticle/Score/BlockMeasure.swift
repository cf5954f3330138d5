// To change which blocks are the article: a number of a block is a case of `Feature` measured here, of a choice of
// blocks one of `PageFeature` (PageMeasure.swift); then train anew (Training/README.md) and write the figures of
// validate.py there. Classes of footers and side bars: Page/ZoneNames.swift. Lines that are never text: `dropLabels`
// in Assemble/Choice.swift, with a rule of `BlockReport.Rule` and its words (Tamis/JSON/BlockReport+Text.swift).
// Kinds of pages: Facts/PageSigns.swift. Posts of threads: Assemble/ThreadPosts.swift. JSON of scripts:
// Facts/PreloadedData.swift. Cases: Fixtures/Pages/Articles; floors: Tests/ConformanceTests/ArticleFloors.swift.

/// Measures the blocks of a page.
struct BlockMeasure {
  /// Other texts about the page, to be searched for in its blocks.
  struct Hints: Sendable {
    /// The page's title.
    var title = WordRuns("")
    /// The page's description of itself.
    var description = WordRuns("")
    /// The text in the page's machine-readable data.
    var linkedBody = WordRuns("")
    /// The title in a feed.
    var feedTitle = WordRuns("")
    /// The text in a feed.
    var feed = WordRuns("")
  }

  private let tape: PageTape
  private let blocks: Blocks
  private let sums: Sums
  private let marks: Landmarks
  private let hints: Hints
  private let repetitions: Repetitions
  private var numbers: BlockNumbers

  private init(_ tape: PageTape, _ blocks: Blocks, _ sums: Sums, _ marks: Landmarks, _ hints: Hints) {
    (self.tape, self.blocks, self.sums, self.marks, self.hints) = (tape, blocks, sums, marks, hints)
    repetitions = Repetitions(tape, sums)
    numbers = BlockNumbers(blocks: blocks.list.count)
  }

  static func numbers(
    _ tape: PageTape, _ blocks: Blocks, _ sums: Sums, _ marks: Landmarks, _ hints: Hints
  ) -> BlockNumbers {
    var measure = BlockMeasure(tape, blocks, sums, marks, hints)
    var wordsBefore = 0
    for index in blocks.list.indices {
      measure.block(index)
      measure.zones(index)
      measure.position(index, wordsBefore: wordsBefore)
      measure.boxes(index)
      measure.neighbours(index)
      measure.hints(index)
      measure.likes(index)
      measure.repetition(index)
      wordsBefore += blocks.list[index].words
    }
    measure.distances()
    return measure.numbers
  }

  private mutating func set(_ feature: Feature, at index: Int, to value: Int) {
    numbers[index, feature] = Int32(clamping: value)
  }

  private mutating func set(_ feature: Feature, at index: Int, to value: Bool) {
    numbers[index, feature] = value ? 1 : 0
  }

  // MARK: - The block itself

  private mutating func block(_ index: Int) {
    let block = blocks.list[index]
    set(.words, at: index, to: block.words)
    set(.linkShare, at: index, to: block.linkShare)
    set(.links, at: index, to: block.links)
    set(.punctuation, at: index, to: block.punctuation)
    set(.sentences, at: index, to: block.sentences)
    set(.end, at: index, to: Int(block.last.rawValue))
    set(.wordLength, at: index, to: block.words == 0 ? 0 : block.characters * 10 / block.words)
    set(.capitals, at: index, to: perThousand(block.capitals, of: block.words))
    set(.digits, at: index, to: perThousand(block.digits, of: block.characters))
    set(.emphasis, at: index, to: perThousand(block.emphasis, of: block.characters))
    set(.pictures, at: index, to: block.pictures)
    set(.hasPictureOnly, at: index, to: block.characters == 0)
    guard block.owner >= 0 else { return }
    let kind = tape.kind(of: block.owner)
    set(.role, at: index, to: Int(kind.role.rawValue))
    set(.headingLevel, at: index, to: kind.headingLevel)
    set(.depth, at: index, to: Int(tape.elements[block.owner].depth))
  }

  private static let zones: [(ElementKind.Zones, Feature)] = [
    (.navigation, .inNavigation), (.header, .inHeader), (.footer, .inFooter), (.aside, .inAside), (.beside, .inAside),
    (.form, .inForm),
    (.figure, .inFigure), (.table, .inTable), (.list, .inList), (.article, .inArticle), (.main, .inMain),
    (.control, .inControl), (.quote, .inQuote), (.hidden, .isHidden), (.body, .inBody), (.caption, .inCaption),
  ]

  private mutating func zones(_ index: Int) {
    let zones = blocks.list[index].zones
    for (zone, feature) in Self.zones where zones.contains(zone) { numbers[index, feature] = 1 }
  }

  private mutating func position(_ index: Int, wordsBefore: Int) {
    let after = sums.page.words - wordsBefore - blocks.list[index].words
    set(.position, at: index, to: perThousand(index, of: blocks.list.count))
    set(.wordsBefore, at: index, to: wordsBefore)
    set(.wordsAfter, at: index, to: after)
    set(.wordsBeforeShare, at: index, to: perThousand(wordsBefore, of: sums.page.words))
    set(.pageWords, at: index, to: sums.page.words)
    set(.pageLinkShare, at: index, to: sums.page.linkShare)
    set(.pageBlocks, at: index, to: sums.page.blocks)
    set(.pageGoodShare, at: index, to: perThousand(sums.page.goodWords, of: sums.page.words))
  }

  // MARK: - Boxes

  private func box(from element: Int) -> Int {
    var next = element
    while next >= 0, tape.kind(of: next).role != .box { next = Int(tape.elements[next].parent) }
    return next
  }

  private func parent(of element: Int) -> Int { element < 0 ? -1 : Int(tape.elements[element].parent) }

  private func sum(_ element: Int) -> Sum { element < 0 ? sums.page : sums.elements[element] }

  private mutating func boxes(_ index: Int) {
    let owner = blocks.list[index].owner
    let box = box(from: owner)
    let outer = self.box(from: parent(of: box))
    let third = self.box(from: parent(of: outer))
    let inner = sum(box)
    set(.boxWords, at: index, to: inner.words)
    set(.boxLinkShare, at: index, to: inner.linkShare)
    set(.boxBlocks, at: index, to: inner.blocks)
    set(.boxGood, at: index, to: inner.good)
    set(.boxWordsEach, at: index, to: inner.words * 10 / max(1, inner.blocks))
    let middle = sum(outer)
    set(.outerWords, at: index, to: middle.words)
    set(.outerLinkShare, at: index, to: middle.linkShare)
    set(.outerBlocks, at: index, to: middle.blocks)
    set(.outerGood, at: index, to: middle.good)
    set(.outerShare, at: index, to: perThousand(inner.words, of: middle.words))
    let last = sum(third)
    set(.thirdWords, at: index, to: last.words)
    set(.thirdLinkShare, at: index, to: last.linkShare)
    set(.thirdGood, at: index, to: last.good)
    set(.thirdShare, at: index, to: perThousand(middle.words, of: last.words))
    containers(index, owner: owner)
  }

  /// Measures the nearest list, table and article around a block.
  private mutating func containers(_ index: Int, owner: Int) {
    var (list, table, article) = (-1, -1, -1)
    var articles = 0
    var next = owner
    let zones = blocks.list[index].zones
    if zones.isDisjoint(with: [.list, .table, .article]) { next = -1 }
    while next >= 0 {
      switch tape.name(of: next) {
      case "ul", "ol", "dl": if list < 0 { list = next }
      case "table": if table < 0 { table = next }
      case "article":
        if article < 0 { article = next }
        articles += 1
      default: break
      }
      next = parent(of: next)
    }
    let absent = -1
    let listSum = sum(list)
    set(.listItems, at: index, to: list < 0 ? absent : listSum.blocks)
    set(.listWordsEach, at: index, to: list < 0 ? absent : listSum.words * 10 / max(1, listSum.blocks))
    set(.listLinkShare, at: index, to: list < 0 ? absent : listSum.linkShare)
    let tableSum = sum(table)
    set(.tableCells, at: index, to: table < 0 ? absent : tableSum.blocks)
    set(.tableWordsEach, at: index, to: table < 0 ? absent : tableSum.words * 10 / max(1, tableSum.blocks))
    set(.tableLinkShare, at: index, to: table < 0 ? absent : tableSum.linkShare)
    set(.articleShare, at: index, to: article < 0 ? absent : perThousand(sum(article).words, of: sums.page.words))
    set(.articleLinkShare, at: index, to: article < 0 ? absent : sum(article).linkShare)
    set(.articles, at: index, to: marks.articles)
    set(.articleDepth, at: index, to: articles)
  }

  // MARK: - Neighbours

  private mutating func neighbours(_ index: Int) {
    let pairs: [(Int, Feature, Feature)] = [
      (-2, .before2Words, .before2LinkShare), (-1, .before1Words, .before1LinkShare),
      (1, .after1Words, .after1LinkShare), (2, .after2Words, .after2LinkShare),
    ]
    for (step, words, links) in pairs {
      let other = index + step
      let isThere = blocks.list.indices.contains(other)
      set(words, at: index, to: isThere ? blocks.list[other].words : -1)
      set(links, at: index, to: isThere ? blocks.list[other].linkShare : -1)
    }
    let own = blocks.list[index]
    if index > 0 {
      let before = blocks.list[index - 1]
      set(.before1Good, at: index, to: before.isGood)
      set(.before1SameBox, at: index, to: parent(of: before.owner) == parent(of: own.owner))
      set(.before1SameRole, at: index, to: role(before) == role(own))
      set(.before1End, at: index, to: Int(before.last.rawValue))
    }
    if index + 1 < blocks.list.count {
      let after = blocks.list[index + 1]
      set(.after1Good, at: index, to: after.isGood)
      set(.after1SameBox, at: index, to: parent(of: after.owner) == parent(of: own.owner))
      set(.after1SameRole, at: index, to: role(after) == role(own))
    }
  }

  private func role(_ block: Block) -> ElementKind.Role { block.owner < 0 ? .other : tape.kind(of: block.owner).role }

  /// Measures the distance to the nearest prose and the nearest heading, and the amount of prose nearby.
  private mutating func distances() {
    let list = blocks.list
    var (good, heading) = (-1, -1)
    var goodBefore = [0]
    for index in list.indices {
      set(.sinceGood, at: index, to: good < 0 ? -1 : index - good)
      set(.sinceHeading, at: index, to: heading < 0 ? -1 : index - heading)
      if list[index].isGood { good = index }
      if Landmarks.headingLevel(tape, list[index]) > 0 { heading = index }
      goodBefore.append(goodBefore[index] + (list[index].isGood ? 1 : 0))
    }
    good = -1
    for index in list.indices.reversed() {
      set(.untilGood, at: index, to: good < 0 ? -1 : good - index)
      if list[index].isGood { good = index }
    }
    for index in list.indices {
      for (reach, feature) in [(3, Feature.goodNear), (12, Feature.goodFar)] {
        let range = max(0, index - reach)..<min(list.count, index + reach + 1)
        set(feature, at: index, to: goodBefore[range.upperBound] - goodBefore[range.lowerBound])
      }
    }
  }

  // MARK: - What is known

  private mutating func hints(_ index: Int) {
    let words = blocks.digests(of: blocks.list[index])
    set(.fromHeadline, at: index, to: marks.headline.map { index - $0 } ?? Int(Int16.min))
    let shared = words.count { hints.title.words.contains($0) }
    set(.titleShare, at: index, to: words.isEmpty ? 0 : 1000 * shared / max(words.count, hints.title.words.count))
    let runs: [(WordRuns, Feature)] = [
      (hints.description, .descriptionShare), (hints.linkedBody, .linkedBodyShare), (hints.feed, .feedShare),
      (hints.feedTitle, .feedTitleShare),
    ]
    for (text, feature) in runs { set(feature, at: index, to: text.isEmpty ? -1 : text.share(of: words)) }
  }

  /// Measures the largest group of siblings alike that a block is in: the posts of a thread, the cards of a list.
  private mutating func repetition(_ index: Int) {
    guard let alike = repetitions.around(blocks.list[index].owner) else { return }
    set(.alikeItems, at: index, to: alike.count)
    set(.alikeWordsEach, at: index, to: alike.sum.words * 10 / alike.count)
    set(.alikeLinkShare, at: index, to: alike.sum.linkShare)
    set(.alikeShare, at: index, to: perThousand(alike.sum.words, of: sums.page.words))
    set(.alikeGood, at: index, to: alike.sum.good * 1000 / alike.count)
  }

  private mutating func likes(_ index: Int) {
    let group = sums.groups[sums.ways[index]] ?? Sum()
    set(.groupBlocks, at: index, to: group.blocks)
    set(.groupWordsEach, at: index, to: group.words * 10 / max(1, group.blocks))
    set(.groupLinkShare, at: index, to: group.linkShare)
    set(.groupShare, at: index, to: perThousand(group.words, of: sums.page.words))
    set(.groupGood, at: index, to: group.good)
    set(.repeats, at: index, to: sums.texts[blocks.list[index].text] ?? 0)
  }
}

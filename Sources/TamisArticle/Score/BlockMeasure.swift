/// Measures the blocks of a page.
struct BlockMeasure {
  /// What is known besides the page's blocks, to look for in them.
  struct Hints: Sendable {
    /// What the page calls itself.
    var title = WordRuns("")
    /// What it says of itself in a sentence or two.
    var description = WordRuns("")
    /// Its text in its data for machines.
    var linkedBody = WordRuns("")
    /// What a feed calls it.
    var feedTitle = WordRuns("")
    /// What a feed has of its text.
    var feed = WordRuns("")
  }

  private let tape: PageTape
  private let blocks: Blocks
  private let sums: Sums
  private let marks: Landmarks
  private let hints: Hints
  private var numbers: BlockNumbers

  private init(_ tape: PageTape, _ blocks: Blocks, _ sums: Sums, _ marks: Landmarks, _ hints: Hints) {
    (self.tape, self.blocks, self.sums, self.marks, self.hints) = (tape, blocks, sums, marks, hints)
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
      measure.place(index, wordsBefore)
      measure.boxes(index)
      measure.best(index)
      measure.neighbours(index)
      measure.hints(index)
      measure.likes(index)
      wordsBefore += blocks.list[index].words
    }
    measure.distances()
    return measure.numbers
  }

  private mutating func set(_ index: Int, _ feature: Feature, _ value: Int) {
    numbers[index, feature] = Int32(clamping: value)
  }

  private mutating func set(_ index: Int, _ feature: Feature, _ value: Bool) { numbers[index, feature] = value ? 1 : 0 }

  private func share(_ part: Int, _ whole: Int) -> Int { whole == 0 ? 0 : part * 1000 / whole }

  // MARK: - The block itself

  private mutating func block(_ index: Int) {
    let block = blocks.list[index]
    set(index, .words, block.words)
    set(index, .linkShare, block.linkShare)
    set(index, .links, block.links)
    set(index, .punctuation, block.punctuation)
    set(index, .sentences, block.sentences)
    set(index, .end, Int(block.last.rawValue))
    set(index, .wordLength, block.words == 0 ? 0 : block.characters * 10 / block.words)
    set(index, .capitals, share(block.capitals, block.words))
    set(index, .digits, share(block.digits, block.characters))
    set(index, .emphasis, share(block.emphasis, block.characters))
    set(index, .pictures, block.pictures)
    set(index, .hasPictureOnly, block.characters == 0)
    guard block.owner >= 0 else { return }
    let kind = tape.kind(of: block.owner)
    set(index, .role, Int(kind.role.rawValue))
    set(index, .headingLevel, kind.headingLevel)
    set(index, .depth, Int(tape.elements[block.owner].depth))
  }

  private static let zones: [(ElementKind.Zones, Feature)] = [
    (.navigation, .inNavigation), (.header, .inHeader), (.footer, .inFooter), (.aside, .inAside), (.form, .inForm),
    (.figure, .inFigure), (.table, .inTable), (.list, .inList), (.article, .inArticle), (.main, .inMain),
    (.control, .inControl), (.quote, .inQuote), (.hidden, .isHidden), (.body, .inBody), (.caption, .inCaption),
  ]

  private mutating func zones(_ index: Int) {
    let zones = blocks.list[index].zones
    for (zone, feature) in Self.zones where zones.contains(zone) { numbers[index, feature] = 1 }
  }

  private mutating func place(_ index: Int, _ wordsBefore: Int) {
    let after = sums.page.words - wordsBefore - blocks.list[index].words
    set(index, .place, share(index, blocks.list.count))
    set(index, .wordsBefore, wordsBefore)
    set(index, .wordsAfter, after)
    set(index, .wordsBeforeShare, share(wordsBefore, sums.page.words))
    set(index, .pageWords, sums.page.words)
    set(index, .pageLinkShare, sums.page.linkShare)
    set(index, .pageBlocks, sums.page.blocks)
    set(index, .pageGoodShare, share(sums.page.goodWords, sums.page.words))
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
    set(index, .boxWords, inner.words)
    set(index, .boxLinkShare, inner.linkShare)
    set(index, .boxBlocks, inner.blocks)
    set(index, .boxGood, inner.good)
    set(index, .boxWordsEach, inner.words * 10 / max(1, inner.blocks))
    let middle = sum(outer)
    set(index, .outerWords, middle.words)
    set(index, .outerLinkShare, middle.linkShare)
    set(index, .outerBlocks, middle.blocks)
    set(index, .outerGood, middle.good)
    set(index, .outerShare, share(inner.words, middle.words))
    let last = sum(third)
    set(index, .thirdWords, last.words)
    set(index, .thirdLinkShare, last.linkShare)
    set(index, .thirdGood, last.good)
    set(index, .thirdShare, share(middle.words, last.words))
    containers(index, owner)
  }

  /// The nearest list, table and article around a block.
  private mutating func containers(_ index: Int, _ owner: Int) {
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
    set(index, .listItems, list < 0 ? absent : listSum.blocks)
    set(index, .listWordsEach, list < 0 ? absent : listSum.words * 10 / max(1, listSum.blocks))
    set(index, .listLinkShare, list < 0 ? absent : listSum.linkShare)
    let tableSum = sum(table)
    set(index, .tableCells, table < 0 ? absent : tableSum.blocks)
    set(index, .tableWordsEach, table < 0 ? absent : tableSum.words * 10 / max(1, tableSum.blocks))
    set(index, .tableLinkShare, table < 0 ? absent : tableSum.linkShare)
    set(index, .articleShare, article < 0 ? absent : share(sum(article).words, sums.page.words))
    set(index, .articleLinkShare, article < 0 ? absent : sum(article).linkShare)
    set(index, .articles, marks.articles)
    set(index, .articleDepth, articles)
  }

  /// How a block stands to the box with the most prose: in it, or how far from it; and the part of that box that it is in.
  private mutating func best(_ index: Int) {
    guard marks.best >= 0 else { return }
    let block = blocks.list[index]
    let isInside = marks.contains(tape, block)
    set(index, .inBest, isInside)
    set(index, .bestShare, share(sum(marks.best).words, sums.page.words))
    set(index, .bestLinkShare, sum(marks.best).linkShare)
    set(index, .fromBestStart, index - marks.bestRun.lowerBound)
    set(index, .fromBestEnd, index - marks.bestRun.upperBound + 1)
    var (part, steps) = (-1, 0)
    var next = block.owner
    if isInside {
      while next >= 0, next != marks.best {
        part = next
        steps += 1
        next = parent(of: next)
      }
    } else {
      // Up to the element that both stand in.
      let place = tape.elements[marks.best].first
      while next >= 0, !(tape.elements[next].first <= place && place < tape.elements[next].end) {
        part = next
        steps -= 1
        next = parent(of: next)
      }
    }
    set(index, .stepsFromBest, steps)
    let inPart = sum(part < 0 ? block.owner : part)
    set(index, .partWords, inPart.words)
    set(index, .partLinkShare, inPart.linkShare)
    set(index, .partGood, inPart.good)
    set(index, .partBlocks, inPart.blocks)
    set(index, .partShare, share(inPart.words, sum(marks.best).words))
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
      set(index, words, isThere ? blocks.list[other].words : -1)
      set(index, links, isThere ? blocks.list[other].linkShare : -1)
    }
    let own = blocks.list[index]
    if index > 0 {
      let before = blocks.list[index - 1]
      set(index, .before1Good, before.isGood)
      set(index, .before1SameBox, parent(of: before.owner) == parent(of: own.owner))
      set(index, .before1SameRole, role(before) == role(own))
      set(index, .before1End, Int(before.last.rawValue))
    }
    if index + 1 < blocks.list.count {
      let after = blocks.list[index + 1]
      set(index, .after1Good, after.isGood)
      set(index, .after1SameBox, parent(of: after.owner) == parent(of: own.owner))
      set(index, .after1SameRole, role(after) == role(own))
    }
  }

  private func role(_ block: Block) -> ElementKind.Role { block.owner < 0 ? .other : tape.kind(of: block.owner).role }

  /// How far it is to the nearest prose and the nearest heading, and how much prose there is around.
  private mutating func distances() {
    let list = blocks.list
    var (good, heading) = (-1, -1)
    var goodBefore = [0]
    for index in list.indices {
      set(index, .sinceGood, good < 0 ? -1 : index - good)
      set(index, .sinceHeading, heading < 0 ? -1 : index - heading)
      if list[index].isGood { good = index }
      if Landmarks.headingLevel(tape, list[index]) > 0 { heading = index }
      goodBefore.append(goodBefore[index] + (list[index].isGood ? 1 : 0))
    }
    good = -1
    for index in list.indices.reversed() {
      set(index, .untilGood, good < 0 ? -1 : good - index)
      if list[index].isGood { good = index }
    }
    for index in list.indices {
      for (reach, feature) in [(3, Feature.goodNear), (12, Feature.goodFar)] {
        let range = max(0, index - reach)..<min(list.count, index + reach + 1)
        set(index, feature, goodBefore[range.upperBound] - goodBefore[range.lowerBound])
      }
    }
  }

  // MARK: - What is known

  private mutating func hints(_ index: Int) {
    let words = blocks.digests(of: blocks.list[index])
    set(index, .fromHeadline, marks.headline.map { index - $0 } ?? Int(Int16.min))
    let shared = words.count { hints.title.words.contains($0) }
    set(index, .titleShare, words.isEmpty ? 0 : 1000 * shared / max(words.count, hints.title.words.count))
    let runs: [(WordRuns, Feature)] = [
      (hints.description, .descriptionShare), (hints.linkedBody, .linkedBodyShare), (hints.feed, .feedShare),
      (hints.feedTitle, .feedTitleShare),
    ]
    for (text, feature) in runs { set(index, feature, text.isEmpty ? -1 : text.share(of: words)) }
  }

  private mutating func likes(_ index: Int) {
    let group = sums.groups[sums.ways[index]] ?? Sum()
    set(index, .groupBlocks, group.blocks)
    set(index, .groupWordsEach, group.words * 10 / max(1, group.blocks))
    set(index, .groupLinkShare, group.linkShare)
    set(index, .groupShare, share(group.words, sums.page.words))
    set(index, .groupGood, group.good)
    set(index, .repeats, sums.texts[blocks.list[index].text] ?? 0)
  }
}

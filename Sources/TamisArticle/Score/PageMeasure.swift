/// Measures a page with a choice of its blocks, to predict how good the choice is.
struct PageMeasure {
  private let page: MeasuredPage
  private let choice: Choice
  private let kept: Sum
  private var values = [Int32](repeating: 0, count: PageFeature.count)
  private var list: [Block] { page.blocks.list }

  private init(_ page: MeasuredPage, _ choice: Choice) {
    (self.page, self.choice) = (page, choice)
    var kept = Sum()
    for index in page.blocks.list.indices where choice.isText[index] { kept.add(page.blocks.list[index]) }
    self.kept = kept
  }

  /// Returns the features of a choice, in the order of ``PageFeature``.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - scores: the scores of its blocks.
  ///   - candidate: the choice of its blocks.
  ///   - first: the choice without bias.
  /// - Returns: a number for each feature.
  static func numbers(_ page: MeasuredPage, _ scores: [Int], _ candidate: Candidate, first: Candidate) -> [Int32] {
    var measure = PageMeasure(page, candidate.choice)
    measure.wholePage()
    measure.chosen()
    measure.set(.isRescued, candidate.isRescued ? 1 : 0)
    measure.set(.bias, candidate.bias / 1000)
    measure.set(.likeFirst, measure.likeness(to: first.choice))
    measure.order()
    measure.certainty(scores)
    measure.box()
    measure.group()
    measure.texts(page.numbers)
    return measure.values
  }

  private mutating func set(_ feature: PageFeature, _ value: Int) { values[feature.rawValue] = Int32(clamping: value) }

  private mutating func wholePage() {
    let sum = page.sums.page
    set(.pageWords, sum.words)
    set(.pageBlocks, sum.blocks)
    set(.pageLinkShare, sum.linkShare)
    set(.pageGoodShare, perThousand(sum.goodWords, of: sum.words))
    set(.articles, page.marks.articles)
    set(.signArticle, page.facts.signs[.article])
    set(.signThread, page.facts.signs[.thread])
    set(.signDocumentation, page.facts.signs[.documentation])
    set(.signListing, page.facts.signs[.listing])
    set(.signProduct, page.facts.signs[.product])
  }

  private mutating func chosen() {
    set(.keptWords, kept.words)
    set(.keptBlocks, kept.blocks)
    set(.keptShare, perThousand(kept.words, of: page.sums.page.words))
    set(.keptLinkShare, kept.linkShare)
    set(.keptGoodShare, perThousand(kept.goodWords, of: page.sums.page.goodWords))
    set(.keptWordsEach, kept.words * 10 / max(1, kept.blocks))
    var (sentences, digits, headings, inList, inTable, inCode, inHeader) = (0, 0, 0, 0, 0, 0, 0)
    for (index, block) in list.enumerated() where choice.isText[index] {
      sentences += block.sentences
      digits += block.digits
      if Landmarks.headingLevel(page.tape, block) > 0 { headings += 1 }
      if block.zones.contains(.list) { inList += block.words }
      if block.zones.contains(.table) { inTable += block.words }
      if block.zones.contains(.header) { inHeader += block.words }
      if block.owner >= 0, page.tape.kind(of: block.owner).role == .preformatted { inCode += block.words }
    }
    set(.keptSentences, perThousand(sentences, of: kept.words))
    set(.keptDigits, perThousand(digits, of: kept.characters))
    set(.keptHeadings, headings)
    set(.keptListShare, perThousand(inList, of: kept.words))
    set(.keptTableShare, perThousand(inTable, of: kept.words))
    set(.keptCodeShare, perThousand(inCode, of: kept.words))
    set(.keptHeaderShare, perThousand(inHeader, of: kept.words))
  }

  private mutating func order() {
    guard let first = choice.isText.firstIndex(of: true), let last = choice.isText.lastIndex(of: true) else { return }
    var (runs, run, longest, before, after) = (0, 0, 0, 0, 0)
    for (index, block) in list.enumerated() {
      if choice.isText[index] {
        if run == 0 { runs += 1 }
        run += block.words + 1
        longest = max(longest, run)
      } else {
        run = 0
        if index < first { before += block.words }
        if index > last { after += block.words }
      }
    }
    set(.runs, runs)
    set(.longestRunShare, perThousand(longest, of: kept.words + kept.blocks))
    set(.span, perThousand(kept.blocks, of: last - first + 1))
    set(.shareBefore, perThousand(before, of: page.sums.page.words))
    set(.shareAfter, perThousand(after, of: page.sums.page.words))
    set(.fromHeadline, page.marks.headline.map { first - $0 } ?? Int(Int16.min))
  }

  private mutating func certainty(_ scores: [Int]) {
    var (sure, doubted, droppedWords) = (0, 0, 0)
    var (keptScore, droppedScore) = (0, 0)
    for (index, block) in list.enumerated() {
      let score = max(-3000, min(3000, scores[index] / 1000))
      if abs(score) >= 1200 { sure += block.words }
      if abs(score) < 400 { doubted += block.words }
      if choice.isText[index] {
        keptScore += score * block.words
      } else if block.linkShare < 500, block.isReadable {
        droppedScore += score * block.words
        droppedWords += block.words
      }
    }
    let words = page.sums.page.words
    set(.sureShare, perThousand(sure, of: words))
    set(.doubtShare, perThousand(doubted, of: words))
    set(.keptScore, keptScore / max(1, kept.words))
    set(.droppedScore, droppedScore / max(1, droppedWords))
  }

  private mutating func box() {
    guard let box = page.box else { return }
    let sum = page.sums.elements[box.element]
    set(.boxShare, perThousand(sum.words, of: page.sums.page.words))
    set(.boxLinkShare, sum.linkShare)
    set(.boxGoodShare, perThousand(sum.goodWords, of: page.sums.page.goodWords))
    let inside = list.indices.reduce(0) { $0 + (choice.isText[$1] && box.contains(list[$1]) ? list[$1].words : 0) }
    set(.keptInBox, perThousand(inside, of: kept.words))
  }

  /// Returns the share of words that two choices have in common, per thousand.
  private func likeness(to other: Choice) -> Int {
    var (both, either) = (0, 0)
    for (index, block) in list.enumerated() {
      if choice.isText[index] || other.isText[index] { either += block.words }
      if choice.isText[index] && other.isText[index] { both += block.words }
    }
    return perThousand(both, of: either)
  }

  private mutating func group() {
    var groups: [UInt64: Sum] = [:]
    for (index, block) in list.enumerated() where choice.isText[index] {
      groups[page.sums.ways[index], default: Sum()].add(block)
    }
    guard let largest = groups.values.max(by: { ($0.words, $0.blocks) < ($1.words, $1.blocks) }) else { return }
    set(.groupShare, perThousand(largest.words, of: kept.words))
    set(.groupBlocks, largest.blocks)
    set(.groupWordsEach, largest.words * 10 / max(1, largest.blocks))
  }

  /// Measures how much of what other texts have in common with the page is among the chosen blocks.
  private mutating func texts(_ numbers: BlockNumbers) {
    let texts: [(Feature, PageFeature)] = [
      (.linkedBodyShare, .linkedBodyShare), (.descriptionShare, .descriptionShare), (.feedShare, .feedShare),
    ]
    for (share, feature) in texts {
      var (kept, all) = (0, 0)
      for (index, block) in list.enumerated() where numbers[index, share] > 0 {
        let common = Int(numbers[index, share]) * block.words
        all += common
        if choice.isText[index] { kept += common }
      }
      set(feature, all == 0 ? -1 : perThousand(kept, of: all))
    }
  }
}

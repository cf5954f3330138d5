import TamisURL

/// The effect of a site's rule on a page: the elements that are not read, and those in which the article is.
struct SitePart {
  let rule: SiteRule
  /// The page as it is.
  let whole: PageTape
  /// The page without what is not read.
  let tape: PageTape
  /// The parts that are not read: their ranges in the whole page, and the selectors.
  let dropped: [(items: Range<Int32>, selector: PageSelector)]
  /// In which elements the article is, the outermost ones, and by which selector.
  private let kept: [(element: Int, selector: PageSelector)]
  /// Where the items of the tape stand in the whole page.
  private let indices: [Int32]

  /// - Returns: nil when there is no rule for the page.
  init?(_ rules: SiteRules, _ url: WebURL?, _ whole: PageTape) {
    guard let rule = url.flatMap(rules.rule) else { return nil }
    (self.rule, self.whole) = (rule, whole)
    let drop = Self.outermost(SelectorSearch.matches(of: rule.drop, in: whole), whole)
    dropped = drop.map { ($0.items, rule.drop[$0.match.selector]) }
    let isRead = drop.isEmpty ? nil : Self.isRead(whole, drop.map(\.match.element))
    (tape, indices) = isRead.map(whole.only) ?? (whole, [])
    kept = Self.outermost(SelectorSearch.matches(of: rule.keep, in: whole), whole)
      .filter { isRead?[Int($0.items.lowerBound)] ?? true }.map { ($0.match.element, rule.keep[$0.match.selector]) }
  }

  /// Those that are in no other, with all that they are.
  private static func outermost(
    _ matches: [SelectorSearch.Match], _ tape: PageTape
  ) -> [(match: SelectorSearch.Match, items: Range<Int32>)] {
    var list: [(match: SelectorSearch.Match, items: Range<Int32>)] = []
    for match in matches {
      let items = tape.range(of: match.element)
      if let last = list.last, items.lowerBound < last.items.upperBound { continue }
      list.append((match, items))
    }
    return list
  }

  /// Which items are read.
  ///
  /// Of an element that ends a block its start stays, so that what is around it does not become one.
  private static func isRead(_ tape: PageTape, _ dropped: [Int]) -> [Bool] {
    var isRead = [Bool](repeating: true, count: tape.items.count)
    for element in dropped {
      let items = tape.range(of: element)
      let start = tape.kind(of: element).isBlock ? items.lowerBound + 1 : items.lowerBound
      for index in start..<max(start, items.upperBound) { isRead[Int(index)] = false }
    }
    return isRead
  }

  // MARK: - Blocks

  /// For each block, whether it is in the elements of the article, and by which selector; nil when the rule names none, or they
  /// are empty.
  func keeping(_ blocks: [Block]) -> [BlockKeeping]? {
    var list: [BlockKeeping] = []
    var next = 0
    for block in blocks {
      while next < kept.count, tape.range(of: kept[next].element).upperBound <= block.items.lowerBound { next += 1 }
      guard next < kept.count, tape.range(of: kept[next].element).lowerBound < block.items.upperBound else {
        list.append(BlockKeeping(place: .outside, selector: nil))
        continue
      }
      let isHidden = block.zones.contains(.hidden) && !tape.elements[kept[next].element].zones.contains(.hidden)
      list.append(BlockKeeping(place: isHidden ? .hidden : .kept, selector: kept[next].selector))
    }
    return list.contains { $0.place == .kept } ? list : nil
  }

  // MARK: - Why

  /// Reports of blocks with those of what is not read, in the order of the page.
  func explained(_ reports: [BlockReport], _ blocks: [Block]) -> [BlockReport] {
    if dropped.isEmpty { return reports }
    var all = zip(reports, blocks).map { (index: indices[Int($1.items.lowerBound)], report: $0) }
    var next = 0
    for block in BlockFinder.find(in: whole).list {
      let start = block.items.lowerBound
      while next < dropped.count, dropped[next].items.upperBound <= start { next += 1 }
      guard next < dropped.count, dropped[next].items.contains(start) else { continue }
      var report = BlockReport(whole, block)
      (report.rule, report.selector) = (.siteDrop, dropped[next].selector.description)
      all.append((start, report))
    }
    return all.sorted { $0.index < $1.index }.map(\.report)
  }
}

/// How a block stands to the elements in which a site's rule says that the article is.
struct BlockKeeping {
  enum Place { case outside, hidden, kept }

  var place: Place
  /// The selector of the element that it is in; nil when it is in none.
  var selector: PageSelector?

  /// What the trees would have said of it.
  func weight(_ score: Int) -> Int {
    switch place {
    case .outside: min(score, -1)
    case .hidden: score
    case .kept: max(score, 1)
    }
  }
}

extension PageTape {
  /// An element with its start.
  fileprivate func range(of element: Int) -> Range<Int32> {
    let start = elements[element].first - 1
    return start..<max(start, elements[element].end)
  }

  /// The same page with some of its items alone, and where these stood.
  fileprivate func only(_ isRead: [Bool]) -> (PageTape, [Int32]) {
    var tape = self
    tape.items = []
    var indices: [Int32] = []
    var before: [Int32] = []
    for (index, item) in items.enumerated() {
      before.append(Int32(indices.count))
      if isRead[index] {
        indices.append(Int32(index))
        tape.items.append(item)
      }
    }
    before.append(Int32(indices.count))
    for element in elements.indices {
      tape.elements[element].first = before[Int(elements[element].first)]
      tape.elements[element].end = before[Int(elements[element].end)]
    }
    return (tape, indices)
  }
}

/// The effect of a site's rule on a page.
public struct SiteRuleUse: Sendable, Hashable {
  /// The host that it is for.
  public var host: String
  /// Whether it names elements that the page does not have; the article was found without it.
  public var isUnmet: Bool
}

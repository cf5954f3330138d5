import TamisHTML
import TamisURL

/// The effect of a site's rule on a page: the elements that are not read, and those that contain the article.
struct SitePart {
  let rule: SiteRule
  /// The original page.
  let whole: PageTape
  /// The page without the parts that are not read.
  let tape: PageTape
  /// The parts that are not read: their ranges in the original page, and the selectors.
  let dropped: [(items: Range<Int32>, selector: CSSSelector)]
  /// The outermost elements that contain the article, and the selectors.
  private let kept: [(element: Int, selector: CSSSelector)]
  /// The positions of the tape's items in the original page.
  private let indices: [Int32]

  /// Applies the rule for a page, or returns nil when there is none.
  init?(_ rules: SiteRules, _ url: WebURL?, _ whole: PageTape) {
    guard let rule = url.flatMap(rules.rule) else { return nil }
    (self.rule, self.whole) = (rule, whole)
    let drop = Self.outermost(whole.matches(of: rule.drop), whole)
    dropped = drop.map { ($0.items, rule.drop[$0.match.selector]) }
    let isRead = drop.isEmpty ? nil : Self.isRead(whole, drop.map(\.match.element))
    (tape, indices) = isRead.map(whole.only) ?? (whole, [])
    kept = Self.outermost(whole.matches(of: rule.keep), whole)
      .filter { isRead?[Int($0.items.lowerBound)] ?? true }.map { ($0.match.element, rule.keep[$0.match.selector]) }
  }

  /// Returns the matches that are in no other, with their ranges of items.
  private static func outermost(
    _ matches: [PageTape.Match], _ tape: PageTape
  ) -> [(match: PageTape.Match, items: Range<Int32>)] {
    var list: [(match: PageTape.Match, items: Range<Int32>)] = []
    for match in matches {
      let items = tape.range(of: match.element)
      if let last = list.last, items.lowerBound < last.items.upperBound { continue }
      list.append((match, items))
    }
    return list
  }

  /// Returns whether each item is read.
  ///
  /// The start of an element that ends a block stays, so that the text around it is not joined.
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

  /// Returns for each block whether it is in the elements of the article, and the selector.
  ///
  /// Nil when the rule names none, or they are empty.
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

  /// Returns the reports of blocks together with those of the parts that are not read, in page order.
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

/// The place of a block relative to the elements that contain the article by a site's rule.
struct BlockKeeping {
  enum Place { case outside, hidden, kept }

  var place: Place
  /// The selector of the element that contains the block; nil when there is none.
  var selector: CSSSelector?

  /// Returns the score of the trees, adjusted to the rule.
  func weight(_ score: Int) -> Int {
    switch place {
    case .outside: min(score, -1)
    case .hidden: score
    case .kept: max(score, 1)
    }
  }
}

extension PageTape {
  /// Returns the range of an element including its start.
  fileprivate func range(of element: Int) -> Range<Int32> {
    let start = elements[element].first - 1
    return start..<max(start, elements[element].end)
  }

  /// Returns the page with some of its items only, and their original positions.
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
package struct SiteRuleUse: Sendable, Hashable {
  /// The host of the rule.
  package var host: String
  /// Whether the rule keeps elements that the page does not have; the article was found without them.
  package var isUnmet: Bool
}

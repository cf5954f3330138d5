import TamisCore

/// Says what was taken away, where and why.
extension Walker {
  private static let mostRemovals = 1000

  /// Puts the removal of an element on the report.
  mutating func note(_ rule: Removal.Rule, _ entry: RuleTables.Element, attribute: Int? = nil) {
    guard removals.count < Self.mostRemovals else {
      removalCounts[rule, default: 0] += 1
      return
    }
    let element = tables.text(ofElement: entry.number)
    note(rule, attribute.map { "\(element)@\(tables.text(ofAttribute: $0))" } ?? element)
  }

  /// Puts a removal on the report.
  mutating func note(_ rule: Removal.Rule, _ name: String) {
    removalCounts[rule, default: 0] += 1
    guard removals.count < Self.mostRemovals else { return }
    let (line, column) = offset.map { (0, $0) } ?? place
    removals.append(Removal(rule: rule, name: name, line: line, column: column))
  }

  /// Makes lines and columns of the offsets that removals were noted with, in their order.
  mutating func locateRemovals(in input: borrowing Span<UInt8>) {
    var (line, lineStart, index) = (1, 0, 0)
    for number in removals.indices {
      // What has a line already is not of the input.
      if removals[number].line > 0 { continue }
      let offset = removals[number].column
      while index < min(offset, input.count) {
        if input[index] == ASCII.lineFeed { (line, lineStart) = (line + 1, index + 1) }
        index += 1
      }
      (removals[number].line, removals[number].column) = (line, offset - lineStart + 1)
    }
  }
}

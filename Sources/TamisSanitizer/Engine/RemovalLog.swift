import TamisCore

/// The removals from a fragment: the first ones with location and reason, and the number of all.
struct RemovalLog {
  /// The location of a reader in its input.
  enum Location {
    /// An offset in bytes.
    case byte(Int)
    case lineColumn(line: Int, column: Int)
  }

  /// The most removals that are stored; others are only counted.
  static let mostRemovals = 1000

  private(set) var removals: [Removal] = []
  private(set) var counts: [Removal.Rule: Int] = [:]
  /// The location of the current tag.
  var location = Location.lineColumn(line: 1, column: 1)

  /// Whether anybody reads the log; if not, nothing is noted.
  var isRead = true
  /// Whether further removals are only counted.
  var isFull: Bool { removals.count >= Self.mostRemovals }

  /// Empties the log, keeping its capacity.
  mutating func removeAll() {
    if !removals.isEmpty { removals.removeAll(keepingCapacity: true) }
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
    location = .lineColumn(line: 1, column: 1)
  }

  /// Notes a removal; `name` is evaluated only while removals are stored.
  mutating func note(_ rule: Removal.Rule, name: @autoclosure () -> String) {
    if !isRead { return }
    counts[rule, default: 0] += 1
    if isFull { return }
    switch location {
    case .byte(let offset): removals.append(Removal(rule: rule, name: name(), line: 0, column: offset))
    case .lineColumn(let line, let column):
      removals.append(Removal(rule: rule, name: name(), line: line, column: column))
    }
  }

  /// Makes lines and columns of the offsets that removals were noted with, in their order.
  mutating func locate(in input: borrowing Span<UInt8>) {
    var (line, lineStart, index) = (1, 0, 0)
    for number in removals.indices {
      // Removals that have a line already are not from the input.
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

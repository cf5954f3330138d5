import TamisHTML

/// The removals from a fragment: the first ones with location and reason, and the number of all.
struct RemovalLog {
  /// The most removals that are stored; others are only counted.
  static let mostRemovals = 1000

  private(set) var removals: [Removal] = []
  private(set) var counts: [Removal.Rule: Int] = [:]
  /// Where the last bytes of those tags are whose removals have no line yet: the last ones.
  private var offsets: [Int] = []

  /// Whether anybody reads the log; if not, nothing is noted.
  var isRead = true
  /// Whether further removals are only counted.
  var isFull: Bool { removals.count >= Self.mostRemovals }

  /// Empties the log, keeping its capacity.
  mutating func removeAll() {
    if !removals.isEmpty { removals.removeAll(keepingCapacity: true) }
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
    if !offsets.isEmpty { offsets.removeAll(keepingCapacity: true) }
  }

  /// Notes a removal.
  ///
  /// - Parameters:
  ///   - name: what is removed; it does not matter when the log is full.
  ///   - offset: where the last byte of its tag is, counted from 0.
  mutating func note(_ rule: Removal.Rule, _ name: String, at offset: Int) {
    if !isRead { return }
    counts[rule, default: 0] += 1
    if isFull { return }
    removals.append(Removal(rule: rule, name: name, line: 1, column: 1))
    offsets.append(offset)
  }

  /// Gives the noted removals their lines and columns in what a reader has read.
  mutating func locate(in reader: inout HTMLReader) {
    if offsets.isEmpty { return }
    let first = removals.count - offsets.count
    for (number, offset) in offsets.enumerated() {
      (removals[first + number].line, removals[first + number].column) = reader.location(of: offset)
    }
    offsets.removeAll(keepingCapacity: true)
  }
}

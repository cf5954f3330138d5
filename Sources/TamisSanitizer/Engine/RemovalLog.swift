import TamisHTML

/// The removals from a fragment: the first ones with location and reason, and the number of all.
struct RemovalLog {
  /// The maximum number of removals that are stored; further ones are only counted.
  static let mostRemovals = 1000

  private(set) var removals: [Removal] = []
  private(set) var counts: [Removal.Rule: Int] = [:]
  /// The offsets of the last bytes of the tags whose removals have no line yet, which are the last removals.
  private var offsets: [Int] = []

  /// Whether anybody reads the log; if not, nothing is recorded.
  var isRead = true
  /// Whether further removals are only counted.
  var isFull: Bool { removals.count >= Self.mostRemovals }

  /// Empties the log, keeping its capacity.
  mutating func removeAll() {
    if !removals.isEmpty { removals.removeAll(keepingCapacity: true) }
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
    if !offsets.isEmpty { offsets.removeAll(keepingCapacity: true) }
  }

  /// Records a removal.
  ///
  /// - Parameters:
  ///   - rule: the reason.
  ///   - name: the name of the removed part; it is ignored when the log is full.
  ///   - offset: the offset of the last byte of its tag, counted from 0.
  mutating func note(_ rule: Removal.Rule, _ name: String, at offset: Int) {
    if !isRead { return }
    counts[rule, default: 0] += 1
    if isFull { return }
    removals.append(Removal(rule: rule, name: name, line: 1, column: 1))
    offsets.append(offset)
  }

  /// Sets the lines and columns of the recorded removals in the text that a reader has read.
  mutating func locate(in reader: inout HTMLReader) {
    if offsets.isEmpty { return }
    let first = removals.count - offsets.count
    for (number, offset) in offsets.enumerated() {
      (removals[first + number].line, removals[first + number].column) = reader.location(of: offset)
    }
    offsets.removeAll(keepingCapacity: true)
  }
}

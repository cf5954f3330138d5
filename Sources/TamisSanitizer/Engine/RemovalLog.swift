/// The removals from a fragment: the first ones with location and reason, and the number of all.
struct RemovalLog {
  /// The most removals that are stored; others are only counted.
  static let mostRemovals = 1000

  private(set) var removals: [Removal] = []
  private(set) var counts: [Removal.Rule: Int] = [:]
  /// Where the last bytes of those tags are whose removals have no line yet: the last ones.
  private var offsets: [Int] = []
  /// Where the current tag's last byte is.
  private var offset = 0
  /// Whether its element is there for another time; then it was noted already.
  private var isCopy = false

  /// Whether anybody reads the log; if not, nothing is noted.
  var isRead = true
  /// Whether further removals are only counted.
  var isFull: Bool { removals.count >= Self.mostRemovals }

  /// Empties the log, keeping its capacity.
  mutating func removeAll() {
    if !removals.isEmpty { removals.removeAll(keepingCapacity: true) }
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
    if !offsets.isEmpty { offsets.removeAll(keepingCapacity: true) }
    (offset, isCopy) = (0, false)
  }

  /// Begins with a tag.
  ///
  /// - Parameters:
  ///   - offset: where its last byte is, counted from 0.
  ///   - isCopy: whether its element is opened for another time, so that its removals are no new ones.
  mutating func begin(at offset: Int, isCopy: Bool) { (self.offset, self.isCopy) = (offset, isCopy) }

  /// Notes a removal; `name` is evaluated only while removals are stored.
  mutating func note(_ rule: Removal.Rule, name: @autoclosure () -> String) {
    if !isRead || (isCopy && rule != .structure) { return }
    counts[rule, default: 0] += 1
    if isFull { return }
    removals.append(Removal(rule: rule, name: name(), line: 1, column: 1))
    offsets.append(offset)
  }

  /// Gives the noted removals their lines and columns.
  mutating func locate(_ location: (Int) -> (line: Int, column: Int)) {
    let first = removals.count - offsets.count
    for (number, offset) in offsets.enumerated() {
      (removals[first + number].line, removals[first + number].column) = location(offset)
    }
    offsets.removeAll(keepingCapacity: true)
  }
}

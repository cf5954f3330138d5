/// Finds the name that a misspelled word most likely means.
package enum NearestName {
  /// The maximum length of a word that is compared, in bytes, which bounds the time.
  private static let longest = 200

  /// Returns the nearest of some names within a distance; nil when there is none.
  ///
  /// The distance is the number of letters to change, add, leave out or exchange. It may be at most `limit` and at most
  /// half of the length of the word. Of several names, the first in alphabetical order is returned.
  package static func of(_ word: String, among names: some Sequence<String>, limit: Int = 2) -> String? {
    let wanted = Array(word.utf8)
    guard wanted.count <= longest else { return nil }
    let limit = min(limit, wanted.count / 2)
    let near = names.lazy.compactMap { name in
      distance(wanted, Array(name.utf8), limit: limit).map { (distance: $0, name: name) }
    }
    return near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  /// Returns the restricted Damerau-Levenshtein distance; nil when it is above `limit`.
  private static func distance(_ one: [UInt8], _ other: [UInt8], limit: Int) -> Int? {
    guard abs(one.count - other.count) <= limit else { return nil }
    var before: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      next.reserveCapacity(other.count + 1)
      for (column, second) in other.enumerated() {
        var best = min(last[column] + (letter == second ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == second {
          best = min(best, before[column - 1] + 1)
        }
        next.append(best)
      }
      // An exchange looks two rows back.
      if min(next.min() ?? 0, last.min() ?? 0) > limit { return nil }
      (before, last) = (last, next)
    }
    let distance = last[other.count]
    return distance <= limit ? distance : nil
  }
}

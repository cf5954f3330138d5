/// Finds the name that somebody may have meant.
enum NearestName {
  /// The nearest of some names, if no more than two letters have to be changed, added, left out or exchanged for it.
  static func of(_ word: String, among names: [String]) -> String? {
    let distances = names.map { (name: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
    guard let nearest = distances.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    return nearest.distance <= min(2, word.utf8.count / 2) ? nearest.name : nil
  }

  /// The restricted Damerau-Levenshtein distance; words are short.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    guard one.count <= 40 else { return .max }
    var rows = [Array(0...other.count)]
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, second) in other.enumerated() {
        var best = min(rows[row][column] + (letter == second ? 0 : 1), rows[row][column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == second {
          best = min(best, rows[row - 1][column - 1] + 1)
        }
        next.append(best)
      }
      rows.append(next)
    }
    return rows[one.count][other.count]
  }
}

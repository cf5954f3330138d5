import TamisCore

/// Reads coordinates.
enum PlaceText {
  /// Returns the geographic position in a text of numbers.
  ///
  /// The latitude comes first, as in GeoRSS and GML, unless a projected coordinate system is named.
  ///
  /// - Parameters:
  ///   - text: the numbers.
  ///   - shape: the shape that they describe.
  ///   - dimension: the number of coordinates of each position.
  ///   - system: GML's `srsName`.
  /// - Returns: the position; one without coordinates when the text is not as the shape requires.
  static func parse(_ text: String, _ shape: Feed.Place.Shape, dimension: Int = 2, system: String? = nil) -> Feed.Place
  {
    let words = text.split { $0 == "," || $0.isWhitespace }
    let numbers = words.compactMap { Double($0) }
    let size = dimension == 3 ? 3 : 2
    guard numbers.count == words.count, numbers.count >= size else { return Feed.Place(shape: shape, positions: []) }
    let isSwapped = !isProjected(system)
    let positions = stride(from: 0, to: numbers.count - size + 1, by: size).map { start -> [Double] in
      var position = Array(numbers[start..<start + size])
      if isSwapped { position.swapAt(0, 1) }
      return position
    }
    let isComplete =
      switch shape {
      case .point: true
      case .line, .box: positions.count >= 2
      case .polygon: positions.count >= 4
      }
    return Feed.Place(shape: shape, positions: isComplete ? positions : [])
  }

  /// Whether the name is an EPSG code of a projected system.
  ///
  /// The codes of geographic systems are 4000 to 4999.
  private static func isProjected(_ system: String?) -> Bool {
    guard let system, system.contains("EPSG"), let code = Int(system.split { !$0.isNumber }.last ?? "") else {
      return false
    }
    return !(4000...4999).contains(code)
  }

  /// Returns the seconds of `12:42.345`, `00:03:07.250` or `33`.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard !parts.isEmpty, parts.count <= 3 else { return nil }
    let seconds = parts.reduce(Double?(0)) { total, part in
      guard let total, let part, part >= 0 else { return nil }
      return total * 60 + part
    }
    // `1e400` and `inf` are numbers for Swift.
    return seconds.flatMap { $0.isFinite ? $0 : nil }
  }
}

import TamisCore

/// Decision trees that compare features with thresholds until each ends in a weight; the sum of the weights is the
/// score.
///
/// Weights are integer millionths, so that the sum is the same on all platforms. A tree is a line in prefix notation,
/// with the comparison first, then the branch for true, then the branch for false:
///
///     words<=12 linkShare<=330 -51233 41000 -3100
struct Trees: Sendable {
  private struct Node {
    /// The feature that is compared; -1 for a leaf.
    var feature: Int32
    /// The threshold, or the weight of a leaf.
    var value: Int32
    /// The next node when the number is above the threshold; otherwise it is the following one.
    var above: Int32 = 0
  }

  private var nodes: [Node] = []
  private var roots: [Int] = []

  /// The numbers of the features by their names.
  private let features: [String: Int32]

  /// Creates a model without trees.
  ///
  /// - Parameter features: the names of the features, in the order of the numbers.
  init(of features: [String]) {
    self.features = Dictionary(uniqueKeysWithValues: features.enumerated().map { ($1, Int32($0)) })
  }

  /// Whether there is no tree.
  var isEmpty: Bool { roots.isEmpty }

  /// The error for a line that is not a tree.
  struct Fault: Error, Sendable, Hashable {
    /// The fault in words.
    let message: String
  }

  /// Adds a tree.
  ///
  /// - Parameter line: the tree in prefix notation.
  /// - Throws: ``Fault`` when the line is not a tree.
  mutating func add(_ line: Substring.UTF8View) throws(Fault) {
    roots.append(nodes.count)
    var words = line.split(separator: ASCII.space)[...]
    try add(&words, depth: 0)
    if let word = words.first { throw Fault(message: "unexpected text after the tree: '\(Substring(word))'") }
  }

  private mutating func add(_ words: inout ArraySlice<Substring.UTF8View>, depth: Int) throws(Fault) {
    guard let word = words.popFirst().map(Substring.init), depth < 32 else {
      throw Fault(message: depth < 32 ? "the tree ends inside a question" : "the tree is too deep")
    }
    if let weight = Int32(word) { return nodes.append(Node(feature: -1, value: weight)) }
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "<")), word[sign...].hasPrefix("<="),
      let feature = features[String(word[..<sign])],
      let threshold = Int32(word[sign...].dropFirst(2))
    else { throw Fault(message: "'\(word)' is neither a weight nor a question about a known number") }
    let index = nodes.count
    nodes.append(Node(feature: feature, value: threshold))
    try add(&words, depth: depth + 1)
    nodes[index].above = Int32(nodes.count)
    try add(&words, depth: depth + 1)
  }

  /// Returns the contribution of each feature to a score, in millionths, by the numbers of features.
  ///
  /// The weight in which a tree ends is shared among the comparisons on the way to it.
  func shares(_ row: ArraySlice<Int32>) -> [Int] {
    var shares = [Int](repeating: 0, count: features.count)
    for root in roots {
      var (index, asked) = (root, [Int]())
      while nodes[index].feature >= 0 {
        let node = nodes[index]
        asked.append(Int(node.feature))
        index = row[row.startIndex + Int(node.feature)] <= node.value ? index + 1 : Int(node.above)
      }
      for feature in asked { shares[feature] += Int(nodes[index].value) / asked.count }
    }
    return shares
  }

  /// Returns the sum of the weights for a row of features, in millionths.
  func score(_ row: ArraySlice<Int32>) -> Int {
    var sum = 0
    for root in roots {
      var index = root
      while nodes[index].feature >= 0 {
        let node = nodes[index]
        index = row[row.startIndex + Int(node.feature)] <= node.value ? index + 1 : Int(node.above)
      }
      sum += Int(nodes[index].value)
    }
    return sum
  }
}

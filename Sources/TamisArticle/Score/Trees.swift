import TamisCore

/// Decision trees that tell by a block's features whether it is part of the article.
///
/// Each tree compares numbers with thresholds until it ends in a weight; a block belongs to the article when the sum of
/// the weights of all trees is above 0. Weights are integer millionths, so that the sum is the same on all platforms.
///
/// The trees are data made by `Training/train.py`: one tree per line in prefix notation, with the comparison first,
/// then the branch for true, then the branch for false. Lines that begin with `#` are comments.
///
///     words<=12 linkShare<=330 -51233 41000 -3100
package struct Trees: Sendable {
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

  /// The number of trees.
  package var count: Int { roots.count }

  /// The error for a text that cannot be read as trees.
  package struct Fault: Error, Sendable, Hashable {
    /// The line, counted from 1.
    package let line: Int
    /// The fault in words.
    package let message: String
  }

  /// Reads trees.
  ///
  /// - Parameter text: the trees, one per line.
  /// - Throws: ``Fault`` at the first line that is not a tree.
  package init(reading text: String) throws(Fault) {
    let lines = text.utf8.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      roots.append(nodes.count)
      var words = line.split(separator: ASCII.space)[...]
      try add(&words, line: number + 1, depth: 0)
      if let word = words.first {
        throw Fault(line: number + 1, message: "unexpected text after the tree: '\(Substring(word))'")
      }
    }
  }

  private mutating func add(
    _ words: inout ArraySlice<Substring.UTF8View>, line: Int, depth: Int
  ) throws(Fault) {
    guard let word = words.popFirst().map(Substring.init), depth < 32 else {
      throw Fault(line: line, message: depth < 32 ? "the tree ends inside a question" : "the tree is too deep")
    }
    if let weight = Int32(word) { return nodes.append(Node(feature: -1, value: weight)) }
    guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "<")), word[sign...].hasPrefix("<="),
      let feature = Feature.byName[String(word[..<sign])],
      let threshold = Int32(word[sign...].dropFirst(2))
    else { throw Fault(line: line, message: "'\(word)' is neither a weight nor a question about a known number") }
    let index = nodes.count
    nodes.append(Node(feature: Int32(feature.rawValue), value: threshold))
    try add(&words, line: line, depth: depth + 1)
    nodes[index].above = Int32(nodes.count)
    try add(&words, line: line, depth: depth + 1)
  }

  /// Returns the contribution of each feature to a block's score, in millionths, by the numbers of features.
  ///
  /// The weight in which a tree ends is shared among the comparisons on the way to it.
  func shares(_ row: ArraySlice<Int32>) -> [Int] {
    var shares = [Int](repeating: 0, count: Feature.count)
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

  /// Returns the sum of the weights for a block, in millionths; above 0 it is part of the article.
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

/// A set of words and phrases that is matched against a text in one pass, however many there are.
package struct WordSet: Sendable {
  /// The maximum number of words in a phrase; a sign, and a character of a script without spaces, counts as one.
  package static let longestRun = 32

  /// A node with the words that can follow, and the phrase that ends here.
  private struct Node {
    var next: [String: Int] = [:]
    var phrase: String?
  }

  private var nodes = [Node()]

  /// Creates a set of words as the user wrote them; those with an ``objection(to:)`` are left out.
  package init(_ phrases: [String]) {
    for phrase in phrases {
      let words = FoldedText(phrase).words
      guard (1...Self.longestRun).contains(words.count) else { continue }
      var node = 0
      for word in words {
        if let next = nodes[node].next[word] {
          node = next
        } else {
          nodes.append(Node())
          nodes[node].next[word] = nodes.count - 1
          node = nodes.count - 1
        }
      }
      nodes[node].phrase = nodes[node].phrase ?? phrase
    }
  }

  /// Returns the reason why a phrase cannot be matched, or nil when it can.
  package static func objection(to phrase: String) -> String? {
    switch FoldedText(phrase).words.count {
    case 0: "there is no word in '\(phrase)'"
    case ...longestRun: nil
    default: "'\(phrase.prefix(40))…' has more than \(longestRun) words"
    }
  }

  /// Returns the first phrase in a text, the shortest of several that begin there, or nil when there is none.
  func first(in text: FoldedText) -> String? {
    for start in text.words.indices {
      var node = 0
      for word in text.words[start...] {
        guard let next = nodes[node].next[word] else { break }
        if let phrase = nodes[next].phrase { return phrase }
        node = next
      }
    }
    return nil
  }
}

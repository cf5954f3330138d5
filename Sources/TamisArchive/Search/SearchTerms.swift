import TamisCore
import TamisSystem

/// The words of a search: what SQLite is asked for, and what is marked in a text.
package struct SearchTerms: Sendable {
  private struct Term: Sendable {
    /// The term as FTS5 reads it, in quotation marks, so that none is an operator.
    let query: String
    /// The folded words, which stand side by side.
    let words: [String]
    /// Whether the last word may go on.
    let isBeginning: Bool
  }

  private struct Token {
    let range: Range<String.Index>
    let form: String
  }

  private let terms: [Term]

  /// The number of terms, and of words of a term, that are looked for in texts; SQLite looks for all.
  private static let mostMarked = 32

  /// The terms as an FTS5 query; empty when there are no words.
  var query: String { terms.map(\.query).joined(separator: " ") }

  /// Reads the words of a search.
  ///
  /// - Parameter text: whole words, or prefixes with a `*`; words between quotation marks have to be adjacent.
  package init(_ text: String) {
    var terms: [Term] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        if !part.allSatisfy(\.isWhitespace) { terms.append(Self.term(String(part), isBeginning: false)) }
      } else {
        terms += part.split(whereSeparator: \.isWhitespace).compactMap { word in
          let plain = word.filter { $0 != "*" }
          return plain.isEmpty ? nil : Self.term(plain, isBeginning: word.hasSuffix("*"))
        }
      }
    }
    var known: Set<String> = []
    self.terms = terms.filter { known.insert($0.query).inserted }
  }

  private static func term(_ text: String, isBeginning: Bool) -> Term {
    Term(
      query: "\"\(SearchText.spaced(text))\"" + (isBeginning ? "*" : ""),
      words: tokens(of: text).prefix(mostMarked).map(\.form),
      isBeginning: isBeginning)
  }

  /// Returns the words of a text: runs of letters, digits and marks, and single characters of scripts without spaces.
  ///
  /// The index has the same words, except that it divides words at the marks of some scripts, such as Devanagari.
  private static func tokens(of text: String) -> [Token] {
    let scalars = text.unicodeScalars
    var tokens: [Token] = []
    var start: String.Index?
    func add(_ range: Range<String.Index>) {
      tokens.append(Token(range: range, form: UnicodeText.folded(String(scalars[range]))))
    }
    for index in scalars.indices {
      let isWord = SearchText.isWord(scalars[index])
      if !isWord, SearchText.isPartOfWord(scalars[index]) {
        start = start ?? index
        continue
      }
      if let begun = start { add(begun..<index) }
      start = nil
      if isWord { add(index..<scalars.index(after: index)) }
    }
    if let begun = start { add(begun..<scalars.endIndex) }
    return tokens
  }

  // MARK: - Snippets

  /// The number of bytes of a text in which hits are looked for: 1 MiB.
  private static let searchedBytes = 1 << 20
  /// The number of characters of a snippet at most, and of those before its first hit.
  private static let (longest, lead) = (240, 60)

  /// Returns the part of a text in which most terms stand together, with the hits marked.
  ///
  /// A text without a hit gives its beginning.
  package func snippet(of text: String) -> Archive.Snippet {
    let text = text.prefix(bytes: Self.searchedBytes)
    let scalars = text.unicodeScalars
    let hits = hits(in: Self.tokens(of: text))
    guard let first = Self.densest(hits, terms.count, in: text) else {
      return Archive.Snippet(of: text, from: text.startIndex, hits: [], most: Self.longest)
    }
    let earliest = scalars.index(first.lowerBound, offsetBy: -Self.lead, limitedBy: scalars.startIndex)
    var start = earliest ?? scalars.startIndex
    // A word that would begin in its middle is left out.
    if earliest != nil, let space = scalars[start..<first.lowerBound].firstIndex(where: \.properties.isWhitespace) {
      start = space
    }
    return Archive.Snippet(of: text, from: start, hits: hits.map(\.range), most: Self.longest)
  }

  /// The number of hits that are looked at; a snippet shows a few of them.
  private static let mostHits = 1 << 16

  /// Returns where the terms stand, in order, each with its number.
  private func hits(in tokens: [Token]) -> [(range: Range<String.Index>, term: Int)] {
    var hits: [(range: Range<String.Index>, term: Int)] = []
    for first in tokens.indices where hits.count < Self.mostHits {
      for (number, term) in terms.prefix(Self.mostMarked).enumerated() where stands(term, at: first, in: tokens) {
        let last = tokens[first + term.words.count - 1]
        hits.append((tokens[first].range.lowerBound..<last.range.upperBound, number))
      }
    }
    return hits
  }

  private func stands(_ term: Term, at first: Int, in tokens: [Token]) -> Bool {
    guard let last = term.words.last, first + term.words.count <= tokens.count else { return false }
    for (offset, word) in term.words.dropLast().enumerated() where tokens[first + offset].form != word { return false }
    let form = tokens[first + term.words.count - 1].form
    return form == last || term.isBeginning && form.hasPrefix(last)
  }

  /// Returns the first of the hits that are followed by most different terms within a snippet; nil when there are none.
  private static func densest(
    _ hits: [(range: Range<String.Index>, term: Int)], _ count: Int, in text: String
  ) -> Range<String.Index>? {
    var counts = Array(repeating: 0, count: count)
    var (end, different, most) = (0, 0, 0)
    var best: Range<String.Index>?
    for (index, hit) in hits.enumerated() {
      let start = hit.range.lowerBound
      while end < hits.count,
        end <= index || text.utf8.distance(from: start, to: hits[end].range.upperBound) <= longest - lead
      {
        counts[hits[end].term] += 1
        if counts[hits[end].term] == 1 { different += 1 }
        end += 1
      }
      if different > most { (most, best) = (different, hit.range) }
      counts[hit.term] -= 1
      if counts[hit.term] == 0 { different -= 1 }
    }
    return best
  }
}

extension Archive {
  /// A part of a text in which a search has found its words.
  public struct Snippet: Sendable, Hashable {
    /// A run of a snippet.
    public struct Piece: Sendable, Hashable {
      /// The text; white space in it is single spaces.
      public var text: String
      /// Whether the text is what was looked for.
      public var isHit: Bool
    }

    /// The pieces, in the order of the text; empty for an empty text.
    public private(set) var pieces: [Piece] = []

    /// Makes a snippet of an empty text.
    init() {}

    /// Makes a snippet from the part of a text that begins at an index.
    init(of text: String, from start: String.Index, hits: [Range<String.Index>], most: Int) {
      let scalars = text.unicodeScalars
      let end = Self.end(of: text, from: start, hits: hits, most: most)
      if start > scalars.startIndex { append("…", isHit: false) }
      var next = start
      for hit in hits where hit.upperBound <= end && hit.upperBound > next && hit.upperBound > start {
        // Hits may overlap.
        let begin = max(hit.lowerBound, next)
        append(scalars[next..<begin], isHit: false)
        append(scalars[begin..<hit.upperBound], isHit: true)
        next = hit.upperBound
      }
      append(scalars[next..<max(next, end)], isHit: false)
      if end < scalars.endIndex { append("…", isHit: false) }
    }

    /// Returns the end of a snippet: behind a word, and not inside of a hit.
    private static func end(
      of text: String, from start: String.Index, hits: [Range<String.Index>], most: Int
    ) -> String.Index {
      let scalars = text.unicodeScalars
      guard let limit = scalars.index(start, offsetBy: most, limitedBy: scalars.endIndex), limit < scalars.endIndex
      else { return scalars.endIndex }
      let last = hits.last { $0.upperBound <= limit && $0.lowerBound >= start }?.upperBound ?? start
      let space = scalars[last..<limit].lastIndex(where: \.properties.isWhitespace)
      let isNear = space.map { scalars.distance(from: $0, to: limit) <= 30 } ?? false
      return isNear ? space ?? limit : limit
    }

    private mutating func append(_ scalars: Substring.UnicodeScalarView, isHit: Bool) {
      append(String(scalars), isHit: isHit)
    }

    private mutating func append(_ text: String, isHit: Bool) {
      var piece = ""
      var wasSpace = pieces.last?.text.unicodeScalars.last?.properties.isWhitespace ?? true
      for scalar in text.unicodeScalars {
        let isSpace = scalar.properties.isWhitespace
        if !isSpace { piece.unicodeScalars.append(scalar) } else if !wasSpace { piece.append(" ") }
        wasSpace = isSpace
      }
      if piece.isEmpty { return }
      if pieces.last?.isHit == isHit {
        pieces[pieces.count - 1].text += piece
      } else {
        pieces.append(Piece(text: piece, isHit: isHit))
      }
    }
  }
}

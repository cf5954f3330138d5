import TamisArchive
import TestSupport
import Testing

/// Snippets of the texts in which a search finds its words.
@Suite struct SnippetTests {
  @Test(arguments: Case.all(in: "Search"))
  func snippetsShowWords(_ each: Case) {
    let snippet = SearchTerms(each.settings["words"] ?? "").snippet(of: each.sections["text"] ?? "")
    #expect(Self.text(snippet) == each.sections["snippet"], "\(each)")
  }

  /// A snippet is bounded, whatever the text: no spaces, many hits, marks without letters.
  @Test(arguments: ["fog", "fog ", "\u{301}", "霧", "🌫️ fog ", " "])
  func snippetsAreShort(_ piece: String) {
    let text = String(repeating: piece, count: 1000)
    for words in [piece, piece + "*", "\"\(piece) \(piece)\"", String(repeating: piece + " ", count: 50), "x"] {
      let snippet = SearchTerms(words).snippet(of: text)
      let shown = snippet.pieces.map(\.text).joined()
      // A hit that is longer than a snippet is not shown whole.
      #expect(shown.unicodeScalars.count <= 242, "\(words.prefix(20))")
      for (piece, next) in zip(snippet.pieces, snippet.pieces.dropFirst()) { #expect(piece.isHit != next.isHit) }
    }
  }

  private static func text(_ snippet: Archive.Snippet) -> String {
    snippet.pieces.map { $0.isHit ? "[\($0.text)]" : $0.text }.joined()
  }
}

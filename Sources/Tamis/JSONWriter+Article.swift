import TamisArticle
public import TamisCore

extension JSONWriter {
  /// Writes the members of an article.
  public mutating func article(_ output: ArticlePipeline.Output) {
    let article = output.article
    let facts = article.facts
    let members: [(StaticString, PageFacts.Fact?)] = [
      ("title", facts.title), ("byline", facts.byline), ("published", facts.published), ("updated", facts.updated),
      ("image", facts.image), ("language", facts.language), ("description", facts.description), ("site", facts.site),
      ("canonical", facts.canonical),
    ]
    for (name, fact) in members { nullable(name, fact?.value) }
    key("sources")
    object { writer in
      for (name, fact) in members { if let fact { writer.member(name, fact.source) } }
    }
    nullable("html", output.content?.string)
    nullable("text", output.content == nil ? nil : article.text)
    key("confidence")
    number(article.confidence)
    if let agreement = article.agreement {
      key("agreement")
      number(agreement)
    }
  }

  private mutating func nullable(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(Self.onOneLine(value)) } else { null() }
  }

  /// Escapes Unicode's line ends (U+0085, U+2028, U+2029), since some readers of JSON lines break lines at them; in HTML they are
  /// spaces.
  private static func onOneLine(_ text: String) -> String {
    // In UTF-8: C2 85, E2 80 A8 and E2 80 A9; most texts hold none of them.
    var (before, isClean): ((UInt8, UInt8), Bool) = ((0, 0), true)
    for byte in text.utf8 {
      if byte == 0x85 && before.1 == 0xC2 || (byte == 0xA8 || byte == 0xA9) && before == (0xE2, 0x80) {
        isClean = false
      }
      before = (before.1, byte)
    }
    if isClean { return text }
    let ends: Set<Unicode.Scalar> = ["\u{85}", "\u{2028}", "\u{2029}"]
    return String(String.UnicodeScalarView(text.unicodeScalars.map { ends.contains($0) ? " " : $0 }))
  }
}

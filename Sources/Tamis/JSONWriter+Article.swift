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

  /// Some who read lines of JSON end them at Unicode's line ends too (U+0085, U+2028, U+2029), which are spaces to readers of HTML.
  private static func onOneLine(_ text: String) -> String {
    let ends: Set<Unicode.Scalar> = ["\u{85}", "\u{2028}", "\u{2029}"]
    guard text.unicodeScalars.contains(where: ends.contains) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { ends.contains($0) ? " " : $0 }))
  }
}

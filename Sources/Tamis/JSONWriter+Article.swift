public import TamisArticle
public import TamisCore

extension JSONWriter {
  /// Writes the members of an article.
  public mutating func article(_ article: Article) {
    let facts = article.facts
    let members: [(StaticString, PageFacts.Fact?)] = [
      ("title", facts.title), ("byline", facts.byline), ("published", facts.published), ("updated", facts.updated),
      ("image", facts.image), ("language", facts.language), ("description", facts.description), ("site", facts.site),
    ]
    for (name, fact) in members { nullable(name, fact?.value) }
    key("sources")
    object { writer in
      for (name, fact) in members { if let fact { writer.member(name, fact.source) } }
    }
    key("html")
    string(article.content.string)
    key("text")
    string(article.text)
    key("confidence")
    number(article.confidence)
  }

  private mutating func nullable(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }
}

public import TamisCore
public import TamisURL

/// The third stage: an entry and its sanitized body to a post.
///
/// Picks the permalink, the thumbnail and the excerpt by rules and says which rule it was; fetches nothing.
public struct Extractor: Stage {
  /// What the extractor works on.
  public struct Input: Sendable {
    /// The entry as the feed has it.
    public var entry: Entry
    /// The headline as plain text.
    public var title: String
    /// The feed's own short form as plain text; empty when there is none or it is the body.
    public var summary: String
    /// The body.
    public var content: SanitizedHTML
    /// What is in the body.
    public var facts: MarkupFacts
    /// The feed's language, for entries that name none.
    public var language: String?
    /// What the entry's relative addresses are resolved against.
    public var base: WebURL?
    /// Addresses of pictures that several of the feed's posts have.
    public var repeatedPictures: Set<String> = []

    /// Makes an input.
    public init(
      entry: Entry, title: String, summary: String, content: SanitizedHTML, facts: MarkupFacts, language: String?,
      base: WebURL?
    ) {
      self.entry = entry
      self.title = title
      self.summary = summary
      self.content = content
      self.facts = facts
      self.language = language
      self.base = base
    }
  }

  /// Makes an extractor.
  public init() {}

  /// Addresses of pictures that at least three of a feed's posts have: furniture of the site, not what a post is about.
  public static func repeatedPictures(in posts: [MarkupFacts]) -> Set<String> { ThumbnailRule.repeated(in: posts) }

  /// Makes a post of an entry.
  public func run(_ input: Input, into findings: inout [Finding]) -> Post { extract(input, into: &findings).post }

  /// Says all there is to say about an entry.
  public func extract(_ input: Input, into findings: inout [Finding]) -> Extraction {
    let entry = input.entry
    let addresses = WebAddresses(base: input.base)
    let permalink = PermalinkRule.pick(entry, addresses, into: &findings)
    let published = entry.date
    let updated = entry.updated?.seconds.flatMap { $0 == published ? nil : $0 }
    let choice = ThumbnailRule.pick(entry, input.facts, addresses, repeated: input.repeatedPictures)
    let site = (permalink.flatMap { WebURL($0.url) } ?? input.base)?.hostname
    let bodyLinks = input.facts.links.map { BodyLink($0, site: site) }
    let language = entry.content.first?.language ?? entry.summary?.language ?? entry.title?.language ?? input.language
    let post = Post(
      title: input.title,
      excerpt: Excerpt.cut(input.summary.isEmpty ? input.facts.text : input.summary),
      content: input.content, permalink: permalink, links: input.facts.links,
      thumbnail: choice.thumbnail,
      enclosures: entry.enclosures.compactMap(addresses.safe),
      authors: names(entry.authors), categories: labels(entry.categories), published: published, updated: updated,
      comments: entry.comments.flatMap(addresses.web), language: language,
      direction: TextDirection(language: language, text: input.title + " " + input.facts.text),
      readingMinutes: ReadingTime.minutes(input.facts.text),
      identity: identity(of: entry, permalink, title: input.title, text: input.facts.text), fields: fields(of: entry),
      location: entry.location)
    return Extraction(
      post: post, pictures: choice.candidates, links: entry.links.compactMap(addresses.safe), bodyLinks: bodyLinks,
      podcast: PodcastFacts(entry, addresses), text: TextFacts(entry, input.facts, links: bodyLinks))
  }

  /// The feed's id for the entry, else its link, else what it says.
  private func identity(of entry: Entry, _ permalink: Permalink?, title: String, text: String) -> Identity {
    if let id = entry.id { return Identity(rule: .guid, key: id) }
    if let link = entry.link ?? permalink?.url { return Identity(rule: .link, key: link) }
    let date = entry.published?.source ?? entry.updated?.source ?? ""
    return Identity(rule: .content, key: [title, date, text].joined(separator: "\n"))
  }

  private func names(_ people: [Person]) -> [String] {
    distinct(people.map { $0.name ?? $0.email?.split(separator: "@").first.map(String.init) })
  }

  private func labels(_ categories: [Category]) -> [String] {
    distinct(categories.map { $0.label ?? $0.term })
  }

  /// Each text once, in order.
  private func distinct(_ texts: [String?]) -> [String] {
    var seen: Set<String> = []
    return texts.compactMap { $0?.collapsingSpace() }.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// The first text of each element that the model has no field for.
  private func fields(of entry: Entry) -> [String: String] {
    var fields: [String: String] = [:]
    for element in entry.extensions where !element.text.isEmpty && fields[element.name] == nil {
      fields[element.name] = element.text.collapsingSpace()
    }
    return fields
  }
}

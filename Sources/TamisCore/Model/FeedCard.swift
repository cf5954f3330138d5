/// A feed as lists and its own page show it.
package struct FeedCard: Sendable, Hashable {
  /// What names the feed from run to run.
  package var key: FeedKey
  /// The slug, which names its pages: letters and digits of any script, hyphens; unique in an archive.
  package var slug: String
  /// The feed's name as plain text, never empty.
  package var title: String
  /// A line about it as plain text; may be empty.
  package var subtitle = ""
  /// Its home page, http or https; nil when there is none that is safe to follow.
  package var link: String?
  /// The URL of the feed itself, http(s); nil when it is not known.
  package var address: String?
  /// Its picture, http or https; nil when there is none.
  package var image: String?
  /// The stored file of its picture; nil when there is none, or it is not to be shown.
  package var keptImage: KeptPicture?
  /// Its language (BCP 47), nil when not said.
  package var language: String?
  /// The writing direction of its title.
  package var direction = TextDirection.leftToRight
  /// Its copyright notice, as plain text; may be empty.
  package var rights = ""
  /// The categories in which it is listed.
  package var categories: [CategoryCard] = []
  /// The result of reading it.
  package var status = FeedStatus()

  /// Makes a card with only key, slug and title.
  package init(key: FeedKey, slug: String, title: String) { (self.key, self.slug, self.title) = (key, slug, title) }
}

/// A group of feeds.
package struct CategoryCard: Sendable, Hashable {
  /// The slug, which names its pages.
  package var slug: String
  /// The name; a category inside another is `News/Science`.
  package var name: String

  /// Makes a category.
  package init(slug: String, name: String) { (self.slug, self.name) = (slug, name) }
}

/// The result of reading a feed, for the page of feeds.
package struct FeedStatus: Sendable, Hashable, Codable {
  /// Why it could not be read; nil when it was.
  package var failure: String?
  /// Whether its document was cut off, so that entries may be missing.
  package var isPartial = false
  /// How many entries its document has.
  package var entries = 0
  /// The problems, one a line.
  package var problems: [String] = []
  /// What the sanitizer removed, by rule.
  package var removals: [Removals] = []

  /// How much a rule removed.
  package struct Removals: Sendable, Hashable, Codable {
    /// The rule.
    package var rule: String
    /// How often.
    package var count: Int
    /// What it removed most often, in that order: `script`, `img@onerror`.
    package var examples: [String]

    /// Makes a count.
    package init(rule: String, count: Int, examples: [String] = []) {
      (self.rule, self.count, self.examples) = (rule, count, examples)
    }
  }

  /// Makes the status of a feed that was read without problems.
  package init() {}
}

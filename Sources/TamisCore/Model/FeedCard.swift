/// A feed as lists and its own page show it.
package struct FeedCard: Sendable, Hashable {
  /// The identifier of the feed from run to run.
  package var key: Feed.Key
  /// The slug, which names its pages: letters and digits of any script, hyphens; unique in an archive.
  package var slug: String
  /// The feed's name as plain text, never empty.
  package var title: String
  /// A line about the feed as plain text; may be empty.
  package var subtitle = ""
  /// The home page, http or https; nil when there is none that is safe to follow.
  package var link: String?
  /// The URL of the feed itself, http or https; nil when it is not known.
  package var address: String?
  /// The picture, http or https; nil when there is none.
  package var image: String?
  /// The stored file of the picture; nil when there is none, or it is not to be shown.
  package var keptImage: KeptPicture?
  /// The picture of its author, http or https, which stands beside its posts; nil when there is none.
  package var face: String?
  /// The stored file of that picture; nil when there is none, or it is not to be shown.
  package var keptFace: KeptPicture?
  /// The language (BCP 47); nil when not given.
  package var language: String?
  /// The writing direction of the title.
  package var direction = TextDirection.leftToRight
  /// The copyright notice, as plain text; may be empty.
  package var rights = ""
  /// The categories in which the feed is listed.
  package var categories: [CategoryCard] = []
  /// The result of reading the feed.
  package var status = FeedStatus()

  /// Makes a card with only key, slug and title.
  package init(key: Feed.Key, slug: String, title: String) { (self.key, self.slug, self.title) = (key, slug, title) }
}

/// A group of feeds.
package struct CategoryCard: Sendable, Hashable {
  /// The slug, which names its pages.
  package var slug: String
  /// The name; a category inside another one is written `News/Science`.
  package var name: String

  /// Makes a category.
  package init(slug: String, name: String) { (self.slug, self.name) = (slug, name) }
}

/// The result of reading a feed, for the page of feeds.
package struct FeedStatus: Sendable, Hashable, Codable {
  /// The reason why the feed could not be read; nil when it was.
  package var failure: String?
  /// Whether the document was cut off, so that entries may be missing.
  package var isPartial = false
  /// The number of entries in the document.
  package var entries = 0
  /// The problems, one on each line.
  package var problems: [String] = []
  /// The sanitizer's removals, by rule.
  package var removals: [Removals] = []

  /// The amount that a rule removed.
  package struct Removals: Sendable, Hashable, Codable {
    /// The rule.
    package var rule: String
    /// The number of removals.
    package var count: Int
    /// The most frequent removals, in descending order: `script`, `img@onerror`.
    package var examples: [String]

    /// Makes a count.
    package init(rule: String, count: Int, examples: [String] = []) {
      (self.rule, self.count, self.examples) = (rule, count, examples)
    }
  }

  /// Makes the status of a feed that was read without problems.
  package init() {}
}

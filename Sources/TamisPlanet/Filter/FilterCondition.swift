// To add a member of conditions: a `var` and a row in the table, from which reading, near words, writing, the
// reference and the JSON Schema follow; its test, with the reason in words, in Subject.swift; its name in `summary`
// of PreparedRule.swift; cases in Fixtures/Filters and Fixtures/Planet; the table in docs/planet.md.

package import TamisCore

extension Planet {
  /// A condition that selects posts: each member that is set must hold.
  ///
  /// An empty condition is met by every post.
  package struct FilterCondition: Sendable, Hashable {
    /// A part of a post that is searched for words and expressions.
    package enum Field: String, Sendable, Hashable, CaseIterable {
      /// The title.
      case title
      /// The body, as text.
      case text
      /// The name of an author.
      case author
      /// The link.
      case link
      /// The host of the link.
      case domain
      /// A tag.
      case tag

      /// The fields that are searched when none is named.
      package static let standard: [Field] = [.title, .text]
    }

    /// A kind of post; each post has one.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A text to read with a title, or anything else that is not below.
      case article
      /// A few words about another page, with a title.
      case link
      /// A text without a title of its own.
      case note
      /// Pictures with few words.
      case picture
      /// Audio.
      case podcast
      /// Video.
      case film

      /// Finds the kind of a post.
      package init(_ card: Post.Card) {
        self =
          switch card.kind {
          case .podcast: .podcast
          case .video: .film
          case .photo: .picture
          case .article, .link: card.isUntitled ? .note : card.kind == .link ? .link : .article
          }
      }
    }

    /// Words and phrases, matched as whole words, ignoring case and accents.
    package var words: [String] = []
    /// Regular expressions of ``Pattern``, one of which must match.
    package var matches: [String] = []
    /// The parts of a post that are searched for ``words`` and ``matches``, in the order of their declaration.
    package var fields = Field.standard
    /// The tags of the post, ignoring case.
    package var tags: [String] = []
    /// The names of authors, matched as whole words, ignoring case and accents.
    package var authors: [String] = []
    /// The languages (BCP 47); `de` includes `de-AT`.
    package var languages: [String] = []
    /// The categories of the feed, ignoring case.
    package var categories: [String] = []
    /// The hosts of the link, as the URL Standard serializes them; each includes its subdomains.
    package var domains: [String] = []
    /// The kinds of post.
    package var kinds: [Kind] = []
    /// The minimum age in days; posts without a date never match.
    package var olderThan: Int?
    /// The maximum age in days; posts without a date never match.
    package var newerThan: Int?
    /// The number of words that the text must not reach.
    package var shorterThan: Int?
    /// The number of words that the text must exceed.
    package var longerThan: Int?
    /// Conditions that must all hold.
    package var all: [Planet.FilterCondition] = []
    /// Conditions of which one must hold.
    package var any: [Planet.FilterCondition] = []
    /// Conditions of which none must hold.
    package var not: [Planet.FilterCondition] = []

    /// Creates an empty condition, which is met by every post.
    package init() {}

    /// Whether the condition is empty, so that every post meets it.
    package var isEmpty: Bool {
      var other = Planet.FilterCondition()
      other.fields = fields
      return self == other
    }
  }
}

extension Planet.FilterCondition {
  /// The maximum depth of conditions inside conditions, counting the outermost.
  package static let deepest = 8
  /// The maximum number of conditions in a rule, at all depths.
  package static let most = 100
  /// The maximum number of regular expressions in a file.
  package static let mostPatterns = 200

  /// The members, in the order of the reference.
  static let table: [Setting<Planet.FilterCondition>] = [
    Setting(
      "words", \.words, listed: .filterWords,
      "whole words or phrases, in any case, with or without accents; one is enough"),
    Setting("matches", \.matches, listed: .patterns, "regular expressions of RE2, in any case; one is enough"),
    Setting("in", \.fields, .fields, "where words and matches are searched"),
    Setting("tags", \.tags, listed: .lines, "one of these tags, in any case"),
    Setting("authors", \.authors, listed: .filterWords, "one of these authors, matched like words"),
    Setting("languages", \.languages, listed: .languages, "one of these languages; de includes de-AT"),
    Setting("categories", \.categories, listed: .lines, "the feed is in one of these categories, or below it"),
    Setting("domains", \.domains, listed: .hosts, "the link leads to one of these hosts, or to one below it"),
    Setting("kinds", \.kinds, listed: .kinds, "one of these kinds"),
    Setting("older-than", optional: \.olderThan, .days, "the post is older"),
    Setting("newer-than", optional: \.newerThan, .days, "the post is not older"),
    Setting("shorter-than", optional: \.shorterThan, .wordCount, "the text has fewer words"),
    Setting("longer-than", optional: \.longerThan, .wordCount, "the text has more words"),
    Setting("all", \.all, listed: .conditions, "all of these conditions hold"),
    Setting("any", \.any, listed: .conditions, "one of these conditions holds"),
    Setting("not", \.not, listed: .conditions, "none of these conditions holds"),
  ]
}

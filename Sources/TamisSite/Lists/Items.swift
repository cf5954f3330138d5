public import TamisCore

/// A post in a list.
public struct CardItem: Sendable, Hashable {
  /// What is known of it.
  public var card: PostCard
  /// Where it can be read: its own page, or that of the post which stands for it.
  public var page: PagePath
  /// The feed that it came with.
  public var feed: FeedCard

  /// Makes an item.
  public init(card: PostCard, page: PagePath, feed: FeedCard) {
    (self.card, self.page, self.feed) = (card, page, feed)
  }
}

/// The title and page of a post, to link to it.
public struct Neighbour: Sendable, Hashable {
  /// Its title, empty when it has neither a headline nor a text.
  public var title: String
  /// Where it can be read.
  public var page: PagePath
  /// Where it stands in time, seconds since 1970-01-01T00:00:00Z; nil when that is not known or not to be said.
  public var place: Int64?

  /// Makes a link.
  public init(title: String, page: PagePath, place: Int64? = nil) {
    (self.title, self.page, self.place) = (title, page, place)
  }
}

/// A feed in a list of feeds.
public struct FeedItem: Sendable, Hashable {
  /// What is known of it.
  public var feed: FeedCard
  /// How many posts its page lists.
  public var count: Int

  /// Makes an item.
  public init(feed: FeedCard, count: Int) { (self.feed, self.count) = (feed, count) }
}

/// A feed on the page that says how reading the feeds went.
public struct StatusItem: Sendable, Hashable {
  /// The feed.
  public var item: FeedItem
  /// What is remembered of fetching it; nil for one that is read from a file.
  public var fetching: FetchState?
  /// How many posts it had in each of the last weeks, the newest last; empty when nobody knows.
  public var weeks: [Int]
  /// Where its newest post stands in time; nil when that is not known.
  public var newest: Int64?

  /// Makes an item.
  public init(_ item: FeedItem, fetching: FetchState? = nil, weeks: [Int] = [], newest: Int64? = nil) {
    (self.item, self.fetching, self.weeks, self.newest) = (item, fetching, weeks, newest)
  }
}

/// A month in the list of a year.
public struct MonthItem: Sendable, Hashable {
  /// 1 to 12.
  public var month: Int
  /// How many posts stand in it.
  public var count: Int
  /// The posts, when there are too few for a page of its own (``Site/monthThreshold``).
  public var posts: [Neighbour]

  /// Makes an item.
  public init(month: Int, count: Int, posts: [Neighbour] = []) {
    (self.month, self.count, self.posts) = (month, count, posts)
  }
}

/// A tag in the list of tags.
public struct TagItem: Sendable, Hashable {
  /// What its pages are called, as ``Slug/ofTag(_:)`` has it.
  public var slug: String
  /// The tag as it is read.
  public var name: String
  /// How many posts have it.
  public var count: Int
  /// The posts, when there are too few for a page of its own (``Site/Options/tagThreshold``).
  public var posts: [Neighbour]

  /// Makes an item.
  public init(slug: String, name: String, count: Int, posts: [Neighbour]) {
    (self.slug, self.name, self.count, self.posts) = (slug, name, count, posts)
  }
}

/// A post in a feed.
public struct FeedEntry: Sendable {
  /// The post as lists show it.
  public var item: CardItem
  /// Its body; nil for an excerpt.
  public var content: SanitizedHTML?
  /// Attached files.
  public var enclosures: [PostDetails.File]
  /// The pictures of the body that the site has, by their addresses elsewhere.
  public var pictures: [String: KeptPicture]

  /// Makes an entry.
  public init(
    item: CardItem, content: SanitizedHTML?, enclosures: [PostDetails.File], pictures: [String: KeptPicture] = [:]
  ) {
    (self.item, self.content, self.enclosures, self.pictures) = (item, content, enclosures, pictures)
  }
}

/// All that the page of a post shows.
public struct PostView: Sendable {
  /// The post as lists show it; ``CardItem/page`` is the page that is made.
  public var item: CardItem
  /// What only its page shows.
  public var details: PostDetails
  /// Its body.
  public var body: PageBody
  /// The pictures of it that the site has, by their addresses elsewhere.
  public var kept: [String: KeptPicture] = [:]
  /// The next newer post of all.
  public var newer: Neighbour?
  /// The next older post of all.
  public var older: Neighbour?
  /// The next newer post of its feed.
  public var newerInFeed: Neighbour?
  /// The next older post of its feed.
  public var olderInFeed: Neighbour?
  /// The posts of other feeds that it stands for.
  public var copies: [CardItem]
  /// The slugs of those of its tags that have pages.
  public var linkedTags: Set<String>

  /// Makes a view of a post; what is not said is not there.
  public init(
    item: CardItem, details: PostDetails, body: PageBody, newer: Neighbour? = nil, older: Neighbour? = nil,
    newerInFeed: Neighbour? = nil, olderInFeed: Neighbour? = nil, copies: [CardItem] = [],
    linkedTags: Set<String> = []
  ) {
    self.item = item
    self.details = details
    self.body = body
    self.newer = newer
    self.older = older
    self.newerInFeed = newerInFeed
    self.olderInFeed = olderInFeed
    self.copies = copies
    self.linkedTags = linkedTags
  }
}

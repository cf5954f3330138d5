package import TamisCore

/// A post in a list.
package struct CardItem: Sendable, Hashable {
  /// Its card.
  package var card: PostCard
  /// The page on which it can be read: its own, or that of the canonical post.
  package var page: PagePath
  /// The feed that it came with.
  package var feed: FeedCard

  /// Makes an item.
  package init(card: PostCard, page: PagePath, feed: FeedCard) {
    (self.card, self.page, self.feed) = (card, page, feed)
  }
}

/// The title and page of a post, to link to it.
package struct Neighbour: Sendable, Hashable {
  /// Its title, empty when it has neither a headline nor a text.
  package var title: String
  /// The page on which it can be read.
  package var page: PagePath
  /// The sort date, seconds since 1970-01-01T00:00:00Z; nil when it is not known or not shown.
  package var sortDate: Int64?

  /// Makes a link.
  package init(title: String, page: PagePath, sortDate: Int64? = nil) {
    (self.title, self.page, self.sortDate) = (title, page, sortDate)
  }
}

/// A feed in a list of feeds.
package struct FeedItem: Sendable, Hashable {
  /// Its card.
  package var feed: FeedCard
  /// How many posts its page lists.
  package var count: Int

  /// Makes an item.
  package init(feed: FeedCard, count: Int) { (self.feed, self.count) = (feed, count) }
}

/// A feed on the page about the status of feeds.
package struct StatusItem: Sendable, Hashable {
  /// The feed.
  package var item: FeedItem
  /// Its fetch state; nil for one that is read from a file.
  package var fetching: FetchState?
  /// How many posts it had in each of the last weeks, the newest last; empty when not known.
  package var weeks: [Int]
  /// The sort date of its newest post; nil when it is not known.
  package var newest: Int64?

  /// Makes an item.
  package init(_ item: FeedItem, fetching: FetchState? = nil, weeks: [Int] = [], newest: Int64? = nil) {
    (self.item, self.fetching, self.weeks, self.newest) = (item, fetching, weeks, newest)
  }
}

/// A month in the list of a year.
package struct MonthItem: Sendable, Hashable {
  /// 1 to 12.
  package var month: Int
  /// How many posts it has.
  package var count: Int
  /// The posts, when there are too few for a page of its own (``Site/monthThreshold``).
  package var posts: [Neighbour]

  /// Makes an item.
  package init(month: Int, count: Int, posts: [Neighbour] = []) {
    (self.month, self.count, self.posts) = (month, count, posts)
  }
}

/// A tag in the list of tags.
package struct TagItem: Sendable, Hashable {
  /// The slug of its pages, see ``Slug/ofTag(_:)``.
  package var slug: String
  /// The tag as it is read.
  package var name: String
  /// How many posts have it.
  package var count: Int
  /// The posts, when there are too few for a page of its own (``Site/Options/tagThreshold``).
  package var posts: [Neighbour]

  /// Makes an item.
  package init(slug: String, name: String, count: Int, posts: [Neighbour]) {
    (self.slug, self.name, self.count, self.posts) = (slug, name, count, posts)
  }
}

/// A post in a feed.
package struct OutputEntry: Sendable {
  /// The post as lists show it.
  package var item: CardItem
  /// Its body; nil for an excerpt.
  package var content: SanitizedHTML?
  /// Attached files.
  package var enclosures: [PostDetails.File]
  /// The pictures of the body that the site has, by their addresses elsewhere.
  package var pictures: [String: KeptPicture]

  /// Makes an entry.
  package init(
    item: CardItem, content: SanitizedHTML?, enclosures: [PostDetails.File], pictures: [String: KeptPicture] = [:]
  ) {
    (self.item, self.content, self.enclosures, self.pictures) = (item, content, enclosures, pictures)
  }
}

/// All that the page of a post shows.
package struct PostView: Sendable {
  /// The post as lists show it; ``CardItem/page`` is the page that is made.
  package var item: CardItem
  /// The details that only its page shows.
  package var details: PostDetails
  /// Its body.
  package var body: PageBody
  /// The pictures of it that the site has, by their addresses elsewhere.
  package var kept: [String: KeptPicture] = [:]
  /// The next newer post of all.
  package var newer: Neighbour?
  /// The next older post of all.
  package var older: Neighbour?
  /// The next newer post of its feed.
  package var newerInFeed: Neighbour?
  /// The next older post of its feed.
  package var olderInFeed: Neighbour?
  /// The posts of other feeds that are folded into it.
  package var copies: [CardItem]
  /// The slugs of those of its tags that have pages.
  package var linkedTags: Set<String>

  /// Makes a view of a post; missing values are left out of the page.
  package init(
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

package import TamisCore

/// A post in a list.
package struct CardItem: Sendable, Hashable {
  /// The card of the post.
  @Indirect package var card: Post.Card
  /// The time by which the post is sorted, in seconds since 1970-01-01T00:00:00Z; nil when there is none.
  ///
  /// The value is the post's own date. When the post has no date, or one in the future, it is the day on which the post
  /// was first seen.
  package var sortDate: Int64?
  /// The file that the site has of the thumbnail; nil when there is none.
  package var keptThumbnail: KeptPicture?
  /// The page with the post: its own, or that of the canonical post.
  package var page: PagePath
  /// The feed of the post.
  @Indirect package var feed: FeedCard

  /// Creates an item without a kept thumbnail.
  package init(card: Post.Card, sortDate: Int64?, page: PagePath, feed: FeedCard) {
    self.init(
      card: Indirect(wrappedValue: card), sortDate: sortDate, page: page, feed: Indirect(wrappedValue: feed))
  }

  /// Creates an item whose card and feed are shared with others.
  package init(
    card: Indirect<Post.Card>, sortDate: Int64?, page: PagePath, feed: Indirect<FeedCard>,
    keptThumbnail: KeptPicture? = nil
  ) {
    (_card, self.sortDate, self.page, _feed) = (card, sortDate, page, feed)
    self.keptThumbnail = keptThumbnail
  }
}

/// The title and page of a post, to link to it.
package struct Neighbour: Sendable, Hashable {
  /// The title, empty when the post has neither a headline nor a text.
  package var title: String
  /// The page with the post.
  package var page: PagePath
  /// The sort date in seconds since 1970-01-01T00:00:00Z; nil when it is not known or not shown.
  package var sortDate: Int64?

  /// Creates a link.
  package init(title: String, page: PagePath, sortDate: Int64? = nil) {
    (self.title, self.page, self.sortDate) = (title, page, sortDate)
  }
}

/// A feed in a list of feeds.
package struct FeedItem: Sendable, Hashable {
  /// The card of the feed.
  package var feed: FeedCard
  /// The number of posts that its page lists.
  package var count: Int

  /// Creates an item.
  package init(feed: FeedCard, count: Int) { (self.feed, self.count) = (feed, count) }
}

/// A feed on the page about the status of feeds.
package struct StatusItem: Sendable, Hashable {
  /// The feed.
  package var item: FeedItem
  /// The fetch state; nil for a feed read from a file.
  package var fetching: FetchState?
  /// The number of posts in each of the last weeks, the newest last; empty when not known.
  package var weeks: [Int]
  /// The sort date of the newest post; nil when not known.
  package var newest: Int64?

  /// Creates an item.
  package init(_ item: FeedItem, fetching: FetchState? = nil, weeks: [Int] = [], newest: Int64? = nil) {
    (self.item, self.fetching, self.weeks, self.newest) = (item, fetching, weeks, newest)
  }

  /// The state of a feed, by the words that programs read.
  package enum State: String, Sendable {
    /// The feed was fetched and read.
    case ok
    /// The last document of the feed was cut off.
    case partial
    /// The feed could not be fetched or read.
    case failed
    /// The server has said that the feed is gone (410).
    case gone
    /// The feed is a file, which is not fetched.
    case file
  }

  /// The state of the feed.
  package var state: State {
    if fetching?.isGone == true { return .gone }
    if fetching?.failure != nil || item.feed.status.failure != nil { return .failed }
    if item.feed.status.isPartial { return .partial }
    return fetching == nil ? .file : .ok
  }

  /// Whether the feed has posts, but none in the last ``Site/weeksOfQuiet`` weeks.
  package var isQuiet: Bool { item.count > 0 && !weeks.suffix(Site.weeksOfQuiet).contains { $0 > 0 } }
}

/// A month in the list of a year.
package struct MonthItem: Sendable, Hashable {
  /// The month, from 1 to 12.
  package var month: Int
  /// The number of posts.
  package var count: Int
  /// The posts, when there are too few for a page of its own (``Site/monthThreshold``).
  package var posts: [Neighbour]

  /// Creates an item.
  package init(month: Int, count: Int, posts: [Neighbour] = []) {
    (self.month, self.count, self.posts) = (month, count, posts)
  }
}

/// A tag in the list of tags.
package struct TagItem: Sendable, Hashable {
  /// The slug of the tag's pages, see ``Slug/ofTag(_:)``.
  package var slug: String
  /// The tag as shown.
  package var name: String
  /// The number of posts with the tag.
  package var count: Int
  /// The posts, when there are too few for a page of its own (``Site/Options/tagThreshold``).
  package var posts: [Neighbour]

  /// Creates an item.
  package init(slug: String, name: String, count: Int, posts: [Neighbour]) {
    (self.slug, self.name, self.count, self.posts) = (slug, name, count, posts)
  }
}

extension CardItem {
  /// The thumbnail, unless it is in the body or is the picture of the feed, which stands for an episode without one.
  var lead: Post.Thumbnail? { card.thumbnail.flatMap { $0.isInBody || $0.url == feed.image ? nil : $0 } }
}

/// A post in a feed.
package struct OutputEntry: Sendable {
  /// The post as lists show it.
  package var item: CardItem
  /// The body; nil for an excerpt.
  package var content: SanitizedHTML?
  /// The attached files and the pictures that the body does not show, among others.
  package var details: Post.Details
  /// The pictures of the body that the site has, by their original URLs.
  package var pictures: [String: KeptPicture]

  /// Creates an entry.
  package init(
    item: CardItem, content: SanitizedHTML?, details: Post.Details, pictures: [String: KeptPicture] = [:]
  ) {
    (self.item, self.content, self.details, self.pictures) = (item, content, details, pictures)
  }
}

/// The content of the page of a post.
package struct PostView: Sendable {
  /// The post as lists show it; ``CardItem/page`` is the page being made.
  package var item: CardItem
  /// The details that only the page of the post shows.
  package var details: Post.Details
  /// The body.
  package var body: PageBody
  /// The sanitized markup that the body is made of, where it is wanted in another format than HTML.
  package var content = SanitizedHTML.empty
  /// The pictures of the post that the site has, by their original URLs.
  package var kept: [String: KeptPicture] = [:]
  /// The next newer post of the whole site.
  package var newer: Neighbour?
  /// The next older post of the whole site.
  package var older: Neighbour?
  /// The next newer post of the same feed.
  package var newerInFeed: Neighbour?
  /// The next older post of the same feed.
  package var olderInFeed: Neighbour?
  /// The posts of other feeds that are merged into this one.
  package var copies: [Copy]
  /// The slugs of the tags of the post that have pages.
  package var linkedTags: Set<String>

  /// A post of another feed that is merged into this one.
  package struct Copy {
    package var item: CardItem
    /// The sounds and films that it has.
    package var files: [Post.File]

    package init(item: CardItem, files: [Post.File] = []) { (self.item, self.files) = (item, files) }
  }

  /// Creates a view of a post; missing values are left out of the page.
  package init(
    item: CardItem, details: Post.Details, body: PageBody, newer: Neighbour? = nil, older: Neighbour? = nil,
    newerInFeed: Neighbour? = nil, olderInFeed: Neighbour? = nil, copies: [Copy] = [],
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

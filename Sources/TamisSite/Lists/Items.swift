package import TamisCore

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
  package init(item: CardItem, content: SanitizedHTML?, details: Post.Details, pictures: [String: KeptPicture] = [:]) {
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
  /// The posts next to it.
  package var neighbours = Neighbours()
  /// The posts of other feeds that are merged into this one.
  package var copies: [Copy] = []
  /// The slugs of the tags of the post that have pages.
  package var linkedTags: Set<String> = []

  /// A post of another feed that is merged into this one.
  package struct Copy {
    package var item: CardItem
    /// The sounds and films that it has.
    package var files: [Post.File]

    package init(item: CardItem, files: [Post.File] = []) { (self.item, self.files) = (item, files) }
  }

  /// Creates a view of a post; missing values are left out of the page.
  package init(item: CardItem, details: Post.Details, body: PageBody) {
    (self.item, self.details, self.body) = (item, details, body)
  }
}

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
    self.init(card: Indirect(wrappedValue: card), sortDate: sortDate, page: page, feed: Indirect(wrappedValue: feed))
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

/// The posts next to a post by time.
package struct Neighbours: Sendable, Hashable {
  /// The next newer and the next older post of all feeds.
  package var newer, older: Neighbour?
  /// The next newer and the next older post of the same feed.
  package var newerInFeed, olderInFeed: Neighbour?

  /// Makes the neighbours of a post from those in all feeds and in its own.
  package init(
    _ all: (newer: Neighbour?, older: Neighbour?) = (nil, nil),
    inFeed: (newer: Neighbour?, older: Neighbour?) = (nil, nil)
  ) {
    (newer, older, newerInFeed, olderInFeed) = (all.newer, all.older, inFeed.newer, inFeed.older)
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

/// A tag in the list of tags.
package struct TagItem: Sendable, Hashable {
  /// The slug of the tag's pages.
  package var slug: String
  /// The tag as shown.
  package var name: String
  /// The number of posts with the tag.
  package var count: Int
  /// The posts, when there are too few for a page of its own.
  package var posts: [Neighbour]

  /// Creates an item.
  package init(slug: String, name: String, count: Int, posts: [Neighbour] = []) {
    (self.slug, self.name, self.count, self.posts) = (slug, name, count, posts)
  }
}

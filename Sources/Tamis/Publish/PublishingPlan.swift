package import TamisArchive
import TamisCore
import TamisSite

/// The parts of a site that have to be made again, and why, computed from the changes in the archive before anything is
/// written.
///
/// A page is made again only when something that it shows has changed: its post, the neighbours, the posts that are
/// folded into it, its list. The plan does not contain the posts on each page of a list; these are found when the list
/// is read.
package struct PublishingPlan: Sendable, Hashable {
  /// The extent of the work.
  package enum Extent: Sendable, Hashable {
    /// Everything has to be made, for a reason.
    case everything(Reason)
    /// The changes have to be made.
    case changes
    /// Nothing has to be made.
    case nothing
  }

  /// The reason why everything has to be made again.
  package enum Reason: String, Sendable, Hashable {
    /// There is no site, or the archive has no record of it.
    case new = "the archive does not know this site"
    /// The options or the theme have changed.
    case options = "the theme, the rules or the options have changed"
    /// The user requested it.
    case asked = "requested"
    /// Files in the site's folder were changed by another program.
    case touched = "files in the folder of the site were changed by somebody else"
    /// A run was interrupted while it wrote the site.
    case cutShort = "the last run was interrupted"
    /// Finding the changes would cost more than making everything.
    case many = "much has changed"
  }

  /// The reason why the page of a post has to be made again.
  package enum Cause: String, Sendable, Hashable, Comparable {
    /// The post is shown for the first time, or again.
    case shown = "new"
    /// The content of the post has changed.
    case changed
    /// Other posts are folded into the post.
    case copies
    /// The post is folded into another post, or hidden.
    case hidden
    /// The post has gained or lost a tag with a page.
    case tags

    /// Compares the raw values.
    package static func < (lhs: Cause, rhs: Cause) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The part of a list that has to be made again.
  package struct ListWork: Sendable, Hashable {
    /// The arrival number from which on the numbered pages have to be made, since later posts have moved.
    package var from: Int64?
    /// The arrival numbers of posts whose numbered pages have to be made.
    package var touched: Set<Int64> = []
  }

  /// The name of a post's page.
  package struct Name: Sendable, Hashable {
    /// The number of the post's feed.
    package var feed: FeedNumber
    /// The name of the page, without folder and extension.
    package var name: String
  }

  /// A position in a list whose neighbours, which link to each other, have changed.
  package struct Turn: Sendable, Hashable {
    /// The list.
    package var query: PostQuery
    /// The position.
    package var position: ListedPost.Position
  }

  /// The extent of the work; the other members are empty unless this is `.changes`.
  package internal(set) var extent: Extent
  /// The posts whose pages have to be made again or removed, with the reasons.
  package internal(set) var posts: [PostNumber: Cause] = [:]
  /// The names of the pages of changed posts.
  package internal(set) var names: [PostNumber: Name] = [:]
  /// The positions at which neighbours have changed.
  package internal(set) var turns: Set<Turn> = []
  /// The lists, with the work on each.
  package internal(set) var lists: [PostQuery: ListWork] = [:]
  /// The arrival numbers of posts that have changed in search data and site maps.
  package internal(set) var arrivals: Set<Int64> = []
  /// The tags whose posts, or whose posts' titles, have changed.
  package internal(set) var slugs: Set<String> = []
  /// The tags that gained or lost pages of their own.
  package internal(set) var crossing: Set<String> = []
  /// The years in which posts were added or removed.
  package internal(set) var years: Set<Int> = []
  /// The feeds whose cards or counts have changed, by number.
  package internal(set) var feeds: Set<FeedNumber> = []

  /// Whether feeds were fetched since the site was published.
  package internal(set) var isFetched = false

  /// Creates a plan to make everything, or nothing.
  package init(_ extent: Extent) { self.extent = extent }

  /// Creates a plan from changes.
  ///
  /// - Parameters:
  ///   - changes: the posts that have changed since the site was published.
  ///   - feeds: the feeds whose cards have changed.
  ///   - counts: the present numbers of posts of the tags of those posts; 0 for missing tags.
  ///   - threshold: the minimum number of posts for a tag to have pages of its own.
  ///   - isUnreadOnly: whether lists leave out posts that are marked as read, so that a post may be added or removed
  ///     without a change of its position.
  ///   - categories: the slugs of the categories of the posts' feeds; empty for missing feeds.
  ///   - isFetched: whether feeds were fetched since.
  package init(
    _ changes: [PostChange], feeds: [FeedNumber], counts: [String: Int], threshold: Int, isUnreadOnly: Bool = false,
    categories: [FeedNumber: [String]] = [:], isFetched: Bool = false
  ) {
    self.init(changes.isEmpty && feeds.isEmpty && !isFetched ? .nothing : .changes)
    self.isFetched = isFetched
    self.feeds = Set(feeds)
    for change in changes { note(change, categories[change.feed] ?? [], isUnreadOnly: isUnreadOnly) }
    var before = counts
    for change in changes {
      for slug in Set(Self.listedSlugs(change.after)) { before[slug, default: 0] -= 1 }
      for slug in Set(Self.listedSlugs(change.before)) { before[slug, default: 0] += 1 }
    }
    crossing = slugs.filter {
      (before[$0] ?? 0) >= threshold ? (counts[$0] ?? 0) < threshold : (counts[$0] ?? 0) >= threshold
    }
  }

  private static func listedSlugs(_ listing: PostChange.Listing?) -> [String] {
    listing.flatMap { $0.fold == nil ? $0.slugs : nil } ?? []
  }

  private mutating func note(_ change: PostChange, _ categories: [String], isUnreadOnly: Bool) {
    let listings = [change.before, change.after].compactMap { $0 }
    posts[change.post] =
      change.after == nil || change.after?.fold != nil ? .hidden : change.before == nil ? .shown : .changed
    for fold in listings.compactMap(\.fold) where posts[fold] == nil { posts[fold] = .copies }
    feeds.insert(change.feed)
    names[change.post] = Name(feed: change.feed, name: change.name)
    let (before, after) = (
      Self.lists(change.before, change.feed, categories), Self.lists(change.after, change.feed, categories)
    )
    for query in before.union(after) {
      let hasMoved = isUnreadOnly || before.contains(query) != after.contains(query)
      for listing in listings { note(query, listing.position, hasMoved: hasMoved) }
    }
    for listing in listings {
      let own = listing.fold == nil
      if own { turns.insert(Turn(query: .all, position: listing.position)) }
      turns.insert(Turn(query: .feed(change.feed), position: listing.position))
      guard own else { continue }
      arrivals.insert(listing.position.arrival)
      slugs.formUnion(listing.slugs)
      if let month = Month(listing.position.sortDate) { years.insert(month.year) }
    }
  }

  private mutating func note(_ query: PostQuery, _ position: ListedPost.Position, hasMoved: Bool) {
    var work = lists[query] ?? ListWork()
    // The list of all posts is numbered by arrival, so later posts do not move in it.
    if hasMoved, query != .all {
      work.from = min(work.from ?? .max, position.arrival)
    } else {
      work.touched.insert(position.arrival)
    }
    lists[query] = work
  }

  /// Returns the lists that contain a post.
  private static func lists(
    _ listing: PostChange.Listing?, _ feed: FeedNumber, _ categories: [String]
  ) -> Set<PostQuery> {
    guard let listing else { return [] }
    var lists: Set<PostQuery> = [.feed(feed)]
    guard listing.fold == nil else { return lists }
    lists.insert(.all)
    for slug in listing.slugs { lists.insert(.tag(slug)) }
    for slug in categories { lists.insert(.category(slug)) }
    if let month = Month(listing.position.sortDate) { lists.insert(.month(month.number)) }
    return lists
  }
}

/// A month of the calendar in UTC.
struct Month: Sendable, Hashable {
  var year: Int
  var month: Int

  init(year: Int, month: Int) { (self.year, self.month) = (year, month) }

  /// Creates the month of a time in seconds since 1970; nil outside the years 1 to 9999.
  init?(_ seconds: Int64) {
    guard seconds >= -62_135_596_800, seconds <= 253_402_300_799 else { return nil }
    let time = CivilTime(seconds: seconds)
    (year, month) = (time.year, time.month)
  }

  /// Creates a month from its ``number``.
  init(number: Int64) { (year, month) = (Int(number / 12), Int(number % 12) + 1) }

  /// The number of months from the beginning of the year 0 to this one.
  var number: Int64 { Int64(year * 12 + month - 1) }

  /// The first second of the month, in seconds since 1970-01-01T00:00:00Z.
  var start: Int64 { CivilTime.start(ofMonth: number) }

  /// The list of the month's posts.
  var list: PostList { .month(year: year, month: month) }

  /// The next month.
  var next: Month { month == 12 ? Month(year: year + 1, month: 1) : Month(year: year, month: month + 1) }
}

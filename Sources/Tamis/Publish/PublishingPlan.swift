public import TamisArchive
import TamisCore
import TamisSite

/// What of a site has to be made again, and why: worked out from what the archive says has changed, before a byte is written.
///
/// A page is made again only when something has changed that it shows: its post, the posts on both sides of it, those that it stands
/// for, its list. What is on which page of a list is not in the plan: that shows when the list is read.
public struct PublishingPlan: Sendable, Hashable {
  /// How much has to be made again.
  public enum Extent: Sendable, Hashable {
    /// Everything, and why.
    case everything(Reason)
    /// What has changed.
    case changes
    /// Nothing.
    case nothing
  }

  /// Why everything has to be made again.
  public enum Reason: String, Sendable, Hashable {
    /// There is no site, or it is not known.
    case new = "this site is not known to the archive"
    /// The options or the theme are others.
    case options = "the theme, the rules or the options are others"
    /// That was asked for.
    case asked = "that was asked for"
    /// Somebody has changed something in its folder.
    case touched = "somebody has changed files in the folder of the site"
    /// A run was cut short while it wrote the site.
    case cutShort = "the run that made this site last was cut short"
    /// To see what has changed would cost more than to make all.
    case many = "much has changed"
  }

  /// Why the page of a post has to be made again.
  public enum Cause: String, Sendable, Hashable, Comparable {
    /// It is shown for the first time, or again.
    case shown = "new"
    /// It says something else.
    case changed
    /// It stands for other posts.
    case copies
    /// Another post stands for it, or it is not to be shown.
    case hidden
    /// It has or has lost a tag with a page.
    case tags

    /// By their words.
    public static func < (lhs: Cause, rhs: Cause) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// What has to be made again of a list.
  public struct ListWork: Sendable, Hashable {
    /// The numbered pages from the one on with the post that came then: posts behind have moved.
    public var from: Int64?
    /// The numbered pages with the posts that came then.
    public var touched: Set<Int64> = []
  }

  /// What the page of a post is called.
  public struct Name: Sendable, Hashable {
    /// The number of its feed.
    public var feed: FeedNumber
    /// The name of the page, without folder and ending.
    public var name: String
  }

  /// A place between the posts of a list: the pages of the posts on both sides of it name each other.
  public struct Turn: Sendable, Hashable {
    /// The list.
    public var shelf: Shelf
    /// The place.
    public var position: ShelvedPost.Position
  }

  /// How much has to be made again; what follows is empty unless that is what has changed.
  public internal(set) var extent: Extent
  /// The posts whose pages have to be made again or removed, with why.
  public internal(set) var posts: [PostNumber: Cause] = [:]
  /// What the pages of the posts are called that have changed.
  public internal(set) var names: [PostNumber: Name] = [:]
  /// Where neighbours have changed.
  public internal(set) var turns: Set<Turn> = []
  /// The lists, with what of them.
  public internal(set) var lists: [Shelf: ListWork] = [:]
  /// The numbers in the order of arrival of posts that search data and site maps have otherwise.
  public internal(set) var arrivals: Set<Int64> = []
  /// Tags that have other posts, or posts with other titles.
  public internal(set) var slugs: Set<String> = []
  /// Tags that got or lost pages of their own.
  public internal(set) var crossing: Set<String> = []
  /// The years in which posts came or went.
  public internal(set) var years: Set<Int> = []
  /// Feeds whose cards or counts have changed, by number.
  public internal(set) var feeds: Set<FeedNumber> = []

  /// Whether feeds were fetched since.
  public internal(set) var isFetched = false

  /// A plan to make everything, or nothing.
  public init(_ extent: Extent) { self.extent = extent }

  /// A plan of what has changed.
  ///
  /// - Parameters:
  ///   - changes: the posts that the site shows otherwise.
  ///   - feeds: the feeds whose cards have changed.
  ///   - counts: how many posts the tags of those posts have now; none for those that are not named.
  ///   - threshold: how many posts a tag needs to have pages of its own.
  ///   - isUnreadOnly: whether lists leave out what was read, so that a post may come or go that stands as it stood.
  ///   - categories: the words that name the pages of the categories of the posts' feeds; none for those that are not named.
  ///   - isFetched: whether feeds were fetched since.
  public init(
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

  private static func listedSlugs(_ standing: PostChange.Standing?) -> [String] {
    standing.flatMap { $0.fold == nil ? $0.slugs : nil } ?? []
  }

  private mutating func note(_ change: PostChange, _ categories: [String], isUnreadOnly: Bool) {
    let standings = [change.before, change.after].compactMap { $0 }
    posts[change.post] =
      change.after == nil || change.after?.fold != nil ? .hidden : change.before == nil ? .shown : .changed
    for fold in standings.compactMap(\.fold) where posts[fold] == nil { posts[fold] = .copies }
    feeds.insert(change.feed)
    names[change.post] = Name(feed: change.feed, name: change.name)
    let (before, after) = (
      Self.shelves(change.before, change.feed, categories), Self.shelves(change.after, change.feed, categories)
    )
    for shelf in before.union(after) {
      let hasMoved = isUnreadOnly || before.contains(shelf) != after.contains(shelf)
      for standing in standings { note(shelf, standing.position, hasMoved: hasMoved) }
    }
    for standing in standings {
      let own = standing.fold == nil
      if own { turns.insert(Turn(shelf: .all, position: standing.position)) }
      turns.insert(Turn(shelf: .feed(change.feed), position: standing.position))
      guard own else { continue }
      arrivals.insert(standing.position.arrival)
      slugs.formUnion(standing.slugs)
      if let month = Month(standing.position.place) { years.insert(month.year) }
    }
  }

  private mutating func note(_ shelf: Shelf, _ position: ShelvedPost.Position, hasMoved: Bool) {
    var work = lists[shelf] ?? ListWork()
    // All posts are numbered as they came: there, those behind stay where they are.
    if hasMoved, shelf != .all {
      work.from = min(work.from ?? .max, position.arrival)
    } else {
      work.touched.insert(position.arrival)
    }
    lists[shelf] = work
  }

  /// The lists on which a post stands.
  private static func shelves(
    _ standing: PostChange.Standing?, _ feed: FeedNumber, _ categories: [String]
  ) -> Set<Shelf> {
    guard let standing else { return [] }
    var shelves: Set<Shelf> = [.feed(feed)]
    guard standing.fold == nil else { return shelves }
    shelves.insert(.all)
    for slug in standing.slugs { shelves.insert(.tag(slug)) }
    for slug in categories { shelves.insert(.category(slug)) }
    if let month = Month(standing.position.place) { shelves.insert(.month(month.number)) }
    return shelves
  }
}

/// A month of the calendar in UTC.
struct Month: Sendable, Hashable {
  var year: Int
  var month: Int

  init(year: Int, month: Int) { (self.year, self.month) = (year, month) }

  /// The month of a time in seconds since 1970; nil for what is not in the years 1 to 9999.
  init?(_ seconds: Int64) {
    guard seconds >= -62_135_596_800, seconds <= 253_402_300_799 else { return nil }
    let time = CivilTime(seconds: seconds)
    (year, month) = (time.year, time.month)
  }

  /// By a number as ``number`` has it.
  init(number: Int64) { (year, month) = (Int(number / 12), Int(number % 12) + 1) }

  /// The months from the beginning of the year 0 to this one.
  var number: Int64 { Int64(year * 12 + month - 1) }

  /// Its posts as a list.
  var list: PostList { .month(year: year, month: month) }

  /// The one behind it.
  var next: Month { month == 12 ? Month(year: year + 1, month: 1) : Month(year: year, month: month + 1) }

  /// Its seconds since 1970.
  var range: Range<Int64> { start..<next.start }

  /// The end of the year 9999 is the end of time.
  private var start: Int64 {
    CivilTime(year: year, month: month, day: 1, hour: 0, minute: 0, second: 0).seconds(offset: 0) ?? 253_402_300_800
  }
}

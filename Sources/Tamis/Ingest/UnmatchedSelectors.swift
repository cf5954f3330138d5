import TamisCore
import TamisHTML
import TamisPlanet

/// The selectors of settings that match no element of any post.
///
/// A selector of the defaults is judged over the feeds together, and only when all of them have been read.
struct UnmatchedSelectors {
  /// The number of posts from which a selector that matches nothing is a warning, and not only a note.
  static let enoughPosts = 20

  private struct Use {
    var feeds = 0
    var posts = 0
    var isMatched = false
    /// The first feed, by the name that it has in the configuration.
    var feed: String
    var near: (wrong: String, near: String)?
  }

  /// A selector with its setting, as it stands in the configuration.
  private struct Name: Hashable, Comparable {
    var setting: String
    var selector: String

    static func < (one: Self, other: Self) -> Bool {
      (one.setting, one.selector) < (other.setting, other.selector)
    }

    /// Returns the names of the selectors of a selection, in the order of ``PartSelection/all``.
    static func all(of selection: PartSelection) -> [Name] {
      selection.remove.map { Name(setting: "remove", selector: $0.description) }
        + selection.only.map { Name(setting: "only", selector: $0.description) }
    }
  }

  private var uses: [Name: Use] = [:]

  /// Adds the effect of a selection on the posts of a feed.
  mutating func add(_ use: SelectionUse, _ selection: PartSelection, of feed: String) {
    for (number, name) in Name.all(of: selection).enumerated() {
      var known = uses[name] ?? Use(feed: feed)
      known.feeds += 1
      known.posts += use.documents
      known.isMatched = known.isMatched || use.matched.contains(number)
      if !known.isMatched, known.near == nil { known.near = use.near(selection.all[number]) }
      uses[name] = known
    }
  }

  /// Returns the findings about selectors that have matched nothing, in the order of the selectors.
  ///
  /// - Parameters:
  ///   - feeds: the settings of all feeds.
  ///   - configuration: the name of the configuration; nil when it is not known.
  /// - Returns: the findings.
  func findings(feeds: [Planet.FeedSettings], in configuration: String?) -> [Finding] {
    if uses.isEmpty { return [] }
    var counts: [Name: Int] = [:]
    for feed in feeds { for name in Name.all(of: feed.selection) { counts[name, default: 0] += 1 } }
    return uses.sorted { $0.key < $1.key }.compactMap { name, use in
      guard !use.isMatched, use.posts > 0, use.feeds >= counts[name] ?? 0 else { return nil }
      let hint =
        use.near.map { "; a post has '\($0.near)', did you mean that by '\($0.wrong)'?" }
        ?? "; 'tamis parse --no-sanitize FILE' shows the HTML of posts as the feed has it"
      let feeds = use.feeds == 1 ? "" : " of \(use.feeds.counted("feed"))"
      return Finding(
        use.posts < Self.enoughPosts ? .note : .warning, "selector.unmatched",
        "'\(name.setting): \(name.selector)' matches nothing in \(use.posts.counted("post"))\(feeds)\(hint)",
        // The selectors of several feeds are those of a group or of the defaults.
        at: Finding.Location(file: use.feeds == 1 ? use.feed : configuration ?? use.feed))
    }
  }
}

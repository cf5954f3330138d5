import Tamis

/// The feeds of an archive by the names that users give them.
struct FeedNames {
  private let feeds: [(name: String, title: String)]

  init(_ archive: Archive) throws { feeds = try archive.feedTitles() }

  /// The titles by the subscribed URL.
  var titles: [String: String] { Dictionary(feeds.map { ($0.name, $0.title) }) { first, _ in first } }

  /// `; did you mean 'https://example.org/feed'?` when a text is close to a feed's name or title; else an empty string.
  func near(_ name: String) -> String {
    let wanted = name.lowercased()
    var names: [String: String] = [:]
    for feed in feeds.reversed() {
      names[feed.title.lowercased()] = feed.name
      names[feed.name.lowercased()] = feed.name
    }
    let found = names[wanted] ?? NearestName.of(wanted, among: names.keys).flatMap { names[$0] }
    return found.map { "; did you mean '\(TerminalText.beginning(of: $0))'?" } ?? ""
  }
}

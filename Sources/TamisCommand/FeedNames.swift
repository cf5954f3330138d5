import Tamis
import TamisCore

/// The feeds of an archive by the names that users give them.
struct FeedNames {
  private let archive: Archive
  private let feeds: [(name: String, title: String)]

  init(_ archive: Archive) throws { (self.archive, feeds) = (archive, try archive.feedTitles()) }

  /// Returns the key of the feed with an address or a file, or of the only one with a title; nil when there is none.
  func key(ofFeed name: String) throws -> Feed.Key? {
    if let key = try archive.feed(named: name) { return key }
    let wanted = name.lowercased()
    let titled = feeds.filter { $0.title.lowercased() == wanted }
    return titled.count == 1 ? try archive.feed(named: titled[0].name) : nil
  }

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

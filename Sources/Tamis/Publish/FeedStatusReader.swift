package import TamisArchive
import TamisCore
package import TamisSite

/// Reads the status of an archive's feeds, for pages and for the command.
package struct FeedStatusReader {
  private let directory: Directory
  private let postReader: PostReader

  /// Creates a reader.
  ///
  /// - Parameter archive: the archive, which may be open for reading only.
  package init(_ archive: Archive) {
    self.init(Directory(archive), PostReader(archive, showsUnreadOnly: false))
  }

  init(_ directory: Directory, _ postReader: PostReader) {
    (self.directory, self.postReader) = (directory, postReader)
  }

  /// Returns a feed with the number of its posts.
  func item(_ feed: FeedRow) throws -> FeedItem {
    FeedItem(feed: feed.card, count: try postReader.count(.feed(feed.number)))
  }

  /// Returns the status of feeds.
  func items(_ feeds: [FeedRow]) throws -> [StatusItem] {
    let fetching = try directory.fetching(of: feeds.map(\.number))
    return try feeds.map { feed in
      StatusItem(
        try item(feed), fetching: fetching[feed.number],
        weeks: try directory.postsPerWeek(ofFeed: feed.number, weeks: Site.weeksOfChart),
        newest: try postReader.newest(1, of: .feed(feed.number)).first?.item.sortDate)
    }
  }

  /// Returns the status of all feeds that have not been removed, in the order of their names.
  package func all() throws -> [StatusItem] { try items(directory.feeds(directory.feedNumbers())) }
}

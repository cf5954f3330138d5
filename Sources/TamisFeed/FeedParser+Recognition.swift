import TamisCore

extension FeedParser {
  /// The kind of a file, by its beginning.
  public enum Recognition: Sendable, Hashable {
    /// A feed, well-formed or not.
    case feed
    /// Nothing but white space.
    case empty
    /// Something else, in words.
    case somethingElse(String)
  }

  /// Recognizes a feed by the beginning of a file, as reading it would: by its first element, even after stray text, or by the
  /// `version` of a JSON Feed.
  public func recognize(_ beginning: [UInt8]) -> Recognition {
    var findings: [Finding] = []
    do {
      let found = try parse(FeedDocument(name: "", bytes: beginning), into: &findings) { _ in .stop }
      // Many JSON files have a member `items`; a JSON Feed also has a version near its beginning.
      if found.feed.version.hasPrefix("json"), !Self.namesJSONFeed(beginning.prefix(4096)) {
        return .somethingElse("this is not a feed: it is JSON without the 'version' of a JSON Feed")
      }
      return .feed
    } catch {
      return error.reason == .empty ? .empty : .somethingElse(error.finding.message)
    }
  }

  private static func namesJSONFeed(_ bytes: ArraySlice<UInt8>) -> Bool {
    let mark = Array("jsonfeed.org".utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: mark) }
  }
}

import TamisCore

extension FeedParser {
  /// What a file is, as far as its beginning tells.
  public enum Recognition: Sendable, Hashable {
    /// A feed, well-formed or not.
    case feed
    /// Nothing but white space.
    case empty
    /// Something else, in words.
    case somethingElse(String)
  }

  /// Tells by the beginning of a file whether it is a feed, as reading it would: by its first element, with or without something
  /// in front of it that does not belong there, or by what a JSON Feed says of itself.
  public func recognize(_ beginning: [UInt8]) -> Recognition {
    var findings: [Finding] = []
    do {
      let found = try parse(FeedDocument(name: "", bytes: beginning), into: &findings) { _ in .stop }
      // Much has a member called `items`; a JSON Feed has a version too, near its beginning.
      if found.feed.version.hasPrefix("json"), !Self.namesJSONFeed(beginning.prefix(4096)) {
        return .somethingElse("this is no feed: it is JSON that does not say it is a JSON Feed")
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

import GRDB
package import TamisCore

/// Chooses the keys of the feeds of a run, one feed after the other in the order of their paths.
///
/// A feed keeps its key as long as its file path is the same, unless the document has another address, home page and
/// title. Other feeds are recognized by their URL, wherever their file is; by their home page only if the file of the
/// stored feed with that page is gone, since a site may have several feeds.
struct FeedChoice {
  private struct Known {
    var key: Feed.Key
    var address: String?
    var home: String?
    var title: String
    var path: String?
  }

  private let known: [Feed.Key: Known]
  private let byPath: [String: [Known]]
  /// The paths of this run whose feeds have no key yet.
  private var undecided: Set<String>
  /// The paths whose feeds may have moved with their site, if no other file has their address.
  private var moving: Set<String> = []
  /// Paths of stored feeds whose file still exists.
  private let existing: Set<String>
  /// The paths of the feeds that have been given a key in this run.
  private var claims: [Feed.Key: String] = [:]

  /// Reads the stored feeds; no feed of the run has a key yet.
  ///
  /// - Parameters:
  ///   - database: the archive's database.
  ///   - paths: the paths of all feeds of the run.
  ///   - existing: the paths of stored feeds whose file still exists.
  /// - Throws: `DatabaseError` when the feeds cannot be read.
  init(_ database: Database, paths: Set<String>, existing: Set<String>) throws {
    // A feed that could never be read has no key yet.
    let sql = "SELECT key, address, home, title, location FROM feed WHERE latest > 0 ORDER BY key"
    let feeds = try Row.fetchAll(database, sql: sql).map {
      try Known(key: Feed.Key($0[0]), address: $0[1], home: $0[2], title: $0[3], path: $0[4])
    }
    known = Dictionary(feeds.map { ($0.key, $0) }) { first, _ in first }
    byPath = Dictionary(grouping: feeds.filter { $0.path != nil }) { $0.path ?? "" }
    undecided = paths
    self.existing = existing.union(paths)
  }

  /// Records that the feed at a path is the same as before, or was not read, so that it keeps its key.
  mutating func keep(_ key: Feed.Key, at path: String) {
    undecided.remove(path)
    claims[key] = path
  }

  /// Returns the key of the feed previously at a path; nil when there was none.
  func keyBefore(at path: String) -> Feed.Key? { byPath[path]?.first?.key }

  /// Chooses a key for a feed.
  ///
  /// - Parameters:
  ///   - identity: the properties by which the feed is recognized.
  ///   - isLast: whether all feeds that do not depend on others have been given their keys.
  /// - Returns: the key; or that it cannot be chosen before other feeds of the run have been read.
  mutating func choose(_ identity: FeedIdentity, isLast: Bool) -> FeedChoiceResult {
    if let key = keyAtPath(identity) {
      keep(key, at: identity.path)
      return .key(key, twin: twin(of: key, identity))
    }
    let own = identity.key
    // A document with the address of another feed is of that one, and another file may have the feed itself.
    if let key = keyAtPath(identity, hasMoved: true),
      !known.values.contains(where: { $0.key == own || $0.address != nil && $0.address == identity.address })
    {
      if !isLast {
        moving.insert(identity.path)
        return .later
      }
      keep(key, at: identity.path)
      return .key(key, twin: nil)
    }
    // The feed that has the key may still be at its old path; that one is read first.
    if !isLast, let path = known[own]?.path, path != identity.path, undecided.contains(path), !moving.contains(path),
      claims[own] == nil
    {
      return .later
    }
    let key = holder(of: own, besides: identity) == nil ? own : own.at(identity.path)
    keep(key, at: identity.path)
    return .key(key, twin: twin(of: key, identity))
  }

  /// Returns the path of another feed that has the key which this one would get, or that had it and is still to be
  /// read.
  private func twin(of key: Feed.Key, _ identity: FeedIdentity) -> String? {
    guard key == identity.key.at(identity.path) else { return nil }
    return claims[identity.key] ?? known[identity.key]?.path.flatMap { undecided.contains($0) ? $0 : nil }
  }

  /// Returns the key of the feed previously in this file, if this may be the same feed.
  private func keyAtPath(_ identity: FeedIdentity, hasMoved: Bool = false) -> Feed.Key? {
    let found = (byPath[identity.path] ?? []).filter { feed in
      let before = FeedIdentity(address: feed.address, home: feed.home, title: feed.title, path: identity.path)
      return claims[feed.key] == nil && (hasMoved ? before.mayHaveMoved(to: identity) : identity.mayBe(before))
    }
    return (found.first { $0.key == identity.key } ?? found.first)?.key
  }

  /// Returns the path of the feed that has a key; nil when the key is free for this one.
  private func holder(of key: Feed.Key, besides identity: FeedIdentity) -> String? {
    if let path = claims[key] { return path }
    guard identity.address == nil, let path = known[key]?.path, path != identity.path else { return nil }
    return existing.contains(path) ? path : nil
  }
}

/// The result of choosing a key.
package enum FeedChoiceResult: Sendable, Hashable {
  /// The key, and the path of another feed that would have been given the same key; nil when there is none.
  case key(Feed.Key, twin: String?)
  /// The key cannot be chosen before other feeds of the run have been read; the caller asks again.
  case later
}

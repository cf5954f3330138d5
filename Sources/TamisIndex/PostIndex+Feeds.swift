import GRDB
public import TamisCore

/// Which feed is which.
extension PostIndex {
  /// The places of the files in which feeds were seen last, by their keys.
  public func places() throws(IndexError) -> [FeedKey: String] {
    try read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT key, place FROM feed WHERE place IS NOT NULL")
      return Dictionary(uniqueKeysWithValues: rows.map { (FeedKey($0[0]), $0[1]) })
    }
  }

  /// Finds the feeds of a run by what is known of them, and begins those that are new.
  ///
  /// A feed that lies where it lay keeps its key, whatever it has come to say of itself. Others are known by their address,
  /// wherever they lie; by their home page only if the file of the feed that has that is gone, for a site may have several
  /// feeds.
  ///
  /// - Parameters:
  ///   - identities: all feeds of the run; in which order makes no difference.
  ///   - standing: places of known feeds at which there still is a file.
  public func identify(_ identities: [FeedIdentity], standing: Set<String>, run: Int64) throws(IndexError) -> FeedKeys {
    try write { database in
      var choice = FeedChoice(try KnownFeed.all(database), standing: standing.union(identities.map(\.place)))
      let keys = choice.choose(identities)
      for (identity, key) in zip(identities, keys.keys) {
        _ = try StoredFeed.find(key, database, run: run)
        try database.execute(
          sql: "UPDATE feed SET place = NULL WHERE place = ? AND key <> ?", arguments: [identity.place, key.text])
        try database.execute(
          sql: "UPDATE feed SET address = ifnull(?, address), home = ifnull(?, home), place = ? WHERE key = ?",
          arguments: [identity.address, identity.home, identity.place, key.text])
      }
      return keys
    }
  }
}

/// A feed as the index knows it.
private struct KnownFeed {
  var key: FeedKey
  var address: String?
  var home: String?
  var place: String?

  static func all(_ database: Database) throws -> [KnownFeed] {
    try Row.fetchAll(database, sql: "SELECT key, address, home, place FROM feed ORDER BY key").map {
      KnownFeed(key: FeedKey($0[0]), address: $0[1], home: $0[2], place: $0[3])
    }
  }
}

/// The choice of keys for the feeds of a run.
private struct FeedChoice {
  private let known: [FeedKey: KnownFeed]
  private let byPlace: [String: [KnownFeed]]
  private let standing: Set<String>
  /// The places of the feeds that have got a key.
  private var claims: [FeedKey: String] = [:]

  init(_ feeds: [KnownFeed], standing: Set<String>) {
    known = Dictionary(feeds.map { ($0.key, $0) }) { first, _ in first }
    byPlace = Dictionary(grouping: feeds.filter { $0.place != nil }) { $0.place ?? "" }
    self.standing = standing
  }

  mutating func choose(_ identities: [FeedIdentity]) -> FeedKeys {
    var chosen: [Int: FeedKey] = [:]
    var twins: [FeedKey: String] = [:]
    // By their places, so that it makes no difference in which order they were named.
    let order = identities.indices.sorted { identities[$0].place < identities[$1].place }
    for index in order {
      guard let key = keyAtPlace(identities[index]) else { continue }
      chosen[index] = key
      claims[key] = identities[index].place
    }
    for index in order where chosen[index] == nil {
      let (identity, own) = (identities[index], identities[index].key)
      let key = holder(of: own, besides: identity) == nil ? own : own.at(identity.place)
      chosen[index] = key
      claims[key] = identity.place
    }
    for index in order {
      guard let key = chosen[index], let twin = claims[identities[index].key],
        key == identities[index].key.at(identities[index].place)
      else { continue }
      twins[key] = twin
    }
    return FeedKeys(keys: identities.indices.compactMap { chosen[$0] }, twins: twins)
  }

  /// The key of the feed that was in this file before, if it may be the same.
  private func keyAtPlace(_ identity: FeedIdentity) -> FeedKey? {
    let found = (byPlace[identity.place] ?? []).filter { feed in
      claims[feed.key] == nil
        && identity.mayBe(FeedIdentity(address: feed.address, home: feed.home, place: identity.place))
    }
    return (found.first { $0.key == identity.key } ?? found.first)?.key
  }

  /// The place of the feed that has a key; nil when it is free for this one.
  private func holder(of key: FeedKey, besides identity: FeedIdentity) -> String? {
    if let place = claims[key] { return place }
    guard identity.address == nil, let place = known[key]?.place, place != identity.place else { return nil }
    return standing.contains(place) ? place : nil
  }
}

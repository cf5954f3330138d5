import GRDB
public import TamisCore

/// The choice of keys for the feeds of a run, one feed after the other in the order of their places.
///
/// A feed that lies where it lay keeps its key, whatever it has come to say of itself. Others are known by their address,
/// wherever they lie; by their home page only if the file of the feed that has that is gone, for a site may have several
/// feeds.
struct FeedChoice {
  private struct Known {
    var key: FeedKey
    var address: String?
    var home: String?
    var place: String?
  }

  private let known: [FeedKey: Known]
  private let byPlace: [String: [Known]]
  /// The places of this run at which nothing was decided yet.
  private var undecided: Set<String>
  /// Places at which there is a file.
  private let standing: Set<String>
  /// The places of the feeds that have got a key.
  private var claims: [FeedKey: String] = [:]

  /// - Parameters:
  ///   - places: those of all feeds of the run.
  ///   - standing: places of known feeds at which there still is a file.
  init(_ database: Database, places: Set<String>, standing: Set<String>) throws {
    // What could never be read has no name yet.
    let sql = "SELECT key, address, home, place FROM feed WHERE latest > 0 ORDER BY key"
    let feeds = try Row.fetchAll(database, sql: sql).map {
      Known(key: FeedKey($0[0]), address: $0[1], home: $0[2], place: $0[3])
    }
    known = Dictionary(feeds.map { ($0.key, $0) }) { first, _ in first }
    byPlace = Dictionary(grouping: feeds.filter { $0.place != nil }) { $0.place ?? "" }
    undecided = places
    self.standing = standing.union(places)
  }

  /// Says that the feed at a place is the one that it was, or was not read, so that it keeps its key.
  mutating func keep(_ key: FeedKey, at place: String) {
    undecided.remove(place)
    claims[key] = place
  }

  /// The key of the feed that was at a place before; nil when there was none.
  func keyBefore(at place: String) -> FeedKey? { byPlace[place]?.first?.key }

  /// Chooses a key for a feed.
  ///
  /// - Parameter isLast: whether the feeds at all other places have been decided about that do not wait for others.
  mutating func choose(_ identity: FeedIdentity, isLast: Bool) -> FeedChoiceResult {
    if let key = keyAtPlace(identity) {
      keep(key, at: identity.place)
      return .key(key, twin: twin(of: key, identity))
    }
    let own = identity.key
    // The feed that has the key may still be where it was: that has to be seen first.
    if !isLast, let place = known[own]?.place, place != identity.place, undecided.contains(place), claims[own] == nil {
      return .later
    }
    let key = holder(of: own, besides: identity) == nil ? own : own.at(identity.place)
    keep(key, at: identity.place)
    return .key(key, twin: twin(of: key, identity))
  }

  /// The place of the feed that has the key which would have been this one's, or had it and is still to be read.
  private func twin(of key: FeedKey, _ identity: FeedIdentity) -> String? {
    guard key == identity.key.at(identity.place) else { return nil }
    return claims[identity.key] ?? known[identity.key]?.place.flatMap { undecided.contains($0) ? $0 : nil }
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

/// What came of choosing a key.
public enum FeedChoiceResult: Sendable, Hashable {
  /// The key, and the place of the feed whose own would have been the same.
  case key(FeedKey, twin: String?)
  /// Whose key it is shows when other feeds of the run have been read: it is to be asked for again.
  case later
}

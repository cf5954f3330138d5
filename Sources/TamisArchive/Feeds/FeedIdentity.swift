package import TamisCore
package import TamisURL

/// The properties by which a feed is recognized: its URL, its home page, its title and its path.
package struct FeedIdentity: Sendable, Hashable {
  /// The normal form of the feed's own URL; nil when that is not known.
  let address: String?
  /// The normal form of the home page's URL; nil when the feed has none.
  let home: String?
  /// The title; empty when the feed has none.
  let title: String
  /// The path of the file, relative to the folder of the archive.
  let path: String

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - address: the URL of the feed.
  ///   - home: the URL of its home page.
  ///   - title: its title; empty when it has none.
  ///   - path: the path of its file, relative to the folder of the archive.
  ///   - tracking: the parameters that are ignored in URLs.
  package init(address: String?, home: String?, title: String = "", path: String, tracking: TrackingParameters) {
    self.address = address.flatMap { AddressForm($0, tracking: tracking) }?.text
    self.home = home.flatMap { AddressForm($0, tracking: tracking) }?.text
    (self.title, self.path) = (title, path)
  }

  init(address: String?, home: String?, title: String = "", path: String) {
    (self.address, self.home, self.title, self.path) = (address, home, title, path)
  }

  /// The key that the feed gets when it is first seen and no other feed has that key.
  package var key: Feed.Key {
    if let form = address ?? home { return Feed.Key(addressForm: form) }
    return Feed.Key(path: path)
  }

  /// Whether the feed that was in a file may be the one that is in it now: nothing contradicts it.
  ///
  /// If both have a URL and these differ, the home page has to be the same: the feed has moved on its site.
  func mayBe(_ other: FeedIdentity) -> Bool {
    if let address, address == other.address { return true }
    // Nothing but the path says which feed a file without an address is.
    if address == nil, other.address == nil { return true }
    guard let home, let otherHome = other.home else { return address == nil || other.address == nil }
    return home == otherHome
  }

  /// Whether the feed that was in a file may have moved with its site: all but the title is new.
  func mayHaveMoved(to other: FeedIdentity) -> Bool { !title.isEmpty && title == other.title }
}

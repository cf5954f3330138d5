package import TamisCore
package import TamisURL

/// What a feed is recognized by: its URL, its home page and its path.
package struct FeedIdentity: Sendable, Hashable {
  /// The normal form of its own URL; nil when that is not known.
  let address: String?
  /// The normal form of its home page's URL; nil when it has none.
  let home: String?
  /// The path of its file, relative to the folder of the archive.
  let path: String

  /// - Parameters:
  ///   - address: the URL of the feed.
  ///   - home: the page it belongs to.
  ///   - path: the path of its file, relative to the folder of the archive.
  ///   - tracking: parameters that are ignored in URLs.
  package init(address: String?, home: String?, path: String, tracking: TrackingParameters) {
    self.address = address.flatMap { AddressForm($0, tracking: tracking) }?.text
    self.home = home.flatMap { AddressForm($0, tracking: tracking) }?.text
    self.path = path
  }

  init(address: String?, home: String?, path: String) {
    (self.address, self.home, self.path) = (address, home, path)
  }

  /// The key that it gets when it is seen first and no other feed has that key.
  package var key: FeedKey {
    if let form = address ?? home { return FeedKey(addressForm: form) }
    return FeedKey(path: path)
  }

  /// Whether a feed that was in a file may be the one that is in it now: nothing contradicts it.
  ///
  /// If both have a URL and these differ, the home page has to be the same: a feed that has moved on its site.
  func mayBe(_ other: FeedIdentity) -> Bool {
    if let address, address == other.address { return true }
    guard let home, let otherHome = other.home else { return address == nil || other.address == nil }
    return home == otherHome
  }
}

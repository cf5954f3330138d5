public import TamisCore
public import TamisURL

/// All by which a feed may be known again.
public struct FeedIdentity: Sendable, Hashable {
  /// The form of its own address; nil when that is not known.
  let address: String?
  /// The form of its home page's; nil when it names none.
  let home: String?
  /// The way to its file from the folder of the archive.
  let place: String

  /// - Parameters:
  ///   - address: where the feed is published.
  ///   - home: the page it belongs to.
  ///   - place: the way to its file from the folder of the archive.
  ///   - tracking: what counts for nothing in addresses.
  public init(address: String?, home: String?, place: String, tracking: TrackingParameters) {
    self.address = address.flatMap { AddressForm($0, tracking: tracking) }?.text
    self.home = home.flatMap { AddressForm($0, tracking: tracking) }?.text
    self.place = place
  }

  init(address: String?, home: String?, place: String) {
    (self.address, self.home, self.place) = (address, home, place)
  }

  /// The key that it gets when it is seen first and no other has it.
  public var key: FeedKey {
    if let form = address ?? home { return FeedKey(addressForm: form) }
    return FeedKey(place: place)
  }

  /// Whether a feed that was in a file may be the one that is in it now: nothing that both say says otherwise.
  ///
  /// Of two that have different addresses, the home page has to be the same: a feed that has moved on its site.
  func mayBe(_ other: FeedIdentity) -> Bool {
    if let address, address == other.address { return true }
    guard let home, let otherHome = other.home else { return address == nil || other.address == nil }
    return home == otherHome
  }
}

/// What names a feed from run to run, in the index and in the site.
///
/// The address of the feed, else that of its home page, else the place of its file. Feeds for which that is the same are told
/// apart by their places.
public struct FeedKey: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The key as it is kept and shown: an address, a place, or an address, a space and a place.
  public let text: String

  /// A key as it was kept.
  public init(_ text: String) { self.text = text }

  /// A key as it was kept.
  public init(stringLiteral text: String) { self.text = text }

  /// The key of a feed that is known by its address or its home page, in the form in which spellings do not differ.
  ///
  /// - Parameter form: the address without its scheme.
  public init(addressForm form: String) { text = Self.scheme + form }

  /// The key of a feed of which no more is known than where its file lies.
  public init(place: String) { text = place }

  /// The key of a feed whose own would be the same as another's.
  public func at(_ place: String) -> FeedKey { FeedKey("\(text) \(place)") }

  /// The same for `http` and `https`: it says no more than that what follows is an address.
  private static let scheme = "https://"

  /// The address without its scheme; nil when there is none.
  public var addressForm: Substring? {
    guard text.hasPrefix(Self.scheme) else { return nil }
    return text.dropFirst(Self.scheme.count).prefix { $0 != " " }
  }

  /// The place of the file, where the feed is known by that.
  public var place: Substring? {
    guard text.hasPrefix(Self.scheme) else { return text[...] }
    return text.firstIndex(of: " ").map { text[text.index(after: $0)...] }
  }

  /// What everybody may read: the name of the file without its folders, or the address without its parameters, in which there
  /// may be a key to it.
  public var publicName: String {
    let name = addressForm.map { $0.prefix { $0 != "?" } } ?? text.split(separator: "/").last ?? text[...]
    return String(name)
  }

  /// The key as it is kept.
  public var description: String { text }

  /// In the order of their texts.
  public static func < (lhs: FeedKey, rhs: FeedKey) -> Bool { lhs.text < rhs.text }
}

extension FeedKey: Codable {
  /// Reads a string.
  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  /// Writes a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

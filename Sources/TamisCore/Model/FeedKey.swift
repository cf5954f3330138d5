/// The identifier of a feed from run to run, in the archive and in the site.
///
/// The URL of the feed, else that of its home page, else the path of its file. Feeds with the same URL are distinguished by
/// their paths.
public struct FeedKey: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The key as it is stored and shown: a URL, a path, or a URL, a space and a path.
  public let text: String

  /// Makes a key of its stored text.
  public init(_ text: String) { self.text = text }

  /// Makes a key of its stored text.
  public init(stringLiteral text: String) { self.text = text }

  /// The key of a feed by its URL or its home page, in the normal form.
  ///
  /// - Parameter form: the normal form: the URL without its scheme.
  public init(addressForm form: String) { text = Self.scheme + form }

  /// The key of a feed of which only the path of its file is known.
  public init(path: String) { text = path }

  /// The key of a feed whose key would be the same as another's: with its path.
  public func at(_ path: String) -> FeedKey { FeedKey("\(text) \(path)") }

  /// Stands for `http` and `https` alike: it only marks what follows as a URL.
  private static let scheme = "https://"

  /// The normal form of the URL; nil when the key has none.
  public var addressForm: Substring? {
    guard text.hasPrefix(Self.scheme) else { return nil }
    return text.dropFirst(Self.scheme.count).prefix { $0 != " " }
  }

  /// The path of the file; nil when the key has none.
  public var path: Substring? {
    guard text.hasPrefix(Self.scheme) else { return text[...] }
    return text.firstIndex(of: " ").map { text[text.index(after: $0)...] }
  }

  /// The name for public pages: the file name without its folders, or the URL without its parameters, which may contain an
  /// access key.
  public var publicName: String {
    let name = addressForm.map { $0.prefix { $0 != "?" } } ?? text.split(separator: "/").last ?? text[...]
    return String(name)
  }

  /// The key as it is stored.
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

extension Feed {
  /// The identifier of a feed from run to run, in the archive and in the site.
  ///
  /// The key is the URL of the feed, else that of its home page, else the path of its file. Feeds with the same URL are
  /// distinguished by their paths.
  package struct Key: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The key as it is stored and shown: a URL, a path, or a URL, a space and a path.
    package let text: String

    /// Makes a key from its stored text.
    package init(_ text: String) { self.text = text }

    /// Makes a key from its stored text.
    package init(stringLiteral text: String) { self.text = text }

    /// Makes the key of a feed from its URL or its home page, in the normal form.
    ///
    /// - Parameter form: the normal form: the URL without its scheme.
    package init(addressForm form: String) { text = Self.scheme + form }

    /// Makes the key of a feed of which only the path of its file is known.
    package init(path: String) { text = path }

    /// Returns this key with a path, for a feed whose key would otherwise equal another's.
    package func at(_ path: String) -> Feed.Key { Feed.Key("\(text) \(path)") }

    /// The prefix that marks what follows as a URL; it stands for `http` and `https` alike.
    private static let scheme = "https://"

    /// The normal form of the URL; nil when the key has none.
    package var addressForm: Substring? {
      guard text.hasPrefix(Self.scheme) else { return nil }
      return text.dropFirst(Self.scheme.count).prefix { $0 != " " }
    }

    /// The path of the file; nil when the key has none.
    package var path: Substring? {
      guard text.hasPrefix(Self.scheme) else { return text[...] }
      return text.firstIndex(of: " ").map { text[text.index(after: $0)...] }
    }

    /// The name for public pages: the file name without its folders, or the URL without its query.
    ///
    /// The query may contain an access key.
    package var publicName: String {
      let name = addressForm.map { $0.prefix { $0 != "?" } } ?? text.split(separator: "/").last ?? text[...]
      return String(name)
    }

    /// The key as it is stored.
    package var description: String { text }

    /// Returns whether the first key's text sorts before the second's.
    package static func < (lhs: Feed.Key, rhs: Feed.Key) -> Bool { lhs.text < rhs.text }
  }
}

extension Feed.Key: Codable {
  /// Decodes a key from a string.
  package init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  /// Encodes the key as a string.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

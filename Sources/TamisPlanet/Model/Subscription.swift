public import TamisCore
public import TamisURL

extension Planet {
  /// A subscribed feed.
  public struct Subscription: Sendable, Hashable {
    /// The URL of the feed.
    public var address: Planet.Address
    /// The feed's own settings; see ``Planet/settings(for:)``.
    public var settings: Planet.FeedSettings
    /// The location of the subscription in its file.
    public var location: Finding.Location

    /// Creates a subscription.
    ///
    /// - Parameters:
    ///   - address: the URL of the feed.
    ///   - settings: the feed's own settings.
    ///   - location: the location of the subscription in its file.
    public init(
      _ address: Planet.Address, settings: Planet.FeedSettings = Planet.FeedSettings(),
      at location: Finding.Location = Finding.Location(file: "-")
    ) {
      self.address = address
      self.settings = settings
      self.location = location
    }

    /// Whether two subscriptions are equal, wherever they are written.
    public static func == (lhs: Planet.Subscription, rhs: Planet.Subscription) -> Bool {
      lhs.address == rhs.address && lhs.settings == rhs.settings
    }

    /// Hashes the values without the location.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(address)
      hasher.combine(settings)
    }
  }
}

extension Planet {
  /// A list of subscriptions, local or remote: OPML, or one URL on each line.
  package struct ReadingList: Sendable, Hashable {
    /// The source of a list.
    package enum Source: Sendable, Hashable {
      /// A URL.
      case address(Planet.Address)
      /// A file, by its path relative to the configuration's folder.
      case file(String)
    }

    /// The source of the list.
    package var source: Source
    /// The settings of the feeds in the list.
    package var settings = Planet.FeedSettings()
    /// The location of the list in its file.
    package var location: Finding.Location

    /// Whether two lists are equal, wherever they are written.
    package static func == (lhs: Planet.ReadingList, rhs: Planet.ReadingList) -> Bool {
      lhs.source == rhs.source && lhs.settings == rhs.settings
    }

    /// Hashes the values without the location.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(settings)
    }
  }
}

extension Planet {
  /// An absolute HTTP or HTTPS URL, as written and as compared.
  public struct Address: Sendable, Hashable, CustomStringConvertible {
    /// The URL as written, trimmed.
    public let written: String
    /// The parsed URL without its fragment, which is fetched and compared.
    public let url: WebURL

    /// The maximum length of a URL, in bytes.
    package static let maximumLength = 2048

    /// Parses a URL.
    ///
    /// - Throws: ``Refusal`` when the text is not a valid URL of a feed, with the reason as the end of a sentence.
    public init(_ text: String) throws(Refusal) {
      let text = text.trimmed()
      guard !text.isEmpty else { throw Refusal("an address is missing here") }
      guard text.utf8.count <= Self.maximumLength else {
        throw Refusal("this address is longer than \(Self.maximumLength) bytes")
      }
      guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == " " }) else {
        throw Refusal("'\(Self.shown(text))' is not an address: it has white space or a control character")
      }
      // Many programs write `feed:` for URLs to subscribe to, alone or before the scheme.
      let lower = text.asciiLowercased()
      let isFeedScheme = lower.hasPrefix("feed:")
      let rest = isFeedScheme ? String(text.dropFirst(5)) : text
      let plain = isFeedScheme && rest.hasPrefix("//") ? "http:" + rest : rest
      let prefix = plain.prefix(8).asciiLowercased()
      guard prefix.beginsAsHTTP else {
        let hint = text.contains(".") && !text.contains(":") ? "; did you mean 'https://\(Self.shown(text))'?" : ""
        throw Refusal("'\(Self.shown(text))' does not begin with https:// or http://\(hint)")
      }
      guard let url = WebURL(plain), url.isHTTP, url.hostname?.isEmpty == false else {
        throw Refusal("'\(Self.shown(text))' is not an address")
      }
      written = text
      self.url = url.removingFragment
    }

    /// Returns a text for messages: an ellipsis in place of what may be a user name and a password.
    private static func shown(_ text: String) -> String {
      let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
      let server = text[start...].prefix { !"/?#".contains($0) }
      guard let end = server.lastIndex(of: "@") else { return text }
      return text[..<start] + "…" + text[end...]
    }

    /// Parses a URL as people type it: without a scheme, `example.org/feed` is read as https.
    ///
    /// - Throws: ``Refusal`` when the text is not a valid URL of a feed, with the reason as the end of a sentence.
    package init(completing text: String) throws(Refusal) {
      let text = text.trimmed()
      let host = text.prefix { !"/?#".contains($0) }
      // Neither a file path nor another scheme: a port follows the colon.
      let port = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
      let isHost =
        host.contains(".") && !host.hasPrefix(".") && !host.contains("@") && port?.allSatisfy(\.isNumber) != false
      try self.init(isHost ? "https://\(text)" : text)
    }

    /// Returns this URL with the user name and password of another on the same server, unless it has its own.
    package func takingCredentials(of other: Planet.Address) -> Planet.Address {
      let whole = url.takingCredentials(of: other.url)
      return whole == url ? self : (try? Planet.Address(whole.href)) ?? self
    }

    /// Whether the URL has a user name or a password.
    package var hasCredentials: Bool { !url.username.isEmpty || !url.password.isEmpty }

    /// The URL without user name and password, for publication.
    package var forAll: String { url.removingCredentials.href }

    /// The error for a text that is not a URL of a feed.
    public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
      /// The reason in words, without a full stop.
      public let description: String

      init(_ description: String) { self.description = description }
    }

    /// The URL as written.
    public var description: String { written }

    /// Whether two URLs are equal after parsing.
    public static func == (lhs: Planet.Address, rhs: Planet.Address) -> Bool { lhs.url == rhs.url }

    /// Hashes the parsed URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
  }
}

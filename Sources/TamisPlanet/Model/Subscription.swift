public import TamisCore
public import TamisURL

/// A feed that is read.
public struct Subscription: Sendable, Hashable {
  /// Where it is.
  public var address: FeedAddress
  /// Its own settings; see ``Planet/settings(for:)``.
  public var settings: FeedSettings
  /// Where it is written.
  public var location: SourceLocation

  /// Subscribes to a feed.
  public init(
    _ address: FeedAddress, settings: FeedSettings = FeedSettings(),
    at location: SourceLocation = SourceLocation(file: "-")
  ) {
    self.address = address
    self.settings = settings
    self.location = location
  }

  /// Whether two are the same, wherever they are written.
  public static func == (lhs: Subscription, rhs: Subscription) -> Bool {
    lhs.address == rhs.address && lhs.settings == rhs.settings
  }

  /// Hashes its values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(address)
    hasher.combine(settings)
  }
}

/// A list of subscriptions, local or remote: OPML, or addresses, one a line.
public struct ReadingList: Sendable, Hashable {
  /// Where a list is.
  public enum Source: Sendable, Hashable {
    /// On the web.
    case address(FeedAddress)
    /// In a file, whose path is seen from the configuration's folder.
    case file(String)
  }

  /// Where it is.
  public var source: Source
  /// The settings of its feeds.
  public var settings: FeedSettings
  /// Where it is written.
  public var location: SourceLocation

  /// Names a list.
  public init(
    _ source: Source, settings: FeedSettings = FeedSettings(), at location: SourceLocation = SourceLocation(file: "-")
  ) {
    self.source = source
    self.settings = settings
    self.location = location
  }

  /// Whether two are the same, wherever they are written.
  public static func == (lhs: ReadingList, rhs: ReadingList) -> Bool {
    lhs.source == rhs.source && lhs.settings == rhs.settings
  }

  /// Hashes its values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(settings)
  }
}

/// An absolute http or https address, as it was written and as it is compared.
public struct FeedAddress: Sendable, Hashable, CustomStringConvertible {
  /// As it was written, without white space around it.
  public let written: String
  /// As the URL Standard has it, without its fragment: the address that is fetched, and by which two are the same.
  public let url: WebURL

  /// Longest address that is taken, in bytes.
  public static let maximumLength = 2048

  /// Reads an address.
  ///
  /// - Throws: when it is not an address, with the reason as the end of a sentence.
  public init(_ text: String) throws(Refusal) {
    let text = text.trimmed()
    guard !text.isEmpty else { throw Refusal("an address is missing here") }
    guard text.utf8.count <= Self.maximumLength else {
      throw Refusal("this address is longer than \(Self.maximumLength) bytes")
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == " " }) else {
      throw Refusal("'\(text)' is not an address: it has white space or a control character")
    }
    // Many programs write `feed:` for addresses to subscribe to, alone or before the scheme.
    let lower = text.asciiLowercased()
    let isFeedScheme = lower.hasPrefix("feed:")
    let rest = isFeedScheme ? String(text.dropFirst(5)) : text
    let plain = isFeedScheme && rest.hasPrefix("//") ? "http:" + rest : rest
    let prefix = plain.prefix(8).asciiLowercased()
    guard prefix.beginsAsHTTP else {
      let hint = text.contains(".") && !text.contains(":") ? "; did you mean 'https://\(text)'?" : ""
      throw Refusal("'\(text)' does not begin with https:// or http://\(hint)")
    }
    guard let url = WebURL(plain), url.isHTTP, url.hostname?.isEmpty == false else {
      throw Refusal("'\(text)' is not an address")
    }
    written = text
    self.url = url.removingFragment
  }

  /// Reads an address as people type it: without a scheme, `example.org/feed` is one of https.
  ///
  /// - Throws: when it is not an address, with the reason as the end of a sentence.
  public init(completing text: String) throws(Refusal) {
    let text = text.trimmed()
    let host = text.prefix { !"/?#".contains($0) }
    // Not a path of a file, and no other scheme: what follows a colon is a port.
    let port = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
    let isHost =
      host.contains(".") && !host.hasPrefix(".") && !host.contains("@") && port?.allSatisfy(\.isNumber) != false
    try self.init(isHost ? "https://\(text)" : text)
  }

  /// The same with the user name and password of another URL of the same server, unless it has its own.
  public func takingCredentials(of other: FeedAddress) -> FeedAddress {
    let whole = url.takingCredentials(of: other.url)
    return whole == url ? self : (try? FeedAddress(whole.href)) ?? self
  }

  /// Whether there is a name or a password in it.
  public var hasCredentials: Bool { !url.username.isEmpty || !url.password.isEmpty }

  /// The same without a name and a password, for all to read.
  public var forAll: String { url.removingCredentials.href }

  /// Why a text is no address of a feed.
  public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// In words, without a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
  }

  /// As it was written.
  public var description: String { written }

  /// Whether two are the same URL, however they are written.
  public static func == (lhs: FeedAddress, rhs: FeedAddress) -> Bool { lhs.url == rhs.url }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

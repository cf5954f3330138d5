/// The format of dates on pages.
public enum DateForm: String, Sendable, Hashable, CaseIterable {
  /// An ISO 8601 date, such as `2026-11-14`.
  case iso
  /// A date with the name of the month.
  case long
  /// A numeric date in the format of the language.
  case short
}

/// The owner of a site; all members are nil when there is none.
public struct SiteOwner: Sendable, Hashable {
  /// The name.
  public var name: String?
  /// The mail address.
  public var email: String?
  /// A page about the owner, http or https.
  public var link: String?

  /// Makes an owner without any values.
  public init() {}
}

/// The treatment of posts that have left their feed.
public enum PurgePolicy: Sendable, Hashable, CustomStringConvertible {
  /// Posts stay.
  case keep
  /// Posts are deleted at once; a post that comes back is new.
  case now
  /// The content of posts is deleted after their feed was read this number of times without them.
  ///
  /// The rest of the post stays, and keeps it from coming back as new.
  case after(looks: Int)

  /// Reads `keep`, `now`, or a number of looks from 1 to 1,000,000; nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "keep": self = .keep
    case "now": self = .now
    default:
      guard let looks = Int(text), (1...1_000_000).contains(looks) else { return nil }
      self = .after(looks: looks)
    }
  }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    switch self {
    case .keep: "keep"
    case .now: "now"
    case .after(let looks): "\(looks)"
    }
  }
}

/// A policy for recognizing posts.
public enum KeyPolicy: String, Sendable, Hashable, CaseIterable {
  /// Posts are recognized by the best of their usable keys (Tamis.docc/HowAPostIsRecognized.md, K3).
  case ladder
  /// Posts are recognized by the feed's id, otherwise the link, and by nothing else.
  case guidOrLink = "guid-or-link"
}

/// How dates are written on pages.
public enum DateForm: String, Sendable, Hashable, CaseIterable {
  /// `2026-11-14`
  case iso
  /// With the month's name.
  case long
  /// In figures, as the language has it.
  case short
}

/// The owner of a site; without a name when there is none.
public struct SiteOwner: Sendable, Hashable {
  /// The name.
  public var name: String?
  /// The address for mail.
  public var email: String?
  /// A page about them, http or https.
  public var link: String?

  /// Makes an owner of whom nothing is known.
  public init() {}
}

/// What happens to posts that have left their feed.
public enum PurgePolicy: Sendable, Hashable, CustomStringConvertible {
  /// They stay.
  case keep
  /// They are deleted at once: a post that comes back is new.
  case now
  /// After their feed was read so often without them their content is deleted; what is left keeps them from coming back as
  /// new.
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

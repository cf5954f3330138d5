/// Bounds that keep hostile input from costing more than it is worth.
///
/// Each is checked while working, not after.
public struct Limits: Sendable, Hashable {
  /// Largest feed document, in bytes (default 512 MiB).
  public var documentBytes = 512 << 20
  /// Most attributes of one element that are read (default 100); the others are left out.
  public var attributes = 100
  /// Largest single field of a feed, in bytes (default 16 MiB); the rest is left out.
  public var fieldBytes = 16 << 20
  /// Longest name that a post is shown with, in bytes (default 16 KiB); the rest is left out.
  ///
  /// The bound holds for its title, for all its authors, for all its tags and for its rights. The title and the rights of a feed have
  /// ``Limits/feedNameBytes``.
  public var nameBytes = 16 << 10
  /// Longest title and rights of a feed, which are on each page of its posts, in bytes: a sixteenth of ``Limits/nameBytes``.
  public var feedNameBytes: Int { nameBytes / 16 }
  /// Longest link of a post or a feed, in bytes (default 64 KiB); a longer one is left out.
  public var linkBytes = 64 << 10
  /// Most findings about one document (default 1,000); one more says that there are others.
  public var findings = 1000
  /// Most bytes that the declared entities of a document may expand to in all (default 1 MiB, plus four times the bytes
  /// read so far); later uses are left out.
  public var entityBytes = 1 << 20
  /// Most entries of one feed that become posts (default 200,000); the rest is left out.
  public var entries = 200_000
  /// Most categories that are kept of one entry (default 200).
  public var categories = 200
  /// Most tags of one post that get a page and feeds of their own (default 12); the others are only shown on the post's
  /// page.
  public var listedTags = 12
  /// Largest fragment that is sanitized as markup, in bytes (default 8 MiB); a larger one is shown as plain text.
  public var fragmentBytes = 8 << 20
  /// Deepest element nesting of a fragment (default 256); deeper elements lose their tags, not their text.
  public var fragmentDepth = 256
  /// Most formatting elements (`b`, `font`, …) that are open at once, and that are opened again in each paragraph (default 16): more
  /// would let a small input grow without bound.
  public var openFormatting = 16

  /// Longest base URL, in bytes (default 2,048); with a longer one, relative URLs are treated as if there were none, since
  /// each would become as long.
  public var baseBytes = 2 << 10
  /// What resolving URLs may add to a fragment, as a multiple of its size (default 8), beyond
  /// ``Limits/resolvingAllowance``; URLs that would add more are removed.
  public var resolvingGrowth = 8
  /// What resolving URLs may add to a fragment however small it is, in bytes (default 64 KiB).
  public var resolvingAllowance = 64 << 10

  /// The defaults.
  public static let standard = Limits()

  /// The defaults.
  public init() {}

  /// The smaller one of each bound.
  ///
  /// - Parameter other: limits that must hold too.
  public func tightened(by other: Limits) -> Limits {
    var limits = self
    for bound in Self.bounds { limits[keyPath: bound] = min(self[keyPath: bound], other[keyPath: bound]) }
    return limits
  }

  private static var bounds: [WritableKeyPath<Limits, Int>] {
    [
      \.documentBytes, \.attributes, \.fieldBytes, \.nameBytes, \.linkBytes, \.findings, \.entityBytes, \.entries,
      \.categories, \.listedTags, \.fragmentBytes, \.fragmentDepth, \.openFormatting, \.baseBytes, \.resolvingGrowth,
      \.resolvingAllowance,
    ]
  }
}

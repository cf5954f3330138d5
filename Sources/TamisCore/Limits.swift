// To add a limit: a `var` and its row in `bounds`; a finding where it is met; a case in
// Tests/TamisTests/LimitTests.swift; SECURITY.md; for the sanitizer also the list at `Removal.Rule.limit` and the
// row `limit` of docs/rules.md.

/// Bounds that keep hostile input from costing more than it is worth.
///
/// Each is checked while working, not after.
public struct Limits: Sendable, Hashable {
  /// The maximum size of a feed document, in bytes (default 512 MiB).
  public var documentBytes = 512 << 20
  /// The maximum number of attributes that are read from one element (default 100); the others are left out, except for
  /// `style` and `hidden`.
  public var attributes = 100
  /// The maximum number of different names of elements, attributes and namespaces in one XML document (default 10,000).
  ///
  /// Tags with a name beyond the limit are left out; the text between them stays.
  public var names = 10_000
  /// The maximum number of elements that are read of one entry, and of a feed besides its entries (default 20,000).
  public var elements = 20_000
  /// The maximum size of a single field of a feed, in bytes (default 16 MiB); the rest is left out.
  public var fieldBytes = 16 << 20
  /// The maximum length of each name that a post is shown with, in bytes (default 16 KiB); the rest is left out.
  ///
  /// The bound applies to the title, to all authors, to all tags and to the rights of a post. The title and the rights
  /// of a feed have ``Limits/feedNameBytes``.
  public var nameBytes = 16 << 10
  /// The maximum length of the title and of the rights of a feed, in bytes: a sixteenth of ``Limits/nameBytes``.
  ///
  /// Both are on each page of the feed's posts.
  public var feedNameBytes: Int { nameBytes / 16 }
  /// The maximum length of a link of a post or a feed, in bytes (default 64 KiB); a longer one is left out.
  public var linkBytes = 64 << 10
  /// The maximum number of findings about one document (default 1,000); one more says that there are others.
  public var findings = 1000
  /// The maximum size that the declared entities of a document may expand to in all, in bytes.
  ///
  /// The default is 1 MiB, plus four times the bytes read so far; later uses are left out.
  public var entityBytes = 1 << 20
  /// The maximum number of entries of one feed that become posts (default 200,000); the rest is left out.
  public var entries = 200_000
  /// The maximum number of categories that are kept of one entry (default 200).
  public var categories = 200
  /// The maximum number of tags of one post that get a page and feeds of their own (default 50).
  ///
  /// The others are only shown on the post's page.
  public var listedTags = 50
  /// The maximum size of a fragment that is sanitized as markup, in bytes (default 8 MiB).
  ///
  /// A larger fragment is shown as plain text.
  public var fragmentBytes = 8 << 20
  /// The maximum depth of nested elements in a fragment (default 256); deeper elements lose their tags, not their text.
  public var fragmentDepth = 256
  /// The maximum number of formatting elements (`b`, `font`, …) that are open at once (default 16).
  ///
  /// These are reopened in each paragraph; with more of them, a small input could grow without bound.
  public var openFormatting = 16

  /// The maximum number of files that are kept of one entry, and of its chapters and people (default 1,000 each).
  public var files = 1000
  /// The maximum number of pictures that a post shows besides its body (default 100).
  public var pictures = 100
  /// The maximum size in bytes of what only the page of a post shows besides its body (default 1 MiB).
  public var detailBytes = 1 << 20
  /// The maximum size of what a drawing applies to other elements, such as a `clipPath` or the `marker` at the end of a
  /// line, in bytes (default 64 KiB).
  ///
  /// All references of a fragment together draw at most 16 times as much.
  public var clipBytes = 64 << 10
  /// The maximum number of references to markers and clip paths in one fragment (default 1,000).
  public var drawingReferences = 1000
  /// The maximum number of elements and texts of drawings that are copied in one fragment to where they are used, and
  /// of elements that a style sheet in a drawing styles (default 20,000).
  public var drawingCopies = 20_000
  /// The maximum size in bytes of a formula's TeX that is set as MathML.
  public var formulaBytes = 20_000
  /// The maximum size in bytes of the style sheets of one page or fragment that are read for what they hide (default
  /// 4 MiB); with more, none is.
  public var sheetBytes = 4 << 20
  /// The maximum number of comparisons of selectors with elements of one page or fragment (default 4 million); with
  /// more, no sheet hides anything.
  public var sheetSteps = 4_000_000
  /// The maximum number of places that cells of more than one column or row may take in one fragment (default 200,000).
  public var tablePlaces = 200_000
  /// The maximum number of cells of all tables of a fragment, if each row were as long as the longest (default 1
  /// million).
  public var tableArea = 1_000_000
  /// The maximum number of elements in a fragment for which browsers look at all others before them: quotations (`q`),
  /// isolated text (`bdi`) and list items with a number of their own count once, `track` twenty times (default 2,000).
  public var costlyElements = 2000
  /// The maximum length of a base URL, in bytes (default 512).
  ///
  /// With a longer one, relative URLs are treated as if there were none, since each would become as long.
  public var baseBytes = 512
  /// The size that resolving URLs may add to a fragment, as a multiple of the fragment's size (default 8).
  ///
  /// The limit applies beyond ``Limits/resolvingAllowance``; URLs that would add more are removed.
  public var resolvingGrowth = 8
  /// The size that resolving URLs may add to a fragment of any size, in bytes (default 2 KiB).
  public var resolvingAllowance = 2 << 10

  /// The defaults.
  public static let standard = Limits()

  /// Creates the default limits.
  public init() {}

  /// Returns the smaller value of each bound.
  ///
  /// - Parameter other: limits that must hold too.
  /// - Returns: limits under which both these and the others hold.
  package func tightened(by other: Limits) -> Limits {
    var limits = self
    for bound in Self.bounds { limits[keyPath: bound] = min(self[keyPath: bound], other[keyPath: bound]) }
    return limits
  }

  private static var bounds: [WritableKeyPath<Limits, Int>] {
    [
      \.documentBytes, \.attributes, \.names, \.elements,
      \.fieldBytes, \.nameBytes, \.linkBytes, \.findings,
      \.entityBytes,
      \.entries,
      \.categories, \.listedTags, \.files, \.pictures, \.detailBytes, \.fragmentBytes, \.fragmentDepth,
      \.openFormatting, \.clipBytes, \.drawingReferences, \.drawingCopies, \.formulaBytes, \.sheetBytes,
      \.sheetSteps, \.tablePlaces, \.tableArea, \.costlyElements,
      \.baseBytes,
      \.resolvingGrowth,
      \.resolvingAllowance,
    ]
  }
}

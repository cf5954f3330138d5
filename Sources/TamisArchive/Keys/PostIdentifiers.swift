// To add a key by which posts are recognized, first read HowAPostIsRecognized.md. A property and a row of `columns`
// here, from which storing, reading, exporting, joining, moving and explaining follow; its value in PostKeys.swift
// (a fact that is only compared is a property there and a line of `visit`; how two posts compare by it stands in
// Likeness.swift); its turn in the two ladders, Record/DocumentIdentities.swift and PostFinder.swift, which must
// agree; Recorder.swift (`takeKeys`), KeyQuality.swift, Store/PostStore.swift; across feeds Fold/Sameness.swift.
// Raise `Schema.version`. Scenarios in Fixtures/Dedupe, tables K0 and K3, make check-archive.

/// The identifiers of a post, as digests: its id, its link, its file.
///
/// ``columns`` has a row for each. Storing, finding, exporting, joining and explaining are derived from that table, so
/// a new identifier is a property here and a row there. The precedence of identifiers is defined by the two ladders,
/// ``DocumentIdentities`` and ``PostFinder``.
struct PostIdentifiers: Sendable, Hashable, Codable {
  /// The id that the feed gives, unchanged; nil when there is none.
  var guid: Int64?
  /// The id in its normal form: that of its URL (``AddressForm``) when it is one, otherwise the id itself.
  var guidForm: Int64?
  /// The permalink in its normal form; nil when there is none.
  var link: Int64?
  /// The first attached file; nil when there is none.
  var file: Int64?
  /// The link that the post had before its present one, which copies of it in other feeds still have; nil when it had
  /// none.
  var former: Int64?

  /// An identifier.
  struct Column: Sendable {
    /// The name of its column in the archive.
    let name: String
    /// The name of the identifier for users.
    let label: String
    /// The identifier.
    let path: any WritableKeyPath<PostIdentifiers, Int64?> & Sendable
    /// The identifier with the URL fragment, for posts that differ only in it; nil for one without such a form.
    var withFragment: (any KeyPath<DocumentKeys, Int64?> & Sendable)?
    /// Whether the identifier is a form of the id, which is usually meaningful in its feed only.
    var isOfID = false
  }

  /// All identifiers, in the order in which they are stored.
  static let columns = [
    Column(name: "guid", label: "id", path: \PostIdentifiers.guid, isOfID: true),
    Column(
      name: "guidForm", label: "id's normal form", path: \PostIdentifiers.guidForm,
      withFragment: \DocumentKeys.guidWithFragment, isOfID: true),
    Column(name: "link", label: "link", path: \PostIdentifiers.link, withFragment: \DocumentKeys.linkWithFragment),
    Column(name: "file", label: "file", path: \PostIdentifiers.file),
    Column(name: "former", label: "former link", path: \PostIdentifiers.former),
  ]

  /// The values, in the order of ``columns``.
  var values: [Int64?] { Self.columns.map { self[keyPath: $0.path] } }

  /// The links that lead to the post, now and before.
  var links: Set<Int64> { Set([link, former].compactMap { $0 }) }

  /// The values by which a post is found in any feed.
  var lookups: [Int64] { Self.columns.compactMap { $0.isOfID ? nil : self[keyPath: $0.path] } }
}

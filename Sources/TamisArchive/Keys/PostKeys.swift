package import TamisCore
import TamisSystem
package import TamisURL

/// The keys of a post, by which the archive recognizes and compares it (Tamis.docc/HowAPostIsRecognized.md, K0).
///
/// They are digests, counts and dates, no text, the same for a post of a document and for the stored one.
package struct PostKeys: Sendable, Hashable {
  /// The identifiers: id, link and file.
  var ids = PostIdentifiers()
  /// The digest of the words of the title; 0 for no title.
  var title: Int64 = 0
  /// The words themselves, separated by spaces; empty for no title.
  var titleWords = ""
  /// The visible text, as far as it is compared.
  var text = TextForm()
  /// The digest of the body's markup.
  var markup: Int64 = 0
  /// The publication date, in seconds since 1970; nil when it is not known.
  var date: Int64?
  /// The facts that are yes or no.
  var flags: StoredPost.Flags = []

  /// The digest of the markup of a post without a body.
  static let emptyMarkup = Digest.of("", kind: "markup")

  /// The digest of the title and the text.
  var wording: Int64 {
    Int64(bitPattern: Digest.mix(UInt64(bitPattern: title), UInt64(bitPattern: text.digest ?? 0)))
  }

  /// Visits the columns.
  mutating func visit<Visitor: ColumnVisitor>(_ columns: inout Visitor) throws(Visitor.Failure) {
    try columns.number("title", &title)
    try columns.text("titleWords", &titleWords)
    try columns.number("text", &text.digest)
    try columns.number("markup", &markup)
    try columns.number("words", &text.words, among: ValidValue.words)
    try columns.number("numbers", &text.numbers, among: ValidValue.numbers)
    var sketch = text.sketch?.bytes
    try columns.bytes("sketch", &sketch)
    text.sketch = sketch.flatMap { Sketch(bytes: $0) }
    var (least, greatest) = (text.landmarks.first, text.landmarks.last)
    try columns.number("least", &least)
    try columns.number("greatest", &greatest)
    text.landmarks = [least, greatest].compactMap { $0 }
    try columns.number("date", &date, among: CheckedValue.times)
    flags.set(.speaking, text.speaksOfTitle)
    try columns.number("flags", &flags, among: ValidValue.flags)
    text.speaksOfTitle = flags.contains(.speaking)
    flags.remove(.speaking)
    for identifier in PostIdentifiers.columns {
      try columns.number(identifier.name, &ids[keyPath: identifier.path])
    }
  }
}

/// The keys of a post of a document: those that are stored, and what tells it from the other posts of the document.
package struct DocumentKeys: Sendable, Hashable {
  /// The keys that are stored and compared.
  var compared = PostKeys()
  /// The id's normal form with the fragment if that was left out; otherwise equal to the normal form.
  var guidWithFragment: Int64?
  /// The link's normal form with the fragment.
  var linkWithFragment: Int64?
  /// The digest of the unchanged title, with punctuation.
  var titleAsIs: Int64
  /// Whether the text ends as a teaser does, with an ellipsis and perhaps a link behind it: `the mill […] Read more`.
  var endsOpen = false
  /// The date of the last change, in seconds since 1970; nil when it is not known.
  var updated: Int64?
  /// The text from which the file name of the post's page is made.
  package var name: String
  /// Whether the document ends inside the post; parts that are missing then mean nothing.
  package var isCutOff = false
  /// Whether a program among the filters excludes the post.
  package var isRejected: Bool {
    get { compared.flags.contains(.rejected) }
    set { compared.flags.set(.rejected, newValue) }
  }
  /// Whether a filter excludes the post: it is stored but not shown.
  package var isHeldBack: Bool {
    get { compared.flags.contains(.heldBack) }
    set { compared.flags.set(.heldBack, newValue) }
  }

  /// Returns the keys of the posts of one document.
  ///
  /// They are made together, since the site's name is removed from titles that share it.
  ///
  /// - Parameters:
  ///   - posts: the posts, in document order.
  ///   - texts: the visible text of each post.
  ///   - names: for each post, the text from which the file name of its page is made.
  ///   - home: the home page of the feed, as declared by the feed; a post that links to it has no permalink.
  ///   - address: the address from which the document was fetched; nil when it is not known.
  ///   - tracking: the parameters that are ignored in URLs.
  ///   - jobs: the number of posts that are processed at once.
  /// - Returns: the keys of each post, in document order.
  package static func all(
    of posts: [Post], texts: [String], names: [String], home: String?, address: String? = nil,
    tracking: TrackingParameters,
    jobs: Int = 1
  ) -> [DocumentKeys] {
    let titles = TitleForm.all(posts.map(\.title))
    let home = home.flatMap { AddressForm($0, tracking: tracking) }
    let address = address.flatMap { AddressForm($0, tracking: tracking) }
    return concurrently(count: posts.count, jobs: jobs) { index in
      var keys = DocumentKeys(posts[index], name: names[index], tracking: tracking)
      keys.setWords(titles[index], texts[index])
      keys.setLink(posts[index].permalink?.url, home: home, address: address, tracking)
      return keys
    }
  }

  private init(_ post: Post, name: String, tracking: TrackingParameters) {
    self.name = name
    titleAsIs = Digest.of(post.title, kind: "title as it is")
    updated = post.updated
    compared.markup = Digest.of(post.content.string, kind: "markup")
    compared.date = post.published
    compared.flags.set(.untitled, post.title.isEmpty)
    compared.ids.file = post.enclosures.first.map {
      Digest.of(AddressForm($0.url, tracking: tracking)?.text ?? $0.url, kind: "file")
    }
    if let id = post.id { setID(id, tracking) }
  }

  /// The number of characters at the end of a text in which an ellipsis is one of a teaser.
  private static let longestEnd = 40

  private mutating func setWords(_ title: TitleForm, _ text: String) {
    compared.text = TextForm(text, title: title.text)
    let end = String(text.unicodeScalars.suffix(Self.longestEnd))
    endsOpen = end.contains("…") || end.contains("...")
    if title.text.isEmpty { return }
    compared.title = Digest.of(title.text, kind: "title")
    compared.titleWords = title.bounded
  }

  private mutating func setLink(
    _ permalink: String?, home: AddressForm?, address: AddressForm?, _ tracking: TrackingParameters
  ) {
    guard let link = permalink.flatMap({ AddressForm($0, tracking: tracking) }), link.text != home?.text else { return }
    compared.ids.link = Digest.of(link.text, kind: "address")
    linkWithFragment = link.fragment.map { Digest.of(link.text + "#" + $0, kind: "address") } ?? compared.ids.link
    compared.flags.set(.own, home.map { Self.site(link) == Self.site($0) } ?? false)
    guard let address, Self.site(link) == Self.site(address) else { return }
    compared.flags.insert(.hosted)
    compared.flags.depth = Self.depth(link, address)
  }

  private mutating func setID(_ id: String, _ tracking: TrackingParameters) {
    let guid = Digest.of(id, kind: "id")
    let address = AddressForm(id, tracking: tracking)
    let form = address.map { Digest.of($0.text, kind: "address") } ?? guid
    (compared.ids.guid, compared.ids.guidForm) = (guid, form)
    guidWithFragment =
      address.flatMap { address in
        address.fragment.map { Digest.of(address.text + "#" + $0, kind: "address") }
      } ?? form
    let isGlobal = address != nil || id.hasPrefix("tag:") || id.hasPrefix("urn:") || Self.isUUID(id)
    compared.flags.set(.global, isGlobal)
  }

  /// Whether an id is a UUID (RFC 9562, 4), such as `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`.
  private static func isUUID(_ id: String) -> Bool {
    guard id.utf8.count == 36 else { return false }
    return id.utf8.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.hexDigitValue != nil
    }
  }

  /// The digest of the whole content.
  var whole: Int64 {
    let parts = [
      titleAsIs, compared.text.digest ?? 0, compared.markup, compared.ids.file ?? 0, compared.date ?? .min,
    ]
    return Int64(bitPattern: parts.reduce(17) { Digest.mix($0, UInt64(bitPattern: $1)) })
  }

  /// The site of a URL: its host, and the user of it, as of `tilde.example/~vic/fog` and `m.example/feed/@vic`.
  private static func site(_ form: AddressForm) -> String {
    let parts = parts(form)
    let host = parts.first.map { String($0.prefix { $0 != ":" }) } ?? ""
    guard let user = parts.dropFirst().prefix(2).first(where: { $0.hasPrefix("~") || $0.hasPrefix("@") }) else {
      return host
    }
    let format = formats.first { user.hasSuffix($0) } ?? ""
    return host + "/" + user.dropLast(format.count)
  }

  /// The endings of the addresses of users' feeds, as of `social.example/@vic.rss`.
  private static let formats = [".atom", ".json", ".rss", ".xml"]

  /// The number of folders that a link and the address of a feed on its host have in common.
  private static func depth(_ link: AddressForm, _ address: AddressForm) -> Int {
    zip(parts(link), parts(address).dropLast()).prefix { $0 == $1 }.dropFirst().count
  }

  /// The host and the folders of a URL.
  private static func parts(_ form: AddressForm) -> [Substring] {
    form.text.prefix { !"?#".contains($0) }.split(separator: "/")
  }
}

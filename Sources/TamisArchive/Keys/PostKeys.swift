package import TamisCore
import TamisFiles
package import TamisURL

/// The keys of a post, by which the archive recognizes and compares it (Tamis.docc/HowAPostIsRecognized.md, K0):
/// digests, counts and dates, no text.
package struct PostKeys: Sendable, Hashable {
  /// The identifiers: id, link and file.
  var ids = PostIdentifiers()
  /// The id's normal form with the fragment if that was left out; otherwise equal to the normal form.
  var guidWithFragment: Int64?
  /// Whether the id means the same in all feeds: a URL, `tag:`, `urn:` or a UUID.
  var isGlobal = false
  /// The link's normal form with the fragment.
  var linkWithFragment: Int64?
  /// Whether the permalink is on the site of the feed.
  var isOwn = false
  /// Whether the permalink is on the host from which the feed was fetched.
  var isHosted = false
  /// The number of folders that the permalink and that address have in common.
  var depth = 0
  /// The digest of the words of the title; 0 for no title.
  var title: Int64 = 0
  /// The words themselves, separated by spaces; empty for no title.
  var titleWords = ""
  /// The digest of the unchanged title, with punctuation.
  var titleAsIs: Int64
  /// The visible text, as far as it is compared.
  var text: TextForm
  /// Whether the text ends as a teaser does, with an ellipsis and perhaps a link behind it: `the mill […] Read more`.
  var endsOpen = false
  /// The digest of the body's markup.
  var markup: Int64
  /// The publication date, in seconds since 1970; nil when it is not known.
  var date: Int64?
  /// The date of the last change, in seconds since 1970; nil when it is not known.
  var updated: Int64?
  /// The text from which the file name of the post's page is made.
  package var name: String
  /// Whether the document ends inside the post; parts that are missing then mean nothing.
  package var isCutOff = false
  /// Whether a filter excludes the post: it is stored but not shown.
  package var isHeldBack = false
  /// Whether text and markup are those that are stored, in place of the document's (``LostBodies``).
  var isKept = false
  /// Whether the title is empty, so that the name of the page is not made from it.
  var lacksTitle: Bool

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
  ) -> [PostKeys] {
    let titles = TitleForm.all(posts.map(\.title))
    let home = home.flatMap { AddressForm($0, tracking: tracking) }
    let address = address.flatMap { AddressForm($0, tracking: tracking) }
    return concurrently(count: posts.count, jobs: jobs) { index in
      let (post, title) = (posts[index], titles[index])
      var keys = PostKeys(post, text: TextForm(texts[index], title: title.text), name: names[index], tracking: tracking)
      let end = String(texts[index].unicodeScalars.suffix(Self.longestEnd))
      keys.endsOpen = end.contains("…") || end.contains("...")
      if !title.text.isEmpty {
        keys.title = Digest.of(title.text, kind: "title")
        keys.titleWords = title.bounded
      }
      if let id = post.id { keys.setID(id, tracking) }
      if let link = post.permalink.flatMap({ AddressForm($0.url, tracking: tracking) }), link.text != home?.text {
        keys.ids.link = Digest.of(link.text, kind: "address")
        keys.linkWithFragment = link.fragment.map { Digest.of(link.text + "#" + $0, kind: "address") } ?? keys.ids.link
        keys.isOwn = home.map { Self.site(link) == Self.site($0) } ?? false
        keys.isHosted = address.map { Self.site(link) == Self.site($0) } ?? false
        if keys.isHosted, let address { keys.depth = Self.depth(link, address) }
      }
      return keys
    }
  }

  /// The number of characters at the end of a text in which an ellipsis is one of a teaser.
  private static let longestEnd = 40

  private init(_ post: Post, text: TextForm, name: String, tracking: TrackingParameters) {
    self.text = text
    self.name = name
    lacksTitle = post.title.isEmpty
    markup = Digest.of(post.content.string, kind: "markup")
    titleAsIs = Digest.of(post.title, kind: "title as it is")
    date = post.published
    updated = post.updated
    ids.file = post.enclosures.first.map {
      Digest.of(AddressForm($0.url, tracking: tracking)?.text ?? $0.url, kind: "file")
    }
  }

  private mutating func setID(_ id: String, _ tracking: TrackingParameters) {
    ids.guid = Digest.of(id, kind: "id")
    if let address = AddressForm(id, tracking: tracking) {
      ids.guidForm = Digest.of(address.text, kind: "address")
      guidWithFragment = address.fragment.map { Digest.of(address.text + "#" + $0, kind: "address") } ?? ids.guidForm
      isGlobal = true
    } else {
      ids.guidForm = ids.guid
      guidWithFragment = ids.guid
      isGlobal = id.hasPrefix("tag:") || id.hasPrefix("urn:") || Self.isUUID(id)
    }
  }

  /// Whether an id is a UUID (RFC 9562, 4), such as `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`.
  private static func isUUID(_ id: String) -> Bool {
    guard id.utf8.count == 36 else { return false }
    return id.utf8.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.hexDigitValue != nil
    }
  }

  /// The digest of the markup of a post without a body.
  static let emptyMarkup = Digest.of("", kind: "markup")

  /// The digest of the whole content.
  var whole: Int64 {
    let parts = [titleAsIs, text.digest ?? 0, markup, ids.file ?? 0, date ?? .min]
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

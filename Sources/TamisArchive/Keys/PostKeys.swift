public import TamisCore
public import TamisURL
import TamisDigest

/// All that the archive looks at of a post (rule K0 of the design): digests, counts and dates, no text.
public struct PostKeys: Sendable, Hashable {
  /// The feed's own id as it is; nil when there is none.
  var guid: Int64?
  /// The id in its normal form: an address without what its spellings differ in, else the id itself.
  var guidForm: Int64?
  /// The same with the fragment, where that was left out; equal to ``guidForm`` otherwise.
  var guidWithFragment: Int64?
  /// Whether the id is one for all feeds: an address, `tag:` or `urn:`.
  var isGlobal = false
  /// The permalink in its normal form; nil when there is none.
  var link: Int64?
  /// The same with the fragment.
  var linkWithFragment: Int64?
  /// Whether the permalink is on the site of the feed.
  var isOwn = false
  /// The first attached file; nil when there is none.
  var file: Int64?
  /// The words of the title; 0 for no title.
  var title: Int64 = 0
  /// The same as they are, with spaces between them; empty for no title.
  var titleWords = ""
  /// The title as it is, in signs too.
  var titleAsIs: Int64
  /// What it says.
  var text: TextForm
  /// The body as markup.
  var markup: Int64
  /// When it was published, in seconds since 1970; nil when that is not known.
  var date: Int64?
  /// When it was changed, likewise.
  var updated: Int64?
  /// The words by which its page is named.
  public var name: String
  /// Whether the document ends inside the post: what it lacks says nothing.
  public var isCutOff = false
  /// Whether a filter holds the post back: it is kept, and not shown.
  public var isHeldBack = false
  /// Whether the name is not of a title.
  var isUntitled: Bool

  /// The keys of the posts of one document, which have to be looked at together: names of sites are left out of titles.
  ///
  /// - Parameters:
  ///   - posts: the posts, in document order.
  ///   - texts: the visible text of each.
  ///   - names: the words by which the page of each is to be named.
  ///   - home: the page of the feed; a post that links to it links to no page of its own.
  ///   - tracking: what counts for nothing in addresses.
  public static func all(
    of posts: [Post], texts: [String], names: [String], home: String?, tracking: TrackingParameters
  ) -> [PostKeys] {
    let titles = TitleForm.all(posts.map(\.title))
    let home = home.flatMap { AddressForm($0, tracking: tracking) }
    return posts.indices.map { index in
      let (post, title) = (posts[index], titles[index])
      var keys = PostKeys(post, text: texts[index], name: names[index], tracking: tracking)
      if !title.text.isEmpty {
        keys.title = Digest.of("title", title.text)
        keys.titleWords = title.bounded
      }
      if let id = post.id { keys.setID(id, tracking) }
      if let link = post.permalink.flatMap({ AddressForm($0.url, tracking: tracking) }), link.text != home?.text {
        keys.link = Digest.of("address", link.text)
        keys.linkWithFragment = link.fragment.map { Digest.of("address", link.text + "#" + $0) } ?? keys.link
        keys.isOwn = home.map { Self.host(link) == Self.host($0) } ?? false
      }
      return keys
    }
  }

  private init(_ post: Post, text: String, name: String, tracking: TrackingParameters) {
    self.text = TextForm(text)
    self.name = name
    isUntitled = post.title.isEmpty
    markup = Digest.of("markup", post.content.string)
    titleAsIs = Digest.of("title as it is", post.title)
    date = post.published
    updated = post.updated
    file = post.enclosures.first.map { Digest.of("file", AddressForm($0.url, tracking: tracking)?.text ?? $0.url) }
  }

  private mutating func setID(_ id: String, _ tracking: TrackingParameters) {
    guid = Digest.of("id", id)
    if let address = AddressForm(id, tracking: tracking) {
      guidForm = Digest.of("address", address.text)
      guidWithFragment = address.fragment.map { Digest.of("address", address.text + "#" + $0) } ?? guidForm
      isGlobal = true
    } else {
      guidForm = guid
      guidWithFragment = guid
      isGlobal = id.hasPrefix("tag:") || id.hasPrefix("urn:")
    }
  }

  /// The markup of a post without a body.
  static let emptyMarkup = Digest.of("markup", "")

  /// All that it says of itself, as one number.
  var whole: Int64 {
    let parts = [titleAsIs, text.digest ?? 0, markup, file ?? 0, date ?? .min]
    return Int64(bitPattern: parts.reduce(17) { Digest.mix($0, UInt64(bitPattern: $1)) })
  }

  private static func host(_ form: AddressForm) -> Substring {
    form.text.prefix { $0 != "/" && $0 != "?" && $0 != ":" }
  }
}

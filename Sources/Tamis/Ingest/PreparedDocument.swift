import TamisArchive
import TamisCore
import TamisExtract
import TamisFeed
import TamisFetch
import TamisSystem
import TamisHTML
import TamisSite
import TamisURL

/// A document after all stages, ready to be recorded; the archive determines its feed.
struct PreparedDocument: Sendable {
  /// The properties by which the feed is recognized.
  var identity: FeedIdentity
  /// What the archive records of it, without the feed's key and slug.
  private let recorded: RecordedDocument
  /// The effect of the settings' selectors on its posts.
  var selectionUse: SelectionUse
  /// The findings.
  var findings: [Finding]
  /// The location of each post, in document order.
  var locations: [Finding.Location]
  /// The frequency of changes to the document, by its own data.
  var pace: FetchState.Pace

  /// The parameters that are ignored in URLs.
  ///
  /// These are always those of the shipped rules, so that stored keys do not depend on the rules in force.
  static let tracking = TrackingParameters(Policy.reading.improvements.trackingParameters)

  /// The prefix of the digest of a reading with undecided posts, which causes the document to be read again.
  static let undecided = "undecided "

  /// Prepares a document.
  ///
  /// - Parameters:
  ///   - output: the feed with its posts, as the pipeline gives it.
  ///   - shaping: the changes that the settings of the feed make to its posts.
  ///   - file: the file of the document, with its settings.
  ///   - source: the version of the document that is recorded as read.
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it.
  ///   - jobs: the number of posts that are processed at once.
  init(
    _ output: Pipeline.Output, shaped shaping: Shaping, of file: FeedSources.File, source: ReadSource, now: Int64?,
    jobs: Int = 1
  ) {
    let feed = output.feed
    let own = feed.ownAddress
    // The feed is identified by the subscribed address, not by the present target of its redirects.
    let known = file.isFetched ? file.name : file.response.address
    let card = Self.card(output, address: Self.address(own: own, file), file.settings)
    identity = FeedIdentity(
      address: known ?? own, home: feed.link, title: card.title, path: file.name, tracking: Self.tracking)
    let unshaped = output.posts
    let names = concurrently(count: unshaped.count, jobs: jobs) { index in
      Slug.ofPost(title: unshaped[index].title, excerpt: unshaped[index].excerpt)
    }
    var keys = DocumentKeys.all(
      of: unshaped, texts: output.texts, names: names, home: feed.link, address: known,
      tracking: Self.tracking, jobs: jobs)
    if case .insideEntry(let cut) = output.ending { keys[cut].isCutOff = true }
    (findings, selectionUse) = (output.findings, output.selectionUse)
    let shaped = shaping.shape(output.posts, ofFeed: output.title, into: &findings)
    for index in shaped.indices {
      keys[index].isHeldBack = shaped[index].objection != nil
      keys[index].isRejected = shaped[index].isRejected
    }
    findings += shaped.compactMap { Self.finding(ofCut: $0.post) }
    let all = keys
    let posts = concurrently(count: shaped.count, jobs: jobs) { index in
      Self.recorded(shaped[index].post, all[index], cover: card.image)
    }
    var source = source
    if shaped.contains(where: \.isUndecided) { source.reading = Self.undecided + source.reading }
    recorded = RecordedDocument(
      card: card, posts: posts, ending: output.ending, source: source, day: Self.day(feed, output.posts, now))
    locations = output.posts.map(\.location)
    let dates = output.posts.compactMap(\.published)
    pace = FetchState.Pace(feed, dates: dates, now: now ?? dates.max() ?? 0)
  }

  /// Returns a post with its keys.
  ///
  /// - Parameters:
  ///   - post: the post.
  ///   - keys: the keys of the post.
  ///   - cover: the picture of its feed, which is used for an episode without a picture.
  /// - Returns: the post as it is recorded, with the slugs of its tags.
  private static func recorded(_ post: Post, _ keys: DocumentKeys, cover: String?) -> RecordedPost {
    var post = post
    if post.card.thumbnail == nil, post.card.kind == .podcast, let cover {
      post.card.thumbnail = Post.Thumbnail(url: cover)
    }
    return RecordedPost(keys: keys, post: post, slugs: post.card.listedTags.map(Slug.ofTag))
  }

  /// Returns the finding about a body that exceeds the archive's limit; nil when it does not.
  private static func finding(ofCut post: Post) -> Finding? {
    let (count, most) = (post.content.string.utf8.count, PackedValue.largestMarkup)
    guard count > most else { return nil }
    let message =
      "the body of this post has \(count) bytes; the archive keeps the first \(most), and its page links to the original"
    return Finding(.warning, "archive.body-cut", message, at: post.location, entry: post.title)
  }

  /// Returns the recording of the document for a feed.
  func recording(of key: Feed.Key, rules: String) -> RecordedDocument {
    var recorded = recorded
    (recorded.card.key, recorded.card.slug, recorded.rules) = (key, Slug.ofFeed(key), rules)
    if recorded.card.title.isEmpty { recorded.card.title = key.publicName }
    return recorded
  }

  /// The card of a post.
  func card(ofPost index: Int) -> Post.Card { recorded.posts[index].post.card }

  /// Returns the address that is shown on pages and in `feeds.opml`: one from which the document was fetched.
  ///
  /// - Parameters:
  ///   - own: the address that the feed declares. It is trusted when the document came from there, or when nothing else
  ///     is known, as for files without a note of their origin.
  ///   - file: the file of the document, with the response that it came in.
  /// - Returns: the address; nil when none is known.
  private static func address(own: String?, _ file: FeedSources.File) -> String? {
    guard let working = file.isFetched ? file.name : file.response.address else { return own }
    return own == file.response.address ? own : working
  }

  private static func card(_ output: Pipeline.Output, address: String?, _ settings: Planet.FeedSettings) -> FeedCard {
    let feed = output.feed
    var card = FeedCard(key: "", slug: "", title: settings.title ?? output.title)
    card.subtitle = output.subtitle
    card.link = WebAddress.absolute(settings.page ?? feed.link)
    card.categories = settings.categories.map { CategoryCard(slug: Slug.ofTag($0), name: $0) }
    card.address = address
    card.image = WebAddress.absolute(feed.image?.url ?? feed.logo)
    card.face = WebAddress.absolute(settings.face ?? feed.authorPicture)
    card.language = settings.language ?? feed.language.flatMap(LanguageTag.normalized)
    card.direction = TextDirection(
      language: card.language, text: output.title, output.subtitle, output.posts.prefix(5).map(\.title).joined())
    card.rights = output.rights
    card.status = status(of: output)
    return card
  }

  /// The maximum length in bytes of a message on the page of feeds.
  private static let longestProblem = 1000

  private static func status(of output: Pipeline.Output) -> FeedStatus {
    var status = FeedStatus()
    status.entries = output.posts.count
    let problems = output.findings.filter { $0.severity > .note }
    // Pages are public and do not show file paths.
    status.isPartial = !output.ending.isComplete
    status.problems = problems.prefix(20).map { problem in
      "line \(problem.location.line): \(problem.message.prefix(bytes: longestProblem)) [\(problem.code)]"
    }
    if problems.count > 20 { status.problems.append("and \(problems.count - 20) more") }
    status.removals = output.removals.listed
    return status
  }

  /// Returns the present day for a feed, by which future dates are detected (Tamis.docc/HowAPostIsRecognized.md, K8).
  ///
  /// This is the day of the run. Without a clock it is the date of the feed itself, unless that is before most of its
  /// posts, as when nobody updates it.
  private static func day(_ feed: Feed, _ posts: [Post], _ now: Int64?) -> Int64? {
    if let now { return now }
    let dates = posts.compactMap(\.published)
    return (feed.updated?.seconds ?? feed.published?.seconds).flatMap { said in
      dates.count { $0 > said + 86_400 } * 2 > dates.count ? nil : said
    }
  }
}

extension Feed {
  /// The picture of the only author of the feed, as JSON Feed names it; nil when there is none or several.
  fileprivate var authorPicture: String? {
    let pictures = extensions.filter { $0.name == "author_avatar" }
    return pictures.count == 1 && authors.count <= 1 ? pictures[0].text : nil
  }

  /// The URL that the feed gives for itself, if it is an absolute http(s) URL.
  var ownAddress: String? {
    links.lazy.filter { $0.rel == "self" }.compactMap { WebAddress.absolute($0.href) }.first
  }
}

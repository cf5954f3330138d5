import TamisCore
import TamisExtract
import TamisFeed
import TamisSanitizer
import TamisURL

/// Replaces excerpts by the articles of pages that were found and pass the judge.
struct ArticleFilling: Sendable {
  /// The version of the choice of articles, which is raised when that changes.
  static let version = 8

  private let sanitizer: Sanitizer

  /// Creates a filling.
  ///
  /// - Parameter sanitizer: the sanitizer of articles, the same as for bodies.
  init(_ sanitizer: Sanitizer) { self.sanitizer = sanitizer }

  /// Returns the page that an entry wants; nil when it wants none or has none.
  static func request(_ input: Extractor.Input, _ setting: Planet.FullText) -> PageRequest? {
    guard let permalink = input.permalink, Teaser.wantsPage(input.facts.text, under: input.title, setting)
    else { return nil }
    let addresses = [permalink.url, permalink.original].compactMap { $0.flatMap(WebAddress.absolute) }
      .compactMap { WebURL($0)?.removingFragment.href }
    if addresses.isEmpty { return nil }
    return PageRequest(addresses: addresses, title: input.title, text: input.facts.text, date: input.entry.date)
  }

  /// Gives an entry the article of its page; the feed's own text remains its excerpt.
  ///
  /// - Returns: the result of sanitizing the article; nil when the article is not shown.
  func fill(_ input: inout Extractor.Input, from source: FullTextSource, into findings: inout [Finding]) -> Sanitizer
    .Result?
  {
    guard let request = Self.request(input, source.setting), let article = source.article(request) else { return nil }
    let judge = FullTextJudge(title: input.title, text: input.facts.text, hasMedia: input.facts.hasMedia)
    let page = WebURL(article.address)
    // A page without an article need not be sanitized.
    var doubt = judge.doubt(article, showsMedia: true)
    var clean: Sanitizer.Result?
    if doubt == nil {
      let result = sanitizer.sanitize(article.markup, base: article.base.flatMap { WebURL($0) } ?? page, page: page)
      doubt = judge.doubt(article, shown: result.facts.text, showsMedia: result.facts.hasMedia)
      clean = result
    }
    func note(_ code: String, _ message: String) {
      findings.append(Finding(.note, code, message, at: input.entry.location, entry: input.title))
    }
    guard doubt == nil, let clean else {
      note("article.doubtful", "the article of its page is not shown: \((doubt ?? .missing).rawValue)")
      return nil
    }
    let words = TextRuns(article.text).count
    note(
      "article.filled",
      "the article of its page is shown, with \(words.counted("word")) instead of \(TextRuns(request.text).count)")
    if input.summary.isEmpty { input.summary = request.text }
    (input.content, input.facts) = (clean.html, clean.facts)
    if input.entry.date == nil, let published = article.published {
      let date = Feed.Timestamp(reading: published)
      if date.seconds != nil { input.entry.published = date }
    }
    if input.entry.authors.isEmpty, let byline = article.byline {
      input.entry.authors = [Feed.Person(name: byline)]
    }
    if input.page == nil, let image = article.image {
      input.page = PagePictures([PagePictures.Picture(url: image, source: "page")])
    }
    return clean
  }
}

extension SanitizedHTML.Facts {
  /// Whether the content has pictures, video or audio besides text.
  fileprivate var hasMedia: Bool {
    images.contains { !$0.isHidden } || !media.isEmpty || !embeds.isEmpty
  }
}

import TamisArticle

/// Decides whether the article of a page may replace the feed's text of an entry; a worse article never does.
///
/// The thresholds were measured on pages with known articles, each with the beginning of its own article as the feed's
/// text, and with that of another page's article. By trees that had not seen their sites, 10 of 340 articles were not
/// shown, 6 of which would have been good, and 5 were shown with an F below 0.6.
package struct FullTextJudge: Sendable, Hashable {
  /// The reason for not showing an article.
  package enum Doubt: String, Sendable, Hashable, CaseIterable {
    case missing = "the page has no article"
    case unsure = "it is not certain which part of the page is the article"
    case list = "the page is a list of other pages"
    case short = "the page has less text than the feed"
    case other = "the feed's text is not in the article"
    case title = "the page has another title, and the feed no text to compare"
    case few = "the page has only a few words, and the feed no text to compare"
    case wall = "the page asks for a login, for a subscription or for consent"
    case pictures = "the feed's pictures are not in it"
  }

  /// The minimum share of the feed's text that has to be in the article.
  static let leastAgreement = 0.5
  /// The minimum confidence of the extraction.
  static let leastConfidence = 0.6
  /// The minimum number of words of a feed's text that is compared.
  static let fewWords = 8
  /// The minimum share of the entry's title that has to be in the page's title when there is no text to compare.
  static let leastTitle = 0.6
  /// The minimum number of words of an article when there is no text to compare; a shorter one may be a wall.
  static let shortArticle = 60
  /// The number of words of a feed's text that are compared separately: later ones may be the feed's additions.
  private static let beginning = 20

  /// The title of the entry in the feed.
  package var title: String
  /// The text of the entry in the feed.
  package var text: String
  /// Whether the feed's text has pictures, players or similar media.
  package var hasMedia = false

  /// Creates a judge for an entry.
  package init(title: String, text: String, hasMedia: Bool = false) {
    (self.title, self.text, self.hasMedia) = (title, text, hasMedia)
  }

  /// Returns the reason for not showing an article; nil when it may be shown.
  ///
  /// - Parameters:
  ///   - article: the article of the page.
  ///   - shown: the article as it would be shown, as text; nil when that is not known yet.
  ///   - showsMedia: whether it has pictures or similar media.
  /// - Returns: the first reason that applies; nil when the article may be shown.
  package func doubt(_ article: PageArticle, shown: String? = nil, showsMedia: Bool = false) -> Doubt? {
    let found = TextRuns(article.text)
    if article.markup.isEmpty || found.count == 0 { return .missing }
    if article.confidence < Self.leastConfidence { return .unsure }
    if article.kind == Article.Kind.listing.rawValue { return .list }
    let own = TextRuns(text)
    let least = min(found.count, shown.map { TextRuns($0).count } ?? .max)
    if least < own.count { return .short }
    if least < own.count + Self.shortArticle, PageWall.isOne(article.text) { return .wall }
    if own.count >= Self.fewWords {
      let agreement = max(found.share(of: own), found.share(of: own, first: Self.beginning))
      return agreement < Self.leastAgreement ? .other : nil
    }
    if hasMedia, !showsMedia { return .pictures }
    if TextRuns(article.title).shareOfWords(of: TextRuns(title)) < Self.leastTitle { return .title }
    return least < Self.shortArticle ? .few : nil
  }
}

/// Pages that are served in place of others: for a login, a subscription, consent, or against robots.
enum PageWall {
  private static let words = [
    "cookie", "log in", "login", "sign in", "sign up", "subscribe", "subscription", "enable javascript",
    "are you a robot", "not a robot", "are a human", "are human", "captcha", "access denied", "consent",
    "already a member", "einloggen", "anmelden", "abonnieren", "abonnenten", "zustimmen", "einwilligung",
    "connectez-vous", "abonnez-vous", "abonnés", "s'abonner", "inicia sesión", "suscríbete", "suscriptores", "accedi",
    "abbonati", "登录", "登入", "ログイン", "会員限定", "有料会員", "订阅",
  ]

  /// Whether a short text is that of a wall.
  static func isOne(_ text: String) -> Bool {
    let text = String(text.prefix(4000)).lowercased()
    return words.contains { text.contains($0) }
  }
}

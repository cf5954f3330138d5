/// Says whether the article of a page may take the place of what a feed has of an entry: what is worse than that never does.
///
/// The thresholds were measured on 280 pages with known articles, each with the beginning of its own article as a feed would have
/// it, and with that of another page's.
package struct FullTextJudge: Sendable, Hashable {
  /// Why an article is not shown.
  package enum Doubt: String, Sendable, Hashable, CaseIterable {
    case missing = "the page has no article"
    case unsure = "it is not sure what on the page is the article"
    case short = "the page has less than the feed"
    case other = "what the feed says does not stand in it"
    case title = "the page has another title, and the feed no text to compare"
    case few = "the page has only a few words, and the feed no text to compare"
    case wall = "the page asks for a login, for a subscription or for consent"
    case pictures = "the feed's pictures are not in it"
  }

  /// So much of what the feed says has to be in the article.
  static let leastAgreement = 0.5
  /// So sure it has to be which blocks are the article.
  static let leastConfidence = 0.5
  /// A feed's text of fewer words says too little to be compared.
  static let fewWords = 8
  /// So much of the entry's title has to be in the page's where there is no text to compare.
  static let leastTitle = 0.6
  /// An article has at least so many words where there is no text to compare, and with fewer may be a wall.
  static let shortArticle = 60
  /// So many words of a feed's text are compared by themselves: what stands behind them may be the feed's own.
  private static let beginning = 20

  /// What the feed calls the entry.
  package var title: String
  /// What it has of its text.
  package var text: String
  /// Whether there are pictures, players or the like in what it has.
  package var hasMedia = false

  /// Makes a judge of an entry.
  package init(title: String, text: String, hasMedia: Bool = false) {
    (self.title, self.text, self.hasMedia) = (title, text, hasMedia)
  }

  /// What speaks against an article; nil when nothing does.
  ///
  /// - Parameters:
  ///   - shown: the article as it would be shown, as text; nil when that is not known yet.
  ///   - showsMedia: whether there are pictures or the like in it.
  package func doubt(_ article: PageArticle, shown: String? = nil, showsMedia: Bool = false) -> Doubt? {
    let found = TextRuns(article.text)
    if article.markup.isEmpty || found.count == 0 { return .missing }
    if article.confidence < Self.leastConfidence { return .unsure }
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

/// Pages that stand before others: for a login, a subscription, consent, or those who are no robots.
enum PageWall {
  private static let words = [
    "cookie", "log in", "login", "sign in", "sign up", "subscribe", "subscription", "enable javascript",
    "are you a robot", "not a robot", "are a human", "are human", "captcha", "access denied", "consent",
    "already a member", "einloggen", "anmelden", "abonnieren", "abonnenten", "zustimmen", "einwilligung",
    "connectez-vous", "abonnez-vous", "abonnés", "s'abonner", "inicia sesión", "suscríbete", "suscriptores", "accedi",
    "abbonati", "登录", "登入", "ログイン", "会員限定", "有料会員", "订阅",
  ]

  /// Whether a short text is one.
  static func isOne(_ text: String) -> Bool {
    let text = String(text.prefix(4000)).lowercased()
    return words.contains { text.contains($0) }
  }
}

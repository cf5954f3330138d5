// To add a place of a fact: a `meta`, `itemprop` or class here, JSON-LD in LinkedFacts.swift, near the headline in
// NearHeadline.swift; the order of sources is in FactCascade.swift, bylines are cleaned in Byline.swift. A new fact:
// a `var` of `Article.Facts` with its `CodingKeys` (PageFacts.swift) and its JSON
// (Tamis/JSON/JSONWriter+Extraction.swift, docs/articles.md). A case in Fixtures/Pages/Facts. Raise
// `Pipelines.version` when full text of feeds changes.

/// The names and words by which pages declare facts.
enum FactNames {
  /// The source of a picture that the page shows without declaring it.
  static let pictureSource = "img"

  /// The facts that a page may have, and what it says of its kind.
  enum Slot: Int, CaseIterable, Sendable {
    case title, byline, published, updated, image, language, description, site, canonical, type, generator
  }

  /// The fact that a name declares, and its rank; the lowest wins.
  struct Role: Sendable {
    var slot: Slot
    var rank: Int
    init(_ slot: Slot, _ rank: Int) { (self.slot, self.rank) = (slot, rank) }
  }

  /// The ranks of facts found elsewhere than in a `meta`.
  enum Rank {
    static let linkedData = 10
    static let linkedPage = 26
    static let itemprop = 30
    static let rel = 34
    static let timeElement = 40
    static let hint = 44
    /// A line with an author.
    static let byline = 46
    /// A `time` element that nothing marks as the article's, such as that of a ticker.
    static let bareTime = 47
    static let line = 48
    /// A `time` element in running text.
    static let proseTime = 56
    static let address = 60
    static let lead = 70
  }

  /// The values of `name` and `property` of `meta`, in lower case.
  static let metas: [String: Role] = {
    let lists: [(Slot, [String])] = [
      (.title, ["og:title", "twitter:title", "parsely-title", "sailthru.title", "dc.title", "dcterms.title"]),
      (
        .byline,
        [
          "citation_author", "author", "parsely-author", "sailthru.author", "article:author_name", "article:author",
          "og:article:author", "dc.creator", "dcterms.creator", "dc.contributor", "byl", "byline", "author_name",
          "rnews:author", "cxenseparse:author", "shareaholic:article_author_name", "authors", "twitter:data1",
          "citation_authors", "bepress_citation_author",
        ]
      ),
      (
        .published,
        [
          "article:published_time", "og:article:published_time", "article:published", "og:published_time",
          "datepublished", "rnews:datepublished", "parsely-pub-date", "sailthru.date", "citation_online_date",
          "citation_publication_date", "citation_date", "dc.date.issued", "dcterms.issued", "dcterms.created",
          "dc.date.created", "dc.date", "dcterms.date", "pubdate", "publishdate", "publish-date", "publish_date",
          "publication_date", "publication-date", "date_published", "published_date", "cxenseparse:recs:publishtime",
          "shareaholic:article_published_time", "article_date_original", "original-publish-date", "date", "created",
          "og:pubdate", "bt:pubdate", "article.published", "ptime", "release_date",
        ]
      ),
      (
        .updated,
        [
          "article:modified_time", "og:article:modified_time", "og:updated_time", "datemodified", "dcterms.modified",
          "dc.date.modified", "last-modified", "lastmod", "revised", "modified",
          "shareaholic:article_modified_time", "article.updated", "date.updated",
        ]
      ),
      (.image, ["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"]),
      (.image, ["parsely-image-url", "sailthru.image.full", "thumbnail"]),
      (.language, ["og:locale", "content-language", "dc.language", "dcterms.language", "language"]),
      (
        .description, ["og:description", "description", "twitter:description", "dc.description", "dcterms.description"]
      ),
      (.site, ["og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "cre"]),
      (.canonical, ["og:url"]),
      (.type, ["og:type"]),
      (.generator, ["generator"]),
    ]
    var table: [String: Role] = [:]
    for (slot, names) in lists {
      for (index, name) in names.enumerated() where table[name] == nil {
        // Ranks from 12 on: the first few names have ranks of their own, the others one rank, so that linked data may
        // win.
        table[name] = Role(slot, 12 + min(index, 12))
      }
    }
    return table
  }()

  /// The tokens of `itemprop`.
  static let itemprops: [String: Slot] = [
    "headline": .title, "author": .byline, "creator": .byline, "datepublished": .published, "datecreated": .published,
    "datemodified": .updated, "inlanguage": .language,
  ]

  /// The schema.org types of articles, besides all that end with `Article` or `Posting`.
  static let articleTypes: Set<String> = [
    "Question", "Report", "Review", "Recipe", "HowTo", "CreativeWork", "Blog Post", "Story", "NewsStory", "TechArticle",
    "ScholarlyArticle", "Article", "NewsArticle", "BlogPosting", "MedicalScholarlyArticle", "LearningResource", "Guide",
    "LiveBlogPosting", "CriticReview", "AnalysisNewsArticle", "VideoObject", "PodcastEpisode", "Course",
  ]
  /// The types of pages, whatever their content.
  static let pageTypes: Set<String> = [
    "WebPage", "ItemPage", "MedicalWebPage", "AboutPage", "FAQPage", "QAPage", "CollectionPage",
  ]
  /// The types of the posts of a thread.
  static let postTypes: Set<String> = ["DiscussionForumPosting", "Question", "Answer", "Comment"]
  /// The types of pages with posts.
  static let threadTypes: Set<String> = ["DiscussionForumPosting", "QAPage"]
  /// The types of products.
  static let productTypes: Set<String> = ["Product", "ProductGroup", "IndividualProduct", "ProductModel", "Vehicle"]
  /// The members of linked data that lead from a page to its subject.
  static let leading: Set<String> = ["", "@graph", "mainEntity", "mainEntityOfPage"]

  /// Words before a name.
  static let byWords: [String] = [
    "by", "von", "par", "por", "di", "door", "av", "af", "przez", "written by", "posted by", "published by", "words by",
    "story by", "authored by", "submitted by", "article by", "reported by", "text by", "reviewed by", "geschrieben von",
    "verfasst von", "ein beitrag von", "ein artikel von", "écrit par", "publié par", "rédigé par", "escrito por",
    "publicado por", "scritto da", "view all posts by", "see all posts by", "articles by",
    "recipe by", "post by", "all posts by", "posts by", "more by",
    "zeige alle beiträge von",
    "alle beiträge von", "eingestellt von", "autor", "author:", "authors:", "author", "autor:", "autorin:", "autoren:",
    "auteur :",
    "auteur:", "autore:", "text:", "texte :", "words:", "by:", "von:", "par :", "written by:", "posted by:",
    "作者：", "作者:", "文／", "文/", "记者：", "撰文：", "編輯：",
  ]
  /// Words between two names.
  static let andWords: Set<String> = ["and", "und", "et", "y", "e", "en", "och", "og", "with", "mit", "avec", "&"]
  /// Words after which a byline has no more names.
  static let endWords: Set<String> = [
    "on", "in", "at", "am", "le", "el", "il", "updated", "published", "posted", "last", "for", "from", "is", "modified",
    "follow", "share", "read", "photo", "photos", "photography", "fotos", "foto", "created", "aktualisiert",
    "veröffentlicht", "medically", "reviewed", "edited", "contributor", "min", "filed", "veröffentlichungsdatum",
    "view",
    "special", "email", "twitter", "more", "about", "über", "stand", "erstellt", "via",
  ]
  /// Words in place of a name that are not names.
  static let noNames: Set<String> = [
    "admin", "administrator", "administrador", "editor", "editors", "author", "authors", "autor", "redaktion",
    "redaction",
    "rédaction", "redacción", "la redaction", "la rédaction", "redazione", "webmaster", "root", "user", "guest",
    "unknown",
    "anonymous", "none", "null", "undefined", "n/a", "na", "staff", "wordpress", "super user", "superuser", "by",
    "posts",
    "newsroom", "web admin", "site admin", "default", "test", "blog", "team", "website", "contributors", "contributor",
    "about the author", "written by", "share", "editorial", "editorial team", "editorial staff", "wpadmin", "wp admin",
    "about", "profile", "view profile", "all posts", "online", "red", "pressestelle", "presse", "ki", "news",
    "published",
    "post author", "guest author", "guest contributor", "var author", "me", "home", "support", "content team",
    "marketing", "marketing team", "about us", "follow", "author image", "see more", "read more", "blog team",
    "web team", "meet the team", "no comments", "redaktionsteam", "onlineredaktion", "online redaktion",
  ]
  /// Words of job titles and degrees; a part that ends with one is dropped.
  static let offices: Set<String> = [
    "editor", "reporter", "correspondent", "writer", "journalist", "columnist", "producer", "contributor", "redakteur",
    "redakteurin", "korrespondent", "korrespondentin", "reporterin", "journalistin", "director", "manager", "ceo",
    "cto",
    "founder", "cofounder", "co-founder", "president", "analyst", "specialist", "strategist", "officer", "phd", "ph.d.",
    "md", "m.d.", "mba", "rn", "rd", "cfp", "cpa", "jr.", "jr", "esq", "esq.", "critic", "researcher", "freelance",
    "freelancer", "chefredakteur", "volontär", "volontärin", "rédacteur", "rédactrice", "professor", "expert", "head",
    "consultant", "lead", "engineer", "developer", "marketer", "msc", "ma", "bsc", "ms", "rdn", "dds", "do", "lcsw",
    "author", "blogger", "publisher", "intern", "fellow", "lecturer", "attorney", "architect", "ambassador",
  ]

  /// The last words of the names of groups.
  static let groups: Set<String> = [
    "staff", "team", "editors", "redaktion", "editorial", "admin", "contributor", "inc", "ltd",
  ]
  /// Words that do not begin a person's name.
  static let articles: Set<String> = ["the", "der", "die", "das", "le", "la", "les", "el", "los", "il", "my", "our"]
  /// The last labels of domain names.
  static let domains: Set<String> = [
    "com", "org", "net", "de", "fr", "es", "it", "uk", "io", "co", "info", "at", "ch", "eu",
  ]

  /// Words that mark a date as that of a change.
  static let updateWords: [String] = [
    "updat", "modif", "revis", "edited", "aktualisiert", "geändert", "stand:", "mis à jour", "actualiz", "aggiornat",
    "bijgewerkt", "uppdaterad", "更新", "reviewed", "last changed", "zuletzt",
  ]
  /// Parts of class names that mark bylines, and that mark dates.
  static let bylineHints: [StaticString] = ["author", "byline", "autor", "auteur", "writer"]
  static let dateHints: [StaticString] = ["date", "time", "publish", "posted", "datum", "fecha"]
  /// Parts of class names that mark neither, in spite of the others.
  static let otherHints: [StaticString] = [
    "comment", "related", "avatar", "-bio", "reading", "readtime", "read-time", "sidebar", "recommend", "update",
    "photo", "social", "share", "quote", "popular", "latest", "upvote", "author-desc", "author-title", "author-job",
    "bookmark",
  ]
  /// Words that mark a date as that of the publication.
  static let publishWords: [String] = [
    "publish", "posted", "veröffentlicht", "erstellt am", "publié", "publicado", "pubblicato", "gepubliceerd", "date:",
    "datum:", "written on", "发布", "投稿",
  ]
  /// The beginnings of the sources that are in the text of a page, which may be about something else.
  static let inText = ["text", "class", "time", "itemprop", "link", "rel=author"]
  /// Parts of the labels of `twitter:data1` that do not name an author, in lower case.
  static let cardLabels = [
    "availab", "price", "stock", "brand", "categor", "time", "read", "lesezeit", "preis", "prix", "temps", "precio",
    "tiempo", "prezzo", "tempo", "location", "date", "condition", "size", "beds", "filed", "likes", "duration",
  ]
  /// Parts of the URLs of people's pages.
  static let peoplePaths: [StaticString] = [
    "/author/", "/authors/", "/autor/", "/auteur/", "/people/", "/team/", "/staff/", "/contributor/",
    "/contributors/", "/reporters/", "/journalist/", "/writers/", "/writer/", "/autoren/",
  ]

  /// The months by their names and abbreviations; the first month of a name counts.
  static let months: [(name: String, month: Int)] = {
    let languages = [
      "january february march april may june july august september october november december",
      "januar februar märz april mai juni juli august september oktober november dezember",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
      "januari februari maart april mei juni juli augustus september oktober november december",
      "jänner feber maerz apr mai jun jul aug sept okt nov dez",
      "jan feb mar apr may jun jul aug sep oct nov dec", "jän febr mär avr mag giu lug ago set ott nov dic",
      "ene fév mrt abr mei juin juil août sept out nov déc", "gen fevr mrz ago maj jun jul aoû sep okt nov dez",
      "janv févr mar avr mai jun jul agos sett oct nov dic",
      "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
      "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
      "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    ]
    var seen: Set<String> = []
    return languages.flatMap { line in
      line.split(separator: " ").enumerated().map { (name: String($0.element), month: $0.offset + 1) }
    }.filter { seen.insert($0.name).inserted }
  }()
  static let monthNumbers = Dictionary(months.map { ($0.name, $0.month) }, uniquingKeysWith: { first, _ in first })

  /// Words that may occur between the numbers of a date.
  static let dateWords: Set<String> = [
    "de", "del", "of", "the", "st", "nd", "rd", "th", "er", "º", "°", "den", "am", "dem", "um", "at", "à", "as", "às",
    "ore", "uhr", "om", "kl", "h", "г", "года",
  ]
}

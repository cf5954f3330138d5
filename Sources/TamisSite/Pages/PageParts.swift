// To add a type of page: a method that makes a `SiteFile` in this folder, its path in Site.swift ("Paths"), when it
// is made in Tamis/Publish (SitePages.swift or ListPages.swift; PublishingPlan.swift if it depends on posts).
// Raise `Site.version`, or existing sites get it only with their next change. That is all when it reuses a template.
// A new template: Themes, its lines in CBuiltInFiles/site.c and its header, `shippedTemplates` in
// Render/Theme.swift; new values in Render/TemplateName.swift; new words in Words/Word.swift and Languages;
// ThemeCheck/SamplePages.swift; links to it in Themes/head.mustache, header.mustache, foot.mustache; lists of posts
// also in `SitePages.listPaths`. Tests: Samples.swift and PageTests.swift of TamisSiteTests, make check-site; a line
// in docs/site.md.
//
// To show a value on a page: its name in Render/TemplateName.swift, its text here or in PostPage.swift, words in
// Words/Word.swift and Languages.

import TamisCore

/// The common parts of pages.
extension Site {
  static func shared(_ settings: SiteSettings, _ theme: Site.Theme, _ words: Site.Words) -> PageContext {
    var page = PageContext(capacity: 32)
    // The language of the interface; each post has its own.
    page.set(.lang, words.language)
    page.set(.dir, words.direction.rawValue)
    page.set(.words, words)
    page.set(.credit, words.text(.madeBy, [.generator: "Tamis"]))
    page.set(.csp, PagePolicy.linked(settings))
    page.set(.style, theme.style.fileName)
    page.set(.siteTitle, settings.title)
    page.set(.generator, "Tamis")
    page.set(.isUnlisted, settings.isUnlisted)
    return page
  }

  /// Returns the title of a numbered page, `Page 3`.
  func pageText(_ number: Int) -> String { words.text(.page, [.number: "\(number)"]) }

  /// Returns the values of a page, including those that every page has.
  ///
  /// - Parameters:
  ///   - path: the path of the page, from which its links start.
  ///   - title: the title of the page, without the site's name.
  ///   - description: the description of the page.
  /// - Returns: the values, to which the caller adds those of its own template.
  func context(_ path: PagePath, title: String, description: String = "") -> PageContext {
    context(root: path.root, title: "\(title) · \(settings.title)", description: description)
  }

  func context(root: String, title: String, description: String = "") -> PageContext {
    var page = shared
    page.set(.pageTitle, Self.short(title, most: Self.longestListedTitle))
    page.set(.description, Self.short(description, most: 160))
    page.set(.root, root)
    return page
  }

  /// The maximum number of characters of a title except on the post's own page.
  private static let longestListedTitle = 300

  /// Returns the beginning of a text, cut at a word with an ellipsis when it is longer.
  private static func short(_ text: String, most: Int) -> String {
    guard text.utf8.count > most, let end = text.index(afterCharacters: most), end < text.endIndex else { return text }
    let head = text[..<end]
    return "\(head.lastIndex(of: " ").map { head[..<$0] } ?? head)…"
  }

  /// Renders a page from a template.
  ///
  /// - Parameters:
  ///   - template: the name of the template.
  ///   - path: the path of the page.
  ///   - context: its values.
  ///   - items: the number of listed items, to estimate the length.
  /// - Returns: the page with its path.
  func page(_ template: String, at path: PagePath, _ context: PageContext, items: Int = 0) -> SiteFile {
    SiteFile(path: path, bytes: theme.render(template, context, length: 8192 + 1024 * items))
  }

  /// Returns the relative path from a page to another of the site.
  ///
  /// A first component with a colon would be parsed as a scheme, an empty one as a host.
  static func link(from root: String, to page: PagePath) -> String {
    let isPlain = !root.isEmpty || !page.text.utf8.contains(UInt8(ascii: ":")) && !page.text.hasPrefix("/")
    return isPlain ? root + page.text : "./" + page.text
  }

  // MARK: - Links

  /// Returns a link with a title.
  func link(_ title: String, from root: String, to page: PagePath, count: Int? = nil) -> PageContext {
    var link = PageContext(capacity: 5)
    link.set(.title, title)
    link.set(.url, Self.link(from: root, to: page))
    link.set(.count, count)
    link.set(.dateText, nil as String?)
    return link
  }

  func link(_ neighbour: Neighbour, from root: String) -> PageContext {
    let title = Self.short(named(neighbour.title, at: neighbour.sortDate), most: Self.longestListedTitle)
    var link = link(title, from: root, to: neighbour.page)
    // A post without a title is named by its day.
    link.set(.dateText, neighbour.title.isEmpty ? nil : neighbour.sortDate.map { times.day($0) })
    return link
  }

  // MARK: - Posts

  /// Returns the title of a post for links, or its day when it has none.
  ///
  /// - Parameters:
  ///   - title: the title, empty when there is none.
  ///   - sortDate: the sort date; nil when not known.
  /// - Returns: the title, or words for a missing one with the day; never empty.
  func named(_ title: String, at sortDate: Int64? = nil) -> String {
    guard title.isEmpty else { return title }
    return words.joined([words.text(.untitled)] + (sortDate.map { [times.day($0)] } ?? []))
  }

  /// Returns the cards of posts.
  ///
  /// - Parameters:
  ///   - items: the posts.
  ///   - root: the relative path to the site's root.
  ///   - isBrief: whether a card has only a title, a feed and a date.
  ///   - shown: the URL of a picture above the list, which cards do not repeat.
  /// - Returns: a card for each post, in the same order.
  func cards(
    _ items: some Sequence<CardItem>, _ root: String, isBrief: Bool = false, under shown: String? = nil
  ) -> [PageContext] {
    items.map { item in
      var card = card(item, root)
      if isBrief { card.set(.isBrief, true) }
      if isBrief || shown != nil && item.card.thumbnail?.url == shown { card.set(.thumbnail, nil as PageContext?) }
      return card
    }
  }

  /// Returns the card of a post in a list.
  ///
  /// - Parameters:
  ///   - item: the post.
  ///   - root: the relative path to the site's root.
  ///   - heading: the heading of the day, which the card does not repeat.
  /// - Returns: the values of the card.
  func card(_ item: CardItem, _ root: String, under heading: String? = nil) -> PageContext {
    // The card is read in place: a constant would be a copy of some twenty strings and arrays.
    var card = PageContext(capacity: 20)
    card.set(.url, Self.link(from: root, to: item.page))
    card.set(.title, Self.short(named(item.card.heading, at: item.sortDate), most: Self.longestListedTitle))
    card.set(.untitled, item.card.isUntitled)
    card.set(.excerpt, item.card.excerpt)
    card.set(.feedTitle, item.feed.title)
    card.set(.feedURL, Self.link(from: root, to: Site.path(ofFeed: item.feed.slug)))
    card.set(.face, face(of: item.feed, root))
    setDates(&card, item, under: heading)
    card.set(.reading, item.card.readingMinutes.map { words.counted(.minutes, $0) })
    let thumbnail = item.card.thumbnail.flatMap { $0.url.utf8.count > Self.longestListedPicture ? nil : $0 }
    card.set(.thumbnail, thumbnail.flatMap { picture($0, item.keptThumbnail, root) })
    // An unknown language is empty; without a value it would be that of the page.
    card.set(.lang, item.card.language ?? "")
    card.set(.dir, item.card.direction.rawValue)
    setPlaying(&card, item.card)
    card.set(.record, item.$card)
    return card
  }

  /// Returns a picture, or nil when the page may not load it.
  ///
  /// - Parameters:
  ///   - picture: the picture.
  ///   - file: the file that the site has of it; nil when there is none.
  ///   - root: the relative path to the site's root.
  /// - Returns: the values of the picture; nil when the page may not load it.
  func picture(_ picture: Post.Thumbnail, _ file: KeptPicture?, _ root: String) -> PageContext? {
    let kept = file.map { Self.link(from: root, to: $0.path) }
    let isShown = kept != nil || picture.url.hasPrefix("data:image/") || picture.url.beginsAsHTTP && !settings.isOffline
    guard isShown else { return nil }
    let hasSize = picture.width != nil || picture.height != nil
    var context = PageContext(capacity: 5)
    context.set(.url, kept ?? picture.url)
    // Small pictures are not enlarged.
    context.set(.isSmall, (picture.width ?? file?.width).map { $0 < 200 } ?? false)
    context.set(.alt, picture.alternative)
    context.set(.width, hasSize ? picture.width : file?.width)
    context.set(.height, hasSize ? picture.height : file?.height)
    return context
  }

  /// Returns the URL of the picture of a feed's author, or nil when the page may not load it.
  func face(of feed: FeedCard, _ root: String) -> String? {
    if let kept = feed.keptFace { return Self.link(from: root, to: kept.path) }
    return settings.isOffline ? nil : feed.face.ifHTTP
  }

  /// Returns the URL of a feed's picture, or nil when the page may not load it.
  func image(of feed: FeedCard, _ root: String) -> String? {
    if let kept = feed.keptImage { return Self.link(from: root, to: kept.path) }
    return settings.isOffline ? nil : feed.image.ifHTTP
  }

  /// Sets the note on a post with audio or video.
  func setPlaying(_ context: inout PageContext, _ post: Post.Card) {
    context.set(.audio, post.kind == .podcast)
    context.set(.video, post.kind == .video)
    context.set(.length, post.playingSeconds.flatMap(PlayingText.clock))
    let numbers = [(Word.season, post.season), (.episode, post.episode)].compactMap { word, number in
      number.map { words.text(word, [.number: "\($0)"]) }
    }
    context.set(.episode, numbers.isEmpty ? nil : words.joined(numbers))
  }

  func setDates(_ context: inout PageContext, _ item: CardItem, under heading: String? = nil) {
    let (published, offset) = (item.card.published, item.card.publishedOffset)
    let day = published.map { times.day($0, offset: offset) }
    let isSaid = day != nil && day == heading
    context.set(.dateISO, isSaid ? nil : published.map { DateText($0).iso })
    context.set(.dateText, isSaid ? nil : day)
    // Such a post is sorted by when it was first seen, not by its date.
    context.set(.isAhead, published.map { $0 > item.sortDate ?? .min } ?? false)
    let updated = item.card.wasUpdated ? item.card.updated : nil
    context.set(.updatedISO, updated.map { DateText($0).iso })
    context.set(.updatedText, updated.map { times.day($0, offset: offset) })
  }

  // MARK: - Feeds

  func feedItem(_ item: FeedItem, _ root: String) -> PageContext {
    let feed = item.feed
    var context = PageContext(capacity: 16)
    context.set(.title, feed.title)
    context.set(.url, Self.link(from: root, to: Site.path(ofFeed: feed.slug)))
    context.set(.image, image(of: feed, root))
    context.set(.lang, feed.language ?? "")
    context.set(.dir, feed.direction.rawValue)
    context.set(.count, item.count)
    context.set(.postText, words.counted(.posts, item.count))
    return context
  }
}

/// The policy of what a page may load (Content Security Policy Level 3): pictures, audio, video, and its style sheet.
enum PagePolicy {
  /// Returns the policy of a page that links its style sheet, on a server or in a local folder.
  ///
  /// - Parameters:
  ///   - settings: the settings of the site.
  ///   - search: the search that the page has, if it is the search page.
  /// - Returns: the text of the `Content-Security-Policy`.
  static func linked(_ settings: SiteSettings, allowing search: SiteSearch? = nil) -> String {
    policy(own: "'self' file:", settings, search)
  }

  /// Returns the policy of pages sent by a server, one for all of them except the search page with its script.
  ///
  /// The form of a search engine is on one page only, whose own policy it is too.
  ///
  /// - Parameters:
  ///   - settings: the settings of the site.
  ///   - allowsScript: whether the script of the search page is allowed too, if the site has one.
  /// - Returns: the text of the `Content-Security-Policy`.
  static func served(_ settings: SiteSettings, allowsScript: Bool = false) -> String {
    policy(own: "'self'", settings, settings.search == .page && !allowsScript ? nil : settings.search)
  }

  /// Returns the policy of a page that contains its style sheet.
  static func inline(_ style: StyleSheet) -> String {
    policy("img-src https: http: data:; media-src https: http:", style: "'\(style.hash)'")
  }

  private static func policy(own: String, _ settings: SiteSettings, _ search: SiteSearch?) -> String {
    // The site's icon is a picture too.
    let pictures = "img-src \(own)"
    var sources = settings.isOffline ? "\(pictures) data:" : "\(pictures) https: http: data:; media-src https: http:"
    var form = "'none'"
    switch search {
    case .engine(let engine): form = engine.origin
    // The script reads the data of the site's own search.
    case .page: sources += "; script-src '\(PageScript.hash)'; connect-src 'self'"
    case nil: break
    }
    return policy(sources, style: own, form: form)
  }

  private static func policy(_ sources: String, style: String, form: String = "'none'") -> String {
    "default-src 'none'; \(sources); style-src \(style); base-uri 'none'; form-action \(form)"
  }
}

import TamisArticle
package import TamisCore
package import TamisExtract
package import TamisMarkdown

extension JSONWriter {
  /// Writes the extraction of an entry as one object.
  ///
  /// - Parameters:
  ///   - extraction: the extraction.
  ///   - file: the feed's file, which is written first; nil to leave it out.
  ///   - withPost: whether the fields that a reader shows are written too: id, dates, authors, tags and the safe HTML.
  ///   - markdown: the Markdown of that HTML, which is written behind it; nil to leave it out.
  package mutating func extraction(
    _ extraction: Extraction, of file: String? = nil, withPost: Bool = false, markdown: Markdown? = nil
  ) {
    let post = extraction.post
    object { writer in
      writer.member("file", file)
      if withPost { writer.members(of: post) }
      if let markdown { writer.member("markdown", markdown.text) }
      writer.member("title", post.title)
      writer.optionalObject("permalink", post.permalink) { writer, permalink in
        writer.member("url", permalink.url)
        writer.member("source", permalink.source ?? "")
        writer.member("original", permalink.original)
      }
      writer.optionalObject("thumbnail", post.thumbnail) { writer, thumbnail in
        writer.member("url", thumbnail.url)
        writer.size(thumbnail.width, thumbnail.height)
        writer.member("alt", thumbnail.alternative)
        writer.member("source", thumbnail.source ?? "")
        writer.member("reason", thumbnail.reason ?? "")
        writer.member("in_body", thumbnail.isInBody)
      }
      writer.list("pictures", extraction.pictures) { $0.picture($1) }
      writer.list("links", extraction.links) { $0.feedLink($1) }
      writer.list("body_links", extraction.bodyLinks) { writer, link in
        writer.member("href", link.href)
        writer.member("text", link.text)
        writer.member("kind", link.kind.rawValue)
        writer.member("target", link.target)
      }
      writer.nullable("first_external", extraction.firstExternalLink.map { $0.target ?? $0.href })
      if let count = extraction.commentCount { writer.number("comments", count) }
      writer.list("enclosures", post.enclosures) { $0.file($1) }
      writer.list("media", extraction.media) { $0.mediaFile($1) }
      writer.optionalObject("podcast", extraction.podcast) { $0.podcast($1) }
      writer.textFacts(extraction)
      writer.object("fields") { writer in
        for (name, value) in post.fields.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
      }
    }
  }

  private mutating func members(of post: Post) {
    member("id", post.id)
    var (card, members) = (post.card, CardMembers(writer: self))
    self = JSONWriter()
    card.visit(&members)
    self = members.writer
    member("html", post.content.string)
  }

  private mutating func textFacts(_ extraction: Extraction) {
    let (post, text) = (extraction.post, extraction.text)
    object("text") { writer in
      writer.member("excerpt", post.excerpt)
      writer.member("language", post.language)
      writer.member("direction", post.direction.rawValue)
      writer.member("heading", text.heading)
      writer.number("words", text.words)
      writer.number("ideographs", text.ideographs)
      if let minutes = post.readingMinutes { writer.number("minutes", minutes) }
      writer.member("kind", post.kind.rawValue)
    }
  }

  private mutating func picture(_ picture: PictureCandidate) {
    // One that is no web address may run; the finding about it says where it is.
    if picture.rejection != .address { member("url", picture.url) }
    size(picture.width, picture.height)
    member("alt", picture.alternative)
    member("source", picture.source)
    member("class", picture.class.rawValue)
    if let rejection = picture.rejection { member("rejected", rejection.rawValue) }
  }

  private mutating func feedLink(_ link: Feed.Link) {
    member("rel", link.rel)
    member("href", link.href)
    member("type", link.type)
    member("hreflang", link.hreflang)
    member("title", link.title)
    if let length = link.length { number("length", length) }
  }

  private mutating func file(_ file: Post.File) {
    member("url", file.url)
    member("type", file.type)
    if let length = file.length { number("length", length) }
    member("title", file.title)
  }

  private mutating func podcast(_ podcast: PodcastFacts) {
    for (name, value) in [("seconds", podcast.seconds), ("episode", podcast.episode), ("season", podcast.season)] {
      if let value { number(name, value) }
    }
    member("type", podcast.type)
    member("explicit", podcast.isExplicit)
    list("transcripts", podcast.transcripts) { $0.file($1) }
    optionalObject("chapter_file", podcast.chapterFile) { $0.file($1) }
    list("chapters", podcast.chapters) { writer, chapter in
      writer.member("start", chapter.start)
      writer.member("seconds", chapter.seconds)
      writer.member("title", chapter.title)
      writer.member("link", chapter.link)
      writer.member("image", chapter.image)
    }
    list("people", podcast.people) { writer, person in
      writer.member("name", person.name)
      writer.member("role", person.role)
      writer.member("url", person.url)
      writer.member("image", person.image)
    }
  }

  private mutating func mediaFile(_ file: MediaFile) {
    member("url", file.url)
    member("source", file.source.rawValue)
    member("type", file.type)
    member("medium", file.medium)
    size(file.width, file.height)
    if let seconds = file.seconds { number("seconds", seconds) }
    if let bytes = file.bytes { number("bytes", bytes) }
    if file.isDefault {
      member("default", true)
    }
  }

  private mutating func size(_ width: Int?, _ height: Int?) {
    if let width { number("width", width) }
    if let height { number("height", height) }
  }

  fileprivate mutating func number(_ name: String, _ value: Int) {
    key(name)
    int(Int64(value))
  }

  private mutating func list<Element>(
    _ name: String, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    array { writer in for element in elements { writer.object { body(&$0, element) } } }
  }

  private mutating func optionalObject<Value>(
    _ name: String, _ value: Value?, _ body: (inout JSONWriter, Value) -> Void
  ) {
    key(name)
    guard let value else { return null() }
    object { body(&$0, value) }
  }
}

extension JSONWriter {
  /// Writes the members of an article.
  package mutating func article(_ output: ArticlePipeline.Output) {
    let article = output.article
    let facts = article.facts
    let members: [(StaticString, Article.Facts.Fact?)] = [
      ("title", facts.title), ("byline", facts.byline), ("published", facts.published), ("updated", facts.updated),
      ("image", facts.image), ("language", facts.language), ("description", facts.description), ("site", facts.site),
      ("canonical", facts.canonical),
    ]
    for (name, fact) in members { line(name, fact?.value) }
    object("sources") { writer in
      for (name, fact) in members { if let fact { writer.member(name, fact.source) } }
      writer.member("text", article.source)
    }
    line("html", output.content?.string)
    line("text", output.content == nil ? nil : article.text)
    if !article.posts.isEmpty { list("posts", article.posts) { $0.post($1) } }
    member("hidden", article.hidden)
    member("invisible", output.invisible)
    member("sheetRefusal", article.sheetRefusal)
    member("confidence", article.confidence)
    kind(article.kind)
    member("agreement", article.agreement)
  }

  private mutating func post(_ post: Article.Post) {
    line("author", post.author)
    line("published", post.published)
    line("text", post.text)
  }

  private mutating func line(_ name: StaticString, _ value: String?) { nullable(name, value.map(Self.onOneLine)) }

  /// Escapes Unicode's line ends (U+0085, U+2028, U+2029), which are spaces in HTML.
  ///
  /// Some readers of JSON lines break lines at them.
  private static func onOneLine(_ text: String) -> String {
    // In UTF-8 these are C2 85, E2 80 A8 and E2 80 A9; most texts contain none of them.
    var (before, isClean): ((UInt8, UInt8), Bool) = ((0, 0), true)
    for byte in text.utf8 {
      if byte == 0x85 && before.1 == 0xC2 || (byte == 0xA8 || byte == 0xA9) && before == (0xE2, 0x80) {
        isClean = false
      }
      before = (before.1, byte)
    }
    if isClean { return text }
    let ends: Set<Unicode.Scalar> = ["\u{85}", "\u{2028}", "\u{2029}"]
    return String(String.UnicodeScalarView(text.unicodeScalars.map { ends.contains($0) ? " " : $0 }))
  }
}

/// Writes the columns of a card as members, without those that have another form elsewhere.
private struct CardMembers: ColumnVisitor {
  static let sets = false
  /// Columns that are in objects such as `text` and `podcast`, or always written.
  private static let elsewhere: Set = [
    "title", "isUntitled", "excerpt", "publishedOffset", "kind", "readingMinutes", "playingSeconds", "season",
    "episode", "language", "direction", "thumbnail", "permalink",
  ]

  var writer: JSONWriter

  mutating func number(_ column: StoredColumn, _ value: inout Int64?) {
    guard let value, !Self.elsewhere.contains(column.name) else { return }
    switch column.form {
    case .time: writer.member(column.name, CivilTime(seconds: value).text)
    case .flag:
      writer.key(column.name)
      writer.bool(value != 0)
    case .value, .list: writer.number(column.name, Int(value))
    }
  }

  mutating func text(_ column: StoredColumn, _ value: inout String?) {
    guard let value, !Self.elsewhere.contains(column.name) else { return }
    guard column.form == .list else { return writer.member(column.name, value) }
    let texts = StoredList.parts(value)
    guard !texts.isEmpty else { return }
    writer.key(column.name)
    writer.array { writer in texts.forEach { writer.string($0) } }
  }
}

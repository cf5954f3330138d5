import Tamis
import TestSupport
import Testing

/// `Fixtures/Extract/*.txt`: an RSS item, and what must be picked from it.
@Suite struct ExtractTests {
  static let cases = Case.all(in: "Extract")

  @Test func fixtureCasesExist() { #expect(Self.cases.count > 10) }

  @Test(arguments: cases)
  func extractionMatchesFixture(_ each: Case) throws {
    let extraction = try Self.extraction(try #require(each.sections["item"]))
    for line in try #require(each.sections["expect"]).split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 2, "'\(line)' is no expectation")
      #expect(Self.value(parts[0], of: extraction) == parts[1], "\(each): \(parts[0])")
    }
  }

  /// Pictures that the feed names are compared with those of the body as `Fixtures/PictureForms/*.txt` says.
  @Test(arguments: Case.all(in: "PictureForms"))
  func pictureVariantsAreRecognizedInBody(_ each: Case) throws {
    for line in try #require(each.sections["pairs"]).split(separator: "\n") {
      let pair = line.replacing("&", with: "&amp;").split(separator: " ").map(String.init)
      try #require(pair.count == 2)
      for (named, shown) in [(pair[0], pair[1]), (pair[1], pair[0])] {
        let shown = shown.replacing("&", with: "&amp;")
        let thumbnail = try Self.post(
          """
          <media:content url="\(named)" medium="image"/><description>&lt;img src="\(shown)"&gt;</description>
          """
        ).thumbnail
        #expect(thumbnail?.source == "media:content" && thumbnail?.isInBody == (each.name == "the same"), "\(line)")
      }
    }
  }

  /// A mark with an accent, which is another character, ends no sentence.
  @Test func excerptsEndAtWholeCharacters() throws {
    let words = String(repeating: "word ", count: 40)
    let accented = try Self.post("<description>\(words)end.\u{301} \(words)</description>").excerpt
    #expect(accented.hasSuffix(" word…"))
    // U+0600 and the full stop behind it are one character.
    let title = "Title\u{600}."
    let repeated = try Self.post("<title>\(title)</title><description>\(title) lower case</description>").excerpt
    #expect(repeated == "\(title) lower case")
    let joined = try Self.post("<description>\(words)👩‍👩‍👧‍👦 ends. \(words)</description>").excerpt
    #expect(joined.hasSuffix("👩‍👩‍👧‍👦 ends."))
    let ideographs = try Self.post("<description>\(String(repeating: "文字。", count: 200))</description>").excerpt
    #expect(ideographs.count == 279 && ideographs.hasSuffix("文字。"))
  }

  @Test func excerptsEndAtSentenceOrWord() throws {
    let sentences = String(repeating: "This is a sentence of some length. ", count: 20)
    let cut = try Self.post("<description>\(sentences)</description>").excerpt
    #expect(cut.count <= 280 && cut.hasSuffix("length."))
    let words = try Self.post("<description>\(String(repeating: "word ", count: 200))</description>").excerpt
    #expect(words.hasSuffix("word…"))
    let one = try Self.post("<description>\(String(repeating: "x", count: 1000))</description>").excerpt
    #expect(one.count == 281)
  }

  @Test func customElementsAreAccessibleByName() throws {
    let fields = [
      try FeedParser.CustomField("votes:number=dz:voteUpCount"), try FeedParser.CustomField("thumbnail:url=dz:big"),
    ]
    let item = """
      <dz:voteUpCount>7</dz:voteUpCount><dz:big>https://a.example/big.jpg</dz:big><description>x</description>
      """
    let extraction = try Self.extraction(item, Pipeline(fields: fields))
    #expect(extraction.post.fields["votes"] == "7" && extraction.post.fields["dz_voteupcount"] == "7")
    #expect(extraction.post.thumbnail?.url == "https://a.example/big.jpg")
    #expect(extraction.post.thumbnail?.source == "thumbnail")
  }

  @Test func knownPagesContributePictures() throws {
    let lines = [
      #"""
      {"url": "https://a.example/1#x", "html": "<title>t</title><meta property='og:image' content='/og.jpg'>\#
      <meta property='og:image:width' content=1200><script type='application/ld+json'>{\"@graph\": [{\"image\": \#
      [{\"url\": \"https://a.example/ld.jpg\", \"author\": {\"image\": \"https://a.example/no.jpg\"}}]}]}</script>\#
      <link rel=image_src href=//b.example/s.jpg>"}
      """#,
      #"{"url": "https://a.example/small.jpg", "width": 1, "height": 1}"#, "no JSON", #"{"url": "x"}"#,
    ]
    var known = KnownPages()
    var findings: [Finding] = []
    for line in lines { known.add(line: Array(line.utf8), at: Finding.Location(file: "k"), into: &findings) }
    #expect(findings.count == 2)
    let item = """
      <link>https://a.example/1</link><description>&lt;img src="https://a.example/small.jpg" width="800" height="600"&gt;</description>
      """
    let pictures = try Self.extraction(item, Pipeline(known: known)).pictures
    #expect(
      pictures.map(\.url).prefix(3) == [
        "https://a.example/og.jpg", "https://a.example/ld.jpg", "https://b.example/s.jpg",
      ])
    #expect(pictures.map(\.rejection) == [nil, nil, nil, .small])
  }

  /// Quadratic time would take minutes at this size.
  @Test func extractionTimeIsLinear() throws {
    let many = 10_000
    let links = (0..<many).map { "<a href='https://a.example/\($0)#n\($0)'>\($0)</a>" }.joined()
    let images = (0..<many).map {
      "<img src='i\($0 % 7).gif' data-src='https://a.example/\($0)-300x200.jpg' alt='\($0)'>"
    }
    let sets = "<img srcset='" + (0..<many).map { "s\($0).jpg \($0 + 1)w" }.joined(separator: ", ") + "'>"
    let bomb = "<img src='data:image/png;base64," + String(repeating: "A", count: 2_000_000) + "'>"
    let slashes = "<img src='https://a.example/" + String(repeating: "a/", count: 200_000) + "x.jpg'>"
    let body = slashes + links + images.joined() + sets + bomb + "<img><img src='http://['>"
    let time = try processorTime {
      let extraction = try Self.extraction(
        "<link>https://a.example/1</link><description><![CDATA[\(body)]]></description>")
      #expect(extraction.bodyLinks.count == many)
      #expect(extraction.pictures.count > many)
      #expect(extraction.post.thumbnail != nil)
    }
    #expect(time < .seconds(120), "\(time)")
  }

  private static func post(_ item: String) throws -> Post { try extraction(item).post }

  private static func extraction(_ item: String, _ pipeline: Pipeline = Pipeline()) throws -> Extraction {
    let namespaces = """
      xmlns:media="http://search.yahoo.com/mrss/" xmlns:dz="http://www.developerzone.com/modules/dz/1.0" \
      xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
      xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom" \
      xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" \
      xmlns:psc="http://podlove.org/simple-chapters" xmlns:dc="http://purl.org/dc/elements/1.1/"
      """
    let text = """
      <rss version="2.0" \(namespaces)><channel><link>https://a.example/</link><item>\(item)</item></channel></rss>
      """
    let output = try pipeline.process(FeedDocument(name: "case", bytes: Array(text.utf8)))
    return try #require(output.extractions.first)
  }

  private static func value(_ name: String, of extraction: Extraction) -> String {
    let post = extraction.post
    switch name {
    case "pictures":
      return extraction.pictures.map { "\($0.source) \($0.rejection?.rawValue ?? $0.class.rawValue)" }
        .joined(separator: ", ")
    case "addresses": return extraction.pictures.map(\.url).joined(separator: ", ")
    case "links": return extraction.bodyLinks.map(\.kind.rawValue).joined(separator: ", ")
    case "targets": return extraction.bodyLinks.map { $0.target ?? "none" }.joined(separator: ", ")
    case "kind": return extraction.text.kind.rawValue
    case "links.feed": return extraction.links.map { "\($0.rel) \($0.href)" }.joined(separator: ", ")
    case "files":
      let files = (post.enclosures + post.media).map { file in
        ([file.url, file.type].compactMap(\.self) + (file.title.map { ["\"\($0)\""] } ?? [])).joined(separator: " ")
      }
      return files.isEmpty ? "none" : files.joined(separator: ", ")
    case "commentCount": return extraction.commentCount.map(String.init) ?? "none"
    case "media": return extraction.media.map(Self.words).joined(separator: ", ")
    case "chapters": return extraction.podcast?.chapters.map(Self.words).joined(separator: ", ") ?? "none"
    case "heading": return extraction.text.heading ?? "none"
    case "firstExternal": return extraction.firstExternalLink?.href ?? "none"
    case "words": return "\(extraction.text.words) \(extraction.text.ideographs)"
    case "seconds": return extraction.podcast?.seconds.map(String.init) ?? "none"
    case "episode": return "\(extraction.podcast?.season ?? 0).\(extraction.podcast?.episode ?? 0)"
    case "transcripts": return extraction.podcast?.transcripts.map(\.url).joined(separator: ", ") ?? "none"
    case "people":
      let people = extraction.podcast?.people.map { person in
        person.role.map { "\(person.name) (\($0))" } ?? person.name
      }
      return people?.joined(separator: ", ") ?? "none"
    default: return value(name, of: post)
    }
  }

  private static func words(_ file: MediaFile) -> String {
    let words = [
      file.medium, file.url, file.seconds.map { "\($0)s" }, file.bytes.map { "\($0)B" },
      file.isDefault ? "default" : nil,
    ]
    return words.compactMap { $0 }.joined(separator: " ")
  }

  private static func words(_ chapter: Feed.Chapter) -> String {
    [chapter.seconds.map { "\($0)" }, chapter.title, chapter.link].compactMap { $0 }.joined(separator: " ")
  }

  private static func value(_ name: String, of post: Post) -> String {
    switch name {
    case "permalink": post.permalink?.url ?? "none"
    case "permalink.source": post.permalink?.source ?? "none"
    case "permalink.original": post.permalink?.original ?? "none"
    case "thumbnail": post.thumbnail?.url ?? "none"
    case "thumbnail.source": post.thumbnail?.source ?? "none"
    case "thumbnail.alt": post.thumbnail?.alternative ?? "none"
    case "thumbnail.inBody": post.thumbnail.map { String($0.isInBody) } ?? "none"
    case "title": post.title
    case "excerpt": post.excerpt
    case "content": post.content.string
    case "id": post.id ?? "none"
    case "authors": post.authors.joined(separator: ", ")
    case "categories": post.tags.joined(separator: ", ")
    case "enclosures": post.enclosures.map(\.url).joined(separator: ", ")
    case "comments": post.comments ?? "none"
    case "minutes": post.readingMinutes.map(String.init) ?? "none"
    case "direction": post.direction.rawValue
    case "kind": post.kind.rawValue
    case "playing": post.playingSeconds.map(String.init) ?? "none"
    case "season": post.season.map(String.init) ?? "none"
    case "number": post.episode.map(String.init) ?? "none"
    case "film": post.videoPage ?? "none"
    case "films": post.media.map(\.url).joined(separator: ", ")
    case "caption": post.thumbnailCaption
    case "gallery": post.pictures.map { "\($0.url) \($0.caption)" }.joined(separator: ", ")
    case "references":
      post.references.map { [$0.kind.rawValue, $0.url, $0.title].compactMap { $0 }.joined(separator: " ") }
        .joined(separator: ", ")
    case "transcripts": post.transcripts.map(\.url).joined(separator: ", ")
    case "published": post.published.map { "\($0)" } ?? "none"
    case "offset": post.publishedOffset.map(String.init) ?? "none"
    default: post.fields[name] ?? "no field of this name"
    }
  }
}

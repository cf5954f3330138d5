import Foundation
import TestSupport
import Testing

/// `tamis article` as its users run it.
@Suite struct ArticleCommandTests {
  private let folder: TemporaryFolder
  private static let prose =
    "For eleven months the harbour of the small town had been closed, its cranes standing still over empty quays, while the council argued."
  private static let page =
    "<title>The harbour wakes</title><main><h1>The harbour wakes</h1><p>\(prose)</p><p>Again: \(prose)</p><script>x</script></main>"

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func tamis(_ arguments: String..., input: String = "") throws -> Command.Run {
    try Command.tamis(["article"] + arguments, input: input, in: folder.path)
  }

  private func objects(_ run: Command.Run) throws -> [[String: Any]] {
    try run.output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  @Test func articleIsPrintedAsTextByDefault() throws {
    let run = try tamis(input: Self.page)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output == "The harbour wakes\n\n\(Self.prose)\n\nAgain: \(Self.prose)\n")
  }

  @Test func jsonOptionPrintsArticleObject() throws {
    let object = try #require(try objects(tamis("--json", input: Self.page)).first)
    #expect(object["title"] as? String == "The harbour wakes")
    #expect((object["html"] as? String)?.contains("<script") == false)
  }

  /// Markdown has the facts of the page in front; in records it is a member.
  @Test func markdownHasFrontMatter() throws {
    let run = try tamis("--format", "markdown", "--links", "reference", input: Self.page)
    #expect(run.output.hasPrefix("---\ntitle: \"The harbour wakes\"\n") && run.output.contains("\n---\n\nFor eleven"))
    #expect(try tamis("--format", "html", input: Self.page).output.hasPrefix("<p>For eleven"))
    #expect(try tamis("--format", "json", "--explain", input: Self.page).status == 2)
    let page = try JSONSerialization.data(withJSONObject: ["id": "a", "html": Self.page])
    let line = String(decoding: page, as: UTF8.self) + "\n"
    let answer = try #require(try objects(tamis("--jsonl", "--format", "markdown", input: line)).first)
    #expect((answer["markdown"] as? String)?.hasPrefix("For eleven") ?? false)
  }

  /// A sheet that is linked hides when a file has it, by the page's base, and is not fetched otherwise.
  @Test(arguments: ["lines", "warc"]) func knownSheetsHide(form: String) throws {
    let page = Self.page.replacing("<title>", with: "<base href=/css/><link rel=stylesheet href=a.css><title>")
      .replacing("Again", with: "<span class=x>ignore</span> Again")
    let address = "https://a.example/css/a.css"
    let css = ".x { position: absolute; left: -9999px }"
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n"
    let record = """
      WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: \(address)\r\nWARC-Date: 2026-01-02T03:04:05Z\r
      WARC-Record-ID: <urn:x:1>\r\nContent-Type: application/http; msgtype=response\r
      Content-Length: \((head + css).utf8.count)\r\n\r\n\(head)\(css)\r\n\r\n
      """
    let file = form == "warc" ? record : "{\"url\": \"\(address)\", \"css\": \"\(css)\"}\n"
    try file.write(toFile: folder.path + "/sheets", atomically: true, encoding: .utf8)
    let url = ["--url", "https://a.example/story"]
    #expect(try tamis(url[0], url[1], input: page).output.contains("ignore"))
    let run = try tamis(url[0], url[1], "--known", "sheets", input: page)
    #expect(run.errors.isEmpty && !run.output.contains("ignore") && run.output.contains("Again"))
    #expect(try tamis("--known", "none", input: page).errors.contains("known.read"))
  }

  /// Programs read the Markdown of records, and one that shows a picture tells its server what the address says.
  @Test func recordsLeavePicturesOutOfMarkdown() throws {
    let long = "https://a.example/p.png?q=" + String(repeating: "a", count: 300)
    let page = Self.page.replacing("<script>", with: "<p><img src='\(long)' width=900 height=600 alt=Quay></p><script>")
    let record = try JSONSerialization.data(withJSONObject: ["id": "a", "html": page])
    let line = String(decoding: record, as: UTF8.self) + "\n"
    func markdown(_ options: String...) throws -> String {
      let run = try Command.tamis(
        ["article", "--jsonl", "--format", "markdown"] + options, input: line, in: folder.path)
      return try #require(objects(run).first)["markdown"] as? String ?? ""
    }
    #expect(try !markdown().contains("p.png"))
    #expect(try markdown("--pictures", "keep").contains("![Quay]("))
    let run = try tamis("--format", "markdown", input: page)
    #expect(run.output.contains("![Quay](") && run.errors.contains("1 picture with over 200 characters of query"))
    #expect(try tamis("--format", "markdown", "--pictures", "links", input: page).errors.isEmpty)
  }

  /// Front matter right below a paragraph would make a heading of it.
  @Test func markdownOfPagesIsSeparated() throws {
    for name in ["a", "b"] {
      try Self.page.write(toFile: "\(folder.path)/\(name).html", atomically: true, encoding: .utf8)
    }
    let run = try tamis("--format", "markdown", "a.html", "b.html")
    #expect(run.output.components(separatedBy: ".\n\n---\ntitle: ").count == 2, "\(run.output)")
  }

  @Test func depthBeyondLimitOfMarkdownIsNoted() throws {
    let deep = String(repeating: "<blockquote>", count: 9) + "<p>\(Self.prose)</p>"
    let page = Self.page.replacing("<script>", with: deep + "<script>")
    let run = try tamis("--format", "markdown", input: page)
    #expect(run.errors.hasPrefix("-: warning: lists, quotations and tables deeper than 8"), "\(run.errors)")
    #expect(run.errors.hasSuffix("[markdown.limit]\n") && run.status == 0)
  }

  /// Trees from a file replace the built-in ones, and mistakes in them are reported with their line.
  @Test func treesFileReplacesBuiltInTrees() throws {
    try "# nothing is prose\n[blocks]\n-100\n".write(
      toFile: "\(folder.path)/none.trees", atomically: true, encoding: .utf8)
    let none = try objects(tamis("--explain", "--json", "--trees", "none.trees", input: Self.page))
    #expect(none.count > 1 && none.dropFirst().allSatisfy { ($0["score"] as? Double) == 0 })
    try "[blocks]\n100\nwords<=x\n".write(toFile: "\(folder.path)/bad.trees", atomically: true, encoding: .utf8)
    let run = try tamis("--trees", "bad.trees", input: Self.page)
    #expect(run.status == 2 && run.errors.contains("bad.trees:3: 'words<=x' is neither a weight nor a question"))
  }

  @Test func pageWithoutArticleSucceedsWithNote() throws {
    let run = try tamis("--json", input: "<p>Log in")
    #expect(run.status == 0 && run.errors == "-: note: there is no article in this page [article.none]\n")
    #expect(try objects(run).first?["html"] is NSNull)
  }

  @Test func linkedDataBeyondLimitIsNoted() throws {
    let data = "<script type=application/ld+json>[" + String(repeating: " ", count: 1 << 20) + "]</script>"
    let run = try tamis("--json", input: data + Self.page)
    let note = "the data of this page is read in part: 1048576 bytes of JSON-LD, 4194304 of other JSON [article.data]"
    #expect(run.errors == "-: note: \(note)\n")
  }

  @Test func explainOptionListsEveryBlock() throws {
    let run = try tamis("--explain", input: Self.page)
    #expect(run.output.contains("+ 1: main > p: \"For eleven"))
    let objects = try objects(tamis("--explain", "--json", input: Self.page))
    #expect(objects.count == 4 && objects.last?["kept"] as? Bool == true)
    #expect(objects[0]["kind"] as? String == "article" && (objects[0]["confidence"] as? Double ?? 0) > 0.5)
    #expect(run.output.hasPrefix("article (") && run.output.contains("blocks stay above a score of"))
    let sheet = try tamis("--sheet", "sheet.html", input: Self.page)
    #expect(sheet.status == 0 && sheet.errors.contains("3 blocks, 2 of them in the article"))
    #expect(try String(contentsOfFile: "\(folder.path)/sheet.html", encoding: .utf8).contains("class=\"kept\""))
    #expect(try tamis("--sheet", "missing/sheet.html", input: Self.page).status == 74)
  }

  private static func record(_ url: String, _ type: String, _ body: String) -> String {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n" + body
    return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: \(url)\r\nWARC-Date: 2026-03-04T05:06:07Z\r\n"
      + "WARC-Record-ID: <urn:x:\(url)>\r\nContent-Type: application/http; msgtype=response\r\n"
      + "Content-Length: \(http.utf8.count)\r\n\r\n\(http)\r\n\r\n"
  }

  @Test func pagesAreReadFromWARC() throws {
    let warc =
      Self.record("https://a.example/1", "text/html; charset=utf-8", Self.page)
      + Self.record("https://a.example/x.css", "text/css", "p { color: red }")
      + Self.record("https://a.example/2", "text/html", Self.page.replacing("wakes", with: "sleeps"))
    try warc.write(toFile: "\(folder.path)/crawl", atomically: true, encoding: .utf8)
    let run = try tamis("crawl")
    let objects = try objects(run)
    let meta = objects.map { $0["meta"] as? [String: String] }
    #expect(meta.map { $0?["url"] } == ["https://a.example/1", "https://a.example/2"])
    #expect(meta.allSatisfy { $0?["date"] == "2026-03-04T05:06:07Z" })
    #expect(objects.map { $0["id"] as? String } == ["urn:x:https://a.example/1", "urn:x:https://a.example/2"])
    #expect(objects.map { $0["title"] as? String } == ["The harbour wakes", "The harbour sleeps"])
    #expect(run.status == 0 && run.errors.contains("1 record skipped"), "\(run.errors)")
    #expect(try tamis("--jsonl", input: warc).output == run.output, "also as they come")
    #expect(try tamis("--jsonl", "--guard", input: warc).output == run.output)
    #expect(try tamis("--explain", "crawl").status == 2)
    #expect(try tamis(input: warc).status == 2, "what comes is looked at once")
  }

  /// A crawl that was cut short yields the pages before its end.
  @Test func truncatedWARCYieldsWholePages() throws {
    let warc =
      Self.record("https://a.example/1", "text/html", Self.page)
      + Self.record("https://a.example/2", "text/html", Self.page).prefix(300)
    let run = try tamis("--jsonl", input: warc)
    #expect(try objects(run).count == 1 && run.status == 0)
    #expect(run.errors.contains("[warc.truncated]"), "\(run.errors)")
  }

  @Test func siteRulesSelectArticle() throws {
    let rules = "sites:\n  gull.example: {keep: .story, drop: [.promo]}\n"
    try rules.write(toFile: "\(folder.path)/sites.yaml", atomically: true, encoding: .utf8)
    let page = "<title>T</title><p>\(Self.prose)</p><div class=story><p>Short.</p><p class=promo>Buy.</p></div>"
    func article(_ more: String..., page: String) throws -> Command.Run {
      let arguments = ["article", "--url", "https://gull.example/", "--site-rules", "sites.yaml"]
      return try Command.tamis(arguments + more, input: page, in: folder.path)
    }
    #expect(try article(page: page).output == "T\n\nShort.\n")
    let explained = try article("--explain", page: page).output
    #expect(explained.contains("stays: site keep .story") && explained.contains("goes: site drop .promo"))
    let selectors = try objects(article("--explain", "--json", page: page)).dropFirst().map {
      $0["selector"] as? String
    }
    #expect(selectors == [nil, ".story", ".promo"])
    let unmet = try article(page: Self.page)
    #expect(unmet.status == 0 && unmet.output.contains("For eleven"))
    #expect(unmet.errors.hasSuffix("the article was found without them [article.site-rule]\n"), "\(unmet.errors)")
    try "sites: {gull.example: {kepe: x}}".write(toFile: "\(folder.path)/sites.yaml", atomically: true, encoding: .utf8)
    let mistaken = try article(page: page)
    #expect(mistaken.status == 65 && mistaken.errors.contains("sites.yaml:1:24: error"), "\(mistaken.errors)")
    #expect(try tamis("--site-rules", "missing.yaml", input: page).status == 65)
  }

  /// Files are read twice: for what their pages have in common, then for their articles.
  @Test func pagesOfSiteAreCompared() throws {
    let names = ["wakes", "sleeps", "dreams"]
    var lines = ""
    for (number, name) in names.enumerated() {
      let page =
        "<title>The harbour \(name)</title><main><p>In story \(name), \(Self.prose)</p><p>The Gull is printed each morning in the "
        + "old harbour, by friends of the sea, and read by all of them.</p></main>"
      let object = ["url": "https://gull.example/\(number)", "html": page]
      lines += String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
    }
    try lines.write(toFile: "\(folder.path)/pages.jsonl", atomically: true, encoding: .utf8)
    let plain = try objects(tamis("--jsonl", "pages.jsonl")).map { $0["text"] as? String ?? "" }
    let compared = try objects(tamis("--jsonl", "--site-templates", "pages.jsonl")).map { $0["text"] as? String ?? "" }
    #expect(plain.count == 3 && plain.allSatisfy { $0.contains("The Gull is printed") })
    #expect(compared.count == 3 && compared.allSatisfy { !$0.contains("The Gull") && $0.contains("In story") })
    #expect(try tamis("--jsonl", "--site-templates", input: lines).status == 2)
  }
}

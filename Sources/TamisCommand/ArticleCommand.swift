import ArgumentParser
import Tamis
import TamisRecords

/// `tamis article`: extracts the articles of web pages.
struct ArticleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "article",
    abstract: "Find the article of a web page: title, byline, date, picture, and its text as safe HTML.",
    discussion: """
      Nothing is fetched. With --jsonl each line is a record {"id", "html", "url"?, "feed"?: {"title"?, "summary"?}}, answered \
      by a line of JSON; so are the pages of WARC files: docs/records.md. Examples:

        tamis article --json saved.html | jq -r .html
        tamis article --explain saved.html
        tamis article --jsonl --guard < pages.jsonl > articles.jsonl
      """)

  @Argument(help: "Pages, or WARC files of them; - or nothing is standard input.")
  var files: [String] = []

  @Flag(help: "Write one JSON object a page, as --format json.")
  var json = false

  /// The form of the output.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, markdown, html, json
  }

  @Option(help: "The form of the output.")
  var format: Format?

  @OptionGroup var markdown: MarkdownOptions

  @OptionGroup var records: RecordOptions

  @Flag(help: "Say for each block whether it stays, and why.")
  var explain = false

  @Option(help: ArgumentHelp("Write a page that shows what stays, and why.", valueName: "file"))
  var sheet: FilePath?

  @Flag(
    help: ArgumentHelp("Write the numbers of each block and choice, as trees are made of them.", visibility: .hidden))
  var numbers = false

  @Flag(help: ArgumentHelp("Write the names of these numbers.", visibility: .hidden))
  var numberNames = false

  @Option(help: ArgumentHelp("Weigh blocks by these trees (Training/README.md).", valueName: "file"))
  var trees: FilePath?

  @Option(help: ArgumentHelp("Files with style sheets: WARC, or lines {\"url\", \"css\"}.", valueName: "file"))
  var known: [FilePath] = []

  @Option(help: "Where the page is.")
  var url: String?

  @Option(help: ArgumentHelp("The title that the feed gives it.", valueName: "text"))
  var feedTitle = ""

  @Option(help: ArgumentHelp("The text that the feed has of it.", valueName: "text"))
  var feedSummary = ""

  @Option(help: ArgumentHelp("A file with rules for single sites.", valueName: "file"))
  var siteRules: FilePath?

  @Flag(help: "Leave out what pages of a site share at their edges.")
  var siteTemplates = false

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if let url, WebURL(url) == nil { throw ValidationError("--url '\(url)' is not an absolute URL") }
    if [records.jsonl, explain, sheet != nil].count(where: { $0 }) > 1 {
      throw ValidationError("--jsonl, --explain and --sheet cannot be combined")
    }
    if siteTemplates, files.isEmpty || files.contains("-") {
      throw ValidationError("--site-templates reads files twice: name files instead of standard input")
    }
    if json, let format, format != .json {
      throw ValidationError("--json and --format \(format.rawValue) cannot be combined")
    }
    if format != nil, explain || sheet != nil {
      throw ValidationError("--format cannot be combined with --explain and --sheet")
    }
    if sheet != nil, files.count > 1 { throw ValidationError("--sheet shows one page") }
    try sheet?.refuseAsOutput(of: "--sheet", besides: files.map { FilePath($0) })
  }

  func run() throws {
    if numberNames {
      let names = ArticleExtractor.numberNames + [""] + ArticleExtractor.choiceNumberNames
      return Terminal.line(names.joined(separator: "\n"))
    }
    let sanitizer = try policy.sanitizer(fallback: .reading)
    let sites = try siteRules.map(SiteRules.load) ?? SiteRules()
    let trees = try trees.map(Self.load)
    var pipeline = ArticlePipeline(sanitizer: sanitizer, sites: sites, model: trees?.model)
    let inputs = files.isEmpty ? ["-"] : files
    var findings: [Finding] = []
    let digest = pipeline.readSheets(in: known, into: &findings)
    Terminal.report(findings, notes: false)
    if siteTemplates { pipeline.templates = templates(of: inputs, pipeline.extractor) }
    if try records.areWanted(of: files) {
      if explain || sheet != nil {
        throw ValidationError("--explain and --sheet show one page; they cannot be used with records")
      }
      if url != nil || !feedTitle.isEmpty || !feedSummary.isEmpty || json {
        throw ValidationError(
          "--url, --feed-title, --feed-summary and --json cannot be used with records; the records carry them")
      }
      let markdown = format == .markdown ? markdown.optionsOfRecords : nil
      let settings = [sanitizer.fingerprint, sites.fingerprint, trees?.text ?? "", "\(siteTemplates)", digest]
      return try records.answer(
        files, by: ArticleMapper(pipeline, settings: settings, writesNumbers: numbers, markdown: markdown),
        command: ["article"])
    }
    var isFirst = true
    try Terminal.forEach(inputs) { file, page in
      if page.starts(with: "WARC/".utf8) {
        throw ValidationError("\(file): this is a WARC file; read it with --jsonl")
      }
      try show(page, of: file, pipeline, &isFirst)
    }
  }

  private static func load(_ file: FilePath) throws -> (model: ArticleModel, text: String) {
    let source: FileSource
    do { source = try FileSource(file) } catch { throw ValidationError("\(file): these trees cannot be read") }
    let text = String(decoding: try source.beginning(Limits.standard.documentBytes), as: UTF8.self)
    do throws(ArticleModel.Fault) {
      return (try ArticleModel(reading: text), text)
    } catch {
      throw ValidationError("\(file):\(error.line): \(error.message)")
    }
  }

  private func show(_ page: [UInt8], of file: String, _ pipeline: ArticlePipeline, _ isFirst: inout Bool) throws {
    var input = ArticleExtractor.Input(page: PageEncoding.decode(page), url: url.flatMap { WebURL($0) })
    (input.feedTitle, input.feedText, input.templates) = (feedTitle, feedSummary, pipeline.templates)
    if explain || sheet != nil { return try show(pipeline.extractor.explain(input), of: file, input, pipeline) }
    let output = pipeline.process(input)
    if let finding = output.article.siteRule?.finding(on: file) { Terminal.error(finding.description) }
    if output.article.facts.isDataCut {
      let (linked, other) = (ArticleExtractor.mostLinkedDataBytes, ArticleExtractor.mostPreloadedBytes)
      Terminal.error(
        "\(file): note: the data of this page is read in part: \(linked) bytes of JSON-LD, \(other) of other JSON [article.data]"
      )
    }
    if let reason = output.article.sheetRefusal {
      Terminal.error("\(file): note: the style sheets are not read for what they hide (\(reason)) [article.sheets]")
    }
    if output.content == nil {
      Terminal.error("\(file): note: there is no article in this page [article.none]")
    }
    if format == .html || format == .markdown {
      guard let content = output.content else { return }
      if format == .html { return Terminal.line(content.string) }
      let written = Markdown(content, options: markdown.options, front: output.frontMatter)
      // Hyphens right below a paragraph would make a heading of it.
      Terminal.write((isFirst ? [] : [ASCII.lineFeed]) + written.text.utf8)
      isFirst = false
      Terminal.report(written.findings(at: .init(file: file)), notes: true)
    } else if json || format == .json || numbers {
      Terminal.json { writer in
        if numbers { pipeline.extractor.writeNumbers(input, into: &writer) } else { writer.article(output) }
      }
    } else {
      for line in output.lines { Terminal.line(TerminalText.prose(line)) }
    }
  }

  private func show(
    _ report: PageReport, of file: String, _ input: ArticleExtractor.Input, _ pipeline: ArticlePipeline
  ) throws {
    if let sheet {
      let facts = pipeline.extractor.extract(input).facts
      let items = report.blocks.map {
        ArticleSheet.Item(
          text: $0.text, isHeading: $0.headingLevel > 0, pictures: $0.pictures, isKept: $0.isShown, reason: $0.why)
      }
      let origin = [input.url?.href ?? file, facts.byline?.value, facts.published?.value].compactMap { $0 }
      let page = ArticleSheet(title: facts.title?.value ?? "", origin: origin.joined(separator: " · "), items: items)
      try sheet.save(page.page(), as: "the page", code: "article.write")
      return Terminal.error(
        "\(report.blocks.count.counted("block")), \(report.blocks.count(where: \.isShown)) of them in the article: \(sheet)"
      )
    }
    if json {
      var writer = JSONWriter()
      writer.pageReport(report)
      Terminal.write(writer.bytes)
    } else {
      for line in report.lines { Terminal.line(TerminalText.prose(line)) }
    }
  }
}

extension ArticlePipeline.Output {
  /// The metadata of the article, in front of its Markdown.
  fileprivate var frontMatter: Markdown.FrontMatter {
    var front = Markdown.FrontMatter()
    let facts = article.facts
    (front.title, front.date, front.language) = (facts.title?.value, facts.published?.value, facts.language?.value)
    front.authors = (facts.byline?.value ?? "").split(separator: ",").map { String($0).trimmed() }
    front.url = facts.canonical?.value
    return front
  }

  /// The article as text for people: title, byline, date and site, picture, and text.
  fileprivate var lines: [String] {
    let facts = article.facts
    let when = [facts.byline?.value, facts.published?.value, facts.site?.value].compactMap { $0 }
    var lines = [facts.title?.value, when.isEmpty ? nil : when.joined(separator: " · "), facts.image?.value]
      .compactMap { $0 }
    if content != nil {
      for paragraph in article.text.split(separator: "\n") { lines += ["", String(paragraph)] }
    }
    return lines
  }
}

import ArgumentParser
import Tamis
import TamisRecords

/// `tamis extract`: prints the links, pictures and facts of each entry.
struct ExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Print for each entry its permalink, thumbnail, links, media and text facts.",
    discussion: """
      Each picture that could stand for an entry is named with what became of it. Nothing is fetched. With --jsonl each line \
      is a record, a feed, answered by a line {"id", "feed", "entries": [...]} or {"id", "error"}: docs/records.md. Examples:

        tamis extract feed.xml | jq '.[].thumbnail.url'
        tamis extract --format markdown feed.xml
        tamis extract --jsonl --guard < feeds.jsonl > posts.jsonl
      """)

  /// The output format for entries.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// One JSON array.
    case json
    /// One line of JSON for each entry, with its file.
    case jsonl
    /// The text of each post as Markdown with front matter.
    case markdown
  }

  @Argument(help: "Files and folders of feeds; - is standard input. With --jsonl, of records.")
  var sources: [FilePath] = []

  @Option(help: "The form of the output.")
  var format = Format.json

  @OptionGroup var markdown: MarkdownOptions

  @OptionGroup var records: RecordOptions

  @Flag(help: "Write a table for people.")
  var explain = false

  @Option(help: "Write a page with the picture chosen for each entry.")
  var sheet: FilePath?

  @Option(help: ArgumentHelp("A file of known pages and sizes of pictures.", valueName: "file"))
  var known: String?

  @Option(
    help: ArgumentHelp("Show articles of known pages in place of excerpts.", valueName: "yes|when-short|no"),
    transform: { text in
      guard let setting = Planet.FullText(rawValue: text) else {
        throw ValidationError("--full-text takes yes, when-short or no")
      }
      return setting
    })
  var fullText = Planet.FullText.no

  @Flag(name: [.short, .long], help: "Also show notes, and files that are not feeds.")
  var verbose = false

  @OptionGroup var addresses: AddressOptions

  @OptionGroup var fields: FieldOptions

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if sources.isEmpty, !records.jsonl, records.workerFrom == nil { throw ValidationError("name at least one feed") }
    if [records.jsonl, format == .jsonl, explain, sheet != nil].count(where: { $0 }) > 1 {
      throw ValidationError("--jsonl, --format, --explain and --sheet cannot be combined")
    }
    if format == .markdown, explain || sheet != nil {
      throw ValidationError("--format markdown cannot be combined with --explain and --sheet")
    }
  }

  func run() throws {
    var findings: [Finding] = []
    let sanitizer = try policy.sanitizer(fallback: .reading)
    let known = try knownPages(&findings)
    let pipeline = Pipeline(sanitizer: sanitizer, fields: fields.field, known: known.pages, fullText: fullText)
    if try records.areWanted(of: sources.map(\.description)) {
      Terminal.report(findings, notes: verbose)
      if !addresses.address.isEmpty || explain || sheet != nil {
        throw ValidationError("--address, --explain and --sheet do not go with records, which say where they are from")
      }
      let settings = ["\(fields.field)", fullText.rawValue, known.digest]
      let mapper = ExtractMapper(
        sanitizer: sanitizer, pipeline, settings: settings,
        markdown: format == .markdown ? markdown.optionsOfRecords : nil)
      return try records.answer(sources.map(\.description), by: mapper, command: ["extract"])
    }
    var failed = 0
    var feeds = FeedSources(sources)
    feeds.readStandardInputAsFeed()
    try addresses.apply(to: &feeds)
    Terminal.report(feeds, notes: verbose)
    let files = feeds.files
    let progress = Progress(leaving: "the output is complete up to this point")
    var output = Output(form: form)
    for (position, file) in files.enumerated() {
      progress.update(position, of: files.count, noun: "feed", done: "extracted")
      let result = Result { () throws(FeedParser.Failure) in try pipeline.process(try file.document()) }
      switch result {
      case .failure(let failure):
        findings.append(failure.finding)
        failed += 1
      case .success(let found):
        findings += found.findings
        let name = file.path.description
        for extraction in found.extractions { findings += output.add(extraction, of: name) }
      }
    }
    progress.finish()
    Terminal.reportGathered(findings, all: verbose)
    if failed == files.count { throw ExitCode.badData }
    try output.finish(sheet: sheet)
    if failed > 0 || (feeds.findings + findings).contains(where: { $0.severity == .error }) {
      throw ExitCode.someFailed
    }
  }

  private var form: Output.Form {
    if sheet != nil { return .sheet }
    if explain { return .table }
    switch format {
    case .json: return .list
    case .jsonl: return .lines
    case .markdown: return .markdown(markdown.options)
    }
  }

  /// The known pages, and a digest of them.
  private func knownPages(_ findings: inout [Finding]) throws -> (pages: KnownPages, digest: String) {
    var pages = KnownPages(keepsPages: fullText != .no)
    guard let known else { return (pages, "") }
    if known == "-", records.jsonl { throw ValidationError("standard input is used for records: give --known a file") }
    do {
      let digest = try pages.add(FilePath(known), into: &findings)
      return (pages, digest)
    } catch {
      throw ValidationError("\(known): this file cannot be read: \(error.message)")
    }
  }
}

extension ExtractCommand {
  /// Writes extractions in one of the command's formats.
  struct Output {
    enum Form: Equatable {
      case list
      case lines
      case table
      case sheet
      case markdown(Markdown.Options)
    }

    let form: Form
    private var writer = JSONWriter()
    private var items: [ContactSheet.Item] = []
    private var isFirst = true

    init(form: Form) {
      self.form = form
      if form == .list { writer.beginArray() }
    }

    /// Writes an extraction, and returns what is to be said of its form.
    mutating func add(_ extraction: Extraction, of file: String) -> [Finding] {
      switch form {
      case .table: for line in ExtractionTable.lines(extraction, of: file) { Terminal.line(line) }
      case .sheet: items.append(Self.item(extraction, of: file))
      case .list:
        writer.extraction(extraction)
        flush()
      case .lines:
        writer.extraction(extraction, of: file)
        writer.endLine()
        flush()
      case .markdown(let options):
        let post = extraction.post
        var front = Markdown.FrontMatter(of: post)
        if options.pictures == .drop { front.images = [] }
        let markdown = Markdown(post.content, options: options, front: front)
        // Hyphens right below a paragraph would make a heading of it.
        Terminal.write((isFirst ? [] : [ASCII.lineFeed]) + markdown.text.utf8)
        isFirst = false
        return markdown.findings(at: post.location, entry: post.id ?? post.title)
      }
      return []
    }

    mutating func finish(sheet: FilePath?) throws {
      if form == .list {
        writer.endArray()
        writer.endLine()
        flush()
      }
      guard let sheet else { return }
      try sheet.save(ContactSheet(items).page(), as: "the page", code: "extract.write")
      Terminal.error(
        "\(items.count.counted("entry", plural: "entries")), \(items.count { $0.thumbnail != nil }) with a thumbnail: \(sheet)"
      )
    }

    private mutating func flush() {
      Terminal.write(writer.bytes)
      writer.removeAll()
    }

    private static func item(_ extraction: Extraction, of file: String) -> ContactSheet.Item {
      let post = extraction.post
      let others = extraction.pictures.dropFirst(post.thumbnail == nil ? 0 : 1).prefix(8)
      return ContactSheet.Item(
        title: post.title, location: "\(file):\(post.location.line)", permalink: post.permalink?.url,
        thumbnail: post.thumbnail,
        others: others.map { "\($0.rejection?.words ?? "not as good: \($0.class.words)"): \($0.url.prefix(200))" })
    }
  }
}

extension Markdown.FrontMatter {
  /// Creates the front matter of a post.
  fileprivate init(of post: Post) {
    self.init()
    (title, authors, url) = (post.isUntitled ? nil : post.title, post.authors, post.permalink?.url)
    date = (post.published ?? post.updated).map { CivilTime(seconds: $0).text }
    (language, tags) = (post.language, post.tags)
    let lead = post.thumbnail.flatMap { $0.isInBody ? nil : $0.url }
    images = [lead].compactMap { $0 } + post.details.pictures.map(\.url)
    files = (post.details.files.map(\.url) + [post.details.videoPage].compactMap { $0 }).filter { !images.contains($0) }
  }
}

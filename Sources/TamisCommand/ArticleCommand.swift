import ArgumentParser
import Foundation
import Tamis

/// `tamis article`: the articles of web pages.
struct ArticleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "article",
    abstract: "Find the article of a web page: title, byline, date, picture, and its text as safe HTML.",
    discussion: """
      Nothing is fetched. With --jsonl each line is an object {"id", "html", "url"?, "feed"?: {"title"?, "summary"?}}, \
      answered by a line {"id", "title", "byline", ..., "html", "text"}, or {"id", "error"} for a line that cannot be read. \
      Examples:

        curl -s https://example.org/story | tamis article --url https://example.org/story
        tamis article --json saved.html | jq -r .text
        tamis article --jsonl pages.jsonl
      """)

  @Argument(help: "Pages; - or nothing is standard input.")
  var files: [String] = []

  @Flag(help: "Write one JSON object a page.")
  var json = false

  @Flag(help: "Read and write one JSON object a line.")
  var jsonl = false

  @Flag(help: ArgumentHelp("Write the numbers of each block, as trees are made of them.", visibility: .hidden))
  var numbers = false

  @Flag(help: ArgumentHelp("Write the names of these numbers.", visibility: .hidden))
  var numberNames = false

  @Option(help: "Where the page is: relative addresses are resolved against it.")
  var url: String?

  @Option(help: "What a feed calls the article.")
  var feedTitle = ""

  @Option(help: "What a feed has of its text: it helps to find the article, and to judge what was found.")
  var feedSummary = ""

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if let url, WebURL(url) == nil { throw ValidationError("--url '\(url)' is no absolute URL") }
  }

  func run() throws {
    if numberNames { return Terminal.line(ArticleExtractor.numberNames.joined(separator: "\n")) }
    let pipeline = ArticlePipeline(policy: try policy.policy(fallback: .reading))
    var failed = 0
    let inputs = files.isEmpty ? ["-"] : files
    for file in inputs {
      if jsonl, let lines = LineReader(path: file) {
        if !answer(lines, pipeline) { failed += 1 }
      } else if !jsonl, let bytes = Terminal.read(file) {
        print(bytes, pipeline)
      } else {
        Terminal.error("\(file): error: this file cannot be read [read.failed]")
        failed += 1
      }
    }
    if failed > 0 { throw failed == inputs.count && !jsonl ? ExitCode.badData : ExitCode.someFailed }
  }

  private func print(_ page: [UInt8], _ pipeline: ArticlePipeline) {
    var input = ArticleExtractor.Input(page: PageEncoding.decode(page), url: url.flatMap { WebURL($0) })
    (input.feedTitle, input.feedText) = (feedTitle, feedSummary)
    var writer = JSONWriter()
    write(input, pipeline, id: nil, &writer)
    Terminal.write(writer.bytes)
  }

  /// Answers each line; false when one could not be read.
  private func answer(_ lines: LineReader, _ pipeline: ArticlePipeline) -> Bool {
    var writer = JSONWriter()
    var isWhole = true
    while let line = lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      do throws(FragmentRecord.Invalid) {
        let record = try ArticleRecord(line)
        write(record.input, pipeline, id: record.id, &writer)
      } catch {
        writer.object { writer in
          error.id.write(to: &writer)
          writer.member("error", error.message)
        }
        writer.endLine()
        isWhole = false
      }
      if writer.bytes.count > 1 << 16 || !lines.hasBufferedLine {
        Terminal.write(writer.bytes)
        writer.removeAll()
      }
    }
    Terminal.write(writer.bytes)
    if lines.hasFailed { Terminal.error("\(lines.path): error: reading failed before the end [read.failed]") }
    return isWhole && !lines.hasFailed
  }

  private func write(
    _ input: ArticleExtractor.Input, _ pipeline: ArticlePipeline, id: FragmentRecord.ID?, _ writer: inout JSONWriter
  ) {
    if numbers {
      writer.object { writer in
        id?.write(to: &writer)
        writer.key("blocks")
        pipeline.extractor.writeNumbers(input, into: &writer)
      }
    } else {
      let article = pipeline.process(input)
      writer.object { writer in
        id?.write(to: &writer)
        writer.article(article)
      }
    }
    writer.endLine()
  }
}

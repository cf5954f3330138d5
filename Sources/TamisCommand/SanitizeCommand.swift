import ArgumentParser
import Tamis
import TamisHTML
import TamisRecords

/// `tamis sanitize`: sanitizes fragments of HTML.
struct SanitizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sanitize",
    abstract: "Sanitize HTML.",
    discussion: """
      Without --jsonl each input is one fragment, in any encoding. With it each line is a record {"id", "body", "url"?}, \
      answered by a line {"id", "html", ...} or {"id", "error"}: docs/records.md. Examples:

        echo '<p onclick=x>Hello' | tamis sanitize
        tamis sanitize --jsonl --guard < comments.jsonl > clean.jsonl
      """)

  @Argument(help: "Fragments; - or nothing is standard input.")
  var files: [String] = []

  @OptionGroup var records: RecordOptions

  @Option(help: "What relative URLs are resolved against.")
  var base: String?

  @Option(help: "The page of the fragments: links to it stay in them.")
  var page: String?

  @Flag(help: "Report what was removed, where and why.")
  var report = false

  /// The form of the output.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case html, markdown
  }

  @Option(help: "The form of the output.")
  var format = Format.html

  @OptionGroup var markdown: MarkdownOptions

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if let page, WebURL(page) == nil { throw ValidationError("--page '\(page)' is not an absolute URL") }
    if let base, WebURL(base) == nil { throw ValidationError("--base '\(base)' is not an absolute URL") }
  }

  func run() throws {
    let sanitizer = try policy.sanitizer(fallback: .reading)
    let (base, page) = (base.flatMap { WebURL($0) }, page.flatMap { WebURL($0) })
    if try records.areWanted(of: files) {
      let mapper = SanitizeMapper(
        sanitizer: sanitizer, base: base, page: page, isReporting: report,
        markdown: format == .markdown ? markdown.optionsOfRecords : nil, selection: selection.selection)
      return try records.answer(files, by: mapper, command: ["sanitize"])
    }
    let parts = PreparedSelection(selection.selection)
    try Terminal.forEach(files.isEmpty ? ["-"] : files) { file, content in
      let bytes = PageEncoding.decode(content)
      let result = sanitizer.sanitize(utf8: bytes.span, base: base, page: page, selection: parts)
      switch format {
      case .html: Terminal.line(result.html.string)
      case .markdown:
        let written = Markdown(result.html, options: markdown.options)
        Terminal.write(Array(written.text.utf8))
        Terminal.report(written.findings(at: .init(file: file)), notes: true)
      }
      if report { print(result, of: file) }
    }
  }

  private func print(_ result: Sanitizer.Result, of file: String) {
    for removal in result.removals {
      Terminal.error(
        "\(file):\(removal.line):\(removal.column): note: \(removal.name) \(removal.rule.reason) "
          + "[sanitize.\(removal.rule.rawValue)]")
    }
    Terminal.error("\(file): note: \(Removal.Totals(result)) [sanitize.total]")
  }
}

import ArgumentParser
import Foundation
import Tamis

/// `tamis sanitize`: fragments of HTML made safe.
struct SanitizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sanitize",
    abstract: "Make HTML safe.",
    discussion: """
      Without --jsonl each input is one fragment. With it each line is an object {"id", "html", "base"?}, answered by a line \
      {"id", "html"}, or {"id", "error"} for a line that cannot be read; with --report the line has a "report" too. Examples:

        echo '<p onclick=x>Hello' | tamis sanitize
        tamis sanitize --jsonl --rules strict comments.jsonl
      """)

  @Argument(help: "Fragments; - or nothing is standard input.")
  var files: [String] = []

  @Flag(help: "Read and write one JSON object a line.")
  var jsonl = false

  @Option(help: "The address that relative URLs are resolved against.")
  var base: String?

  @Option(help: "The page that the fragments are from: links to places in it that a fragment has stay in the fragment.")
  var page: String?

  @Flag(help: "Say what was taken away, where and why: on standard error, or in each line of --jsonl.")
  var report = false

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if let page, WebURL(page) == nil { throw ValidationError("--page '\(page)' is no absolute URL") }
    if let base, WebURL(base) == nil { throw ValidationError("--base '\(base)' is no absolute URL") }
  }

  func run() throws {
    let sanitizer = Sanitizer(policy: try policy.policy(fallback: .reading))
    var failed = 0
    let inputs = files.isEmpty ? ["-"] : files
    for file in inputs {
      if jsonl, let lines = LineReader(path: file) {
        if !sanitizeLines(lines, sanitizer) { failed += 1 }
      } else if !jsonl, let bytes = Terminal.read(file) {
        let result = sanitizer.sanitize(
          utf8: bytes.span, base: base.flatMap { WebURL($0) }, page: page.flatMap { WebURL($0) })
        Terminal.line(result.html.string)
        if report { print(result, of: file) }
      } else {
        Terminal.error("\(file): error: this file cannot be read [read.failed]")
        failed += 1
      }
    }
    if failed > 0 { throw failed == inputs.count && !jsonl ? ExitCode.badData : ExitCode.someFailed }
  }

  private func print(_ result: Sanitizer.Result, of file: String) {
    for removal in result.removals {
      Terminal.error(
        "\(file):\(removal.line):\(removal.column): note: \(removal.name) \(removal.rule.reason) "
          + "[sanitize.\(removal.rule.rawValue)]")
    }
    Terminal.error("\(file): note: \(RemovalTotals(result)) [sanitize.total]")
  }

  /// Answers each line; false when one could not be read.
  private func sanitizeLines(_ lines: LineReader, _ sanitizer: Sanitizer) -> Bool {
    var output = JSONWriter()
    var isWhole = true
    while let line = lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      do {
        try answer(line, sanitizer, &output)
      } catch {
        output.object { writer in
          error.id.write(to: &writer)
          writer.member("error", error.message)
        }
        isWhole = false
      }
      output.endLine()
      // Whoever waits for an answer gets it as soon as there is nothing more to read at once.
      if output.bytes.count > 1 << 16 || !lines.hasBufferedLine {
        Terminal.write(output.bytes)
        output.removeAll()
      }
    }
    Terminal.write(output.bytes)
    if lines.hasFailed { Terminal.error("\(lines.path): error: reading failed before the end [read.failed]") }
    return isWhole && !lines.hasFailed
  }

  private func answer(
    _ line: [UInt8], _ sanitizer: Sanitizer, _ output: inout JSONWriter
  ) throws(FragmentRecord.Invalid) {
    let record = try FragmentRecord(line)
    let base = record.base ?? base.flatMap { WebURL($0) }
    let page = page.flatMap { WebURL($0) }
    let result = report ? sanitizer.sanitize(record.html, base: base, page: page) : nil
    let html = result?.html ?? sanitizer.html(of: record.html, base: base, page: page)
    output.object { writer in
      record.id.write(to: &writer)
      writer.member("html", html.string)
      if let result { Self.write(result, to: &writer) }
    }
  }

  private static func write(_ result: Sanitizer.Result, to writer: inout JSONWriter) {
    writer.key("report")
    writer.object { writer in
      writer.member("tidy", result.tidy.rawValue)
      writer.key("totals")
      writer.object { writer in
        for rule in Removal.Rule.allCases {
          guard let count = result.removalCounts[rule] else { continue }
          writer.key(rule.rawValue)
          writer.int(Int64(count))
        }
      }
      writer.key("removals")
      writer.array { writer in
        for removal in result.removals { write(removal, to: &writer) }
      }
    }
  }

  private static func write(_ removal: Removal, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("rule", removal.rule.rawValue)
      writer.member("name", removal.name)
      writer.member("reason", removal.rule.reason)
      writer.key("line")
      writer.int(Int64(removal.line))
      writer.key("column")
      writer.int(Int64(removal.column))
    }
  }
}

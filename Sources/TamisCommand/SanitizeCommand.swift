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

  private struct Fragment {
    var html: [UInt8]
    var base: WebURL?
  }

  /// Answers each line; false when one could not be read.
  private func sanitizeLines(_ lines: LineReader, _ sanitizer: Sanitizer) -> Bool {
    let (base, page) = (base.flatMap { WebURL($0) }, page.flatMap { WebURL($0) })
    return RecordLines.answer(lines, members: ["html", "base"]) { record throws(Record.Invalid) in
      // One that is no absolute URL is no base: that costs the resolving, not the fragment.
      let own = try record.text("base").flatMap { WebURL($0) }
      return Fragment(html: try record.bytes("html"), base: own ?? base)
    } write: { fragment, writer in
      if report {
        let result = sanitizer.sanitize(utf8: fragment.html.span, base: fragment.base, page: page)
        writer.member("html", result.html.string)
        Self.write(result, to: &writer)
      } else {
        let html = sanitizer.html(ofUTF8: fragment.html.span, base: fragment.base, page: page)
        writer.member("html", html.string)
      }
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

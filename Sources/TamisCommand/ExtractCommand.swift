import ArgumentParser
import Foundation
import Tamis

/// `tamis extract`: links, pictures and facts of each entry.
struct ExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Say what a reader needs to know of each entry: permalink, thumbnail, links, media, text facts.",
    discussion: """
      Each picture that could stand for an entry is named with what became of it. Nothing is fetched. Examples:

        tamis extract feed.xml | jq '.[].thumbnail.url'
        tamis extract --jsonl feeds/             # a line of JSON an entry
        tamis extract --explain feed.xml         # a table for people
      """)

  @Argument(help: "Feeds: files and folders.")
  var sources: [String]

  @Flag(help: "Write one JSON object a line.")
  var jsonl = false

  @Flag(help: "Write a table for people.")
  var explain = false

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if sources.isEmpty { throw ValidationError("name at least one feed") }
    if jsonl, explain { throw ValidationError("--jsonl does not go with --explain") }
  }

  func run() throws {
    let pipeline = Pipeline(policy: try policy.policy(fallback: .reading))
    var findings: [Finding] = []
    var failed = 0
    let files = Sources.files(sources, into: &findings)
    var output = JSONWriter()
    var extractions: [Extraction] = []
    for file in files {
      let result = Result { () throws(NotAFeed) in try pipeline.process(try FeedDocument(file: file.path)) }
      switch result {
      case .failure(let failure):
        findings.append(failure.finding)
        failed += 1
      case .success(let found):
        findings += found.findings
        if explain { found.extractions.forEach { print($0, of: file.path) } }
        if jsonl {
          for extraction in found.extractions {
            output.extraction(extraction)
            output.endLine()
          }
          Terminal.write(output.bytes)
          output.removeAll()
        }
        if !explain, !jsonl { extractions += found.extractions }
      }
    }
    Terminal.report(findings, notes: false)
    if failed == files.count { throw ExitCode.badData }
    if !explain, !jsonl {
      output.array { writer in
        for extraction in extractions { writer.extraction(extraction) }
      }
      output.endLine()
      Terminal.write(output.bytes)
    }
    if failed > 0 || findings.contains(where: { $0.severity == .error }) { throw ExitCode.someFailed }
  }

  private func print(_ extraction: Extraction, of file: String) {
    let post = extraction.post
    let text = extraction.text
    var lines = ["\(file):\(post.location.line): \(post.title.isEmpty ? "(no title)" : post.title)"]
    lines.append("  permalink  \(post.permalink.map { "\($0.url)  (\($0.source))" } ?? "none")")
    for (index, picture) in extraction.pictures.enumerated() {
      let size = [picture.width, picture.height].map { $0.map(String.init) ?? "?" }.joined(separator: "x")
      let fate =
        picture.rejection.map { "no: \($0.words)" }
        ?? "\(index == 0 ? "chosen" : "not as good"): \(picture.class.words)"
      lines.append(
        "  \(index == 0 && picture.rejection == nil ? "thumbnail" : "picture  ")  \(picture.url)  \(size)  (\(picture.source); \(fate))"
      )
    }
    let kinds = Dictionary(grouping: extraction.bodyLinks, by: \.kind).mapValues(\.count)
    let counts = BodyLink.Kind.allCases.compactMap { kind in kinds[kind].map { "\($0) \(kind.rawValue)" } }
    lines.append("  links      \(counts.isEmpty ? "none" : counts.joined(separator: ", "))")
    for file in post.enclosures { lines.append("  enclosure  \(file.url)  (\(file.type ?? "no type"))") }
    if let seconds = extraction.podcast?.seconds { lines.append("  plays      \(seconds) seconds") }
    lines.append(
      "  text       \(text.kind.rawValue), \(text.words) words, \(text.ideographs) ideographs, \(post.language ?? "no language"), \(post.direction.rawValue)"
    )
    // What a feed could use to control a terminal is left out.
    for line in lines { Terminal.line(FailureText.shown(line)) }
  }
}

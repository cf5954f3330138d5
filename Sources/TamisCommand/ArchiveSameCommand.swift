import ArgumentParser
import Tamis

/// `tamis archive same`: whether pairs of posts are one, without an archive.
struct ArchiveSameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "same",
    abstract: "Say of pairs of posts whether they are one, as an archive that has both decides.",
    discussion: """
      Each line is {"id": …, "a": {facts}, "b": {facts}}, the facts as tamis archive export --keys writes them; it is answered by \
      {"id": …, "same": true, "reason": "link"}, in order. Candidates are posts of different feeds that share a key which at most \
      \(Archive.mostForSharedKey) posts have. To a text that a feed has several times belongs the fact "copies", a text with their \
      number: more than three say nothing.
      """)

  @Flag(help: "Read and write JSON, a line for each pair.") var jsonl = false
  @Argument(help: "A file of pairs; - is standard input.") var lines = "-"

  func validate() throws { if !jsonl { throw ValidationError("pairs are read as lines of JSON: --jsonl") } }

  func run() throws {
    guard let reader = LineReader(path: lines) else {
      Terminal.error("tamis: error: \(FailureText.shown(lines)): this file cannot be read [archive.same]")
      throw ExitCode.badData
    }
    let isWhole = RecordLines.answer(reader, members: PairQuestion.members) { record throws(Record.Invalid) in
      try PairQuestion(record)
    } write: { question, writer in
      writer.answer(question)
    }
    if !isWhole { throw ExitCode.someFailed }
  }
}

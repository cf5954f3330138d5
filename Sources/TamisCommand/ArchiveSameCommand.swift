import ArgumentParser
import Tamis
import TamisRecords

/// `tamis archive same`: decides whether pairs of posts are the same post, without an archive.
struct ArchiveSameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "same",
    abstract: "Decide for pairs of posts whether they are the same post.",
    discussion: """
      Each record is {"id": …, "a": {facts}, "b": {facts}}, the facts as tamis archive export --keys writes them; it is answered by \
      {"id": …, "same": true, "reason": "link", ...}, in order; see docs/records.md. Candidates are posts of different feeds that share \
      a key which at most \(Archive.mostForSharedKey) posts have. To a text that a feed has several times belongs the fact "copies", a \
      text with their number: it says nothing then.
      """)

  @Argument(help: "Files of pairs; - or nothing is standard input.")
  var files: [String] = []

  @OptionGroup var records: RecordOptions

  func validate() throws {
    if !records.jsonl, records.workerFrom == nil { throw ValidationError("pairs are lines of JSON: add --jsonl") }
  }

  func run() throws { try records.answer(files, by: SameMapper(), command: ["archive", "same"]) }
}

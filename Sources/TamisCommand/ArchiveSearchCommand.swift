import ArgumentParser
import Tamis
import TamisCore

/// `tamis archive search`: finds posts by their words.
struct ArchiveSearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find posts by their words: day, feed, page, title, link, and the text around the words; the best first.",
    discussion: """
      A word with a * stands for all that begin so, words between quotation marks for what they say together. Days are those of \
      UTC. The first search makes an index of all words in the archive, which grows by that; later ones add what is new. \
      A second line, indented, has the text around what was found, which stands in brackets, or in bold on a terminal.
      """)
  @OptionGroup var archive: ArchiveCommand.File

  @Option(help: ArgumentHelp("Only posts of this feed: its address, its file, or its title.", valueName: "feed"))
  var feed: String?

  @Option(help: ArgumentHelp("Only posts by authors with this in their name.", valueName: "text"))
  var author: String?

  @Option(help: ArgumentHelp("Only posts of this day and later, such as 2026-11-16.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Only posts of this day and earlier.", valueName: "date"))
  var until: String?

  @Option(
    name: [.short, .long, .customLong("limit")],
    help: ArgumentHelp("How many posts are shown at most.", valueName: "posts"))
  var count = 20

  @Flag(help: "Write a line of JSON for each post.")
  var json = false

  @Argument(help: "Words; a post has to have all of them.") var words: [String]

  func validate() throws {
    if count < 1 { throw ValidationError("--count takes a number from 1") }
    for (name, day) in [("--since", since), ("--until", until)] {
      if let day, BookOptions.day(day) == nil { throw ValidationError("\(name) takes a day such as 2026-11-16") }
    }
  }

  func run() throws {
    let opened = try ArchiveCommand.open(archive.file())
    let filter = try filter(opened)
    let progress = Progress(leaving: "what was indexed stays")
    defer { progress.finish() }
    let found = try ArchiveCommand.attempt {
      try ArchiveSearch(opened).find(words.joined(separator: " "), in: filter, count: count) {
        progress.update($0, of: nil, noun: "post", done: "indexed")
      }
    }
    progress.finish()
    for post in found {
      if json { writeJSON(post) } else { write(post) }
    }
    if found.isEmpty {
      throw Terminal.failure("no post was found", .someFailed)
    }
  }

  private func filter(_ archive: Archive) throws -> Archive.SearchFilter {
    var filter = Archive.SearchFilter()
    filter.feed = try feed.map { try ArchiveCommand.key(ofFeed: $0, archive) }
    filter.author = author ?? ""
    if since != nil || until != nil {
      let first = since.flatMap { BookOptions.day($0) }.map { Int64($0) * 86_400 } ?? Int64.min
      let end = until.flatMap { BookOptions.day($0) }.map { Int64($0 + 1) * 86_400 } ?? Int64.max
      // Nothing is of a day that comes before the first one.
      filter.times = first..<max(first, end)
    }
    return filter
  }

  private func write(_ post: Archive.FoundPost) {
    let date = post.published.map { String(DateText($0).iso.prefix(10)) } ?? "undated"
    let columns = [date, post.feed, post.name, post.title] + (post.link.map { [$0] } ?? [])
    Terminal.line(columns.map { TerminalText.beginning(of: $0) }.joined(separator: "\t"))
    let marks = Terminal.hasColours ? ("\u{1B}[1m", "\u{1B}[0m") : ("[", "]")
    let snippet = post.snippet.pieces.map { piece in
      let text = TerminalText.whole(piece.text)
      return piece.isHit ? marks.0 + text + marks.1 : text
    }
    if !snippet.isEmpty { Terminal.line("    " + snippet.joined()) }
  }

  private func writeJSON(_ post: Archive.FoundPost) {
    Terminal.json { writer in
      writer.member("title", post.title)
      writer.member("date", post.published.map { DateText($0).iso })
      writer.member("feed", post.feed)
      writer.member("address", post.feedAddress)
      writer.member("page", post.name)
      writer.member("link", post.link)
      writer.member("authors", post.authors)
      writer.array("snippet") { writer in
        for piece in post.snippet.pieces {
          writer.object { writer in
            writer.member("text", piece.text)
            writer.member("hit", piece.isHit)
          }
        }
      }
    }
  }
}

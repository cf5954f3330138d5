import ArgumentParser
import Tamis
import TamisCore
import TamisFoundation

/// `tamis archive`: inspects, marks and merges an archive's posts.
struct ArchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "archive",
    abstract: "Inspect an archive, mark posts, merge archives.",
    discussion: """
      A post is named by its page, posts/blog/first-post-0123456789abcdef.html or only first-post-0123456789abcdef, or by its feed
      and title: "feeds/blog.xml: First post". A feed is named by its address, or by its file as seen from the archive's folder.
      """,
    subcommands: [
      Show.self, ArchiveSearchCommand.self, Explain.self, MarkRead.self, Forget.self, Export.self, Import.self,
      ArchiveMergeCommand.self, Verify.self,
    ])

  /// Opens an existing archive for writing.
  static func open(_ path: String) throws -> Archive {
    guard FileManager.default.fileExists(atPath: path) else { throw missing(path) }
    return try attempt { try Archive(file: path) }
  }

  private static func missing(_ path: String) -> ExitCode {
    fail("there is no archive \(path); tamis ingest makes one, and tamis build makes SITE.archive beside the site")
  }

  /// Opens an existing archive for reading; one that a killed run left behind is repaired first.
  static func openToRead(_ path: String) throws -> Archive {
    if let archive = try? Archive(file: path, mode: .reading) { return archive }
    guard FileManager.default.fileExists(atPath: path) else { throw missing(path) }
    return try Archive(file: path)
  }

  /// Runs a closure, and reports its archive error as an exit code.
  static func attempt<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as Archive.Failure {
      Terminal.error("tamis: error: \(TerminalText.beginning(of: error.description)) [archive]")
      throw error.isBadInput ? ExitCode.badData : ExitCode.cannotWrite
    } catch let error as FileFailure {
      throw Terminal.failure("tamis: error: \(TerminalText.beginning(of: error.description)) [archive]", .cannotWrite)
    }
  }

  /// Reports that something does not exist, and returns the exit code.
  static func fail(_ message: String) -> ExitCode {
    Terminal.failure("tamis: error: \(TerminalText.beginning(of: message)) [archive]", .badData)
  }

  /// Returns the posts that the names identify.
  fileprivate static func selections(_ names: [String], _ archive: Archive) throws -> [Archive.Selection] {
    try zip(names, attempt { try archive.find(names) }).map { name, found in
      if found.count > 1 { throw fail("several posts are called '\(name)'; name one by its page") }
      guard let post = found.first else {
        throw fail("there is no post '\(name)' in the archive; tamis archive show lists all")
      }
      return post
    }
  }

  /// Returns all posts of a feed.
  fileprivate static func selection(feed name: String, _ archive: Archive) throws -> Archive.Selection {
    .feed(try key(ofFeed: name, archive))
  }

  /// Returns the key of a feed that is named by its address, its file, or its title.
  static func key(ofFeed name: String, _ archive: Archive) throws -> Feed.Key {
    let names = try attempt { try FeedNames(archive) }
    if let key = try attempt({ try names.key(ofFeed: name) }) { return key }
    let near = names.near(name)
    throw fail("there is no feed '\(name)' in the archive\(near.isEmpty ? "; tamis archive show lists all" : near)")
  }
}

extension ArchiveCommand {
  struct File: ParsableArguments {
    @Option(name: .customLong("archive"), help: "The archive (default: that of the configuration tamis.yaml).")
    private var named: String?

    /// The named archive, or that of the configuration in the current folder.
    func file() throws -> String {
      if let named { return named }
      guard let file = try PlanetOptions.standardArchive() else {
        throw ValidationError("name the archive: --archive; there is no \(PlanetOptions.standard) here that tells it")
      }
      return file.description
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "List posts: state, date, words, page.")
    @OptionGroup var archive: File
    @Option(help: "Only posts of this feed.") var feed: String?
    @Flag(help: "Write a line of JSON for each post.") var json = false

    func run() throws {
      let opened = try ArchiveCommand.attempt { try ArchiveCommand.openToRead(archive.file()) }
      let selection = try feed.map { try ArchiveCommand.selection(feed: $0, opened) } ?? .all
      for entry in try ArchiveCommand.attempt({ try opened.entries(selection) }) {
        if json { writeJSON(entry) } else { write(entry) }
      }
    }

    private func state(_ entry: Archive.Entry) -> String { entry.isBuried ? "buried" : entry.state.rawValue }

    private func write(_ entry: Archive.Entry) {
      var words = [state(entry)]
      if entry.isGone { words.append("gone") }
      if let other = entry.foldedInto { words.append("in \(other)") }
      let date = entry.date.map { DateText($0).iso } ?? "undated"
      let columns = [
        words.joined(separator: ", "), date, entry.words.counted("word", plural: "words"), entry.feedName, entry.name,
      ]
      Terminal.line(columns.map { TerminalText.beginning(of: $0) }.joined(separator: "\t"))
    }

    private func writeJSON(_ entry: Archive.Entry) {
      Terminal.json { writer in
        writer.member("state", state(entry))
        writer.member("gone", entry.isGone)
        writer.member("folded_into", entry.foldedInto)
        writer.member("date", entry.date.map { DateText($0).iso })
        writer.member("words", entry.words)
        writer.member("feed", entry.feedName)
        writer.member("page", entry.name)
      }
    }
  }

  struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain", abstract: "Explain why two posts are, or are not, the same.")
    @OptionGroup var archive: File
    @Argument(help: "A post: its page as tamis archive show has it, or \"feed: title\".") var one: String
    @Argument(help: "Another, named likewise.") var other: String

    func run() throws {
      let opened = try ArchiveCommand.attempt { try ArchiveCommand.openToRead(archive.file()) }
      let posts = try ArchiveCommand.selections([one, other], opened)
      for line in try ArchiveCommand.attempt({ try opened.explain(posts[0], posts[1]) }) ?? [] {
        Terminal.line(TerminalText.beginning(of: line))
      }
    }
  }

  struct MarkRead: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mark-read",
      abstract: "Mark posts as read: they are left out of lists by the setting only-new.")
    @OptionGroup var archive: File
    @Flag(help: "All posts.") var all = false
    @Option(help: "All posts of this feed.") var feed: String?
    @Argument(help: "Posts.") var posts: [String] = []

    func validate() throws {
      if [all, feed != nil, !posts.isEmpty].count(where: { $0 }) != 1 {
        throw ValidationError("give --all, --feed, or posts")
      }
    }

    func run() throws {
      let opened = try ArchiveCommand.open(archive.file())
      let selections =
        try all
        ? [.all]
        : feed.map { [try ArchiveCommand.selection(feed: $0, opened)] }
          ?? ArchiveCommand.selections(posts, opened)
      let count = try ArchiveCommand.attempt { try opened.markRead(selections) }
      Terminal.error("\(count.counted("post")) marked as read")
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: "Forget posts for ever: the next build removes their pages, and they do not come back.")
    @OptionGroup var archive: File
    @Argument(help: "Posts.") var posts: [String]

    func run() throws {
      let opened = try ArchiveCommand.open(archive.file())
      let selections = try ArchiveCommand.selections(posts, opened)
      let count = try ArchiveCommand.attempt { try opened.forget(selections) }
      Terminal.error("\(count.counted("post")) forgotten")
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write all that an archive knows as lines of JSON, with the posts' bodies.")
    @OptionGroup var archive: File

    func run() throws {
      let opened = try ArchiveCommand.attempt { try ArchiveCommand.openToRead(archive.file()) }
      let damaged = try ArchiveCommand.attempt { try opened.export { Terminal.write($0) } }
      if damaged > 0 {
        throw Terminal.failure(
          "tamis: error: \(damaged.counted("stored body", plural: "stored bodies")) cannot be unpacked and are left out; "
            + "see tamis archive verify [archive]", .someFailed)
      }
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Import exported lines; the archive is created when it does not exist.")
    @OptionGroup var archive: File
    @OptionGroup var success: SuccessOptions
    @Argument(help: "A file of exported lines; - is standard input.") var lines: String

    func run() throws {
      let fail = { (failure: ReadFailure) in
        ArchiveCommand.fail("\(lines): this file cannot be read to its end: \(failure.message)")
      }
      var reader: LineStream
      do throws(ReadFailure) {
        reader = try LineStream(StreamedFile(FilePath(lines)), longest: Limits.standard.documentBytes)
      } catch {
        throw fail(error)
      }
      let file = try archive.file()
      let count = try ArchiveCommand.attempt {
        try Archive(file: file).join(linesOf: lines) {
          let line = reader.next()
          if let failure = reader.failure { throw fail(failure) }
          return line?.bytes
        }
      }
      if !success.quiet { Terminal.error("\(count.counted("post")) taken in") }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "verify", abstract: "Check an archive.")
    @OptionGroup var archive: File
    @OptionGroup var success: SuccessOptions

    func run() throws {
      let problems = try ArchiveCommand.attempt {
        do { return try ArchiveCommand.openToRead(archive.file()).verify() } catch let error as Archive.Failure
          where !error.schemaFaults.isEmpty
        {
          return error.schemaFaults
        }
      }
      problems.forEach { Terminal.line(TerminalText.beginning(of: $0)) }
      if !problems.isEmpty { throw ExitCode.someFailed }
      if !success.quiet { Terminal.error("no problems found") }
    }
  }
}

import ArgumentParser
import Foundation
import Tamis

/// `tamis index`: what is known about which post.
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Look into the index of posts, mark posts, and join indexes.",
    discussion: """
      A post is named by its page, posts/blog/first-post-0123456789ab.html or only first-post-0123456789ab, or by its feed
      and title: "feeds/blog.xml: First post". A feed is named by its address, or by its file as seen from the index's folder.
      """,
    subcommands: [
      Show.self, Explain.self, MarkRead.self, Forget.self, Export.self, Import.self, Merge.self, Verify.self,
    ])

  /// Opens an index that is there.
  fileprivate static func open(_ path: String) throws -> PostIndex {
    guard FileManager.default.fileExists(atPath: path) else {
      throw fail("there is no index \(path); tamis build makes one beside the site, SITE.index")
    }
    return try attempt { try PostIndex(file: path) }
  }

  /// Opens an index that is there to look into it; one that a killed run or an older version has left is mended first.
  fileprivate static func openToRead(_ path: String) throws -> PostIndex {
    if let index = try? PostIndex(reading: path) { return index }
    return try open(path)
  }

  /// Runs something and says what went wrong.
  fileprivate static func attempt<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as IndexError {
      Terminal.error("tamis: error: \(FailureText.shown(error.description)) [index]")
      throw ExitCode.cannotWrite
    }
  }

  /// Says that there is no such thing.
  fileprivate static func fail(_ message: String) -> ExitCode {
    Terminal.error("tamis: error: \(FailureText.shown(message)) [index]")
    return .badData
  }

  /// The post that a name stands for.
  fileprivate static func selection(_ name: String, _ index: PostIndex) throws -> PostIndex.Selection {
    let found = try attempt { try index.find(name) }
    if found.count > 1 { throw fail("several posts have the name '\(name)'; name one by its page") }
    guard let post = found.first else {
      throw fail("there is no post '\(name)' in the index; tamis index show lists all")
    }
    return post
  }

  /// All posts of a feed.
  fileprivate static func selection(feed name: String, _ index: PostIndex) throws -> PostIndex.Selection {
    guard let key = try attempt({ try index.feed(named: name) }) else {
      throw fail("there is no feed '\(name)' in the index; tamis index show lists all")
    }
    return .feed(key)
  }
}

extension IndexCommand {
  struct File: ParsableArguments {
    @Option(name: .customLong("index"), help: "The index.")
    var file: String
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List posts: state, date, words, page.")
    @OptionGroup var index: File
    @Option(help: "Only posts of this feed.") var feed: String?

    func run() throws {
      let index = try IndexCommand.openToRead(index.file)
      let selection = try feed.map { try IndexCommand.selection(feed: $0, index) } ?? .all
      for entry in try IndexCommand.attempt({ try index.entries(selection) }) {
        var words = [entry.isBuried ? "buried" : entry.state.rawValue]
        if entry.isGone { words.append("gone") }
        if let other = entry.foldedInto { words.append("in \(other)") }
        let date = entry.date.map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) } ?? "undated"
        let columns = [words.joined(separator: ", "), date, "\(entry.words) words", entry.feed.text, entry.name]
        Terminal.line(columns.map { FailureText.shown($0) }.joined(separator: "\t"))
      }
    }
  }

  struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say why two posts are or are not the same.")
    @OptionGroup var index: File
    @Argument(help: "A post.") var one: String
    @Argument(help: "Another.") var other: String

    func run() throws {
      let index = try IndexCommand.openToRead(index.file)
      let first = try IndexCommand.selection(one, index)
      let second = try IndexCommand.selection(other, index)
      for line in try IndexCommand.attempt({ try index.explain(first, second) }) ?? [] {
        Terminal.line(FailureText.shown(line))
      }
    }
  }

  struct MarkRead: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mark posts as read: tamis build --only-new leaves them out.")
    @OptionGroup var index: File
    @Flag(help: "All posts.") var all = false
    @Option(help: "All posts of this feed.") var feed: String?
    @Argument(help: "Posts.") var posts: [String] = []

    func validate() throws {
      if [all, feed != nil, !posts.isEmpty].count(where: { $0 }) != 1 {
        throw ValidationError("name --all, a --feed, or posts")
      }
    }

    func run() throws {
      let index = try IndexCommand.open(index.file)
      let selections =
        try all
        ? [.all]
        : feed.map { [try IndexCommand.selection(feed: $0, index)] }
          ?? posts.map { try IndexCommand.selection($0, index) }
      let count = try IndexCommand.attempt { try selections.reduce(0) { try $0 + index.markRead($1) } }
      Terminal.error("\(count.counted("post")) marked as read")
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget posts for ever: the next build removes their pages, and they do not come back.")
    @OptionGroup var index: File
    @Argument(help: "Posts.") var posts: [String]

    func run() throws {
      let index = try IndexCommand.open(index.file)
      let selections = try posts.map { try IndexCommand.selection($0, index) }
      let count = try IndexCommand.attempt { try selections.reduce(0) { try $0 + index.forget($1) } }
      Terminal.error("\(count.counted("post")) forgotten")
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write all that the index knows as lines of JSON.")
    @OptionGroup var index: File

    func run() throws {
      let index = try IndexCommand.openToRead(index.file)
      Terminal.write(try IndexCommand.attempt { try index.export() })
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take in what was exported; an index that is not there is begun.")
    @OptionGroup var index: File
    @Argument(help: "A file of exported lines; - is standard input.") var lines: String

    func run() throws {
      guard let bytes = Terminal.read(lines) else {
        throw IndexCommand.fail("\(lines): this file cannot be read")
      }
      let count = try IndexCommand.attempt { try PostIndex(file: index.file).merge(bytes, named: lines) }
      Terminal.error("\(count.counted("post")) taken in")
    }
  }

  struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Join other indexes into this one; in which order makes no difference.")
    @OptionGroup var index: File
    @Argument(help: "Indexes.") var others: [String]

    func run() throws {
      let progress = Progress(leaving: "each index is joined as a whole or not at all")
      defer { progress.finish() }
      for other in others {
        let lines = try IndexCommand.attempt { try IndexCommand.openToRead(other).export() }
        let count = try IndexCommand.attempt {
          try PostIndex(file: index.file).merge(lines, named: other) {
            progress.update($0, of: $1, "record", "of \(FailureText.shown(other)) looked at")
          }
        }
        Terminal.error("\(count.counted("post")) of \(other) joined")
      }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say what is wrong with an index.")
    @OptionGroup var index: File

    func run() throws {
      let problems = try IndexCommand.attempt { try IndexCommand.openToRead(index.file).verify() }
      problems.forEach { Terminal.line(FailureText.shown($0)) }
      if !problems.isEmpty { throw ExitCode.someFailed }
      Terminal.error("the index is whole")
    }
  }
}

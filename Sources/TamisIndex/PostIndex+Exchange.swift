import Foundation
import GRDB

/// Indexes as lines of JSON: to be kept, compared, moved, and joined with others.
///
/// Joining is commutative, associative and idempotent: which of two records counts is decided by what they say, never by
/// where they come from or in which order.
extension PostIndex {
  /// A line of an export.
  struct Record: Codable {
    var feed: String
    var level: Int64?
    var pending: Int64?
    var first: Int64?
    var isAggregator: Bool?
    var address: String?
    var home: String?
    var place: String?
    var post: PostRecord?

    /// Whether its numbers, and its post's, are such as come about.
    var isSound: Bool {
      !feed.isEmpty && [pending, first].compactMap { $0 }.allSatisfy(Limits.runs.contains)
        && level.map(Limits.levels.contains) ?? true && post?.isSound ?? true
    }
  }

  /// A post of an export: digests as decimal numbers.
  struct PostRecord: Codable {
    var name: String
    var guid: Int64?
    var guidForm: Int64?
    var link: Int64?
    var file: Int64?
    var title: Int64
    var titleWords: String
    var text: Int64?
    var markup: Int64?
    var words: Int
    var numbers: Int64
    var sketch: Data?
    var date: Int64?
    var first: Int64
    var changed: Int64
    var gone: Int64
    var flags: Int64
    var keys: [Int64]
    /// The feed and the name of the post that stands for it.
    var foldedInto: [String]?
    /// What indexes that were joined say it is folded into, where that is not what came of it.
    var claims: [[String]]?

    init(_ post: StoredPost, keys: [Int64], foldedInto: [String]?, claims: [[String]]?) {
      name = post.name
      (guid, guidForm, link, file) = (post.guid, post.guidForm, post.link, post.file)
      (title, text, markup, words, numbers) = (post.title, post.text, post.markup, post.words, post.numbers)
      titleWords = post.titleWords
      sketch = post.sketch.map { Data($0) }
      (date, first, changed, gone, flags) = (post.date, post.first, post.changed, post.gone, post.flags.rawValue)
      self.keys = keys
      self.foldedInto = foldedInto
      self.claims = claims
    }

    /// Whether its name is one of a file and its numbers are such as come about.
    var isSound: Bool {
      !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix(".")
        && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        && Limits.runs.contains(first) && Limits.runs.contains(gone) && Limits.changes.contains(changed)
        && Limits.words.contains(Int64(words)) && Limits.numbers.contains(numbers) && Limits.flags.contains(flags)
        && date.map(Limits.dates.contains) ?? true && (sketch.map { $0.count == Sketch.count / 2 } ?? true)
        && ([foldedInto].compactMap { $0 } + (claims ?? [])).allSatisfy { $0.count == 2 }
    }

    /// What it says the post is folded into.
    var allClaims: [[String]] { claims ?? foldedInto.map { [$0] } ?? [] }

    func stored(feed: Int64) -> StoredPost {
      var post = StoredPost()
      post.feed = feed
      post.name = name
      (post.guid, post.guidForm, post.link, post.file) = (guid, guidForm, link, file)
      (post.title, post.text, post.markup, post.words, post.numbers) = (title, text, markup, words, numbers)
      post.titleWords = titleWords
      post.sketch = sketch.map { Array($0) }
      (post.date, post.first, post.changed, post.gone) = (date, first, changed, gone)
      post.flags = StoredPost.Flags(rawValue: flags)
      return post
    }
  }

  /// All that the index knows, a line of JSON for each feed and post, in an order of their own.
  public func export() throws(IndexError) -> [UInt8] {
    try read { database in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      var output: [UInt8] = []
      func write(_ record: Record) throws {
        output += try encoder.encode(record)
        output.append(UInt8(ascii: "\n"))
      }
      let store = PostStore(database: database)
      let feedKeys = try Self.feedKeys(database)
      var keys: [Int64: [Int64]] = [:]
      let pairs = try Row.fetchCursor(database, sql: "SELECT post, digest FROM key ORDER BY post, digest")
      while let row = try pairs.next() { keys[row[0], default: []].append(row[1]) }
      let claims = try Claims(database).rows
      for row in try Row.fetchAll(database, sql: "SELECT * FROM feed ORDER BY key") {
        try write(
          Record(
            feed: row["key"], level: row["level"], pending: row["pending"],
            first: row["first"], isAggregator: row["isAggregator"],
            address: row["address"], home: row["home"], place: row["place"]))
        let id: Int64 = row["id"]
        for post in try store.posts(where: "feed = ? ORDER BY name", [id]) {
          func place(_ id: Int64) throws -> [String]? {
            try store.post(id).map { [feedKeys[$0.feed] ?? "", $0.name] }
          }
          let own = Set(try store.ownKeys(of: post))
          let told = try claims[post.id]?.compactMap(place).sorted { $0.lexicographicallyPrecedes($1) }
          let record = PostRecord(
            post, keys: (keys[post.id] ?? []).filter { !own.contains($0) },
            foldedInto: post.fold == 0 ? nil : try place(post.fold), claims: told)
          try write(Record(feed: row["key"], post: record))
        }
      }
      return output
    }
  }

  /// Takes in what another index has exported; answers how many posts that were.
  ///
  /// - Parameters:
  ///   - lines: the export.
  ///   - name: what it is called in errors.
  ///   - progress: told now and then how many of how many lines are done.
  /// - Throws: when a line is none of an export; nothing is taken in then.
  public func merge(
    _ lines: [UInt8], named name: String, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws(IndexError) -> Int {
    var records: [Record] = []
    let decoder = JSONDecoder()
    for (number, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let record = try? decoder.decode(Record.self, from: Data(line)) else {
        throw IndexError(description: "\(name):\(number + 1): this line is none of an exported index")
      }
      records.append(record)
    }
    for (number, record) in records.enumerated() where !record.isSound {
      throw IndexError(description: "\(name):\(number + 1): this line has a name or a number that no index gives")
    }
    let all = records
    return try write { database in
      var merge = try Merge(database)
      for (number, record) in all.enumerated() {
        if number % 1000 == 0 { progress(number, all.count) }
        try merge.take(record)
      }
      try merge.finish()
      return all.count { $0.post != nil }
    }
  }
}

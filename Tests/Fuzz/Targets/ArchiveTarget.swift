import Tamis
import TamisArchive
import TamisCheck
import TamisFoundation
import TamisSanitizer

/// Lines of an exported archive, as `tamis archive import` takes them.
struct ArchiveTarget: FuzzTarget {
  let name = "archive"
  let longest = 8000

  func fault(in input: [UInt8]) -> String? {
    do {
      return try Self.withFolder { folder in
        // An archive that is only rehearsed is in memory.
        let archive = try Archive(file: folder + "/one", mode: .rehearsing)
        guard let count = try Self.join(input, to: archive) else {
          return try Self.lines(of: archive).isEmpty ? nil : "lines that are refused are taken in"
        }
        let other = try Archive(file: folder + "/other", mode: .rehearsing)
        return try Self.faultOfContents(archive, count) ?? Self.faultOfJoining(archive, other)
          ?? Self.faultOfBodies(archive)
      }
    } catch {
      return "a failure that is not one of the input: \(error)"
    }
  }

  /// Returns what is exported of the feeds in `Fixtures`: of each the feed and as many posts as an input has room for.
  func seeds(from files: SeedFiles) async throws -> [[UInt8]] {
    let feeds =
      ["rss", "rdf", "atom", "xml"].flatMap { files.paths(in: "Feeds", withExtension: $0) }
      + files.paths(in: "Parsing/WellFormed", withExtension: "xml")
      + files.paths(in: "JSONFeeds", withExtension: "json")
    var seeds: [[UInt8]] = []
    for (number, feed) in feeds.enumerated() {
      let output = Self.scratch + "/seed-\(number)"
      defer { try? FileManager.default.removeItem(atPath: output + ".archive") }
      defer { try? FileManager.default.removeItem(atPath: output + ".archive.lock") }
      _ = try await SiteBuild(SiteBuild.Configuration(feeds: [feed], output: output, title: "Seeds")).ingest()
      var seed: [UInt8] = []
      for line in try Self.lines(of: Archive(file: output + ".archive", mode: .reading)).split(separator: 0x0A)
      where seed.count + line.count < longest {
        seed += line + [0x0A]
      }
      seeds.append(seed)
    }
    return seeds
  }

  // MARK: - What must hold

  /// An archive is sound, and has no more posts than there were lines of posts.
  private static func faultOfContents(_ archive: Archive, _ count: Int) throws -> String? {
    let faults = try archive.verify()
    if !faults.isEmpty { return "an archive has faults after an import: \(faults)" }
    let posts = try archive.countPosts()
    if posts > count { return "\(posts) posts of \(count) lines" }
    let entries = try archive.entries(.all).count
    return entries == posts ? nil : "\(entries) of \(posts) posts are listed"
  }

  /// What is exported gives the same archive, however often it is imported.
  ///
  /// Lines that another program has changed may contradict each other, so that only their export has one meaning.
  private static func faultOfJoining(_ archive: Archive, _ other: Archive) throws -> String? {
    let lines = try lines(of: archive)
    for target in [other, other, archive] {
      guard try join(lines, to: target) != nil else { return "what was exported is refused: \(text(lines))" }
      let again = try Self.lines(of: target)
      if again != lines { return "an export is imported as another archive:\n\(text(lines))\n\(text(again))" }
    }
    return nil
  }

  /// Bodies are as untrusted as the lines: they keep the contract once they are sanitized, as pages have them.
  private static func faultOfBodies(_ archive: Archive) throws -> String? {
    let reader = PostReader(archive, showsUnreadOnly: false)
    let numbers = try reader.newest(100, of: .all).map(\.number)
    let sanitizer = Sanitizer.reading.droppingRelativeURLs()
    let contract = OutputContract(policy: sanitizer.policy)
    for body in try reader.bodies(of: numbers).values {
      let body = body.unpacked
      if body.isDamaged { return "an imported body cannot be unpacked" }
      let html = sanitizer.sanitizedHTML(of: body.html)
      if let breach = contract.breach(of: html, by: sanitizer, base: nil) { return "\(breach) in \(html)" }
    }
    return nil
  }

  // MARK: - Archives

  /// Imports lines; returns the number of posts in them, or nil when they are refused.
  private static func join(_ lines: [UInt8], to archive: Archive) throws -> Int? {
    var rest = lines.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    do { return try archive.join(linesOf: "lines") { rest.popFirst().map { Array($0) } } } catch let failure
      as Archive.Failure where failure.isBadInput
    {
      return nil
    }
  }

  private static func lines(of archive: Archive) throws -> [UInt8] {
    var bytes: [UInt8] = []
    if try archive.export({ bytes += $0 }) > 0 { throw CocoaError(.fileReadCorruptFile) }
    return bytes
  }

  private static func text(_ lines: [UInt8]) -> String { String(decoding: lines.prefix(8000), as: UTF8.self) }

  /// A folder in memory where the system has one, for locks and seeds.
  private static let scratch: String = {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
    return parent + "/tamis-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
  }()

  /// Runs a closure with an empty folder that goes afterwards.
  private static func withFolder(_ body: (String) throws -> String?) throws -> String? {
    let folder = scratch + "-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }
}

import Foundation
import Tamis
import TestSupport
import Testing

/// Files that are no archive, or none that can be used now, are left as they are.
///
/// Each command says so, with the file's name.
@Suite struct ArchiveFileTests {
  private let folder: TemporaryFolder
  private static let name = "my.archive"
  private var path: String { "\(folder.path)/\(Self.name)" }

  /// Every command that opens an archive, as a word before which `tamis` stands.
  private static let commands = [
    "build a.xml --output site --archive my.archive", "ingest a.xml --archive my.archive",
    "publish --archive my.archive --output site", "archive show --archive my.archive",
    "archive export --archive my.archive",
    "archive verify --archive my.archive", "archive search --archive my.archive One",
    "archive explain --archive my.archive One Two",
    "archive mark-read --archive my.archive --all", "archive forget --archive my.archive One",
    "archive import --archive my.archive lines.jsonl", "archive merge --archive my.archive good.archive",
    "archive merge --archive new.archive my.archive",
  ]

  init() throws {
    folder = try Fixtures.temporaryFolder()
    let items = ["One", "Two"].map {
      "<item><guid>\($0)</guid><title>\($0)</title><category>Sea</category><description>Text of \($0)</description></item>"
    }
    let feed = "<rss version='2.0'><channel><title>A</title>\(items.joined())</channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/a.xml"))
    try Data().write(to: URL(filePath: "\(folder.path)/lines.jsonl"))
    #expect(try tamis("ingest a.xml --archive good.archive --reproducible").status == 0)
  }

  // MARK: - What is no archive

  @Test(arguments: commands)
  func databaseOfAnotherProgramIsLeftUnchanged(_ command: String) throws {
    // SQLite's header has the program's number at byte 68 (https://sqlite.org/fileformat.html#application_id).
    try refuses(command, good(changing: 68..<72), "another program")
  }

  @Test(arguments: commands)
  func archiveOfAnotherVersionIsLeftUnchanged(_ command: String) throws {
    // And that of the version of its tables at byte 60.
    try refuses(command, good(changing: 60..<64), "another version of tamis")
  }

  @Test(arguments: commands)
  func nonDatabaseFileIsLeftUnchanged(_ command: String) throws {
    let text = Data(String(repeating: "Dear diary, today nothing has happened.\n", count: 300).utf8)
    try refuses(command, text, "not an archive")
  }

  @Test(arguments: commands)
  func folderIsRejectedAsArchive(_ command: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let run = try tamis(command)
    #expect(run.status != 0 && run.errors.contains(Self.name), "\(run)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
  }

  @Test func missingArchiveIsReported() throws {
    let run = try tamis("publish --archive my.archive --output site")
    #expect(
      run.status == 74 && run.errors.contains("my.archive: there is no archive"), "\(run)")
    let beside = try tamis("publish --output site")
    #expect(beside.status == 74 && beside.errors.contains("site.archive: there is no archive"), "\(beside)")
    for command in ["show", "export", "verify", "mark-read --all", "search One"] {
      let words = command.split(separator: " ", maxSplits: 1).map(String.init)
      let run = try tamis("archive \(words[0]) --archive my.archive \(words.dropFirst().joined())")
      #expect(run.status == 65 && run.errors.contains("there is no archive my.archive"), "\(command): \(run)")
    }
    #expect(try files() == ["a.xml", "good.archive", "lines.jsonl"], "nothing was begun")
  }

  private func refuses(_ command: String, _ bytes: Data, _ reason: String) throws {
    try bytes.write(to: URL(filePath: path))
    let before = try files()
    let run = try tamis(command)
    // What is merged is input, and stays what it is.
    let status = command.hasSuffix("new.archive my.archive") ? 65 : 74
    #expect(run.status == status && run.errors.contains("my.archive: "), "\(run)")
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes, "the file is as it was")
    #expect(try files().subtracting(before).subtracting(["site", "new.archive"]) == [], "nothing is set aside")
  }

  /// An archive with other bytes in its header.
  private func good(changing range: Range<Int>) throws -> Data {
    var bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/good.archive"))
    for index in range { bytes[index] = 0x21 }
    return bytes
  }

  // MARK: - Why posts are the same

  @Test func explanationIsThatOfTheBuild() throws {
    let text = (0..<60).map { "word\($0)" }.joined(separator: " ")
    func feed(_ name: String, _ pages: [String]) throws {
      let items = pages.map {
        "<item><link>https://\(name).example/\($0)</link><title>Harbour</title><description>\(text)</description></item>"
      }
      let document = "<rss version='2.0'><channel><title>\(name)</title>\(items.joined())</channel></rss>"
      try Data(document.utf8).write(to: URL(filePath: "\(folder.path)/\(name).xml"))
    }
    try feed("often", ["1", "2"])
    try feed("once", ["a"])
    #expect(try tamis("ingest often.xml once.xml --archive two.archive --reproducible").status == 0)
    #expect(try explanation("two.archive", "often.xml", "once.xml").contains("several posts of one feed"))
    #expect(try explanation("two.archive", "often.xml", "often.xml").contains("two posts: both are of one feed"))
    try feed("often", ["1"])
    #expect(try tamis("ingest often.xml once.xml --archive one.archive --reproducible").status == 0)
    #expect(try explanation("one.archive", "often.xml", "once.xml").contains("the same post, by the rule 'text': "))
  }

  /// The explanation for the first post of one feed and the last one of another.
  private func explanation(_ archive: String, _ one: String, _ other: String) throws -> String {
    let posts = try tamis("archive show --archive \(archive)").output.split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    let names = try [
      #require(posts.first { $0.contains(one) }?.last), #require(posts.last { $0.contains(other) }?.last),
    ]
    return try tamis("archive explain --archive \(archive) \(names[0]) \(names[1])").output
  }

  // MARK: - Used by others

  @Test func lockedArchiveCanBeReadButNotWritten() throws {
    try FileManager.default.copyItem(atPath: "\(folder.path)/good.archive", toPath: path)
    let bytes = try Data(contentsOf: URL(filePath: path))
    var lock = FileLock(beside: FilePath(path), seconds: 0)
    #expect(lock != nil)
    for mode in [Archive.Mode.writing, .rehearsing] {
      let error = #expect(throws: Archive.Failure.self) { _ = try Archive(file: path, mode: mode, patience: 0) }
      #expect(error?.description.contains("my.archive: another run is writing this archive; try again") == true)
      #expect(error?.isDamaged == false)
    }
    #expect(throws: Archive.Failure.self) { _ = try Archive.open(file: path, patience: 0) }
    // Another process does not wait to look into it.
    let shown = try tamis("archive show --archive my.archive")
    #expect(shown.status == 0 && shown.output.split(separator: "\n").count == 2, "\(shown)")
    #expect(
      try tamis("archive export --archive my.archive").output == tamis("archive export --archive good.archive").output)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    lock = nil
    #expect(try Archive(file: path, patience: 0).verify() == [])
  }

  @Test func readingLeavesNoFilesBesideArchive() throws {
    let before = try files()
    let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/good.archive"))
    do {
      let archive = try Archive(file: "\(folder.path)/good.archive", mode: .reading)
      #expect(try archive.entries(.all).count == 2 && archive.verify() == [])
      #expect(throws: Archive.Failure.self) { _ = try archive.markRead([.all]) }
      #expect(throws: Archive.Failure.self) { _ = try archive.forget([.all]) }
      #expect(try files() == before)
    }
    #expect(try files() == before)
    #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/good.archive")) == bytes)
  }

  /// Root may write everywhere, so the test does not run as root.
  @Test(.enabled(if: getuid() != 0))
  func archiveInReadOnlyFolderIsPublished() throws {
    let locked = "\(folder.path)/locked"
    try FileManager.default.createDirectory(atPath: locked, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "\(folder.path)/good.archive", toPath: "\(locked)/my.archive")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: "\(locked)/my.archive")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: locked)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: locked) }
    let run = try tamis("publish --archive locked/my.archive --output site")
    #expect(run.status == 0, "\(run)")
    #expect(try tamis("publish --archive good.archive --output other").status == 0)
    let compared = try Command.run("/usr/bin/env", ["diff", "-r", "site", "other"], in: folder.path)
    #expect(compared.status == 0, "\(compared.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: locked) == ["my.archive"])
    let ingest = try tamis("ingest a.xml --archive locked/my.archive")
    #expect(ingest.status == 74 && ingest.errors.contains("cannot be written"), "\(ingest)")
  }

  // MARK: - Imports

  @Test(arguments: [
    "nonsense", "{}", "[]", "{\"feed\": 1}", "{\"post\": {}}", "{\"feed\": {\"key\": \"a.xml\"}}",
  ])
  func malformedImportLineIsRejected(_ line: String) throws {
    let export = try export()
    try refusesImport(export + [line], at: export.count + 1, "this is not a line of an exported archive")
  }

  /// Zero bytes may end a file after a power failure; only white space makes an empty line.
  @Test func lineOfZeroBytesIsRejected() throws {
    let export = try export()
    let zeros = String(repeating: "\u{0}", count: 100)
    try refusesImport(export + [zeros], at: export.count + 1, "this is not a line of an exported archive")
  }

  /// Offsets of these sizes would overflow in arithmetic or lie outside of the valid range.
  @Test(arguments: [Int.min, .max, -64_801]) func outOfRangeTimeZoneOffsetIsIgnored(_ offset: Int) throws {
    try write(export().map { $0.replacing("{\"post\":{", with: "{\"post\":{\"offset\":\(offset),") })
    let commands = [
      "import --archive my.archive lines.jsonl", "export --archive my.archive", "verify --archive my.archive",
    ]
    for command in commands { #expect(try tamis("archive \(command)").status == 0, "\(command)") }
    #expect(try tamis("publish --archive my.archive --output site").status == 0)
  }

  @Test func emptyLinesAreSkipped() throws {
    try write(["", " \t"] + export().flatMap { [$0 + "\r", ""] })
    let run = try tamis("archive import --archive my.archive lines.jsonl")
    #expect(run.status == 0 && run.errors.contains("2 posts taken in"), "\(run)")
  }

  @Test func truncatedLineIsRejected() throws {
    let export = try export()
    let last = try #require(export.last)
    try refusesImport(
      export.dropLast() + [String(last.prefix(last.count / 2))], at: export.count, "not a line of an exported archive")
  }

  @Test func postBeforeItsFeedIsRejected() throws {
    let export = try export()
    try refusesImport(Array(export.dropFirst()), at: 1, "comes before the line of its feed")
  }

  /// Names become paths in the site's folder.
  @Test(arguments: [
    "../../evil", "a/b", "/etc/passwd", "..", ".hidden", "", "a\\b",
    String(repeating: "a", count: 300),
  ])
  func unsafeFileNameIsRejected(_ name: String) throws {
    let export = try export()
    let feed = try Self.changed(export[0], "feed", "row.preferredSlug", name)
    try refusesImport([feed] + export.dropFirst(), at: 1, "an impossible name or number")
    let post = try Self.changed(export[1], "post", "row.name", name)
    try refusesImport([export[0], post] + export.dropFirst(2), at: 2, "an impossible name or number")
    let tag = try Self.changed(export[1], "post", "slugs", [name])
    try refusesImport([export[0], tag] + export.dropFirst(2), at: 2, "an impossible name or number")
  }

  @Test func nameWithControlCharactersIsRejected() throws {
    let export = try export()
    for scalar in ["\u{0}", "\n", "\u{1B}", "\u{1F}"] {
      let post = try Self.changed(export[1], "post", "row.name", "a\(scalar)b")
      try refusesImport([export[0], post], at: 2, "an impossible name or number")
    }
  }

  @Test(arguments: ["first", "changed", "read", "forgotten", "purged"], [-1, Int64.max, Int64.min])
  func outOfRangeTimestampIsRejected(_ field: String, _ moment: Int64) throws {
    let export = try export()
    let post = try Self.changed(export[1], "post", "row." + field, moment)
    try refusesImport([export[0], post], at: 2, "an impossible name or number")
  }

  /// A valid export is imported, even after another import was rejected.
  @Test func exportedLinesAreImported() throws {
    let export = try export()
    try refusesImport(export + ["nonsense"], at: export.count + 1, "not a line of an exported archive")
    try write(export)
    let run = try tamis("archive import --archive my.archive lines.jsonl")
    #expect(run.status == 0 && run.errors.contains("2 posts taken in"), "\(run)")
    #expect(try tamis("archive export --archive my.archive").output == export.joined(separator: "\n") + "\n")
    #expect(try tamis("archive import --archive my.archive nothing.jsonl").status == 65)
  }

  private func refusesImport(_ lines: [String], at line: Int, _ reason: String) throws {
    try write(lines)
    let run = try tamis("archive import --archive my.archive lines.jsonl")
    #expect(run.status != 0 && run.errors.contains("lines.jsonl:\(line): ") && run.errors.contains(reason), "\(run)")
    #expect(try tamis("archive export --archive my.archive").output == "", "nothing is taken in")
  }

  private func export() throws -> [String] {
    let lines = try tamis("archive export --archive good.archive").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    return lines
  }

  private func write(_ lines: [String]) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: "\(folder.path)/lines.jsonl"))
  }

  /// A line in which a field has another value.
  private static func changed(_ line: String, _ kind: String, _ field: String, _ value: Any) throws -> String {
    var record = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    var fields = try #require(record[kind] as? [String: Any])
    let path = field.split(separator: ".").map(String.init)
    var part = try path.count == 2 ? #require(fields[path[0]] as? [String: Any]) : fields
    #expect(part[path[path.count - 1]] != nil)
    part[path[path.count - 1]] = value
    if path.count == 2 { fields[path[0]] = part } else { fields = part }
    record[kind] = fields
    return String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
  }

  // MARK: - Helpers

  private func tamis(_ words: String) throws -> Command.Run {
    try Command.tamis(words.split(separator: " ").map(String.init), in: folder.path)
  }

  /// What lies in the folder, but for where the runs' output goes.
  private func files() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting([".run"])
  }

  // MARK: - Which archive, and what is said of it

  @Test func archiveDefaultsToConfiguration() throws {
    try Data("feeds: []\nsite: {archive: good.archive}\n".utf8).write(to: URL(filePath: "\(folder.path)/tamis.yaml"))
    for command in ["show", "verify", "search One", "export", "mark-read --all"] {
      #expect(try tamis("archive \(command)").status == 0, "\(command)")
    }
    try FileManager.default.removeItem(atPath: "\(folder.path)/tamis.yaml")
    let run = try tamis("archive show")
    #expect(run.status == 2 && run.errors.contains("name the archive: --archive"), "\(run.errors)")
  }

  @Test func feedsAreShownByTitleAndFoundByName() throws {
    #expect(
      try tamis("ingest a.xml --archive b.archive --reproducible --address a.xml=http://a.example/feed").status == 0)
    let found = try tamis("archive search --archive b.archive One").output
    #expect(found.contains("\tA\t") && found.contains("\n    Text of [One]\n"), "\(found)")
    #expect(
      try tamis("archive show --archive b.archive --json").output.contains(#""words":3,"feed":"a.xml","page":"one-"#))
    #expect(try tamis("archive show --archive b.archive").output.contains("\ta.xml\t"))
    let run = try tamis("archive show --archive b.archive --feed a.xm")
    #expect(run.status == 65 && run.errors.contains("; did you mean 'a.xml'?"), "\(run.errors)")
  }

  /// What is searched can be narrowed; each case has the options and the titles that are found.
  @Test(arguments: [
    (["text"], ["One", "Two"]), (["text", "--count", "1"], ["One"]), (["text", "--feed", "a.xml"], ["One", "Two"]),
    (["text", "--feed", "a"], ["One", "Two"]),
    (["text", "--author", "ZOE"], ["Two"]), (["text", "--since", "2026-11-02"], ["Two"]),
    (["text", "--until", "2026-11-01"], ["One"]), (["text", "--since", "2026-11-03"], []),
    (["text", "--since", "2026-11-01", "--until", "2026-11-02"], ["One", "Two"]),
    (["text", "--since", "2026-11-02", "--until", "2026-11-01"], []), (["\"of Two\""], ["Two"]), (["tex"], []),
    (["tex*", "two"], ["Two"]),
  ])
  func searchIsNarrowed(_ options: [String], _ titles: [String]) throws {
    let items = [("One", 1, "Ann"), ("Two", 2, "Zoë")].map { title, day, author in
      """
      <item><title>\(title)</title><pubDate>0\(day) Nov 2026 10:00:00 GMT</pubDate><author>\(author)</author>
      <description>Text of \(title)</description></item>
      """
    }
    let feed = "<rss version='2.0'><channel><title>A</title>\(items.joined())</channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/a.xml"))
    #expect(try tamis("ingest a.xml --archive b.archive --reproducible").status == 0)
    let found = try Command.tamis(["archive", "search", "--archive", "b.archive", "--json"] + options, in: folder.path)
    #expect(found.status == (titles.isEmpty ? 1 : 0), "\(found.errors)")
    let shown = try found.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(shown.compactMap { $0["title"] as? String } == titles)
    for post in shown { #expect((post["snippet"] as? [[String: Any]])?.isEmpty == false && post["page"] is String) }
  }
}

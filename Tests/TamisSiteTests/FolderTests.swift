import Foundation
import TamisCore
import TamisSystem
import TamisSite
import TestSupport
import Testing

/// What is written, left alone and removed in a site's folder.
@Suite struct FolderTests {
  private let outer: TemporaryFolder
  private var root: String { outer.path + "/site" }
  private static let changed = "a/b.html: this file was changed by somebody else; it is overwritten"

  init() throws { outer = try Fixtures.temporaryFolder() }

  private func open(isWritten: Bool = true, patience: Int = 0) throws -> SiteFolder {
    try SiteFolder(path: FilePath(root), isWritten: isWritten, patience: patience)
  }

  private func file(_ path: String, _ text: String = "text") -> SiteFile {
    SiteFile(path: PagePath(path), bytes: Array("<!-- Written by Tamis -->\(text)".utf8))
  }

  private func read(_ name: String) throws -> String { try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8) }

  private func write(_ text: String, _ name: String) throws {
    let path = "\(root)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  // MARK: - Put

  @Test func unchangedFileIsNotRewritten() throws {
    let folder = try open()
    let first = try folder.put(file("a/b.html"), known: nil)
    #expect(first.outcome == .written && first.note == nil && first.mark == FileMark(file("a/b.html").bytes))
    #expect(try read("a/b.html") == file("a/b.html").bytes.reduce(into: "") { $0.unicodeScalars.append(.init($1)) })
    #expect(try folder.put(file("a/b.html"), known: first.mark).outcome == .unchanged)
    let second = try folder.put(file("a/b.html", "other"), known: first.mark)
    #expect(second.outcome == .written && second.note == nil && second.mark != first.mark)
    #expect(try read("a/b.html").hasSuffix("other"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/a") == ["b.html"])
  }

  @Test func trustedMarkSkipsFileCheck() throws {
    let folder = try open()
    let mark = FileMark(file("a/b.html").bytes)
    #expect(try folder.put(file("a/b.html"), known: mark, isTrusted: true).outcome == .unchanged)
    #expect(!FileManager.default.fileExists(atPath: root + "/a/b.html"))
    #expect(try folder.put(file("a/b.html"), known: mark).outcome == .written)
    // What would change is looked at all the same.
    try write("mine", "a/b.html")
    #expect(try folder.put(file("a/b.html", "new"), known: mark, isTrusted: true).note == Self.changed)
  }

  @Test func modifiedFileIsOverwrittenAndReported() throws {
    let folder = try open()
    let mark = try folder.put(file("a/b.html"), known: nil).mark
    for text in ["mine", String(repeating: "mine", count: 10_000), ""] {
      try write(text, "a/b.html")
      let result = try folder.put(file("a/b.html"), known: mark)
      #expect(result.outcome == .written && result.note == Self.changed)
    }
    try FileManager.default.removeItem(atPath: root + "/a/b.html")
    #expect(mkfifo(root + "/a/b.html", 0o644) == 0)
    #expect(try folder.put(file("a/b.html"), known: mark).note == Self.changed)
    #expect(try read("a/b.html").hasSuffix("text"))
  }

  @Test func foreignFileIsPreserved() throws {
    let folder = try open()
    try write("mine", "atom.xml")
    let error = #expect(throws: Site.Failure.self) { try folder.put(file("atom.xml"), known: nil) }
    #expect(error?.description.contains("atom.xml: this file was not written by tamis") == true)
    #expect(try read("atom.xml") == "mine")
    // What a run that was killed has left is taken over.
    try write("<!-- Written by Tamis -->half", "a/b.html")
    let result = try folder.put(file("a/b.html"), known: nil)
    #expect(result.outcome == .written && result.note == nil)
  }

  @Test(.endsAtAll)
  func nonRegularFileIsNotOverwritten() throws {
    let folder = try open()
    try FileManager.default.createDirectory(atPath: root + "/a/b.html", withIntermediateDirectories: true)
    let error = #expect(throws: Site.Failure.self) { try folder.put(file("a/b.html"), known: nil) }
    #expect(error?.description.contains("b.html: this is not a readable file") == true)
    try FileManager.default.removeItem(atPath: root + "/a/b.html")
    // Nobody writes into it: who opens it to read would wait for ever.
    #expect(mkfifo(root + "/a/b.html", 0o644) == 0)
    #expect(throws: Site.Failure.self) { try folder.put(file("a/b.html"), known: nil) }
    #expect(mkfifo(root + "/a/c.html.part", 0o644) == 0)
    #expect(try folder.put(file("a/c.html"), known: nil).outcome == .written)
  }

  @Test(arguments: [
    "posts/../../x.html", "/tmp/x.html", "posts/../\u{301}/../../../x.html", "posts/./x.html", "posts//x.html", "",
    "a/", "..", ".", "a\u{0}b",
  ])
  func pathOutsideSiteIsRejected(_ path: String) throws {
    let folder = try open()
    // What is there already is no answer either.
    try write("<!-- Written by Tamis -->text", "../x.html")
    _ = try folder.put(file("posts/y.html"), known: nil)
    #expect(throws: Site.Failure.self) { try folder.put(file(path), known: nil) }
    #expect(throws: Site.Failure.self) {
      try folder.put(file(path), known: FileMark(file(path).bytes), isTrusted: true)
    }
    #expect(folder.remove(PagePath(path), known: FileMark([])) == .absent)
    #expect(folder.modified(folder: path) == nil || path.isEmpty)
  }

  @Test func symbolicLinksAreNotFollowed() throws {
    let folder = try open()
    let outside = outer.path + "/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: URL(filePath: outside + "/b.html"))
    try FileManager.default.createSymbolicLink(atPath: root + "/a", withDestinationPath: outside)
    let mark = FileMark(Array("precious".utf8))
    for known in [nil, mark] {
      let error = #expect(throws: Site.Failure.self) { try folder.put(file("a/b.html"), known: known) }
      #expect(error?.description.contains("link") == true, "\(error?.description ?? "")")
    }
    if case .kept = folder.remove(PagePath("a/b.html"), known: mark) {} else { Issue.record("a link was followed") }
    #expect(folder.modified(folder: "a") == nil)
    // One file and one temporary file are links.
    try FileManager.default.createSymbolicLink(atPath: root + "/c.html", withDestinationPath: outside + "/b.html")
    try FileManager.default.createSymbolicLink(atPath: root + "/d.html.part", withDestinationPath: outside + "/b.html")
    #expect(throws: Site.Failure.self) { try folder.put(file("c.html"), known: nil) }
    #expect(try folder.put(file("c.html"), known: mark).outcome == .written)
    #expect(try folder.put(file("d.html"), known: nil).outcome == .written)
    #expect(try String(contentsOfFile: outside + "/b.html", encoding: .utf8) == "precious")
    // What it leads to is not what is there.
    let same = file("e.html")
    try Data(same.bytes).write(to: URL(filePath: outer.path + "/same.html"))
    try FileManager.default.createSymbolicLink(atPath: root + "/e.html", withDestinationPath: outer.path + "/same.html")
    #expect(try folder.put(same, known: FileMark(same.bytes)).note != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["b.html"])
  }

  @Test func concurrentTasksWriteAndRemoveFiles() async throws {
    let folder = try open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let file = file("f\(number % 3)/g/\(number).html")
          let mark = try folder.put(file, known: nil).mark
          guard number % 2 == 0 else { return }
          #expect(folder.remove(file.path, known: mark) == .removed)
        }
      }
      try await group.waitForAll()
    }
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".html") }
    #expect(names.count == 100)
  }

  /// A folder goes with its last file, while another task is about to write into it.
  @Test func foldersAreCreatedAndRemovedConcurrently() async throws {
    let folder = try open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for _ in 0..<1000 {
            let file = file("a/b/\(task).html")
            let mark = try folder.put(file, known: nil).mark
            #expect(folder.remove(file.path, known: mark) == .removed)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
  }

  /// A folder that was opened earlier may have been replaced.
  @Test func recreatedFolderReplacesOpenedOne() throws {
    let folder = try open()
    let mark = try folder.put(file("a/b.html"), known: nil).mark
    try FileManager.default.removeItem(atPath: root + "/a")
    try write(String(decoding: file("a/b.html").bytes, as: UTF8.self), "a/b.html")
    #expect(folder.modified(folder: "a") != nil)
    #expect(folder.remove(PagePath("a/b.html"), known: mark) == .removed)
    #expect(!FileManager.default.fileExists(atPath: root + "/a"))
  }

  // MARK: - Remove and look

  @Test func unmodifiedFileIsRemovedAndModifiedOneKept() throws {
    let folder = try open()
    let mark = try folder.put(file("a/b/c.html"), known: nil).mark
    _ = try folder.put(file("a/d.html"), known: nil)
    #expect(folder.remove(PagePath("a/b/c.html"), known: mark) == .removed)
    #expect(!FileManager.default.fileExists(atPath: root + "/a/b"))
    #expect(folder.remove(PagePath("a/b/c.html"), known: mark) == .absent)
    try write("mine", "a/d.html")
    #expect(
      folder.remove(PagePath("a/d.html"), known: mark)
        == .kept(
          note: "a/d.html: this file was changed by somebody else; it is kept, although no page links to it any more"))
    #expect(try read("a/d.html") == "mine")
  }

  @Test func folderReportsModificationTime() throws {
    let folder = try open()
    _ = try folder.put(file("a/b.html"), known: nil)
    let before = try #require(folder.modified(folder: "a"))
    #expect(before > 1_600_000_000_000_000_000 && folder.modified(folder: "") != nil)
    #expect(folder.modified(folder: "nothing") == nil && folder.modified(folder: "a/b.html") == nil)
    usleep(20_000)
    _ = try folder.put(file("a/c.html"), known: nil)
    #expect(try #require(folder.modified(folder: "a")) > before)
  }

  // MARK: - Open

  @Test func dryRunWritesNothing() throws {
    let nowhere = try open(isWritten: false)
    #expect(try nowhere.put(file("a/b.html"), known: nil).outcome == .written)
    #expect(!FileManager.default.fileExists(atPath: root))
    let mark = try open().put(file("a/b.html"), known: nil).mark
    let trial = try open(isWritten: false)
    #expect(try trial.put(file("a/b.html"), known: mark).outcome == .unchanged)
    #expect(try trial.put(file("a/b.html", "new"), known: mark).outcome == .written)
    #expect(trial.remove(PagePath("a/b.html"), known: mark) == .removed)
    #expect(try read("a/b.html").hasSuffix("text"))
  }

  @Test func concurrentWriterIsRejected() throws {
    let first = try open()
    #expect(throws: Site.Failure.self) { try open() }
    _ = try open(isWritten: false)
    _ = try first.put(file("a.html"), known: nil)
  }

  @Test func lockIsReleasedWithFolder() throws {
    do { _ = try open() }
    _ = try open()
  }

  @Test func unwritableRootIsReported() throws {
    try Data("x".utf8).write(to: URL(filePath: root))
    let error = #expect(throws: Site.Failure.self) { try open() }
    #expect(error?.description.contains(root) == true)
  }

  @Test(arguments: ["index.html", "tamis.json"])
  func nonSiteFolderIsLeftUnchanged(_ name: String) throws {
    try write("{}", name)
    #expect(throws: Site.Failure.self) { try open() }
    #expect(throws: Site.Failure.self) { try open(isWritten: false) }
    #expect(try read(name) == "{}")
    try FileManager.default.removeItem(atPath: root + "/" + name)
    try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
    #expect(throws: Site.Failure.self) { try open() }
  }

  @Test func siteIsRecognizedByMarkerOrFrontPage() throws {
    do { _ = try open().put(file("index.html"), known: nil) }
    do { _ = try open().put(Samples.site().marker(), known: nil) }
    try write("mine", "index.html")
    let folder = try open()
    #expect(throws: Site.Failure.self) { try folder.put(file("index.html"), known: nil) }
  }

  @Test func siteRootMayBeSymbolicLink() throws {
    let real = outer.path + "/real"
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: root, withDestinationPath: real)
    _ = try open().put(file("a.html"), known: nil)
    #expect(FileManager.default.fileExists(atPath: real + "/a.html"))
  }
}

import Foundation
import TestSupport
import Testing

/// Which files of a folder are read as feeds, and what is said of the others.
@Suite struct FeedFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    let file = URL(filePath: "\(folder.path)/\(name)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func feed(_ title: String, _ head: String = "") -> String {
    "\(head)<rss version=\"2.0\"><channel><title>\(title)</title><item><guid>\(title)</guid><title>\(title)</title></item></channel></rss>"
  }

  private func tamis(_ arguments: [String]) throws -> Command.Run { try Command.tamis(arguments, in: folder.path) }

  private func shell(_ script: String) throws -> Command.Run {
    try Command.shell(script, in: folder.path)
  }

  @Test func feedsAreRecognizedByContent() throws {
    let atom =
      "<feed xmlns='http://www.w3.org/2005/Atom'><title>A</title><entry><id>a</id><title>Atom</title></entry></feed>"
    let rdf =
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'><item rdf:about='r'><title>RDF</title></item></rdf:RDF>"
    let json = #"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "j", "title": "JSON"}]}"#
    try write(feed("Bare"), "f/feed")
    try write(feed("Wget"), "f/deep/index.html")
    try write(feed("Junk", "\n<br />\n<b>Warning</b>: mysql\n<?xml version='1.0'?>"), "f/qemu.org")
    try write(atom, "f/a.txt")
    try write(rdf, "f/rdf")
    try write(json, "f/api")
    let words = String(repeating: "words ", count: 2000)
    try write(
      #"{"items": [{"id": "k", "title": "\#(words)"}], "version": "https://jsonfeed.org/version/1.1"}"#, "f/sorted.json"
    )
    try write(
      #"{"items": [{"content_text": "\#(String(repeating: words, count: 30))", "id": "l"}], "version": "?"}"#, "f/long")
    try write(
      "<CHANNEL HREF='http://c.example/'><ITEM HREF='http://c.example/1'><TITLE>CDF</TITLE></ITEM></CHANNEL>", "f/c.pdf"
    )
    let run = try tamis(["build", "f", "--output", "site"])
    #expect(run.status == 0 && run.errors.contains("9 feeds, 9 new posts"), "\(run.errors)")
  }

  @Test func nonFeedInputIsReported() throws {
    try write(feed("F"), "f/feed.xml")
    try write("\u{89}PNG\r\n\u{1A}\n\0\0", "f/logo.xml")
    try write("<!DOCTYPE html><html><body><p>Not found", "f/page.rss")
    try write("", "f/empty.atom")
    try write(#"{"items": [1, 2]}"#, "f/package.json")
    try write("<opml version='2.0'><body/></opml>", "f/list.opml")
    try write(feed("Hidden"), "f/.git/feed.xml")
    let run = try tamis(["build", "f/", "--output", "site"])
    #expect(run.status == 0 && run.errors.contains("1 feed"), "\(run.errors)")
    #expect(run.errors.contains("5 files in f/ are not feeds (-v lists them)\n"), "\(run.errors)")
    #expect(!run.errors.contains("read.skipped"))
    let named = try tamis(["build", "f/", "--output", "site", "-v"])
    #expect(named.errors.contains("f/empty.atom: note: this file is empty [read.skipped]\n"), "\(named.errors)")
    #expect(
      named.errors.contains("f/page.rss: note: this is not a feed: the root element is <html>"), "\(named.errors)")
    #expect(named.errors.contains("f/list.opml: note: this is a list of subscriptions (OPML)"), "\(named.errors)")
    #expect(named.errors.components(separatedBy: "[read.skipped]").count == 6 && !named.errors.contains(".git"))
  }

  @Test func gzippedFeedsAreUnpacked() throws {
    try write(feed("Packed"), "f/feed")
    try write(feed("Cut", String(repeating: " ", count: 3000)) + String(repeating: "<!-- x -->", count: 30), "f/cut")
    let run = try shell(
      "cd f && gzip feed cut && mv feed.gz feed && truncate -s -9 cut.gz && cd .. && tamis build f -o site")
    #expect(run.status == 0 || run.status == 1)
    #expect(run.errors.contains("2 feeds, 2 new posts"), "\(run.errors)")
    #expect(run.errors.contains("f/cut.gz:") && run.errors.contains("gzip data ends too early"), "\(run.errors)")
    #expect(try shell("tamis parse f/feed | grep -c Packed").output != "0\n")
    #expect(try shell("cat f/feed | tamis parse - | grep -c Packed").output != "0\n")
  }

  @Test func inputFileNamesMayBeInvalidUTF8() throws {
    try write(feed("Odd"), "f/feed.xml")
    let run = try shell("mv f/feed.xml \"$(printf 'f/caf\\351.xml')\"; tamis build f -o site -v")
    #expect(run.status == 0 && run.errors.contains("1 feed"), "\(run.errors)")
    for command in ["build -o other", "extract", "parse"] {
      let named = try shell("tamis \(command) \"$(printf 'f/caf\\351.xml')\"")
      #expect(named.status == 0, "\(command): \(named.errors)")
    }
    let output = try shell("tamis build f -o \"$(printf 's\\351')\"")
    #expect(output.status == 2 && output.errors.contains("takes a name in UTF-8"), "\(output.errors)")
    let missing = try shell("tamis parse \"$(printf 'f/b\\351.xml')\"")
    #expect(missing.status == 65 && missing.errors.contains("f/b\\xE9.xml: error:"), "\(missing.errors)")
  }

  @Test func siteInFeedFolderIsNotReadAsInput() throws {
    try write(feed("One"), "f/one.xml")
    try write(feed("Own"), "f/atom2.xml")
    for round in 1...3 {
      let run = try Command.tamis(["build", ".", "-o", ".", "--report", "../report"], in: folder.path + "/f")
      #expect(run.status == 0 && run.errors.contains("2 feeds"), "\(round): \(run.errors)")
    }
    // A build that was killed before it could say which files are its own.
    try FileManager.default.removeItem(atPath: folder.path + "/f/tamis.json")
    let run = try Command.tamis(["build", ".", "-o", "."], in: folder.path + "/f")
    #expect(run.status == 0 && run.errors.contains("2 feeds"), "\(run.errors)")
    // Beside its folder of feeds.
    let beside = try tamis(["build", ".", "-o", "site", "--archive", "x.archive"])
    #expect(beside.errors.contains("2 feeds"), "\(beside.errors)")
    #expect(try tamis(["build", ".", "-o", "site", "--archive", "x.archive"]).errors.contains("2 feeds"))
  }

  @Test func pipeInFolderIsSkipped() throws {
    try write(feed("One"), "f/one.xml")
    let run = try shell("mkfifo f/pipe; tamis build f -o site -v")
    #expect(
      run.status == 0 && run.errors.contains("f/pipe: note: this is not a regular file [read.skipped]"), "\(run.errors)"
    )
    let named = try shell("cat f/one.xml > f/pipe & tamis build f/pipe -o other")
    #expect(named.status == 0, "a pipe that is named is read: \(named.errors)")
  }
}

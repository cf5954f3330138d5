import Foundation
import TestSupport
import Testing

/// What is said while the command works, and when it is interrupted.
@Suite struct ProgressTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/f", withIntermediateDirectories: true)
    let words = String(repeating: "some words of a post that goes on ", count: 40)
    for feed in 1...12 {
      let items = (1...500).map {
        "<item><guid isPermaLink='false'>\(feed)-\($0)</guid><title>Post \($0)</title><description>\(feed) \($0) \(words)</description></item>"
      }
      try Data("<rss version='2.0'><channel><title>F\(feed)</title>\(items.joined())</channel></rss>".utf8)
        .write(to: URL(filePath: "\(folder.path)/f/\(feed).xml"))
    }
  }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  @Test func interruptedBuildIsReportedAndCompletedByNext() throws {
    let run = try shell(
      """
      '\(Command.executable.path)' build f -o site --reproducible & tool=$!
      while [ ! -d site/posts ]; do sleep 0.05; done
      kill -INT $tool; wait $tool
      """)
    #expect(run.status == 130, "\(run.errors)")
    #expect(
      run.errors.contains("tamis: interrupted: ") && run.errors.contains("the archive and the site are consistent"),
      "\(run.errors)")
    let next = try shell("tamis build f -o site --reproducible && tamis archive verify --archive site.archive")
    #expect(next.status == 0 && next.errors.contains("12 feeds"), "\(next.errors)")
    let clean = try shell("tamis build f -o other --reproducible && diff -r site other")
    #expect(clean.status == 0, "\(clean.output)")
  }

  @Test func progressIsNotWrittenToPipe() throws {
    let run = try shell("tamis build f -o site")
    #expect(
      !run.errors.contains("\r") && !run.errors.contains("\u{1B}") && run.errors.split(separator: "\n").count == 1)
  }

  @Test func progressIsWrittenToTerminal() throws {
    let run = try Command.tamisOnTerminal(["build", "f", "-o", "site"], in: folder.path)
    try #require(run.status == 0, "\(run.output)")
    // The rate is left out for half a second of each step, in which a fast machine may be ready.
    #expect(run.output.contains("\r\u{1B}[K"), "\(run.output.debugDescription)")
    #expect(
      run.output.contains("feeds read") || run.output.contains("files written"))
    #expect(run.output.contains("\r\u{1B}[K12 feeds, "), "the line makes room for the result")
  }
}

import Foundation
import TestSupport
import Testing

/// What the command writes to, and what it says when it cannot.
@Suite struct OutputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    let feed =
      "<rss version='2.0'><channel><title>T</title><item><guid>1</guid><title>One</title><description>Words</description></item></channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: folder.path + "/a.xml"))
  }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test(arguments: [
    ("build a.xml -o site --report", "\"decision\":\"new\""), ("extract a.xml --sheet", "<html"),
    ("check --feeds a.xml --baseline", "a.xml"),
  ])
  func outputReplacesOnlyRegularFiles(_ command: String, _ expected: String) throws {
    if !command.contains("baseline") {
      let full = try shell("tamis \(command) /dev/full")
      #expect(full.status == 74 && full.errors.contains("no space left on device"), "\(full.errors)")
      #expect(try shell("test -c /dev/full; echo $?").output == "0\n")
      let pipe = try shell("rm -rf site*; mkfifo p; cat p > read & tamis \(command) p; wait; test -p p && cat read")
      #expect(pipe.status == 0 && pipe.output.contains(expected), "\(pipe.errors)")
      let substitution = try shell("rm -rf site*; tamis \(command) >(cat > got); wait $!; cat got")
      #expect(substitution.status == 0 && substitution.output.contains(expected), "\(substitution.errors)")
      let standard = try shell("rm -rf site*; tamis \(command) /dev/stdout | cat")
      #expect(standard.output.contains(expected), "\(standard.errors)")
    }
    let link = try shell("rm -rf site*; ln -s target link; tamis \(command) link; test -L link && cat target")
    #expect(link.status == 0 && link.output.contains(expected), "\(link.errors)")
    let file = try shell(
      "rm -rf site*; umask 022; rm -f f; tamis \(command) f; chmod 640 f; tamis \(command) f; stat -c %a f; ls -a")
    #expect(file.output.contains("640\n") && !file.output.contains(".part"), "\(file.output)")
  }

  @Test func recordingFollowsSymbolicLink() throws {
    let run = try shell(
      "printf '=== a\\n--- input\\n<p onclick=x>A\\n--- output\\n?\\n' > cases.txt; ln -s cases.txt l.txt; tamis check l.txt --record; test -L l.txt && cat cases.txt"
    )
    #expect(run.output.hasSuffix("--- output\n<p>A</p>\n"), "\(run.output) \(run.errors)")
  }

  @Test func fullDiskIsReported() throws {
    for command in ["parse a.xml", "rules list", "extract a.xml", "archive export --archive site.archive"] {
      let run = try shell("tamis build a.xml -o site 2>/dev/null; tamis \(command) > /dev/full")
      #expect(
        run.status == 74 && run.errors.contains("standard output cannot be written: no space left on device"),
        "\(command): \(run.errors)")
    }
  }

  /// A predictable file in the shared temporary folder could be replaced by a link, so none is used.
  @Test func checkLeavesNoTemporaryFiles() throws {
    let run = try shell(
      "mkdir t; TMPDIR=$PWD/t tamis build a.xml -o site; TMPDIR=$PWD/t tamis build a.xml -o site --check; ls -A t")
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output) \(run.errors)")
    #expect(try shell("TMPDIR=$PWD/nowhere tamis build a.xml -o site --check").status == 0, "nothing is needed there")
  }

  @Test func versionIsPrinted() throws {
    let lines = try shell("tamis --version").output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].wholeMatch(of: /tamis \d+\.\d+\.\d+/) != nil)
    #expect(lines[1].wholeMatch(of: /rules [0-9a-f]{16}/) != nil)
    #expect(lines[2].wholeMatch(of: /libxml2 \d.*, libtidy \d.*, SQLite \d.*/) != nil)
  }

  #if os(Linux)
    /// A library that says of itself that it is old, put before the one of this machine.
    @Test func oldLibrariesAreRefused() throws {
      let run = try shell(
        """
        echo 'const char *tidyLibraryVersion(void) { return "5.4.0"; }' > old.c
        clang -shared -fPIC -o old.so old.c && echo hi | LD_PRELOAD=./old.so tamis sanitize
        """)
      #expect(run.status == 69 && run.output.isEmpty)
      #expect(run.errors.contains("libtidy 5.4.0 is older than 5.6.0"))
      #expect(try shell("LD_PRELOAD=./old.so tamis --version").output.contains("libtidy 5.4.0"))
    }
  #endif

  @Test func countsUseSingularAndPlural() throws {
    let run = try shell("tamis build a.xml -o site; tamis archive mark-read --all --archive site.archive")
    #expect(
      run.errors.contains("1 feed, 1 new post, 0 updated") && run.errors.contains("1 post marked"), "\(run.errors)")
  }

  private func feed(_ name: String, _ items: [(title: String, date: String)]) throws {
    let items = items.map {
      "<item><guid>\($0.title)</guid><title>\($0.title)</title><pubDate>\($0.date)</pubDate></item>"
    }
    try Data("<rss version='2.0'><channel><title>\(name)</title>\(items.joined())</channel></rss>".utf8)
      .write(to: URL(filePath: "\(folder.path)/\(name).xml"))
  }

  private func day(in days: Double) -> String { Date(timeIntervalSinceNow: days * 86_400).formatted(.iso8601) }

  /// The titles on the front page, first to last.
  private func order(_ build: String) throws -> [String] {
    let run = try shell("\(build); cat s/index.html")
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: ">").filter { $0.hasSuffix("</a") && $0.first?.isUppercase == true }
      .map { String($0.dropLast(3)) }.filter {
        ["Future", "Soon", "Past", "Now", "Undated", "Late", "Lost"].contains($0)
      }
  }

  @Test func undatedPostsFollowDatedOnesInFirstBuild() throws {
    try feed("old", [("Undated", ""), ("Future", "2099-01-01"), ("Soon", day(in: 3)), ("Past", "2020-01-01")])
    try feed("now", [("Now", day(in: 0.04))])
    #expect(try order("rm -rf s*; tamis build -o s old.xml now.xml") == ["Now", "Soon", "Past", "Undated", "Future"])
    #expect(
      try order("rm -rf s*; SOURCE_DATE_EPOCH=1600000000 tamis build -o s old.xml now.xml").first == "Past")
    #expect(
      try order("rm -rf s*; tamis build --reproducible -o s old.xml now.xml") == [
        "Future", "Soon", "Now", "Past", "Undated",
      ])
  }

  @Test func laterUndatedPostIsSortedByTimeSeen() throws {
    try feed("old", [("Undated", ""), ("Past", "2020-01-01"), ("Now", day(in: -1))])
    #expect(try order("tamis build -o s old.xml") == ["Now", "Past", "Undated"])
    try feed("old", [("Lost", ""), ("Undated", ""), ("Future", "2099-01-01"), ("Past", ""), ("Now", day(in: -1))])
    let second = try order("tamis build -o s old.xml")
    #expect(
      Set(second.prefix(2)) == ["Lost", "Future"] && second.dropFirst(2) == ["Now", "Past", "Undated"], "\(second)")
    // What gets a date stands by it.
    try feed("old", [("Lost", ""), ("Undated", day(in: -2)), ("Past", ""), ("Now", day(in: -1))])
    #expect(try order("tamis build -o s old.xml").suffix(3) == ["Now", "Undated", "Past"])
  }
}

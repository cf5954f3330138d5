import Foundation
import TestSupport
import Testing

/// Records as programs ask for them: `--jsonl`, with a guard and without.
@Suite struct RecordCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func tamis(_ arguments: [String], input: String = "") throws -> Command.Run {
    try Command.tamis(arguments, input: input, in: folder.path)
  }

  private func objects(_ run: Command.Run) throws -> [[String: Any]] {
    try run.output.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func codes(_ run: Command.Run) throws -> [String?] {
    try objects(run).map { ($0["error"] as? [String: Any])?["code"] as? String }
  }

  /// `\xFF` stands for a byte.
  private static func bytes(_ text: String) -> [UInt8] {
    let parts = text.components(separatedBy: "\\x")
    return Array((parts.first ?? "").utf8)
      + parts.dropFirst().flatMap { [UInt8($0.prefix(2), radix: 16) ?? 0x3F] + $0.dropFirst(2).utf8 }
  }

  /// Each case of the fixtures is answered by each command, with and without a guard.
  @Test(arguments: ["sanitize", "parse", "extract", "article"])
  func everyLineIsAnswered(_ command: String) throws {
    let cases = Case.all(in: "Records")
    #expect(cases.count > 50)
    let lines = cases.map { Self.bytes($0.sections["line"] ?? "") }
    try Data(lines.joined(separator: [0x0A])).write(to: URL(filePath: "\(folder.path)/in"))
    let run = try tamis([command, "--jsonl", "in"])
    let answers = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(run.status == 0 && answers.count == lines.count, "\(run.errors)")
    for (index, (answer, expected)) in zip(answers, cases).enumerated() {
      try check(String(answer), expected, line: index + 1, command)
    }
    let guarded = try tamis([command, "--jsonl", "--guard", "in"])
    #expect(guarded.status == 0 && guarded.output == run.output && guarded.errors == run.errors)
    #expect(try tamis([command, "--jsonl", "--strict", "in"]).status == 1)
    #expect(try tamis([command, "--jsonl", "--strict", "--guard", "in"]).status == 1)
  }

  private func check(_ answer: String, _ expected: Case, line: Int, _ command: String) throws {
    let note: Comment = "\(expected.name): \(answer)"
    let object = try #require(JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any], note)
    let id = expected.settings["id"].map { String(decoding: Self.bytes($0), as: UTF8.self) }
    let isExact = id != nil && expected.settings["inexact"] == nil
    #expect(answer.hasPrefix("{\"v\":1,\"id\":\(id ?? "null"),"), note)
    #expect(object["line"] as? Int == (isExact ? nil : line), note)
    #expect((object["by"] as? String)?.hasPrefix("0.1.0+\(command).") == true, note)
    let code = (object["error"] as? [String: Any])?["code"] as? String
    #expect(
      code == expected.settings["error"] || expected.settings["error"] == nil && code?.hasPrefix("feed.") == true, note)
    let meta = expected.settings["meta"]
    #expect(answer.contains("\"meta\":\(meta ?? "")") == (meta != nil) || meta == nil && object["meta"] == nil, note)
    let findings = (object["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
    #expect(expected.settings["finding"].map(findings.contains) ?? true, note)
  }

  @Test func answersContainParsedAndExtractedFields() throws {
    let feed =
      "<rss><channel><title>Grüße</title><item><guid>a</guid><title>A</title><description>&lt;b onclick=x>B</description></item></channel></rss>"
    let body = String(decoding: try JSONSerialization.data(withJSONObject: ["id": 1, "body": feed]), as: UTF8.self)
    let parsed = try #require(objects(tamis(["parse", "--jsonl"], input: body)).first)
    #expect((parsed["feed"] as? [String: Any])?["title"] as? String == "Grüße")
    #expect((parsed["entries"] as? [[String: Any]])?.first?["summary"] as? String == "<b>B</b>")
    let extracted = try #require(objects(tamis(["extract", "--jsonl"], input: body)).first)
    let entry = try #require((extracted["entries"] as? [[String: Any]])?.first)
    #expect(entry["id"] as? String == "a" && entry["html"] as? String == "<b>B</b>" && entry["permalink"] is NSNull)
    #expect((extracted["feed"] as? [String: Any])?["title"] as? String == "Grüße")
  }

  /// Entries have Markdown on request; it is part of what `by` stands for, and too deep containers are a finding.
  @Test func answersContainMarkdown() throws {
    let deep = String(repeating: "&lt;ul>&lt;li>", count: 9)
    let feed =
      "<rss><channel><item><guid>a</guid><description>&lt;b onclick=x>B*&lt;/b>\(deep)c</description></item></channel></rss>"
    let body = String(decoding: try JSONSerialization.data(withJSONObject: ["id": 1, "body": feed]), as: UTF8.self)
    let plain = try #require(objects(tamis(["extract", "--jsonl"], input: body)).first)
    let answer = try #require(objects(tamis(["extract", "--jsonl", "--format", "markdown"], input: body)).first)
    let entry = try #require((answer["entries"] as? [[String: Any]])?.first)
    #expect((entry["markdown"] as? String)?.hasPrefix("**B\\***\n\n-") ?? false, "\(entry)")
    #expect((plain["entries"] as? [[String: Any]])?.first?["markdown"] == nil)
    #expect(answer["by"] as? String != plain["by"] as? String)
    let finding = try #require(
      (answer["findings"] as? [[String: Any]])?.first { $0["code"] as? String == "markdown.limit" })
    #expect(finding["entry"] as? String == "a" && finding["severity"] as? String == "warning")
    let fragment = try JSONSerialization.data(withJSONObject: ["body": String(repeating: "<ul><li>a", count: 9)])
    for (options, isSaid) in [([], false), (["--format", "markdown"], true)] {
      let run = try tamis(["sanitize", "--jsonl"] + options, input: String(decoding: fragment, as: UTF8.self))
      #expect(run.output.contains("\"markdown.limit\"") == isSaid, "\(run.output)")
    }
  }

  /// A text body is UTF-8 whatever the document declares; a body in base64 is decoded by its headers.
  @Test func decodedTextIsNotDecodedAgain() throws {
    let feed = "<?xml version='1.0' encoding='koi8-r'?><rss><channel><title>Ю</title></channel></rss>"
    let record: [String: Any] = ["id": 1, "body": feed, "headers": ["Content-Type": "text/xml; charset=iso-8859-1"]]
    let line = String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
    let parsed = try #require(objects(tamis(["parse", "--jsonl"], input: line)).first)
    #expect((parsed["feed"] as? [String: Any])?["title"] as? String == "Ю")
    #expect(parsed["encoding"] as? String == "utf-8" && parsed["bozo"] as? Bool == false)
    let bytes: [String: Any] = [
      "id": 1,
      "body64": Data([0x3C] + "rss><channel><title>".utf8 + [0xE0] + "</title></channel></rss>".utf8)
        .base64EncodedString(),
      "headers": ["content-type": "text/xml; charset=koi8-r"],
    ]
    let other = String(decoding: try JSONSerialization.data(withJSONObject: bytes), as: UTF8.self)
    let decoded = try #require(objects(tamis(["parse", "--jsonl"], input: other)).first)
    #expect(
      (decoded["feed"] as? [String: Any])?["title"] as? String == "Ю" && decoded["encoding"] as? String == "koi8-r")
  }

  /// An answer depends on its record alone, not on its position or on the records around it.
  @Test func sameRecordGetsSameAnswer() throws {
    let lines = (0..<60).map { #"{"id":\#($0),"html":"<p>\#(String(repeating: "x", count: $0 * 7))<b>y"}"# }
    let forth = try tamis(["sanitize", "--jsonl"], input: lines.joined(separator: "\n")).output.split(separator: "\n")
    let back = try tamis(["sanitize", "--jsonl"], input: lines.reversed().joined(separator: "\r\n"))
    #expect(forth.count == 60 && forth == back.output.split(separator: "\n").reversed())
    let strict = try tamis(["sanitize", "--jsonl", "--rules", "strict"], input: lines[0])
    #expect(
      try objects(strict).first?["by"] as? String != objects(
        Command.Run(output: String(forth[0]), errors: "", status: 0)
      ).first?["by"] as? String)
  }

  @Test func oversizedRecordIsSkipped() throws {
    let large = #"{"id":"large","html":""# + String(repeating: "x", count: 300_000) + "\"}"
    let input = #"{"id":1,"html":"a"}"# + "\n" + large + "\n" + #"{"id":2,"html":"b"}"#
    for more in [[], ["--guard"]] {
      let run = try tamis(["sanitize", "--jsonl", "--max-record", "64K"] + more, input: input)
      #expect(try codes(run) == [nil, "record.too-large", nil] && run.status == 0)
      #expect(run.errors.contains("3 records answered, 1 with an error: record.too-large 1"), "\(run.errors)")
      #expect(try objects(run).map { "\($0["id"] ?? "")" } == ["1", "large", "2"])
    }
    #expect(try codes(tamis(["sanitize", "--jsonl"], input: input)) == [nil, nil, nil])
  }

  /// A worker that fails at some lines and answers the others; only what it fails at is lost.
  private func worker() throws -> String {
    let script = """
      #!/bin/sh
      while IFS= read -r line; do
        case "$line" in
          *CRASH*) kill -SEGV $$ ;;
          *EXIT*) exit 3 ;;
          *HANG*) sleep 60 ;;
          *ONCE*) if [ ! -e once ]; then touch once; kill -KILL $$; fi ;;
          *GROW*) x=$(head -c 300000000 /dev/zero | tr '\\0' x); sleep 60 ;;
        esac
        printf '{"v":1,"id":%s}\\n' "${#line}"
      done
      """
    try script.write(toFile: "\(folder.path)/worker", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/worker")
    return "\(folder.path)/worker"
  }

  @Test func workerFailureLosesOnlyOneRecord() throws {
    let words = ["a", "CRASH", "b", "EXIT", "CRASH", "c", "HANG", "ONCE", "d", "GROW", "e"]
    let input = words.enumerated().map { #"{"id":"\#($0)","body":"\#($1)","meta":[\#($0)]}"# }.joined(separator: "\n")
    try input.write(toFile: "\(folder.path)/in", atomically: true, encoding: .utf8)
    let run = try Command.shell(
      "TAMIS_WORKER='\(try worker())' tamis sanitize --jsonl --max-time 5s --max-memory 64M in", in: folder.path)
    let answers = try objects(run)
    #expect(run.status == 0 && answers.count == words.count, "\(run.errors)")
    #expect(
      try codes(run) == [
        nil, "record.crashed", nil, "record.crashed", "record.crashed", nil, "record.too-slow", nil, nil,
        "record.memory",
        nil,
      ])
    for (index, answer) in answers.enumerated() where answer["error"] != nil {
      #expect(answer["id"] as? String == "\(index)" && answer["meta"] as? [Int] == [index])
    }
    #expect(run.errors.contains("record.crashed 3, record.memory 1, record.too-slow 1"), "\(run.errors)")
  }

  /// Callers that wait for each answer get it, even of a record that ends the worker.
  @Test func answersAreNotDelayed() throws {
    for line in ["a", "CRASH", "EXIT"] {
      let run = try Command.shell(
        """
        rm -f out seen; (printf '{"id":1,"body":"\(line)"}\\n'; while [ ! -s out ]; do sleep 0.05; done; touch seen) |
        TAMIS_WORKER='\(try worker())' tamis sanitize --jsonl --guard > out & wait; [ -e seen ] && cat out
        """, in: folder.path)
      #expect(run.status == 0 && run.output.hasSuffix("}\n"), "\(line)")
    }
  }

  /// A worker that fails at once is not tried again for each record.
  @Test func workerThatNeverAnswersIsAbandoned() throws {
    let input = (0..<50).map { #"{"id":\#($0),"body":"x"}"# }.joined(separator: "\n")
    try input.write(toFile: "\(folder.path)/in", atomically: true, encoding: .utf8)
    for program in ["/bin/false", "\(folder.path)/none"] {
      let run = try Command.shell("TAMIS_WORKER='\(program)' tamis sanitize --jsonl --guard in", in: folder.path)
      #expect(run.status == 74 && run.errors.contains("[records.guard]"), "\(run.errors)")
    }
  }

  @Test func invalidOptionsAreUsageErrors() throws {
    let wrong = [
      ["sanitize", "--guard"], ["sanitize", "--jsonl", "--max-time", "0s"],
      ["sanitize", "--jsonl", "--max-record", "12x"],
      ["sanitize", "--jsonl", "--max-memory", "1M"], ["parse", "--jsonl", "--url", "https://a.example/"],
      ["parse", "a", "b"],
      ["extract", "--jsonl", "--explain"], ["article", "--jsonl", "--sheet", "x"],
      ["article", "--jsonl", "--url", "https://a.example/"], ["parse", "--jsonl", "--until-mode", "stop"],
      ["extract", "--jsonl", "--address", "f=https://a.example/"],
    ]
    for arguments in wrong { #expect(try tamis(arguments).status == 2, "\(arguments)") }
    #expect(try tamis(["sanitize", "--jsonl", "."]).status == 74, "a folder cannot be read: it may be tried again")
  }

  /// Callers see by the exit code that output was lost, and can try again.
  @Test func closedOutputIsReportedByExitCode() throws {
    let line = #"{"id":1,"html":"\#(String(repeating: "x", count: 1000))"}"#
    try String(repeating: line + "\n", count: 2000).write(
      toFile: "\(folder.path)/in", atomically: true, encoding: .utf8)
    for guarded in ["", "--guard"] {
      let run = try Command.shell(
        "set -o pipefail; tamis sanitize --jsonl \(guarded) in | head -n 1 > /dev/null", in: folder.path)
      #expect(run.status == 74)
    }
  }

  // MARK: - WARC

  private static func warc(_ kind: String, _ number: Int, _ more: String = "", block: String) -> String {
    "WARC/1.1\r\nWARC-Type: \(kind)\r\nWARC-Record-ID: <urn:x:\(number)>\r\nWARC-Date: 2026-03-04T05:06:07Z\r\n"
      + "WARC-Target-URI: https://a.example/\(number)\r\n\(more)Content-Length: \(block.utf8.count)\r\n\r\n\(block)\r\n\r\n"
  }

  private static func http(_ status: String, _ type: String, _ body: String) -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static let crawl: [String] = {
    let feed = "<rss><channel><title>T</title><item><title>A</title><link>/a</link></item></channel></rss>"
    return [
      warc("warcinfo", 0, block: "software: x\r\n"),
      warc("request", 1, block: "GET / HTTP/1.1\r\n\r\n"),
      warc("response", 2, block: http("200 OK", "application/rss+xml", feed)),
      warc("response", 3, block: http("404 Not Found", "text/html", "gone")),
      warc("revisit", 4, block: http("200 OK", "application/rss+xml", "")),
      warc("response", 5, block: http("200 OK", "image/png", "PNG")),
      warc("resource", 6, "Content-Type: text/xml\r\n", block: feed),
      warc("response", 7, block: http("200 OK", "text/html", "<p onclick=x>Hi")),
      warc(
        "response", 8, "WARC-Truncated: length\r\n", block: http("200 OK", "application/xml", String(feed.prefix(60)))),
    ]
  }()

  @Test func warcRecordsAreAnswered() throws {
    try Self.crawl.joined().write(toFile: "\(folder.path)/crawl", atomically: true, encoding: .utf8)
    let run = try tamis(["parse", "crawl"])
    let answers = try objects(run)
    #expect(answers.map { $0["id"] as? String } == [2, 3, 4, 6, 7, 8].map { "urn:x:\($0)" })
    #expect(try codes(run) == [nil, "record.status", "record.not-modified", nil, "feed.not-a-feed", nil])
    #expect((answers[0]["entries"] as? [[String: Any]])?.first?["link"] as? String == "https://a.example/a")
    #expect((answers[5]["meta"] as? [String: Any])?["isCut"] as? Bool == true)
    #expect(run.errors.contains("1 record skipped"), "\(run.errors)")
    let pages = try tamis(["sanitize", "crawl"])
    #expect(try codes(pages) == ["record.status", "record.not-modified", nil])
    #expect(try objects(pages).last?["html"] as? String == "<p>Hi</p>")
    try FileManager.default.createDirectory(atPath: "\(folder.path)/packed", withIntermediateDirectories: true)
    let script = """
      gzip -c crawl > packed/crawl.warc.gz; for way in "" --guard; do for command in parse extract sanitize article; do
        tamis $command crawl 2>/dev/null > one; tamis $command --jsonl $way < crawl 2>/dev/null > two
        tamis $command --jsonl $way packed/crawl.warc.gz 2>/dev/null > three; cat packed/crawl.warc.gz | tamis $command --jsonl $way 2>/dev/null > four
        cmp one two && cmp one three && cmp one four || exit 1
      done; done
      """
    #expect(try Command.shell(script, in: folder.path).status == 0)
    #expect(try tamis(["parse", "crawl", "packed"]).status == 2, "folders and feeds are not records")
  }

  /// Records around a truncated or malformed one are answered, on a stream too.
  @Test func malformedRecordLosesOnlyItself() throws {
    let whole = try {
      try Self.crawl.joined().write(toFile: "\(folder.path)/crawl", atomically: true, encoding: .utf8)
      return try tamis(["parse", "crawl"]).output.split(separator: "\n")
    }()
    let bytes = Array(Self.crawl.joined().utf8)
    for cut in stride(from: 10, to: bytes.count, by: 331) {
      let run = try tamis(["parse", "--jsonl"], input: String(decoding: bytes[..<cut], as: UTF8.self))
      let lines = run.output.split(separator: "\n")
      #expect(
        run.status == 0 && lines.count <= whole.count
          && lines.dropLast().elementsEqual(whole.prefix(max(0, lines.count - 1))))
    }
    let broken = Self.crawl.joined().replacing("WARC-Type: resource", with: "WARC-Type: resource\r\nContent-Length: 7")
    let run = try tamis(["parse", "--jsonl"], input: broken)
    #expect(run.status == 0 && run.errors.contains("[warc."), "\(run.errors)")
    #expect(run.output.split(separator: "\n").filter { whole.contains($0) }.count == whole.count - 1)
  }
}

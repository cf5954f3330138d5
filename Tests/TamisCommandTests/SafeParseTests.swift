import Foundation
import TestSupport
import Testing

/// `tamis parse --safe`: what may be put into HTML as it is.
@Suite struct SafeParseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private static let run = "javascript:alert(1)"

  /// Each member that can hold text or a URL says what would run.
  private static let feed = """
    <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"
     xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
     xmlns:psc="http://podlove.org/simple-chapters" xmlns:x="\(run)"><channel>
    <title>&lt;script>alert(1)&lt;/script></title><link>\(run)</link><image><url>\(run)</url><link> java&#10;script:alert(1)</link><title>i</title></image>
    <generator>&lt;b onclick=x>"'</generator><itunes:image href="\(run)"/><atom:link rel="self" href="JavaScript:alert(1)"/>
    <item><title>a &lt; b "c" 'd'</title><guid>\(run)</guid><link>&#1;\(run)</link><comments>vbscript:x</comments>
    <description>&lt;p onclick="x">Markup&lt;/p></description><category domain="\(run)">&lt;img src=x onerror=alert(1)></category>
    <enclosure url="data:text/html,x" type="audio/mpeg" length="1"/><media:content url="\(run)" type="video/mp4"/>
    <wfw:commentRss>\(run)</wfw:commentRss><x:y z="\(run)">&lt;script></x:y><author>&lt;i>me&lt;/i></author>
    <psc:chapters><psc:chapter start="0" title="&lt;s>" href="\(run)"/></psc:chapters>
    <atom:author><atom:name>&lt;u></atom:name><atom:uri>\(run)</atom:uri></atom:author></item>
    <item><link>https://a.example/?a=1&amp;b=2</link><guid isPermaLink="false">tag:a.example,2026:1</guid><description>Data: plain &amp; simple</description></item>
    </channel></rss>
    """

  private func parse(_ options: [String]) throws -> Command.Run {
    try Data(Self.feed.utf8).write(to: URL(filePath: "\(folder.path)/f.xml"))
    return try Command.tamis(["parse", "f.xml"] + options, in: folder.path)
  }

  private static func strings(_ value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(strings)
    case let object as [String: Any]: object.flatMap { [$0.key] + strings($0.value) }
    default: []
    }
  }

  @Test(arguments: [[], ["--format", "jsonl"]])
  func safeOutputContainsNoExecutableMember(_ form: [String]) throws {
    #expect(try parse(form).output.contains("javascript:"), "the feed is hostile")
    let run = try parse(["--safe"] + form)
    for line in run.output.split(separator: "\n") {
      for text in Self.strings(try JSONSerialization.jsonObject(with: Data(line.utf8))) {
        let scheme = text.filter { $0 > " " }.prefix { $0 != ":" }.lowercased()
        #expect(!["javascript", "vbscript", "data"].contains(scheme) || text == "Data: plain &amp; simple", "\(text)")
        #expect(text == "<p>Markup</p>" || !text.contains { "<>\"'".contains($0) }, "\(text)")
      }
    }
    #expect(run.errors.contains("[parse.unsafe-url]") && run.status == 0, "\(run.errors)")
  }

  @Test func safeValuesArePreserved() throws {
    let run = try parse(["--safe", "--format", "jsonl"])
    let second = try #require(run.output.split(separator: "\n").last)
    let entry = try #require(JSONSerialization.jsonObject(with: Data(second.utf8)) as? [String: Any])
    #expect(
      entry["link"] as? String == "https://a.example/?a=1&amp;b=2" && entry["id"] as? String == "tag:a.example,2026:1")
    #expect(entry["summary"] as? String == "Data: plain &amp; simple")
    #expect((entry["summary_detail"] as? [String: Any])?["type"] as? String == "text/html")
    #expect(run.output.contains(#""title":"a &lt; b &quot;c&quot; &#39;d&#39;""#), "\(run.output)")
  }

  @Test func recordAnswersAreSafe() throws {
    let record = try JSONSerialization.data(withJSONObject: ["id": 1, "body": Self.feed])
    for guarded in [[], ["--guard"]] {
      let run = try Command.tamis(
        ["parse", "--jsonl", "--safe"] + guarded, input: String(decoding: record, as: UTF8.self), in: folder.path)
      let answer = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let entries = try #require(answer["entries"])
      #expect(!Self.strings(entries).contains { $0.contains("javascript:") || $0.contains("<script") }, "\(run.output)")
      let said = try #require(answer["findings"] as? [[String: Any]])
      #expect(said.contains { $0["code"] as? String == "parse.unsafe-url" })
      #expect(!Self.strings(said).contains { $0.contains { "<>\"'".contains($0) } }, "\(said)")
    }
  }

  @Test(arguments: ["--no-sanitize", "--format raw"])
  func safeConflictsWithUnsafeOptions(_ option: String) throws {
    let run = try parse(["--safe"] + option.split(separator: " ").map(String.init))
    #expect(run.status == 2 && run.errors.contains("--safe cannot be used with"), "\(run.errors)")
  }
}

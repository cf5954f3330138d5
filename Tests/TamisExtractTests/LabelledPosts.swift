import Tamis
import TestSupport
import Testing

/// `Fixtures/Extract/Labelled/*.txt`: posts in the shape of real ones, each with the permalink and the thumbnail that a
/// person would pick, and why.
@Suite struct LabelledPosts {
  static let cases = Case.all(in: "Extract/Labelled")
  /// Of all posts, how many must come out as labelled.
  static let bar = 0.98

  @Test func labelledPostsReachExpectedAccuracy() throws {
    try #require(Self.cases.count >= 150)
    var table: [String] = []
    var right = 0
    for each in Self.cases {
      let expected = try Self.expectation(each)
      let found = try Self.found(each)
      let wrong = expected.filter { found[$0.key] != $0.value }.sorted { $0.key < $1.key }
      if wrong.isEmpty { right += 1 }
      let verdict = wrong.map { "\($0.key) is \(found[$0.key] ?? "none"), not \($0.value)" }.joined(separator: "; ")
      let picked = "\(found["thumbnail"]?.prefix(70) ?? "none") (\(found["source"] ?? "-"))"
      table.append(
        "\(wrong.isEmpty ? "right" : "WRONG")  \(each.name)  |  \(picked)  |  \(wrong.isEmpty ? each.why : verdict)")
    }
    print(table.joined(separator: "\n"))
    print("\(right) of \(Self.cases.count) labelled posts come out right")
    #expect(Double(right) >= Self.bar * Double(Self.cases.count))
  }

  private static func expectation(_ each: Case) throws -> [String: String] {
    var values: [String: String] = [:]
    for line in try #require(each.sections["expect"], "\(each)").split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
      try #require(parts.count == 2, "\(each): '\(line)' is no expectation")
      if parts[0] != "why" { values[parts[0]] = parts[1] }
    }
    try #require(values["permalink"] != nil && values["thumbnail"] != nil && !each.why.isEmpty, "\(each)")
    return values
  }

  private static func found(_ each: Case) throws -> [String: String] {
    let document = FeedDocument(name: each.name, bytes: Array(try Self.document(each).utf8))
    let post = try #require(try Pipeline().process(document).posts.first, "\(each)")
    return [
      "permalink": post.permalink?.url ?? "none", "thumbnail": post.thumbnail?.url ?? "none",
      "alt": post.thumbnail?.alternative ?? "none", "source": post.thumbnail?.source ?? "none",
    ]
  }

  private static func document(_ each: Case) throws -> String {
    if let feed = each.sections["feed"] { return feed }
    if let item = each.sections["item"] {
      return """
        <rss version="2.0" \(namespaces)><channel><link>https://site.example/</link><item>\(item)</item></channel></rss>
        """
    }
    if let entry = each.sections["entry"] {
      return """
        <feed xmlns="http://www.w3.org/2005/Atom" \(namespaces)><link href="https://site.example/"/>\
        <entry>\(entry)</entry></feed>
        """
    }
    let item = try #require(each.sections["json"], "\(each) has no post")
    return """
      {"version": "https://jsonfeed.org/version/1.1", "title": "t", "home_page_url": "https://site.example/", \
      "items": [\(item)]}
      """
  }

  private static let namespaces = [
    "media": "http://search.yahoo.com/mrss/", "dz": "http://www.developerzone.com/modules/dz/1.0",
    "feedburner": "http://rssnamespace.org/feedburner/ext/1.0", "pheedo": "http://www.pheedo.com/namespace/pheedo",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd", "podcast": "https://podcastindex.org/namespace/1.0",
    "content": "http://purl.org/rss/1.0/modules/content/", "dc": "http://purl.org/dc/elements/1.1/",
    "atom": "http://www.w3.org/2005/Atom", "webfeeds": "http://webfeeds.org/rss/1.0",
    "slash": "http://purl.org/rss/1.0/modules/slash/", "wfw": "http://wellformedweb.org/CommentAPI/",
    "thr": "http://purl.org/syndication/thread/1.0", "cc": "http://web.resource.org/cc/",
    "psc": "http://podlove.org/simple-chapters",
  ].sorted { $0.key < $1.key }.map { "xmlns:\($0.key)=\"\($0.value)\"" }.joined(separator: " ")
}

extension Case {
  /// The reason that the label gives.
  fileprivate var why: String {
    let line = sections["expect"]?.split(separator: "\n").first { $0.hasPrefix("why = ") }
    return line.map { String($0.dropFirst(6)) } ?? ""
  }
}

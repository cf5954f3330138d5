// The examples of README.md and docs/library.md: a test of the house sees that each of their lines is here, so that
// each compiles.

import Foundation
import Tamis
import TamisCheck

func sanitize(untrusted: String) throws {
  let sanitizer = try Sanitizer(policy: .reading)
  let html = sanitizer.sanitize(untrusted, base: WebURL("https://example.org/post")).html
  print(html)
}

func posts(bytes: [UInt8]) throws {
  let document = FeedDocument(name: "feed.xml", bytes: bytes, url: "https://example.org/feed.xml")
  let posts = try Pipeline().process(document).posts
  print(posts.map(\.title))
}

func fetch() async throws {
  let fetcher = try DocumentFetcher(contact: "https://example.org/about")
  let document = try await fetcher.document(at: "https://example.com/feed.xml")
  let json = try JSONEncoder().encode(Pipeline().process(document).posts)
  print(json.count)
}

func build() async throws {
  let configuration = SiteBuild.Configuration(feeds: ["feeds"], output: "site", title: "Planet")
  let report = try await SiteBuild(configuration).run()
  print(report.pages?.written ?? 0)
}

func parse(bytes: [UInt8]) throws {
  let parsed = try FeedParser().parse(FeedDocument(name: "feed.xml", bytes: bytes))
  for entry in parsed.entries { print(entry.title?.value ?? "", entry.link ?? "") }
  for finding in parsed.findings { print(finding) }  // file:line:column: what is wrong and what to do
}

func stream(document: FeedDocument) throws {
  var findings: [Finding] = []
  let parser = FeedParser(fields: [try FeedParser.CustomField("votes:number=dz:voteUpCount")])
  let (feed, ending) = try parser.parse(document, into: &findings) { entry in
    print(entry.title?.value ?? "", entry.extensionText("slash_comments") ?? "")
    return .continue
  }
  print(feed.version, ending)
}

func policy() throws {
  var policy = Policy.reading
  policy.allow("search", "my-note")
  policy.allow(attributes: "data-id", on: "my-note")
  policy.urls.schemes.insert("web+note")
  policy.improvements.linksEmbeds = false
  policy.allow(attributes: "type", "data-*", on: "input")  // every data- attribute
  policy.values["input"] = ["type": ["checkbox", "radio"]]  // no other value stays
  policy.forcedAttributes["a"] = ["target": "_blank"]  // on every a
  policy.urls.schemesByAttribute["img"] = ["src": ["https"]]  // in place of urls.schemes
  policy.urls.keepsRelative = false  // without a base they are removed
  policy.improvements.linkRelations = ["nofollow", "ugc"]  // rel of every link
  policy.improvements.classPrefixes = ["language-"]  // no other class stays
  policy.tidy = .never
  let sanitizer = try Sanitizer(policy: policy)  // throws what the floor objects to
  for doubt in policy.doubts { print(doubt) }  // misspelled names, and what has no effect
  print(sanitizer.policy.name)
}

func hooks(proxy: @escaping @Sendable (WebURL) -> WebURL) throws {
  var hooks = Sanitizer.Hooks(version: "1")
  hooks.rewriteURL = { url, use in use.purpose.isRequested ? proxy(url) : url }
  hooks.handleElement = { element in
    element["style"] = nil
    if element.name == "a" { element["target"] = "_blank" }
    if element.name == "blink" { element.name = "em" }
    guard element.name == "iframe", let source = element["src"] else { return .followPolicy }
    let title = SanitizedHTML(escaping: element["title"] ?? "Video")
    return .replace(html: "<figure><a href='\(SanitizedHTML(escaping: source))'>\(title)</a></figure>")
  }
  hooks.handleText = { text in
    text.isInLink || !text.string.contains("Swift")
      ? .keep
      : .replace(html: "\(SanitizedHTML(escaping: text.string))".replacing("Swift", with: "<abbr>Swift</abbr>"))
  }
  let sanitizer = try Sanitizer(policy: .reading, hooks: hooks)
  print(sanitizer.policy.name)
}

func stages() async throws {
  var configuration = SiteBuild.Configuration(feeds: ["feeds"], output: "site", title: "Planet")
  configuration.stages = Stages(beforeSanitizing: [WithoutAdvertisements()], afterExtracting: [Signed()])
  let report = try await SiteBuild(configuration).run()
  print(report.pages?.written ?? 0)
}

func checkContract(html: SanitizedHTML, sanitizer: Sanitizer) {
  let contract = OutputContract(policy: sanitizer.policy)
  if let breach = contract.breach(of: html) { print(breach) }
}

import TamisFeed

let document = FeedDocument(
  name: "example.rss",
  bytes: Array("<rss><channel><title>A</title><item><title>B &amp; C</title></item></channel>".utf8))
let parsed = try FeedParser().parse(document)
for entry in parsed.entries { print(parsed.feed.title?.value ?? "", entry.title?.value ?? "", parsed.ending) }
for finding in parsed.findings { print(finding) }

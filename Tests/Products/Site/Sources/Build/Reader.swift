import Foundation
import Tamis

/// Writes the posts of a feed as lines of JSON, in memory a few at a time.
func writePosts(of source: any ByteSource) async throws {
  let document = FeedDocument(name: "feed.xml", source: source, url: "https://example.org/feed.xml")
  let (feed, posts) = try await Pipeline().posts(of: document) { finding in print(finding) }
  print(feed.title?.value ?? "")
  for try await post in posts { print(String(decoding: try JSONEncoder().encode(post), as: UTF8.self)) }
}

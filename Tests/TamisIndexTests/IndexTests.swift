import Foundation
import Tamis
import TestSupport
import Testing

@Suite struct IndexTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/posts.index" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func newKnownUpdated() throws {
    let index = try PostIndex(file: file)
    #expect(try record([post("1"), post("2")], index).map(\.kind) == ["new", "new"])
    #expect(try record([post("1"), post("2", body: "changed")], index).map(\.kind) == ["known", "updated"])
    let again = try PostIndex(file: file)
    #expect(try record([post("2", body: "changed")], again).map(\.kind) == ["known"])
  }

  @Test func theSamePostTwiceInADocument() throws {
    let decisions = try record([post("1"), post("2"), post("1", body: "other")], try PostIndex(file: file))
    #expect(decisions.map(\.kind) == ["new", "new", "duplicate of 0"])
    #expect(decisions[2].path == nil)
  }

  @Test func noFeedCanMakeAnothersPostLookSeen() throws {
    let index = try PostIndex(file: file)
    _ = try record([post("1")], index, feed: "a")
    #expect(try record([post("1")], index, feed: "b").map(\.kind) == ["new"])
  }

  @Test func aLinkIsNoGuid() throws {
    let index = try PostIndex(file: file)
    _ = try record([post("x", rule: .guid)], index)
    #expect(try record([post("x", rule: .link)], index).map(\.kind) == ["new"])
  }

  @Test func pathsStayAndAreUnique() throws {
    let index = try PostIndex(file: file)
    let paths = try record([post("3"), post("4", title: "Other")], index).map(\.path)
    #expect(try record([post("3", title: "Renamed"), post("4")], index).map(\.path) == paths)
    #expect(Set(paths).count == 2)
  }

  @Test func longKeysAreKept() throws {
    let index = try PostIndex(file: file)
    let long = String(repeating: "k", count: 1_000_000)
    #expect(try record([post(long), post(long + "x")], index).map(\.kind) == ["new", "new"])
    #expect(try record([post(long)], index).map(\.kind) == ["known"])
  }

  @Test func whatIsNoIndexIsSaidToBeNone() throws {
    try Data("This is a letter to my sister, not a database.".utf8).write(to: URL(filePath: file))
    let error = #expect(throws: IndexError.self) { try PostIndex(file: file) }
    #expect(error?.description.contains(file) == true)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("This is a letter"), "it is left alone")
  }

  private func record(_ posts: [Post], _ index: PostIndex, feed: String = "a") throws -> [Decision] {
    try index.record(posts, of: feed) { post, suffix in Site.path(of: post, inFeed: feed, suffix: suffix) }
  }

  private func post(
    _ key: String, rule: Identity.Rule = .guid, title: String = "Title", body: String = "body"
  ) -> Post {
    Post(
      title: title, excerpt: "", content: Sanitizer(policy: .reading).sanitize(body).html, permalink: nil, links: [],
      thumbnail: nil, enclosures: [], authors: [], categories: [], published: nil, updated: nil, comments: nil,
      language: nil, direction: .leftToRight, readingMinutes: nil, identity: Identity(rule: rule, key: key),
      fields: [:],
      location: SourceLocation(file: "test"))
  }
}

extension Decision {
  fileprivate var kind: String {
    switch self {
    case .new: "new"
    case .known: "known"
    case .updated: "updated"
    case .duplicate(let first): "duplicate of \(first)"
    }
  }
}

import Foundation
import TestSupport
import Testing

/// What names a feed from run to run.
@Suite struct FeedNameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func write(_ name: String, _ head: String, posts: String = "One Two", title: String = "T") throws {
    let items = posts.split(separator: " ").map {
      "<item><guid isPermaLink='false'>\($0)</guid><title>\($0)</title></item>"
    }
    let text =
      "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>\(title)</title>\(head)\(items.joined())</channel></rss>"
    let file = URL(filePath: "\(folder.path)/\(name)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private static func own(_ address: String) -> String { "<atom:link rel='self' href='\(address)'/>" }

  private static func home(_ address: String) -> String { "<link>\(address)</link>" }

  private func build(_ arguments: [String], in inner: String = "") throws -> Command.Run {
    let path = inner.isEmpty ? folder.path : "\(folder.path)/\(inner)"
    let run = try Command.tamis(["build"] + arguments, in: path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func pages(_ under: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(folder.path)/site")) ?? []
    return paths.filter { $0.hasPrefix(under) && $0.hasSuffix(".html") }.sorted()
  }

  @Test func feedIdentityIsIndependentOfWorkingDirectory() throws {
    try write("feeds/a.xml", Self.own("https://a.example/feed"))
    try write("feeds/b.xml", Self.home("https://b.example/"))
    try write("feeds/c.xml", "")
    #expect(try build(["feeds", "--output", "site"]).errors.contains("3 feeds, 6 new posts"))
    let before = pages("")
    let again: [([String], String)] = [
      ([".", "--output", "../site"], "feeds"), (["\(folder.path)/feeds", "-o", "\(folder.path)/site"], "feeds"),
      (["./feeds/../feeds/a.xml", "feeds//b.xml", "feeds/c.xml", "-o", "site"], ""),
    ]
    for (arguments, inner) in again {
      #expect(try build(arguments, in: inner).errors.contains("3 feeds, nothing has changed"))
      let run = try build(arguments + ["--title", arguments[0], "-v"], in: inner)
      #expect(run.errors.contains("3 feeds, 0 new posts, 0 updated, 6 known"), "\(run.errors)")
      #expect(pages("") == before)
    }
  }

  @Test func feedIdentityFollowsItsAddressAcrossFiles() throws {
    try write("a.xml", Self.own("http://www.a.example/feed/") + Self.home("https://a.example/"))
    try write("b.xml", Self.home("https://b.example/blog"))
    _ = try build(["a.xml", "b.xml", "-o", "site"])
    try FileManager.default.removeItem(atPath: folder.path + "/a.xml")
    try FileManager.default.removeItem(atPath: folder.path + "/b.xml")
    try write("x/renamed", Self.own("https://a.example/feed") + Self.home("https://a.example/"))
    try write("x/other", Self.home("http://b.example/blog/"))
    let run = try build(["x", "-o", "site"])
    #expect(run.errors.contains("2 feeds, 0 new posts"), "\(run.errors)")
    #expect(pages("feeds/") == ["feeds/a-example.html", "feeds/b-example-blog.html"])
  }

  /// A feed keeps its name in the same file, whatever it comes to say of itself.
  @Test func feedInSameFileKeepsItsName() throws {
    try write("a.xml", "")
    _ = try build(["a.xml", "-o", "site"])
    let heads = [
      Self.home("https://a.example/"), Self.own("https://a.example/rss") + Self.home("https://a.example/"),
      Self.own("https://a.example/atom") + Self.home("https://a.example/"), "", Self.own("https://a.example/atom"),
    ]
    for head in heads {
      try write("a.xml", head)
      let run = try build(["a.xml", "-o", "site"])
      #expect(run.errors.contains("0 new posts") && pages("feeds/") == ["feeds/a.html"], "\(head): \(run.errors)")
    }
    let other = Self.own("https://other.example/feed") + Self.home("https://other.example/")
    try write("a.xml", other, posts: "Two Three")
    #expect(try build(["a.xml", "-o", "site"]).errors.contains("1 new post"), "its site has moved")
    #expect(pages("feeds/") == ["feeds/a.html"])
    try write("a.xml", Self.own("https://c.example/feed") + Self.home("https://c.example/"), posts: "Four", title: "C")
    let run = try build([".", "-o", "site"])
    #expect(run.errors.contains("[build.other-feed]"), "\(run.errors)")
    #expect(pages("feeds/") == ["feeds/c-example.html"], "another feed in the same file")
  }

  @Test func feedsWithSameAddressAreDistinguished() throws {
    for (kind, head) in [("own", Self.own("https://a.example/feed")), ("home", Self.home("https://a.example/"))] {
      let site = ["-o", "\(kind)-site"]
      try write("\(kind)/b.xml", head, posts: "B1 B2")
      #expect(try build(["\(kind)/b.xml"] + site).errors.contains("1 feed, 2 new posts"))
      try write("\(kind)/a.xml", head, posts: "A1 A2 A3")
      for files in [["\(kind)/b.xml", "\(kind)/a.xml"], [kind]] {
        let run = try build(files + site + ["-v"])
        #expect(run.errors.contains("2 feeds") && !run.errors.contains("2 new posts"), "\(run.errors)")
        #expect(
          run.errors.contains(
            "\(kind)/a.xml: warning: this feed has the same address or home page as the one in \(kind)/b.xml"),
          "\(run.errors)")
      }
      // Each alone is itself.
      for (name, count) in [("a", 3), ("b", 2)] {
        let run = try build(["\(kind)/\(name).xml"] + site + ["-v"])
        #expect(run.errors.contains("1 feed, 0 new posts, 0 updated, \(count) known"), "\(kind) \(name): \(run.errors)")
      }
    }
  }

  @Test func pageNamesDeriveFromFeedAddresses() throws {
    let names = [
      ("https://blog.rust-lang.org/feed.xml", "blog-rust-lang-org"),
      ("https://www.b.example/blog/index.xml", "b-example-blog"),
      ("https://c.example/tag/swift/rss", "c-example-tag-swift"),
      ("https://d.example:8080/atom.xml.gz", "d-example-8080"),
    ]
    for (index, (address, _)) in names.enumerated() {
      try write("f/\(index).xml", Self.own(address), posts: "P\(index)")
    }
    try write("f/blog.rust-lang.org.xml", "", posts: "X")
    try write("f/rss_2.0_spiegel.atom.xml", "", posts: "Y")
    try write("f/token.xml", Self.own("https://t.example/feed?token=secret"), posts: "Z")
    _ = try build(["f", "-o", "site"])
    let found = pages("feeds/")
    for (_, name) in names.dropFirst() { #expect(found.contains("feeds/\(name).html"), "\(found)") }
    // Two of one name, one by its address and one by its file.
    #expect(
      found.count { $0.hasPrefix("feeds/blog-rust-lang-org") } == 2 && found.contains("feeds/rss-2-0-spiegel.html"))
    #expect(found.contains { $0.hasPrefix("feeds/t-example-") } && !found.contains { $0.contains("secret") })
    #expect(pages("posts/").contains { $0.hasPrefix("posts/c-example-tag-swift/p2-") })
  }

  @Test func fileDeletedFromFolderRemovesItsPages() throws {
    try write("feeds/a.xml", Self.own("https://a.example/feed"))
    try write("feeds/b.xml", Self.home("https://b.example/"), posts: "Three")
    _ = try build(["feeds", "-o", "site"])
    try FileManager.default.removeItem(atPath: folder.path + "/feeds/a.xml")
    _ = try build([".", "-o", "../site"], in: "feeds")
    #expect(pages("feeds/") == ["feeds/b-example.html"] && pages("posts/a-example").isEmpty)
    // A file that could not be read at first leaves nothing behind when it can.
    try Data("<rss".utf8).write(to: URL(filePath: folder.path + "/feeds/c.xml"))
    _ = try Command.tamis(["build", "feeds", "feeds/c.xml", "-o", "site"], in: folder.path)
    try write("feeds/c.xml", Self.own("https://c.example/feed"), posts: "Four")
    _ = try build(["feeds", "-o", "site"])
    #expect(pages("feeds/") == ["feeds/b-example.html", "feeds/c-example.html"])
  }

  @Test func archiveFindsFeedsByAddressAndPlace() throws {
    try write("feeds/a.xml", Self.own("http://a.example/feed"))
    _ = try build(["feeds", "-o", "site"])
    for name in ["https://a.example/feed", "http://www.a.example/feed/", "feeds/a.xml", "./feeds/a.xml"] {
      let run = try Command.tamis(["archive", "show", "--archive", "site.archive", "--feed", name], in: folder.path)
      #expect(run.status == 0 && run.output.split(separator: "\n").count == 2, "\(name): \(run.errors)")
    }
    let post = try Command.tamis(
      ["archive", "forget", "--archive", "site.archive", "feeds/a.xml: One"], in: folder.path)
    #expect(post.status == 0, "\(post.errors)")
  }
}

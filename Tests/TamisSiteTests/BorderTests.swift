import Foundation
import TamisCore
import TamisSite
import TestSupport
import Testing

/// What a site lets in and out: a manifest that somebody has changed, links and pipes in its folder, text of others.
extension PublishTests {
  @Test func whatTheManifestSaysBecomesNoFileOfAServerAndNoLink() throws {
    try publish(1...2)
    let file = URL(filePath: root + "/tamis.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    var manifest = try #require(object as? [String: Any])
    let posts = try #require(manifest["posts"] as? [[String: Any]])
    let feeds = try #require(manifest["feeds"] as? [[String: Any]])
    manifest["looks"] = [["style": "x\" always;\nlocation /etc { alias /etc; }\n#", "isOffline": false]]
    manifest["feeds"] =
      feeds + [
        feeds[0].merging(["key": "o", "path": "javascript:alert(1)&x.html", "title": "o"]) { $1 }
      ]
    manifest["posts"] =
      posts
      + ["javascript:alert(1).html", "posts/a/../x.html", "posts/.a/x.html", "index.html"].map {
        posts[0].merging(["path": $0, "memo": ""]) { $1 }
      }
    manifest["redirects"] = [".htaccess": "posts/a/1.html", "server/nginx.conf": "posts/a/1.html"]
    try JSONSerialization.data(withJSONObject: manifest).write(to: file)
    _ = try site().publish([feed([sitePost(2)])])
    for (name, bytes) in try contents() {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("alias /etc") && !text.contains("javascript:"), "\(name)")
    }
    #expect(throws: (any Error).self) { try read(".htaccess") }
    #expect(try read("server/nginx.conf").hasPrefix("# Written by Tamis"))
  }

  @Test func noLinkInTheFolderIsFollowed() throws {
    try publish(1...2)
    let outside = folder.path + "/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: URL(filePath: outside + "/2.html"))
    // The folder of the posts, one file and one temporary file are links now.
    try FileManager.default.removeItem(atPath: root + "/posts/a")
    try FileManager.default.createSymbolicLink(atPath: root + "/posts/a", withDestinationPath: outside)
    let error = #expect(throws: SiteError.self) { try publish(1...3) }
    #expect(error?.description.contains("link") == true, "\(error?.description ?? "")")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["2.html"])
    try FileManager.default.removeItem(atPath: root + "/posts/a")
    try FileManager.default.removeItem(atPath: root + "/index.html")
    try FileManager.default.createSymbolicLink(atPath: root + "/index.html", withDestinationPath: outside + "/2.html")
    try FileManager.default.createSymbolicLink(
      atPath: root + "/atom.xml.part", withDestinationPath: outside + "/2.html")
    try publish(1...3)
    #expect(try String(contentsOfFile: outside + "/2.html", encoding: .utf8) == "precious")
    #expect(try read("index.html").contains("Post 3"))
  }

  @Test(.timeLimit(.minutes(10)))
  func aPipeInTheWayStopsNothing() throws {
    try publish(1...2)
    try FileManager.default.removeItem(atPath: root + "/index.html")
    #expect(mkfifo(root + "/index.html.part", 0o644) == 0)
    try publish(1...3)
    #expect(try read("index.html").contains("Post 3"))
  }

  @Test func textOfOthersIsTextInFeeds() throws {
    var post = sitePost(1)
    let markup = "<img src=x onerror=alert(1)> AT&T &lt;b&gt; 1 < 2"
    post.post.title = markup
    post.post.categories = [markup]
    post.post.authors = [markup]
    _ = try site().publish([
      SiteFeed(key: "a.xml", title: markup, subtitle: markup, link: nil, image: nil, language: "en", posts: [post])
    ])
    for (name, bytes) in try contents() where name.hasSuffix("rss.xml") || name.hasSuffix(".opml") {
      let text = String(decoding: bytes, as: UTF8.self)
      // Escaped once for XML, `<img` would be a tag to who reads HTML there.
      for part in text.components(separatedBy: "&lt;img").dropLast() { #expect(part.hasSuffix("title=\""), "\(name)") }
      #expect(text.contains("&amp;lt;img src=x"), "\(name)")
    }
    #expect(try read("rss.xml").contains("AT&amp;T &amp;amp;lt;b&amp;amp;gt; 1 &lt; 2"))
  }

  @Test func tagsOfOnePostCostNoMoreThanTheyMay() throws {
    try publish(1...2, tags: (0..<700).map { "tag \($0)" })
    let files = try contents()
    #expect(files.count { $0.key.hasPrefix("tags/") } == 4 * Limits.standard.listedTags)
    #expect(try read("posts/a/1.html").contains("tag 699"))
    try expectNoDeadLinks()
  }
}

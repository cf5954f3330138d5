import TamisCore

/// Pages of a small site that has something of everything, by the template that makes them.
struct SamplePages {
  let all: [(file: String, page: [UInt8])]

  init(_ options: Site.Options) {
    var card = PostCard(
      feed: "sample.xml", path: "posts/sample/a-post.html", title: "A post", isUntitled: false,
      excerpt: "What it says in short.", published: 1_767_225_600, updated: 1_767_398_400, place: 1_767_225_600,
      order: 0,
      readingMinutes: 3, language: "en", direction: "ltr", hasAudio: true, hasVideo: false,
      thumbnail: PostCard.Picture(url: "data:image/gif;base64,", alternative: "A picture", width: 4, height: 3),
      tags: ["A tag"], authors: ["An author"], original: "https://sample.example/a-post")
    var manifest = SiteManifest()
    manifest.feeds = [
      FeedCard(
        key: "sample.xml", path: "feeds/sample.html", title: "A feed", subtitle: "About it",
        link: "https://sample.example/", language: "en", direction: "ltr", status: FeedStatus())
    ]
    let post = Post(
      title: card.title, excerpt: card.excerpt, content: .empty,
      permalink: Permalink(url: "https://sample.example/a-post", source: "link"),
      links: [], thumbnail: nil, enclosures: [], authors: ["An author"], categories: ["A tag"],
      published: card.published,
      updated: card.updated, comments: nil, language: "en", direction: .leftToRight, readingMinutes: 3, id: nil,
      fields: [:], location: SourceLocation(file: "sample.xml"))
    let first = card
    for number in 1...Listing.newest + 1 {
      card.path = "posts/sample/\(number).html"
      card.order = number
      manifest.posts.append(card)
    }
    manifest.posts.append(first)
    let maker = PageMaker(options: options, manifest: manifest)
    var pages: [(String, [UInt8])] = [
      ("post.mustache", maker.postPage(post, first, content: .empty, rights: "All rights reserved")),
      ("notice.mustache", maker.redirectPage(from: "a/b.html", to: first.path)),
    ]
    let files = [
      "feeds/sample.html": "list.mustache", "feeds/sample.1.html": "list.mustache", "page/1.html": "list.mustache",
      "archive.html": "archive.mustache", "status.html": "status.mustache", "about.html": "about.mustache",
      "404.html": "notice.mustache", "index.html": "index.mustache",
    ]
    // Making pages in memory does not fail.
    try? maker.listings { path, bytes throws(SiteError) in
      if let file = files[path] { pages.append((file, bytes)) }
    }
    all = pages
  }
}

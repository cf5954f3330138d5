import TamisCore

/// The pages of a small site that uses all features, by the template that renders them.
struct SamplePages {
  let all: [(file: String, page: [UInt8])]

  init(_ theme: Site.Theme, _ words: Site.Words = .standard) {
    let site = Site(SiteSettings(title: "A site"), theme: theme, words: words)
    let (item, feed) = (Self.item, FeedItem(feed: Self.feed, count: 2))
    let list = PostList.feed(Self.feed)
    var details = Post.Details()
    details.enclosures = [Post.File(url: "https://sample.example/a.mp3", type: "audio/mpeg", length: 1 << 20)]
    details.chapters = [Feed.Chapter(start: "1", seconds: 1, title: "A chapter", link: nil, image: nil)]
    details.comments = "https://sample.example/comments"
    details.rights = "All rights reserved"
    let neighbour = Neighbour(title: "Another post", page: PagePath("posts/sample/b.html"))
    var view = PostView(item: item, details: details, body: PageBody(.empty, isOffline: false))
    view.neighbours = Neighbours((neighbour, neighbour))
    view.copies = [PostView.Copy(item: item, files: details.enclosures)]
    view.linkedTags = [Slug.ofTag("A tag")]
    let tag = TagItem(slug: "a-tag", name: "A tag", count: 1, posts: [neighbour])
    all = [
      ("post.mustache", site.postPage(view)),
      ("notice.mustache", site.redirectPage(from: PagePath("a/b.html"), to: item.page)),
      ("list.mustache", site.listPage(list, items: [item, item], count: 61, pageCount: 2, newest: item.sortDate)),
      ("list.mustache", site.numberedPage(list, number: 1, items: [item], pageCount: 2)),
      ("list.mustache", site.numberedPage(.all, number: 2, items: [item], pageCount: 2)),
      ("archive.mustache", site.archivePage(years: [2026], hasUndated: true, hasTags: true, pageCount: 2)),
      ("archive.mustache", site.tagPartPage(prefix: "a", tags: [tag])),
      ("status.mustache", site.statusPage(number: 1, of: 2, feeds: [Self.status])),
      ("search.mustache", site.searchPage()),
      ("about.mustache", site.aboutPage(number: 1, of: 2, feeds: [feed], feedCount: 101)),
      ("notice.mustache", site.missingPage()),
      (
        "index.mustache",
        site.indexPage(FrontView(items: [item], feeds: [feed], postCount: 61, feedCount: 2, pageCount: 2))
      ),
    ].map { ($0, $1.bytes) }
  }

  private static let feed: FeedCard = {
    var feed = FeedCard(key: "sample.xml", slug: "sample", title: "A feed")
    feed.subtitle = "About it"
    feed.link = "https://sample.example/"
    feed.language = "en"
    feed.status.problems = ["Something odd"]
    return feed
  }()

  private static let status: StatusItem = {
    var state = FetchState(address: "https://sample.example/feed")
    let problem = FetchProblem(.timeout, "no answer after 30 seconds")
    state.failure = FetchState.Failure(since: 1_767_225_600, count: 3, problem: problem)
    (state.asked, state.fetched, state.next) = (1_767_398_400, 1_767_225_600, 1_767_402_000)
    state.answerTimes = [20, 340]
    return StatusItem(FeedItem(feed: feed, count: 2), fetching: state, weeks: [0, 2, 1])
  }()

  private static let item: CardItem = {
    var card = Post.Card()
    card.title = "A post"
    card.excerpt = "What it says in short."
    (card.published, card.updated) = (1_767_225_600, 1_767_398_400)
    card.readingMinutes = 3
    (card.playingSeconds, card.season, card.episode) = (3723, 1, 2)
    card.language = "en"
    card.kind = .podcast
    card.thumbnail = Post.Thumbnail(url: "data:image/gif;base64,", alternative: "A picture", width: 4, height: 3)
    card.tags = ["A tag"]
    card.authors = ["An author"]
    card.permalink = Post.Permalink(url: "https://sample.example/a-post")
    return CardItem(card: card, sortDate: card.published, page: PagePath("posts/sample/a-post.html"), feed: feed)
  }()
}

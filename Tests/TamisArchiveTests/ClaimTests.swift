import TamisArchive
import TamisCore
import TestSupport
import Testing

/// Feeds that copy the links of another site: nobody's page is taken by a claim.
@Suite struct ClaimTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private static let honest = [
    "honest text", "", String(repeating: "honest words about the harbour and its gates ", count: 9),
  ]
  private static let wrong = [
    "FALSE text", "FALSE", String(repeating: "FALSE words of somebody else altogether ", count: 9),
  ]

  private static func posts(_ text: String, on site: String) -> [TestPost] {
    (0..<3).map { TestPost(id: "\(site)\($0)", link: "\(site)\($0)", title: "News \($0)", text: text) }
  }

  /// The feeds whose posts stand for themselves, after two runs with a feed each.
  private func shown(
    _ first: (name: String, text: String, home: String?, address: String?),
    _ second: (name: String, text: String, home: String?, address: String?), file: String,
    on site: String = "https://victim.example/"
  ) throws -> Set<String> {
    let archive = try Archive(file: "\(folder.path)/\(file).archive")
    for feed in [first, second] {
      let document = Documents.document(
        Self.posts(feed.text, on: site), of: Feed.Key(feed.name), home: feed.home, address: feed.address)
      _ = try archive.ingest([document])
    }
    return Set(try archive.entries(.all).filter { $0.foldedInto == nil }.map(\.feed.text))
  }

  /// A feed that gives the ids of another site to posts of its own takes none of its pages, whoever comes first.
  ///
  /// When both say the same, the first stays. `https://feeds.example/` stands for services that serve feeds of others.
  @Test(arguments: ["https://victim.example/feed", "https://feeds.example/v", nil])
  func idsClaimNothing(address: String?) throws {
    let long = (0..<72).map { "word\($0)" }.joined(separator: " ")
    let texts = [("", ""), ("honest text", "honest text"), ("honest text", ""), ("honest text", "FALSE"), (long, long)]
    let others = [(long, "FALSE"), (long, String(long.prefix(90))), (long, "buy our pills here now"), (long, "")]
    let pairs = (texts + others).flatMap { pair in (0..<6).map { (pair, $0) } }
    let posts = pairs.enumerated().map { number, pair in
      let link = "https://victim.example/\(number)"
      let id = [link, "https://victim.example/?p=\(number)", "tag:victim.example,2026:\(number)"][pair.1 % 3]
      let title = "News of \(number)"
      return (
        TestPost(id: id, link: link, title: title, text: pair.0.0),
        TestPost(
          id: id, link: "https://evil.example/\(number)", title: pair.1 < 3 ? title : "Pills", text: pair.0.1)
      )
    }
    let victim = Documents.document(
      posts.map(\.0), of: Feed.Key("victim"), home: "https://victim.example/", address: address)
    let evil = Documents.document(
      posts.map(\.1), of: Feed.Key("evil"), home: "https://evil.example/", address: "https://evil.example/feed")
    for (index, documents) in [[victim, evil], [evil, victim]].enumerated() {
      let archive = try Archive(file: "\(folder.path)/\(index).archive")
      for document in documents { _ = try archive.ingest([document]) }
      let entries = try archive.entries(.all).filter { $0.foldedInto == nil && $0.feed.text == "victim" }
      // `news-of-7-85bad83939491020`
      let shown = Set(entries.map { $0.name.split(separator: "-")[2] })
      for (number, pair) in pairs.enumerated() {
        let mayFold = index == 1 && pair.0.0 == pair.0.1
        #expect(shown.contains("\(number)") || mayFold, "\(documents[0].card.key): \(posts[number])")
      }
      #expect(shown.count < pairs.count || index == 0)
    }
  }

  /// A host may have many authors: one of them takes no page of another that came earlier, whose feed a service serves,
  /// by saying more than its post says.
  @Test func hostIsNoAuthor() throws {
    let text = (0..<100).map { "word\($0)" }.joined(separator: " ")
    let victim = ("victim", text, Optional("https://victim.example/"), Optional("https://feeds.example/v"))
    let more = text + (0..<300).map { " more\($0)" }.joined()
    let evil = ("evil", more, Optional("https://victim.example/evil/"), Optional("https://victim.example/evil/feed"))
    #expect(try shown(victim, evil, file: "host") == ["victim", "evil"])
    let same = ("same", text, Optional("https://victim.example/"), Optional("https://victim.example/feed"))
    #expect(try shown(victim, same, file: "same").count == 1)
  }

  private static func words(_ name: String, _ count: Int) -> String {
    (0..<count).map { "\(name)\($0)" }.joined(separator: " ")
  }

  /// The feeds whose posts stand for themselves, after a run for each post of a feed on its own site.
  private func shown(_ posts: [(feed: String, post: TestPost)], file: String) throws -> Set<String> {
    let archive = try Archive(file: "\(folder.path)/\(file).archive")
    for (feed, post) in posts {
      let document = Documents.document(
        [post], of: Feed.Key(feed), home: "https://\(feed).example/", address: "https://\(feed).example/feed")
      _ = try archive.ingest([document])
    }
    return Set(try archive.entries(.all).filter { $0.foldedInto == nil }.map(\.feed.text))
  }

  /// A post on the site of its feed.
  private static func post(_ feed: String, _ title: String, _ text: String, id: String? = nil) -> (String, TestPost) {
    let page = "https://\(feed).example/fog"
    return (feed, TestPost(id: id ?? page, link: page, title: title, text: text))
  }

  /// What a link blog quotes of a page says nothing of the age of the page, neither of what was added to it nor of what
  /// is copied to it later.
  @Test func quotationsAgeNothing() throws {
    let (text, addition) = (Self.words("word", 300), Self.words("news", 30))
    func quote(of feed: String) -> (String, TestPost) {
      ("blog", TestPost(id: "1", link: "https://\(feed).example/fog", title: "Seen", text: addition))
    }
    let quoted = try shown(
      [
        Self.post("victim", "Fog in the harbour", text), Self.post("evil", "Fog in the harbour", text + " buy spam"),
        Self.post("victim", "Fog in the harbour", "\(text) \(addition)"), quote(of: "victim"),
      ], file: "quoted")
    #expect(quoted == ["victim"])
    let borrowed = try shown(
      [
        quote(of: "evil"), Self.post("victim", "Fog in the harbour", text),
        Self.post("evil", "Fog in the harbour", "\(text) \(addition) buy spam"),
      ], file: "borrowed")
    #expect(borrowed.contains("victim") && !borrowed.contains("evil"))
  }

  /// What a third post makes of the age of a post counts only beside that one: a copy takes no place by its help.
  @Test func thirdPostAgesNothing() throws {
    let (old, added, spam) = (Self.words("word", 300), Self.words("news", 330), Self.words("spam", 250))
    let id = "https://victim.example/?p=123"
    let found = try shown(
      [
        Self.post("victim", "Fog in the harbour", old, id: id), Self.post("evil", "Fog in the harbour", old, id: id),
        Self.post("victim", "Fog in the harbour", "\(old) \(added)", id: id),
        Self.post("evil", "Buy pills", "\(old) \(Self.words("news", 60)) \(spam)", id: id),
        Self.post("third", "Fog in the harbour", "\(added) \(Self.words("word", 40))", id: id),
      ], file: "third")
    #expect(found.contains("victim"))
  }

  /// An old post that takes the title and the link of a post without words is not older than that.
  @Test func oldPostsWithoutWordsTakeNoPlace() throws {
    func post(_ feed: String, _ title: String, page: String) -> (String, TestPost) {
      (feed, TestPost(id: "1", link: "https://elsewhere.example/\(page)", title: title, text: ""))
    }
    let found = try shown(
      [
        post("evil", "Old news", page: "old"), post("victim", "Fog in the harbour", page: "fog"),
        post("evil", "Fog in the harbour", page: "fog"),
      ], file: "old")
    #expect(found.contains("victim"))
  }

  /// A post without words is not shown in the place of another whose page both feeds claim, nor in that of another user
  /// of a host.
  @Test(arguments: [
    ("https://victim.example/", "https://feeds.example/v", "https://evil.example/feed"),
    ("https://tilde.example/~vic/", "https://tilde.example/~vic/feed", "https://tilde.example/~evil/feed"),
  ])
  func wordlessPostsStand(home: String, victim: String, evil: String) throws {
    let archive = try Archive(file: "\(folder.path)/\(victim.count).archive")
    for (name, address, sign) in [("evil", evil, "🎰"), ("victim", victim, "🌊")] {
      let post = TestPost(id: name, link: home + "7", title: "Wordless Wednesday", text: sign)
      _ = try archive.ingest([Documents.document([post], of: Feed.Key(name), home: home, address: address)])
    }
    #expect(try archive.entries(.all).filter { $0.foldedInto == nil }.map(\.feed.text).contains("victim"))
  }

  /// Whoever gives a page of another site as its id does not stand for the post of that page.
  @Test func idOfPageConcedesIt() throws {
    let archive = try Archive(file: "\(folder.path)/id.archive")
    let text = Self.words("word", 200)
    let posts = [
      Self.post("evil", "Buy pills", "\(text) \(Self.words("spam", 190))", id: "https://victim.example/fog"),
      Self.post("victim", "Fog in the harbour", text),
    ]
    let documents = posts.map { feed, post in
      Documents.document(
        [post], of: Feed.Key(feed), home: "https://\(feed).example/", address: "https://\(feed).example/feed")
    }
    _ = try archive.ingest(documents)
    #expect(try archive.entries(.all).filter { $0.foldedInto == nil }.map(\.feed.text).contains("victim"))
  }

  /// A user of a host takes none of the pages of another one, whoever comes first, and whatever they say of their home
  /// pages.
  @Test(arguments: [
    ("https://m.example/@vic/", "https://m.example/feed/@vic", "https://m.example/feed/@evil"),
    ("https://social.example/@vic/", "https://social.example/@vic.rss", "https://social.example/@evil.rss"),
    ("https://host.example/vic/", "https://host.example/vic/feed.xml", "https://host.example/evil/feed.xml"),
  ])
  func usersOfOneHostAreApart(site: String, address: String, evilAddress: String) throws {
    for (number, claim) in [site, site.replacing("vic", with: "evil"), nil].enumerated() {
      for (index, texts) in (Array(zip(Self.honest, Self.wrong)) + zip(Self.honest, Self.honest)).enumerated() {
        let victim = ("victim", texts.0, Optional(site), Optional(address))
        let evil = ("evil", texts.1, claim, Optional(evilAddress))
        for (first, second, order) in [(victim, evil, "after"), (evil, victim, "before")] {
          let file = "\(address.utf8.count) \(number) \(index) \(order)"
          #expect(try shown(first, second, file: file, on: site).contains("victim"), "\(first) \(second)")
        }
      }
    }
  }

  /// Whoever comes first, and whatever both say of their home pages: the owner's posts have pages of their own, unless
  /// somebody else's are the same.
  @Test func ownersPostsStand() throws {
    let (home, address) = ("https://victim.example/", "https://victim.example/feed")
    var number = 0
    for ownAddress in [address, nil] {
      for claim in [home, "https://evil.example/", nil] {
        for evilAddress in ["https://evil.example/feed", nil] {
          for (text, other) in zip(Self.honest, Self.wrong) + zip(Self.honest, Self.honest) {
            let victim = ("victim", text, Optional(home), ownAddress)
            let evil = ("evil", other, claim, evilAddress)
            for (first, second) in [(victim, evil), (evil, victim)] {
              number += 1
              let found = try shown(first, second, file: "\(number)")
              // Equal posts that two feeds claim with the same right may stand for each other.
              let isUndecided = text == other && claim == home && ownAddress == nil
              #expect(found.contains("victim") || isUndecided, "\(first) \(second): \(found)")
              if text != other, claim == home, ownAddress == nil { #expect(found.contains("evil")) }
            }
          }
        }
      }
    }
  }
}

private func + <A, B>(one: Zip2Sequence<[A], [B]>, other: Zip2Sequence<[A], [B]>) -> [(A, B)] {
  Array(one) + Array(other)
}

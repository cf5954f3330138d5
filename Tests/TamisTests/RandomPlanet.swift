import Foundation
import Tamis
import TestSupport

/// Some feeds that change as feeds do.
///
/// Posts come, change, vanish, swap ids and are copied; documents are cut off, vanish, and come back.
struct RandomPlanet {
  struct Post {
    var id: String
    var link: String
    var title: String
    var words: [String]
    var date: Int64?
    var tags: [String]

    fileprivate var xml: String {
      let date = date.map { "<dc:date>\(Date(timeIntervalSince1970: Double($0)).formatted(.iso8601))</dc:date>" } ?? ""
      let tags = tags.map { "<category>\($0)</category>" }.joined()
      return "<item><guid isPermaLink=\"false\">\(id)</guid><title>\(title)</title><link>\(link)</link>\(date)\(tags)"
        + "<description>&lt;p onclick='x()'&gt;&lt;b&gt;\(words.joined(separator: " "))&lt;/b&gt;&lt;/p&gt;</description></item>\n"
    }
  }

  /// What of a document lies on disk.
  enum State { case whole, cut, gone, broken }

  struct Feed {
    var name: String
    var title: String
    var posts: [Post]
    var state = State.whole

    fileprivate var document: String {
      let whole = """
        <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>\(title)</title>\
        <link>https://\(name).example/</link>
        \(posts.map(\.xml).joined())</channel></rss>
        """
      return switch state {
      case .whole, .gone: whole
      case .cut: String(whole.prefix(whole.count * 2 / 3))
      case .broken: "this is not a feed"
      }
    }
  }

  var feeds: [Feed] = []
  private var random: SeededRandom
  private var number = 0

  private static let words = [
    "harbour", "lantern", "thistle", "copper", "willow", "ember", "quarry", "saddle", "meadow", "pepper", "canvas",
    "orchard",
  ]

  init(seed: UInt64, feeds: Int, posts: Int) {
    random = SeededRandom(seed: seed)
    for index in 0..<feeds {
      let name = Self.words[index % Self.words.count] + (index < Self.words.count ? "" : "\(index)")
      var all: [Post] = []
      for _ in 0..<posts { all.append(post()) }
      self.feeds.append(Feed(name: name, title: name.capitalized, posts: all))
    }
  }

  /// A post that was not there before, of the years 2020 to 2025.
  mutating func post() -> Post {
    number += 1
    let count = random.one(of: [5, 60, 90])
    var words: [String] = []
    for _ in 0..<count { words.append(random.one(of: Self.words) + "\(random.below(400))") }
    let tags = ["Sea", "sea", "Land", "C++", "Éclair", "北京", "Rare \(random.below(9))"].shuffled(using: &random)
    return Post(
      id: "id-\(number)", link: "https://site.example/\(number)",
      title: "\(random.one(of: Self.words)) \(random.one(of: Self.words)) \(number)", words: words, date: date(),
      tags: Array(tags.prefix(random.below(4))))
  }

  private mutating func date() -> Int64? { random.chance(10) ? nil : 1_577_836_800 + Int64(random.below(189_302_400)) }

  /// A post of another feed that says what one says, under its address or another.
  mutating func copy(of original: Post) -> Post {
    var copy = post()
    (copy.title, copy.words, copy.date, copy.tags) = (original.title, original.words, original.date, original.tags)
    if random.chance(50) { copy.link = original.link }
    return copy
  }

  /// Copies some posts of each feed into the next.
  mutating func copyAcross(_ count: Int) {
    for index in feeds.indices {
      for original in feeds[index].posts.prefix(count) {
        let copy = copy(of: original)
        feeds[(index + 1) % feeds.count].posts.append(copy)
      }
    }
  }

  /// Changes something in one feed, and what of its document lies on disk.
  mutating func change() {
    let index = random.below(feeds.count)
    feeds[index].state = random.one(of: Array(repeating: State.whole, count: 12) + [.cut, .gone, .broken])
    guard !feeds[index].posts.isEmpty, random.chance(70) else {
      for _ in 0..<random.one(of: [1, 1, 2, 70]) { feeds[index].posts.insert(post(), at: 0) }
      return
    }
    changePost(random.below(feeds[index].posts.count), of: index)
  }

  private mutating func changePost(_ post: Int, of index: Int) {
    switch random.below(9) {
    case 0: feeds[index].posts.removeLast(feeds[index].posts.count - post)
    case 1: feeds[index].posts.remove(at: post)
    case 2: feeds[index].posts[post].words.append("edited")
    case 3:
      feeds[index].posts[post].title += "!"
      feeds[index].posts[post].date = date()
    case 4: feeds[index].posts[post].tags = random.one(of: [["Sea", "Land"], ["Sky"], [], ["Rare 1", "C++"]])
    case 5:
      let other = random.below(feeds[index].posts.count)
      let id = feeds[index].posts[post].id
      feeds[index].posts[post].id = feeds[index].posts[other].id
      feeds[index].posts[other].id = id
    case 6:
      let copy = copy(of: feeds[index].posts[post])
      feeds[random.below(feeds.count)].posts.insert(copy, at: 0)
    case 7: feeds[index].title += "x"
    default: feeds[index].posts[post].link += "-moved"
    }
  }

  /// Writes all documents into a folder.
  func write(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for feed in feeds {
      let file = "\(folder)/\(feed.name).xml"
      if feed.state == .gone {
        try? FileManager.default.removeItem(atPath: file)
      } else {
        try Data(feed.document.utf8).write(to: URL(filePath: file))
      }
    }
  }
}

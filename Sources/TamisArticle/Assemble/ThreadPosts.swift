import TamisCore

/// The posts of a thread: the elements of one shape that hold most of its text and name their authors or times.
///
/// A shape is a name with its classes, digits and words for odd and even rows aside. Elements that microdata marks as
/// posts come first (schema.org's `Comment`, `Answer`, `Question` and `DiscussionForumPosting`).
struct ThreadPosts {
  /// The post that each block is in, by its number; nil for blocks outside of posts.
  private(set) var postOfBlock: [Int?]
  /// The element of each post with its author and time, still without text, in document order.
  private(set) var list: [(element: Int, post: Article.Post)] = []
  /// The blocks that are no text of a post: its author and time, and short lines that posts share, such as the names
  /// of buttons and of counts.
  private(set) var labels: [Int] = []

  private let page: MeasuredPage
  private var tape: PageTape { page.tape }

  /// The minimum number of posts.
  private static let fewest = 2
  /// The minimum number of words of a post without an author and a time.
  private static let fewestWords = 5
  /// The minimum share of the words in posts, per hundred.
  private static let leastShare = 60
  /// The number of shapes that are examined.
  private static let mostShapes = 8

  /// Elements of one shape with the words of the article in them.
  private struct Shape {
    var words = 0
    /// The innermost of such elements around blocks, in document order.
    var elements: [Int] = []
    var lastBlock = -1
  }

  /// Finds the posts; nil when the page is not seen to have any.
  ///
  /// - Parameters:
  ///   - page: the page of a thread.
  ///   - choice: the chosen blocks.
  init?(_ page: MeasuredPage, _ choice: Choice) {
    self.page = page
    let blocks = page.blocks.list
    postOfBlock = Array(repeating: nil, count: blocks.count)
    let kept = blocks.indices.filter { choice.isText[$0] && blocks[$0].owner >= 0 }
    let words = kept.reduce(0) { $0 + blocks[$1].words }
    for shape in shapes(kept, atLeast: words * Self.leastShare / 100) where list.isEmpty {
      list = posts(of: shape) ?? []
    }
    if list.isEmpty { return nil }
    let numbers = Dictionary(uniqueKeysWithValues: zip(list.map(\.element), list.indices))
    for index in blocks.indices where choice.isShown[index] && blocks[index].owner >= 0 {
      postOfBlock[index] = tape.ancestors(of: blocks[index].owner).lazy.compactMap { numbers[$0] }.first
    }
    findLabels(kept)
  }

  /// The number of elements around the text of a post that may have its author instead.
  private static let mostOuter = 3

  /// Returns the posts of a shape when most name an author or a time, in themselves or in the elements around them; nil
  /// otherwise.
  private func posts(of shape: Shape) -> [(element: Int, post: Article.Post)]? {
    var elements = shape.elements.sorted()
    for _ in 0...Self.mostOuter {
      let ends = Array(elements.dropFirst()) + [tape.elements.count]
      let posts = zip(elements, ends).map { element, end in (element, origin(of: element, before: end)) }
      func isKnown(_ post: Article.Post) -> Bool { post.author != nil || post.published != nil }
      // A short one that nobody has written is the header of the thread.
      let written = posts.filter { isKnown($1) || page.sums.elements[$0].words >= Self.fewestWords }
      if posts.count(where: { isKnown($1) }) * 2 >= posts.count, written.count >= Self.fewest { return written }
      let outer = elements.map { Int(tape.elements[$0].parent) }
      guard Set(outer).count == elements.count, !outer.contains(-1) else { return nil }
      elements = outer.sorted()
    }
    return nil
  }

  /// Returns the posts with their texts; posts without text are left out.
  ///
  /// - Parameter lines: the texts of blocks, with the numbers of the blocks.
  /// - Returns: the posts, in document order.
  func withTexts(_ lines: [(block: Int, text: String)]) -> [Article.Post] {
    var texts = Array(repeating: [String](), count: list.count)
    for line in lines { if let post = postOfBlock[line.block] { texts[post].append(line.text) } }
    return zip(list, texts).filter { !$1.isEmpty }.map { found, lines in
      var post = found.post
      post.text = lines.joined(separator: "\n")
      return post
    }
  }

  // MARK: - Labels

  /// The maximum number of words of a label.
  private static let longestLabel = 12
  /// The maximum number of characters of a line with an author and a time besides these.
  private static let mostOther = 16
  /// A label is shared by this many posts, and by one in four.
  private static let (fewestAlike, oneIn) = (3, 4)

  private mutating func findLabels(_ kept: [Int]) {
    struct Line: Hashable {
      var way: UInt64
      var text: String
    }
    var posts: [Line: Set<Int>] = [:]
    var lines: [(block: Int, post: Int, line: Line)] = []
    var isLabel: Set<Int> = []
    for index in kept {
      let block = page.blocks.list[index]
      guard let post = postOfBlock[index], block.words <= Self.longestLabel, block.pictures == 0,
        block.zones.isDisjoint(with: [.table, .quote]), tape.kind(of: block.owner).role != .preformatted
      else { continue }
      let text = tape.text(of: block).collapsingSpace()
      if isOrigin(text, of: list[post].post) { isLabel.insert(index) }
      // Several people may say the same sentence.
      if block.sentences > 0 { continue }
      let line = Line(way: page.sums.ways[index], text: text.filter { !$0.isNumber })
      posts[line, default: []].insert(post)
      lines.append((index, post, line))
    }
    for (index, _, line) in lines {
      // What people say may have the same item now and then.
      let oneIn = page.blocks.list[index].zones.contains(.list) ? 2 : Self.oneIn
      if (posts[line]?.count ?? 0) >= max(Self.fewestAlike, list.count / oneIn) { isLabel.insert(index) }
    }
    // A post that says no more than others is still a post.
    let withText = Set(kept.filter { !isLabel.contains($0) }.compactMap { postOfBlock[$0] })
    labels = isLabel.sorted().filter { index in postOfBlock[index].map(withText.contains) ?? false }
  }

  /// The maximum length of what precedes the title of a thread in a reply, such as "Re:", in bytes of letters.
  private static let mostBeforeTitle = 4

  /// Whether a line has the author or the time of a post and little more, or is the title of the thread again.
  private func isOrigin(_ text: String, of post: Article.Post) -> Bool {
    let author = post.author.map(Squash.text) ?? ""
    let line = Squash.text(text)
    if !author.isEmpty, line == author { return true }
    let title = Squash.text(page.facts.title?.value ?? "")
    if !title.isEmpty, line.hasSuffix(title), line.utf8.count <= title.utf8.count + Self.mostBeforeTitle { return true }
    guard let date = PageDate(text, language: page.facts.language?.value ?? "") else { return false }
    let hasAuthor = !author.isEmpty && line.contains(author)
    // The day may be that of another time zone.
    guard hasAuthor || post.published?.hasPrefix(date.text.prefix(10)) ?? false else { return false }
    return date.other <= Self.mostOther + (hasAuthor ? author.count : 0)
  }

  // MARK: - Shapes

  /// Returns the shapes that hold enough words in several elements: those with microdata first, then by the number of
  /// elements; of equal ones the outermost, which has the author.
  private func shapes(_ kept: [Int], atLeast words: Int) -> [Shape] {
    var (shapes, numbers): ([Shape], [UInt64: Int]) = ([], [:])
    var keys: [Int: UInt64] = [:]
    for index in kept {
      for element in tape.ancestors(of: page.blocks.list[index].owner) {
        let key = keys[element] ?? key(of: element)
        keys[element] = key
        if key == Self.noKey { continue }
        let number = numbers[key] ?? shapes.count
        if number == shapes.count {
          numbers[key] = number
          shapes.append(Shape())
        }
        // The innermost element of a shape is the post; the post around it has a text of its own.
        if shapes[number].lastBlock == index { continue }
        shapes[number].lastBlock = index
        shapes[number].words += page.blocks.list[index].words
        if shapes[number].elements.last != element { shapes[number].elements.append(element) }
      }
    }
    for number in shapes.indices { shapes[number].elements = Array(Set(shapes[number].elements)) }
    let enough = shapes.filter { $0.elements.count >= Self.fewest && $0.words >= words }
    return enough.map { shape in
      let first = shape.elements.min() ?? 0
      let depth = Int(tape.elements[first].depth)
      return (shape, rank: (isMarked(first) ? 0 : 1, -shape.elements.count, depth, first))
    }
    .sorted { $0.rank < $1.rank }.prefix(Self.mostShapes).map(\.0)
  }

  /// The number that elements marked as posts share, whatever their classes.
  private static let markedKey: UInt64 = 1
  /// The key of elements that have no shape.
  private static let noKey: UInt64 = 0

  /// Returns the key of an element's shape; elements without classes have none.
  private func key(of element: Int) -> UInt64 {
    if isMarked(element) { return Self.markedKey }
    guard tape.kind(of: element).isBlock else { return Self.noKey }
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(tape.elements[element].name)
    guard let range = tape.range(of: "class", in: element) else {
      return tape.name(of: element) == "article" ? digest : Self.noKey
    }
    var hasClass = false
    for token in tape.bytes[range].split(whereSeparator: \.isHTMLSpace)
    where !Self.rowWords.contains(String(decoding: token.lazy.map(\.asciiLowercased), as: UTF8.self)) {
      hasClass = true
      for byte in token where !byte.isASCIIDigit { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
      digest = (digest ^ 0x20) &* 0x100_0000_01B3
    }
    return hasClass ? digest : Self.noKey
  }

  /// Classes that tell a row from the next one.
  private static let rowWords: Set<String> = ["odd", "even", "first", "last", "alt", "bg1", "bg2", "row1", "row2"]
  /// The ends of the schema.org types of posts.
  private static let types: [StaticString] = ["/comment", "/answer", "/question", "/discussionforumposting"]

  private func isMarked(_ element: Int) -> Bool {
    tape.range(of: "itemtype", in: element).map {
      tape.contains(any: Self.types, in: Int32($0.lowerBound)..<Int32(min($0.upperBound, $0.lowerBound + 200)))
    } ?? false
  }

  // MARK: - Authors and times

  /// Returns the author and the time of a post: of the elements in it before the next one.
  private func origin(of post: Int, before next: Int) -> Article.Post {
    var author: (rank: Int, name: String)?
    var published: (rank: Int, date: PageDate)?
    let end = tape.elements[post].end
    for element in post..<next {
      guard tape.elements[element].first <= end else { break }
      if tape.elements[element].zones.contains(.quote) { continue }
      if let rank = authorRank(of: element), rank < author?.rank ?? .max, let name = name(in: element) {
        author = (rank, name)
      }
      if let rank = timeRank(of: element), rank < published?.rank ?? .max, let date = date(of: element) {
        published = (rank, date)
      }
    }
    return Article.Post(author: author?.name, published: published?.date.text, text: "")
  }

  private static let authorClasses: [StaticString] = [
    "author", "username", "user-name", "user_name", "poster", "nickname", "member-name", "display-name", "user-link",
  ]
  private static let authorPaths: [StaticString] = [
    "/user/", "/users/", "/u/", "/member/", "/members/", "/profile/", "member.php", "memberlist.php", "/profiles/",
    "action=profile", "user.php",
  ]
  private static let timeClasses: [StaticString] = ["date", "time", "posted"]

  /// Returns how surely an element names the author, the lowest for the surest; nil when it does not.
  private func authorRank(of element: Int) -> Int? {
    if says("itemprop", ["author", "creator"], element) { return 0 }
    if says("rel", ["author"], element) { return 1 }
    if says("class", Self.authorClasses, element), !says("class", FactNames.otherHints, element) { return 2 }
    return tape.kind(of: element).isLink && says("href", Self.authorPaths, element) ? 3 : nil
  }

  private func timeRank(of element: Int) -> Int? {
    if says("itemprop", ["datepublished", "datecreated", "dateposted"], element) { return 0 }
    if tape.name(of: element) == "time" { return 1 }
    return says("class", Self.timeClasses, element) ? 2 : nil
  }

  /// Whether the beginning of an attribute contains one of these words.
  private func says(_ name: String, _ words: [StaticString], _ element: Int) -> Bool {
    tape.range(of: name, in: element).map {
      tape.contains(any: words, in: Int32($0.lowerBound)..<Int32(min($0.upperBound, $0.lowerBound + 300)))
    } ?? false
  }

  /// The maximum number of characters and words of a name.
  private static let (longestName, mostWords) = (40, 4)

  /// The number of items that are searched for the name in an element.
  private static let mostItems = 40

  private func name(in element: Int) -> String? {
    let inner = nameElement(in: element)
    var text = (tape.value(of: "content", in: inner) ?? tape.text(in: inner, most: 200)).squeezed()
    if Byline.saysBy(text) { text = Byline().names(in: text) ?? text }
    while let last = text.last, ":,•·|".contains(last) || last == " " { text.removeLast() }
    guard !text.isEmpty, text.count <= Self.longestName, text.split(separator: " ").count <= Self.mostWords,
      !text.contains(":"), !FactNames.noNames.contains(text.lowercased()),
      text.contains(where: { $0.isLetter || $0.isNumber }), PageDate(text) == nil
    else { return nil }
    return text
  }

  /// Returns the element with the name itself: the inner `name` property, else the first link with a text.
  private func nameElement(in element: Int) -> Int {
    let own = tape.elements[element]
    var link: Int?
    for item in tape.items[Int(own.first)..<min(Int(own.end), Int(own.first) + Self.mostItems)] {
      guard case .element(let inner) = item else { continue }
      if says("itemprop", ["name"], inner) { return inner }
      if link == nil, tape.kind(of: inner).isLink, !tape.text(in: inner, most: 40).trimmed().isEmpty { link = inner }
    }
    return link ?? element
  }

  private func date(of element: Int) -> PageDate? {
    for name in ["datetime", "content", "title"] {
      if let said = tape.value(of: name, in: element), let date = PageDate(said) { return date }
    }
    let text = tape.text(in: element, most: 200).squeezed()
    return PageDate(text, language: page.facts.language?.value ?? "")
  }
}

extension Article.Post {
  /// The author and the time as a paragraph; empty when neither is known.
  var origin: String {
    let name = author.map { "<strong>\(SanitizedHTML(escaping: $0).string)</strong>" }
    let time = published.map { time in
      "<time datetime=\"\(time)\">\(time.prefix(16).replacing("T", with: " "))</time>"
    }
    let parts = [name, time].compactMap { $0 }
    return parts.isEmpty ? "" : "<p>\(parts.joined(separator: ", "))</p>\n"
  }
}

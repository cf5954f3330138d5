import TamisCore

/// The facts in a page's JSON-LD: its articles, the page itself and the site, in document order.
struct LinkedFacts: Sendable {
  /// The kind of an object, in order of its closeness to an article.
  enum Kind: Int, Sendable { case article, page, site, other }

  /// The facts of one object.
  struct Item: Sendable {
    var key = ""
    var types: [String] = []
    var id = ""
    var url = ""
    var name = ""
    var headline = ""
    var published = ""
    var created = ""
    var updated = ""
    var language = ""
    var description = ""
    var body = ""
    /// The text of a post in a forum.
    var text = ""
    var publisher = ""
    var authors: [Author] = []
    var images: [String] = []
    /// The number of objects before this one in its block.
    var number = 0
    /// Whether the object is where a page's own articles are, in no list and no other article.
    var leads = true

    /// The date of publication, else of creation; empty when neither is given.
    var date: String { published.isEmpty ? created : published }

    var kind: Kind {
      if types.contains(where: { $0.hasSuffix("Article") || $0.hasSuffix("Posting") }) { return .article }
      if types.contains(where: FactNames.articleTypes.contains) { return .article }
      if types.contains(where: FactNames.pageTypes.contains) { return .page }
      return types.contains("WebSite") ? .site : .other
    }
  }

  /// An author: a name, or a reference to the object with the name.
  struct Author: Sendable {
    var name = ""
    var id = ""
    var isOrganization = false
  }

  /// The maximum number of bytes read in total.
  static let mostBytes = 1 << 20
  /// The maximum number of posts kept.
  private static let mostPosts = 10_000
  /// The maximum number of articles and pages kept.
  private static let mostItems = 100

  private(set) var items: [Item] = []
  /// The types of what the page is about, whatever they are.
  private(set) var types: [String] = []
  /// The description of the page's product; empty when there is none.
  private(set) var productDescription = ""
  /// The posts of a thread, with its questions, answers and comments, in document order.
  private(set) var posts: [Article.Post] = []
  /// The names of people and organizations by their identifiers.
  private(set) var names: [String: Author] = [:]

  /// Reads one more block, as far as possible.
  mutating func read(_ block: ArraySlice<UInt8>) {
    let value = Self.value(in: block)
    guard !value.isEmpty else { return }
    let listener = Listener()
    let reader = JSONReader(handler: listener, limits: .standard, mends: true)
    if reader.read(value.span) { reader.finish() }
    listener.closeAll()
    names.merge(listener.names) { first, _ in first }
    items += listener.items.prefix(Self.mostItems - items.count)
    types += listener.types.prefix(Self.mostItems - types.count)
    for post in listener.posts.sorted(by: { $0.number < $1.number }).prefix(Self.mostPosts - posts.count) {
      let author = authors(of: post).first?.name
      posts.append(.init(author: author, published: PageDate(post.date)?.text, text: post.text))
    }
    if productDescription.isEmpty { productDescription = listener.productDescription }
  }

  /// Returns the authors of an object, with references resolved.
  func authors(of item: Item) -> [Author] {
    item.authors.compactMap { author in
      author.name.isEmpty ? names[author.id] : author
    }
  }

  /// Returns the value in a block, without the text around it: comments, CDATA marks, a semicolon.
  private static func value(in block: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // The brackets of `<![CDATA[` do not begin a list.
    let first = block.indices.first { index in
      let isMark = index > block.startIndex && (block[index - 1] == 0x21 || block[index - 1] == 0x41)
      return block[index] == 0x7B || block[index] == 0x5B && !isMark
    }
    guard let start = first, let end = block.lastIndex(where: { $0 == 0x7D || $0 == 0x5D }), start < end
    else { return [] }
    return block[start...max(start, endOfValue(block, end))]
  }

  /// Returns the end of the value, which may precede the `]]>` of CDATA.
  private static func endOfValue(_ block: ArraySlice<UInt8>, _ end: Int) -> Int {
    guard block[end] == 0x5D, end > block.startIndex, block[end - 1] == 0x5D,
      block[end...].dropFirst().first == 0x3E
    else { return end }
    return block[..<(end - 1)].lastIndex { $0 == 0x7D || $0 == 0x5D } ?? end
  }
}

extension LinkedFacts {
  /// A listener that follows the reader by the keys of objects; lists add nothing.
  private final class Listener: JSONHandler {
    private(set) var items: [Item] = []
    private(set) var types: [String] = []
    private(set) var productDescription = ""
    private(set) var posts: [Item] = []
    private(set) var names: [String: Author] = [:]
    private var count = 0
    private var open: [Item] = []
    private var key = ""

    /// Ends the objects that a broken document leaves open.
    func closeAll() { while !open.isEmpty { endObject() } }

    func startObject() {
      var item = Item(key: key, number: count)
      count += 1
      item.leads = (open.last?.leads ?? true) && FactNames.leading.contains(key)
      // An object inside an article is not the page's own article.
      if let outer = open.last, outer.kind == .article, key != "" { item.leads = false }
      open.append(item)
      key = ""
    }

    func endObject() {
      guard let item = open.popLast() else { return }
      key = item.key
      if !item.id.isEmpty, !item.name.isEmpty, item.kind == .other, names.count < 1000, names[item.id] == nil {
        names[item.id] = author(item)
      }
      if !item.text.isEmpty, item.types.contains(where: FactNames.postTypes.contains) { posts.append(item) }
      if item.leads {
        if types.count < LinkedFacts.mostItems { types += item.types }
        if item.kind != .other { items.append(item) }
        if productDescription.isEmpty, item.types.contains(where: FactNames.productTypes.contains) {
          productDescription = item.description
        }
      }
      guard let outer = open.indices.last else { return }
      switch item.key {
      case "author", "creator":
        if open[outer].authors.count < 30 { open[outer].authors.append(author(item)) }
      case "publisher" where open[outer].publisher.isEmpty: open[outer].publisher = item.name
      case "image", "primaryImageOfPage", "thumbnail":
        open[outer].images += item.url.isEmpty ? item.images.prefix(1) : [item.url]
      default: break
      }
    }

    private func author(_ item: Item) -> Author {
      let isOrganization = item.types.contains {
        $0.hasSuffix("Organization") || $0 == "WebSite" || $0 == "Corporation"
      }
      return Author(name: item.name, id: item.id, isOrganization: isOrganization)
    }

    func key(_ name: borrowing Span<UInt8>) { key = Self.text(name, most: 40) }

    func string(_ text: borrowing Span<UInt8>) {
      guard let object = open.indices.last, text.count > 0 else { return }
      switch key {
      case "@type": if open[object].types.count < 10 { open[object].types.append(Self.type(text)) }
      case "@id": open[object].id = Self.text(text)
      case "url", "contentUrl": if open[object].url.isEmpty { open[object].url = Self.text(text) }
      case "name": if open[object].name.isEmpty { open[object].name = Self.text(text) }
      case "headline": if open[object].headline.isEmpty { open[object].headline = Self.text(text) }
      case "datePublished": if open[object].published.isEmpty { open[object].published = Self.text(text, most: 100) }
      case "dateCreated", "uploadDate":
        if open[object].created.isEmpty { open[object].created = Self.text(text, most: 100) }
      case "dateModified": if open[object].updated.isEmpty { open[object].updated = Self.text(text, most: 100) }
      case "inLanguage": if open[object].language.isEmpty { open[object].language = Self.text(text, most: 100) }
      case "description":
        if open[object].description.isEmpty { open[object].description = Self.text(text, most: 1 << 16) }
      case "articleBody", "reviewBody":
        if open[object].body.isEmpty { open[object].body = Self.text(text, most: mostBytes) }
      case "text": if open[object].text.isEmpty { open[object].text = Self.text(text, most: mostBytes) }
      case "author", "creator":
        if open[object].authors.count < 30 { open[object].authors.append(Author(name: Self.text(text))) }
      case "image", "thumbnailUrl": if open[object].images.count < 10 { open[object].images.append(Self.text(text)) }
      case "publisher": if open[object].publisher.isEmpty { open[object].publisher = Self.text(text) }
      default: break
      }
    }

    /// Returns `Article` for `http://schema.org/Article`.
    private static func type(_ span: borrowing Span<UInt8>) -> String {
      let text = text(span, most: 100)
      return text.split(separator: "/").last.map(String.init) ?? text
    }

    /// Returns the beginning of a text with its character references decoded, which pages also write into data.
    private static func text(_ span: borrowing Span<UInt8>, most: Int = 2000) -> String {
      var bytes: [UInt8] = []
      bytes.append(span, 0..<min(span.count, most))
      // Remove half a character at the cut.
      while span.count > most, let last = bytes.last, last >= 0x80 {
        bytes.removeLast()
        if last >= 0xC0 { break }
      }
      let text = String(streamSafe: bytes)
      return bytes.contains(0x26) ? text.decodingCharacterReferences() : text
    }
  }
}

import TamisCore

/// The texts in the JSON that a page brings along for the scripts that draw it.
///
/// Posts are objects with a member that forums keep the markup of a post in (Discourse, Flarum). Of other texts, the
/// longest one under a name for texts counts: JSON of shops and frameworks (Next.js, Inertia) has no common shape.
final class PreloadedData: JSONHandler {
  /// The posts in the order in which they begin in the data; empty when most have neither an author nor a time, since
  /// these are something else.
  var posts: [Article.Post] {
    let known = found.count { $0.post.author != nil || $0.post.published != nil }
    return known * 2 < found.count ? [] : found.sorted { $0.number < $1.number }.map(\.post)
  }
  /// The longest text under a name for texts; empty when there is none.
  private(set) var longest = ""

  /// The number of bytes that are read of one page, besides JSON in strings of JSON.
  static let mostBytes = 1 << 22
  /// The maximum number of posts.
  private static let mostPosts = 10_000

  private static let postNames: Set<String> = ["cooked", "contentHtml"]
  private static let textNames: Set<String> = [
    "articleBody", "body", "bodyHtml", "bodyHTML", "body_html", "content", "contentHtml", "content_html", "cooked",
    "description", "descriptionHtml", "description_html", "html", "longDescription", "text",
  ]
  private static let authorNames: Set<String> = ["username", "display_username"]
  private static let timeNames: Set<String> = ["created_at", "createdAt"]

  /// The posts with the numbers of their objects.
  private var found: [(number: Int, post: Article.Post)] = []
  /// The open objects; only those that are posts are kept.
  private var open: [(number: Int, post: Article.Post)] = []
  private var count = 0
  private var key = ""
  private var rest = PreloadedData.mostBytes
  /// Whether the reader is in a string that is JSON.
  private var isInside = false

  /// Whether there is more data than is read.
  private(set) var isCut = false

  /// The number of words of the markup's article from which the data is not read: a page that shows something has data
  /// about other things too.
  private static let mostShown = 50

  /// Reads the data of a page.
  ///
  /// - Parameters:
  ///   - ranges: the texts of JSON.
  ///   - tape: the page.
  ///   - words: the number of words of the article in the markup; 0 when there is none.
  init(_ ranges: [Range<Int32>], of tape: PageTape, insteadOf words: Int) {
    guard words < Self.mostShown else { return }
    for range in ranges { read(tape.bytes[Int(range.lowerBound)..<Int(range.upperBound)]) }
  }

  /// Reads one more text of JSON, which may be assigned to a variable, as far as possible.
  private func read(_ data: ArraySlice<UInt8>) {
    guard let start = data.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) else { return }
    let json = Array(data[start...].prefix(rest))
    isCut = isCut || start + json.count < data.endIndex
    rest -= json.count
    read(json)
  }

  private func read(_ json: [UInt8]) {
    let outer = (open, key)
    (open, key) = ([], "")
    let reader = JSONReader(handler: self, limits: .standard, mends: true)
    if reader.read(json.span) { reader.finish() }
    while !open.isEmpty { endObject() }
    (open, key) = outer
  }

  func startObject() {
    open.append((count, Article.Post(text: "")))
    count += 1
  }

  func endObject() {
    if let last = open.popLast(), !last.post.text.isEmpty, found.count < Self.mostPosts { found.append(last) }
  }

  func key(_ name: borrowing Span<UInt8>) { key = name.count > 40 ? "" : String(name, 0..<name.count) }

  func string(_ text: borrowing Span<UInt8>) {
    guard let object = open.indices.last else { return }
    if Self.timeNames.contains(key), text.count < 100 {
      open[object].post.published = open[object].post.published ?? PageDate(String(text, 0..<text.count))?.text
    } else if Self.authorNames.contains(key), text.count < 200 {
      open[object].post.author = open[object].post.author ?? String(text, 0..<text.count).squeezed().trimmedOrNil()
    } else if !isInside, Self.isJSON(text) {
      isInside = true
      var json: [UInt8] = []
      json.append(text, 0..<text.count)
      read(json)
      isInside = false
    } else if Self.textNames.contains(key) {
      let isPost = Self.postNames.contains(key)
      guard isPost || text.count > longest.utf8.count else { return }
      let value = String(text, 0..<text.count)
      if isPost { open[object].post.text = value }
      if value.utf8.count > longest.utf8.count { longest = value }
    }
  }

  /// Whether a string begins as an object, or as an array of objects.
  private static func isJSON(_ text: borrowing Span<UInt8>) -> Bool {
    guard text.count > 100 else { return false }
    let start = text[0] == UInt8(ascii: "[") ? 1 : 0
    return text[start] == UInt8(ascii: "{") && text[start + 1] == UInt8(ascii: "\"")
  }
}

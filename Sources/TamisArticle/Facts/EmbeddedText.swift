import TamisCore

/// The text of an article in the data of a page that scripts draw, and whose markup has nothing to read: in its linked
/// data, else in the JSON that it brings along for its scripts.
struct EmbeddedText {
  /// The kind of data that the text is from.
  enum Source: String {
    case linkedData = "json-ld"
    case preloaded = "json"
  }

  let source: Source
  /// The text as markup, as untrusted as the page.
  let markup: String
  /// The text with one line for each paragraph.
  let text: String
  /// The posts of a thread; empty for other texts.
  let posts: [Article.Post]
  /// The mean F1 between such texts and the article, on public pages with known articles whose markup was removed.
  let confidence: Double

  /// The minimum number of words of linked data, and of a text that is only known to be the longest of the data.
  private static let (fewestWords, fewestOfLongest) = (50, 150)
  /// The number of words from which the longest text of the data is most often the article.
  private static let longText = 400
  /// The number of times that linked data has to have the words of the markup's article.
  private static let leastGain = 4

  /// Returns the text when it has much more than the markup; nil otherwise.
  ///
  /// - Parameters:
  ///   - facts: the facts of the page.
  ///   - data: the data for its scripts.
  ///   - words: the number of words of the article in the markup; 0 when there is none.
  init?(_ facts: Article.Facts, _ data: PreloadedData, insteadOf words: Int) {
    let least = max(Self.fewestWords, words * Self.leastGain)
    let linked = Piece(facts.linkedText)
    // schema.org's `text` is plain.
    let threads = [
      (source: Source.linkedData, posts: facts.linkedPosts.map { (post: $0, piece: Piece(plain: $0.text)) }),
      (.preloaded, data.posts.map { (post: $0, piece: Piece($0.text)) }),
    ].map { thread in (source: thread.source, posts: thread.posts.filter { $0.piece.words > 0 }) }
    // The data of a thread often has its first post as a text of its own, and all of its posts elsewhere.
    let longest = threads.map { ($0, words: $0.posts.reduce(0) { $0 + $1.piece.words }) }.max { $0.words < $1.words }
    if let (thread, words) = longest, thread.posts.count > 1, words >= max(least, linked.words) {
      self.init(thread.source, thread.posts)
    } else if linked.words >= least {
      // The data of many threads has their first post alone.
      self.init(.linkedData, linked, confidence: facts.linkedBody.isEmpty ? 0.44 : 0.77)
    } else if case let product = Piece(facts.linkedProduct), product.words >= least {
      self.init(.linkedData, product, confidence: 0.51)
    } else if case let longest = Piece(data.longest), longest.words >= Self.fewestOfLongest {
      self.init(.preloaded, longest, confidence: longest.words >= Self.longText ? 0.8 : 0.37)
    } else {
      return nil
    }
  }

  private init(_ source: Source, _ piece: Piece, confidence: Double) {
    (self.source, markup, text, posts) = (source, piece.markup, piece.text, [])
    self.confidence = confidence
  }

  private init(_ source: Source, _ thread: [(post: Article.Post, piece: Piece)]) {
    self.source = source
    markup = thread.map { "<article>\n\($0.post.origin)\($0.piece.markup)\n</article>" }.joined(separator: "\n")
    text = thread.map(\.piece.text).joined(separator: "\n")
    posts = thread.map { .init(author: $0.post.author, published: $0.post.published, text: $0.piece.text) }
    confidence = 0.9
  }

  /// A text of the data: plain text with line ends, or markup.
  private struct Piece {
    let markup: String
    let text: String
    let words: Int

    /// Creates a piece from a text that may be markup.
    init(_ value: String) {
      if Self.isMarkup(value) {
        let tape = PageReader(limits: .standard).read(Array(value.utf8).span)
        let lines = BlockFinder.find(in: tape).list.map { tape.text(of: $0).collapsingSpace() }
        self.init(markup: BalancedMarkup.markup(of: value), lines: lines)
      } else {
        self.init(plain: value)
      }
    }

    /// Creates a piece from a text without markup.
    init(plain value: String) {
      let lines = value.split(whereSeparator: \.isNewline).map { String($0).collapsingSpace() }.filter { !$0.isEmpty }
      let paragraphs = lines.map { "<p>\(SanitizedHTML(escaping: $0).string)</p>" }
      self.init(markup: paragraphs.joined(separator: "\n"), lines: lines)
    }

    private init(markup: String, lines: [String]) {
      self.markup = markup
      text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
      var count = TextCount()
      count.add(Array(text.utf8)[...])
      count.endWord()
      words = count.count
    }

    /// Whether a text has an end tag.
    private static func isMarkup(_ value: String) -> Bool {
      ByteScan.index(of: "</", in: Array(value.utf8).span, from: 0) != nil
    }
  }
}

import TamisCore

/// The decision about a block of a page and its reasons.
package struct BlockReport: Sendable, Hashable {
  /// The deciding step.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// The score of the trees decided.
    case weighed
    /// The enclosing list or table is kept or dropped as a whole, as most of it is.
    case whole
    /// The block is a list, a table, code or a formula among kept blocks, or the line that introduces it.
    case amongKept = "among-kept"
    /// The block is a footnote to which a kept block refers, or the heading above the first.
    case note
    /// The block is a short line of nothing but links to something else.
    case looseLink = "loose-link"
    /// The block is hidden by inline styles or attributes.
    case hidden
    /// The block is for readers without scripts only.
    case scriptless
    /// The block is a heading without kept content below it.
    case looseHeading = "loose-heading"
    /// The block is the headline; the page's title is shown above the article.
    case headline
    /// The block is a picture among kept blocks.
    case picture
    /// The block is the caption of a kept picture.
    case caption
    /// The trees keep almost nothing, so that plain prose is used.
    case mostProse = "most-prose"
    /// The page has too little that looks like an article.
    case noArticle = "no-article"
    /// The block names the author at the beginning, who is shown above the article.
    case byline
    /// The block announces an advertisement.
    case label
    /// The block is no text of a post of a thread: its author and time, or a short line that posts share.
    case postLabel = "post-label"
    /// The markup has almost nothing to read; the text is from the page's linked data.
    case linkedData = "linked-data"
    /// The text is from the JSON that the page has for its scripts.
    case preloadedData = "preloaded-data"
    /// Other pages of the site also have the block, and it is at the edge of the kept blocks.
    case repeated
    /// A rule for the site defines where the article is.
    case siteKeep = "site-keep"
    /// A rule for the site drops the block, which is not read.
    case siteDrop = "site-drop"
  }

  /// A feature that contributed to the score.
  package struct Reason: Sendable, Hashable {
    /// The feature's name (see `tamis article --number-names`).
    package var name: String
    /// The feature's value for this block; shares are per thousand.
    package var value: Int
    /// The contribution to the score; positive for the article.
    package var weight: Double
  }

  /// The line of the page in which the block's element begins, counted from 1.
  package var line: Int
  /// The innermost enclosing elements, outermost first.
  package var path: String
  /// The text on one line.
  package var text: String
  /// The number of pictures.
  package var pictures: Int
  /// The level of the heading, from 1 to 6, or 0 for other blocks.
  package var headingLevel: Int
  /// Whether the block is shown.
  package var isShown = false
  /// The deciding step.
  package var rule = Rule.weighed
  /// The deciding selector of a rule for the site; nil for none.
  package var selector: String?
  /// The number of other pages of the site that have the block, when that decided, else nil.
  package var otherPages: Int?
  /// The sum of the trees' weights; positive when the block looks like part of the article.
  package var score: Double
  /// The features with the largest contributions, strongest first.
  package var reasons: [Reason]

  /// The maximum number of reasons.
  private static let mostReasons = 3
  /// The maximum number of elements in ``path``.
  private static let longestWay = 4

  init(_ page: MeasuredPage, _ index: Int, score: Int, shares: [Int]) {
    self.init(page.tape, page.blocks.list[index], score: score)
    let strongest = shares.indices.filter { shares[$0] != 0 && (shares[$0] > 0) == (score > 0) }
      .sorted { (abs(shares[$0]), $1) > (abs(shares[$1]), $0) }.prefix(Self.mostReasons)
    let row = page.numbers.row(index)
    reasons = strongest.map { feature in
      Reason(
        name: "\(Feature.allCases[feature])", value: Int(row[row.startIndex + feature]),
        weight: Double(shares[feature] / 10_000) / 100)
    }
  }

  /// Creates the report of a block that was not scored.
  init(_ tape: PageTape, _ block: Block, score: Int = 0) {
    let elements = block.owner < 0 ? [] : Array(tape.ancestors(of: block.owner).prefix(Self.longestWay))
    line = elements.first.map { Int(tape.elements[$0].line) } ?? 1
    path = elements.reversed().map { tape.name(of: $0) }.joined(separator: " > ")
    text = tape.text(of: block).collapsingSpace()
    pictures = block.pictures
    headingLevel = Landmarks.headingLevel(tape, block)
    self.score = Double(score / 10_000) / 100
    reasons = []
  }
}

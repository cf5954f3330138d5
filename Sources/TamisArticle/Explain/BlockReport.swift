import TamisCore

/// The decision about a block of a page, and why.
public struct BlockReport: Sendable, Hashable {
  /// The deciding step.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// The score of the trees.
    case weighed
    /// Most of the list or the table around it is kept, or dropped.
    case whole
    /// It is a list or table among kept blocks, or the line that announces it.
    case amongKept = "among-kept"
    /// A short line of nothing but links leads to something else.
    case looseLink = "loose-link"
    /// It is for readers without script only.
    case scriptless
    /// It is a heading without kept content below it.
    case looseHeading = "loose-heading"
    /// It is the headline: the page's title is shown above the article.
    case headline
    /// It is a picture among kept blocks.
    case picture
    /// It is the caption of a kept picture.
    case caption
    /// The trees keep almost nothing: the plainest prose is taken.
    case mostProse = "most-prose"
    /// There is too little in the page that looks like an article.
    case noArticle = "no-article"
    /// Other pages of the site have it too, and it is at the edge of the kept blocks.
    case repeated
    /// A rule for the site says where the article is.
    case siteKeep = "site-keep"
    /// A rule for the site drops it; it is not read.
    case siteDrop = "site-drop"
  }

  /// A feature that contributed to the score.
  public struct Reason: Sendable, Hashable {
    /// The feature's name (see `tamis article --number-names`).
    public var name: String
    /// Its value for this block; shares are per thousand.
    public var value: Int
    /// Its contribution to the score; above 0 for the article.
    public var weight: Double
  }

  /// The line of the page in which its element begins, counted from 1.
  public var line: Int
  /// The innermost elements around it, outermost first.
  public var path: String
  /// Its text on one line.
  public var text: String
  /// How many pictures are in it.
  public var pictures: Int
  /// From 1 to 6 where it is a heading, else 0.
  public var headingLevel: Int
  /// Whether it is shown.
  public var isShown = false
  /// The deciding step.
  public var rule = Rule.weighed
  /// The deciding selector of a rule for the site; nil for none.
  public var selector: String?
  /// How many other pages of the site have it, when that decided; else nil.
  public var otherPages: Int?
  /// The sum of the trees' weights; above 0 it looks like a part of the article.
  public var score: Double
  /// The features with the largest contributions, the strongest first.
  public var reasons: [Reason]

  /// So many reasons are given.
  private static let mostReasons = 3
  /// So many elements of a way are given.
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

  /// A block that was not weighed.
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

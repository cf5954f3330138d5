import TamisCore

/// What became of a block of a page, and why.
public struct BlockReport: Sendable, Hashable {
  /// What decided.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// The trees' weights.
    case weighed
    /// Most of the list or the table around it stays, or goes.
    case whole
    /// A list or table that stands among what stays, and the line that announces it.
    case amongKept = "among-kept"
    /// A short line of nothing but links leads to something else.
    case looseLink = "loose-link"
    /// It is said to readers without script only.
    case scriptless
    /// Nothing stays under this heading.
    case looseHeading = "loose-heading"
    /// The page's title stands above the article.
    case headline
    /// Pictures stay where they stand among what stays.
    case picture
    /// Captions stay where their picture stays.
    case caption
    /// The trees leave next to nothing: the plainest prose is taken.
    case mostProse = "most-prose"
    /// There is too little in the page that looks like an article.
    case noArticle = "no-article"
    /// It stands on other pages of the site too, and at the edge of what stays here.
    case repeated
    /// A rule for the site says where the article is.
    case siteKeep = "site-keep"
    /// A rule for the site says that this is none of it; it is not read.
    case siteDrop = "site-drop"
  }

  /// A number by which it was weighed.
  public struct Reason: Sendable, Hashable {
    /// What is measured (see `tamis article --number-names`).
    public var name: String
    /// What it comes to in this block; shares are of a thousand.
    public var value: Int
    /// How much it had to do with the score; above 0 for the article.
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
  /// Whether it is part of what is shown.
  public var isShown = false
  /// What decided that.
  public var rule = Rule.weighed
  /// Of a rule for the site, the selector that decided; nil when none did.
  public var selector: String?
  /// On how many other pages of the site it stands, where that decided.
  public var otherPages: Int?
  /// The sum of the trees' weights; above 0 it looks like a part of the article.
  public var score: Double
  /// The numbers that had the most to do with the score, the strongest first.
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

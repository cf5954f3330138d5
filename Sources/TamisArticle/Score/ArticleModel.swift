import CBuiltInFiles
import TamisCore

/// The decision trees of the extractor.
///
/// They are data made by `Training/train.py`: sections that begin with a line such as `[blocks]`, one tree per line.
/// Lines that begin with `#` are comments.
package struct ArticleModel: Sendable {
  /// The trees that tell by a block's features whether it is part of the article: above 0 it is.
  let blocks: Trees
  /// The trees that predict the F of a choice of blocks, in millionths; without them the first choice holds.
  let quality: Trees
  /// The trees that tell by the choice without bias which kind the page is of, one model for each kind; the highest
  /// wins.
  private let kinds: [Trees]

  /// The error for a text that cannot be read as trees.
  package struct Fault: Error, Sendable, Hashable {
    /// The line, counted from 1.
    package let line: Int
    /// The fault in words.
    package let message: String
  }

  /// Returns the scores of a page's blocks, in millionths; above 0 they look like part of the article.
  func scores(of page: MeasuredPage) -> [Int] {
    page.blocks.list.indices.map { blocks.score(page.numbers.row($0)) }
  }

  /// Returns the kind of a page by the features of the choice of its blocks, with its probability; nil without trees
  /// that tell.
  func kind(_ numbers: [Int32]) -> Article.KindGuess? {
    guard kinds.allSatisfy({ !$0.isEmpty }) else { return nil }
    let scores = kinds.map { Double($0.score(numbers[...])) / 1_000_000 }
    let highest = scores.max() ?? 0
    let masses = scores.map { Self.exponential($0 - highest) }
    let best = scores.firstIndex(of: highest) ?? 0
    return Article.KindGuess(
      kind: Article.Kind.allCases[best], confidence: (masses[best] / masses.reduce(0, +) * 100).rounded() / 100)
  }

  /// Returns the exponential of a number that is not positive, by operations that are the same on all platforms.
  private static func exponential(_ power: Double) -> Double {
    (0..<10).reduce(max(0, 1 + power / 1024)) { value, _ in value * value }
  }

  /// Reads a model.
  ///
  /// - Parameter text: the sections of trees; those of a kind have its name.
  /// - Throws: ``Fault`` at the first line that is not a tree.
  package init(reading text: String) throws(Fault) {
    let choice = Trees(of: PageFeature.allCases.map { "\($0)" })
    var sections = ["[blocks]": Trees(of: Feature.allCases.map { "\($0)" }), "[quality]": choice]
    let kindNames = Article.Kind.allCases.map { "[\($0)]" }
    for name in kindNames { sections[name] = choice }
    var section: String?
    let lines = text.utf8.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && line.first != UInt8(ascii: "#") {
      if line.first == UInt8(ascii: "[") {
        section = String(Substring(line))
        guard section.map({ sections[$0] != nil }) == true else {
          throw Fault(line: index + 1, message: "unknown section '\(Substring(line))'")
        }
      } else {
        guard let section else {
          throw Fault(line: index + 1, message: "a section begins with a line such as [blocks]")
        }
        do throws(Trees.Fault) {
          try sections[section]?.add(line)
        } catch {
          throw Fault(line: index + 1, message: error.message)
        }
      }
    }
    (blocks, quality) = (sections["[blocks]"] ?? choice, sections["[quality]"] ?? choice)
    kinds = kindNames.map { sections[$0] ?? choice }
  }

  /// The shipped model.
  package static let shipped: ArticleModel = {
    do throws(Fault) {
      return try ArticleModel(reading: String(decoding: Array(tamis_article_trees), as: UTF8.self))
    } catch {
      fatalError("article.trees:\(error.line): \(error.message)")
    }
  }()
}

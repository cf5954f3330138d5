/// A choice of a page's blocks by the scores of the trees and a threshold, with the prediction of its quality.
struct Candidate {
  /// The addition to the scores, in millionths: the larger, the more is kept.
  let bias: Int
  /// The chosen blocks.
  private(set) var choice: Choice
  /// Whether almost nothing is above the threshold, so that plain prose is chosen.
  private(set) var isRescued = false
  /// The features of the choice.
  private(set) var numbers: [Int32] = []
  /// The predicted F of the choice, in millionths.
  private(set) var quality = 0

  /// The additions to the scores that compete: of a list or a shop's page, people take more for its text than the trees
  /// would keep, most of whose pages are news.
  private static let biases = [0, 500_000, 1_000_000, 1_500_000]
  /// The minimum gain of predicted F by which a choice of more blocks wins.
  private static let leastGain = 20_000
  /// The number of words below which the prose in the main box is chosen instead.
  private static let fewWords = 25

  /// Returns the candidates of a page; the first one has no bias.
  static func all(of page: MeasuredPage, _ scores: [Int], by model: ArticleModel) -> [Candidate] {
    // A rule for the site says where the article is.
    let biases = page.keeping == nil ? Self.biases : [0]
    var all = biases.map { Candidate(page, scores, bias: $0) }
    for index in all.indices {
      all[index].numbers = PageMeasure.numbers(page, scores, all[index], first: all[0])
      all[index].quality = model.quality.score(all[index].numbers[...])
    }
    return all
  }

  /// Returns the best candidate of a page, and the kind of the page, which the choice without bias tells; nil when a
  /// rule for the site says where the article is, or the model has no trees for it.
  static func best(
    of page: MeasuredPage, _ scores: [Int], by model: ArticleModel
  ) -> (candidate: Candidate, kind: Article.KindGuess?) {
    let all = all(of: page, scores, by: model)
    var best = all.dropFirst().reduce(all[0]) { $1.quality > $0.quality + leastGain ? $1 : $0 }
    best.choice.showPictures()
    if let keeping = page.keeping {
      best.choice.keep(keeping)
      return (best, nil)
    }
    return (best, model.kind(all[0].numbers))
  }

  /// The predicted F of the choice, from 0 to 1, in hundredths.
  var confidence: Double { Double(max(0, min(1_000_000, quality)) / 10_000) / 100 }

  private init(_ page: MeasuredPage, _ scores: [Int], bias: Int) {
    self.bias = bias
    if let keeping = page.keeping {
      // Whether a heading or a link stays depends on the blocks next to it.
      choice = Choice(page, zip(keeping, scores).map { $0.weight($1) })
      return
    }
    let biased = scores.map { $0 + bias }
    choice = Choice(page, biased)
    guard choice.words < Self.fewWords, let box = page.box else { return }
    // Plain prose is better than nothing; the confidence is low then.
    isRescued = true
    choice = Choice(page, zip(page.blocks.list, biased).map { $0.isGood && box.contains($0) ? max($1, 1) : $1 })
  }
}

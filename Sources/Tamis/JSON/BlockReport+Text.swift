package import TamisArticle
package import TamisCore

extension PageReport {
  /// The report for people: a line about the page, then the blocks.
  package var lines: [String] { [summary] + blocks.flatMap(\.lines) }

  private var summary: String {
    if confidence == 0, !blocks.contains(where: \.isShown) { return "no article" }
    guard let kind else { return "confidence \(confidence)" }
    return "\(kind.kind) (\(kind.confidence)); confidence \(confidence); blocks stay above a score of \(threshold)"
  }
}

extension BlockReport {
  /// The reason for keeping or dropping the block, on one line: the deciding step, the score, and the numbers with the
  /// most influence.
  package var why: String {
    let numbers = reasons.map { "\($0.name) \($0.value) (\(Self.signed($0.weight)))" }.joined(separator: ", ")
    let others = otherPages.map { "is also on \($0) other pages of the site" }
    let words = selector.map { "\(rule.siteWords) \($0)" } ?? others ?? rule.words(isShown)
    if rule == .siteDrop { return "goes: \(words)" }
    return "\(isShown ? "stays" : "goes"): \(words); score \(Self.signed(score))"
      + (numbers.isEmpty ? "" : ": " + numbers)
  }

  private static func signed(_ number: Double) -> String { number > 0 ? "+\(number)" : "\(number)" }

  /// The report for people: `+` or `-`, the block's line in the page, the elements around it and its beginning; then
  /// the reason.
  package var lines: [String] {
    ["\(isShown ? "+" : "-") \(line): \(path.isEmpty ? "body" : path): \(beginning)", "      \(why)"]
  }

  private var beginning: String {
    if text.isEmpty { return pictures == 1 ? "(a picture)" : "(\(pictures) pictures)" }
    return text.count > 70 ? "\"\(text.prefix(70))…\"" : "\"\(text)\""
  }
}

extension BlockReport.Rule {
  /// Returns the step in words.
  fileprivate func words(_ isShown: Bool) -> String {
    switch self {
    case .weighed: "by its score"
    case .whole: "like most of the list or table around it"
    case .amongKept: "a list, table, code or formula between blocks that stay"
    case .note: "a note that the text refers to"
    case .looseLink: "a short line with links only"
    case .hidden: "hidden by its style or attributes"
    case .scriptless: "only for readers without script"
    case .looseHeading: "nothing below this heading stays"
    case .headline: "the page's title, which is shown above the article"
    case .picture: isShown ? "a picture between blocks that stay" : "a picture that is not between blocks that stay"
    case .caption: isShown ? "a caption whose picture stays" : "a caption whose picture does not stay"
    case .mostProse: "the plainest prose, because almost nothing else would stay"
    case .noArticle: "there is no article in this page"
    case .linkedData: "the text is from the linked data of the page"
    case .preloadedData: "the text is from the data that the page has for its scripts"
    case .label: "announces an advertisement"
    case .postLabel: "the author or the time of a post, which stand above it, or a short line that posts share"
    case .byline: "names the author, who is shown above the article"
    case .repeated: "is also on other pages of the site"
    case .siteKeep: "the rule for the site says that the article is elsewhere"
    case .siteDrop: "the rule for the site says that this is not part of it"
    }
  }

  /// The effect of a rule for the site.
  fileprivate var siteWords: String { self == .siteDrop ? "site drop" : "site keep" }
}

extension JSONWriter {
  /// Writes the report of a page as lines of JSON: an object about the page, then one for each block.
  package mutating func pageReport(_ report: PageReport) {
    object { writer in
      writer.member("confidence", report.confidence)
      writer.kind(report.kind)
      writer.member("threshold", report.threshold)
    }
    endLine()
    for block in report.blocks {
      blockReport(block)
      endLine()
    }
  }

  /// Writes the members of a kind of page, which are absent when it is not known.
  mutating func kind(_ guess: Article.KindGuess?) {
    guard let guess else { return }
    member("kind", guess.kind.rawValue)
    member("kindConfidence", guess.confidence)
  }

  /// Writes the report of a block as one object.
  package mutating func blockReport(_ report: BlockReport) {
    object { writer in
      writer.member("kept", report.isShown)
      writer.member("rule", report.rule.rawValue)
      if let selector = report.selector { writer.member("selector", selector) }
      writer.member("otherPages", report.otherPages)
      writer.member("score", report.score)
      writer.member("line", report.line)
      writer.member("path", report.path)
      writer.member("text", report.text)
      writer.array("reasons") { writer in
        for reason in report.reasons {
          writer.object { writer in
            writer.member("name", reason.name)
            writer.member("value", reason.value)
            writer.member("weight", reason.weight)
          }
        }
      }
    }
  }
}

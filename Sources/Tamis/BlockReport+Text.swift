public import TamisArticle
public import TamisCore

extension BlockReport {
  /// Why it stays or goes, on one line: what decided, the score, and the numbers that had the most to do with it.
  public var why: String {
    let numbers = reasons.map { "\($0.name) \($0.value) (\(Self.signed($0.weight)))" }.joined(separator: ", ")
    let others = otherPages.map { "stands on \($0) other pages of the site" }
    let words = selector.map { "\(rule.siteWords) \($0)" } ?? others ?? rule.words(isShown)
    if rule == .siteDrop { return "goes: \(words)" }
    return "\(isShown ? "stays" : "goes"): \(words); score \(Self.signed(score))"
      + (numbers.isEmpty ? "" : ": " + numbers)
  }

  private static func signed(_ number: Double) -> String { number > 0 ? "+\(number)" : "\(number)" }

  /// For people: `+` or `-`, its line in the page, the elements around it and its beginning; then why.
  public var lines: [String] {
    ["\(isShown ? "+" : "-") \(line): \(path.isEmpty ? "body" : path): \(beginning)", "      \(why)"]
  }

  private var beginning: String {
    if text.isEmpty { return pictures == 1 ? "(a picture)" : "(\(pictures) pictures)" }
    return text.count > 70 ? "\"\(text.prefix(70))…\"" : "\"\(text)\""
  }
}

extension BlockReport.Rule {
  /// In words.
  fileprivate func words(_ isShown: Bool) -> String {
    switch self {
    case .weighed: "as it was weighed"
    case .whole: "as most of the list or table around it"
    case .amongKept: "a list or table among what stays"
    case .looseLink: "a short line of nothing but links leads elsewhere"
    case .scriptless: "said to readers without script only"
    case .looseHeading: "nothing stays under this heading"
    case .headline: "the page's title is told beside the article"
    case .picture: isShown ? "a picture among what stays" : "a picture that does not stand among what stays"
    case .caption: isShown ? "a caption whose picture stays" : "a caption whose picture does not stay"
    case .mostProse: "the plainest prose, because next to nothing else would stay"
    case .noArticle: "there is no article in this page"
    case .repeated: "stands on other pages of the site"
    case .siteKeep: "the rule for the site says that the article is elsewhere"
    case .siteDrop: "the rule for the site says that this is none of it"
    }
  }

  /// What a rule for the site does.
  fileprivate var siteWords: String { self == .siteDrop ? "site drop" : "site keep" }
}

extension JSONWriter {
  /// Writes what became of a block as one object.
  public mutating func blockReport(_ report: BlockReport) {
    object { writer in
      writer.key("kept")
      writer.bool(report.isShown)
      writer.member("rule", report.rule.rawValue)
      if let selector = report.selector { writer.member("selector", selector) }
      if let others = report.otherPages {
        writer.key("otherPages")
        writer.int(Int64(others))
      }
      writer.key("score")
      writer.number(report.score)
      writer.key("line")
      writer.int(Int64(report.line))
      writer.member("path", report.path)
      writer.member("text", report.text)
      writer.key("reasons")
      writer.array { writer in
        for reason in report.reasons {
          writer.object { writer in
            writer.member("name", reason.name)
            writer.key("value")
            writer.int(Int64(reason.value))
            writer.key("weight")
            writer.number(reason.weight)
          }
        }
      }
    }
  }
}

public import TamisArticle
public import TamisCore
import TamisURL

/// Finds the articles of web pages.
public struct ArticleMapper: RecordMapper {
  /// By what and under which rules answers are made.
  public let provenance: Provenance
  /// Articles are in web pages.
  public var wantsPages: Bool { true }
  private let pipeline: ArticlePipeline
  private let writesNumbers: Bool

  /// Makes a mapper.
  ///
  /// - Parameters:
  ///   - pipeline: the way of a page through the stages.
  ///   - settings: all that the way depends on.
  ///   - writesNumbers: whether answers have the numbers of each block, as trees are made of them, in place of the article.
  public init(_ pipeline: ArticlePipeline, settings: [String], writesNumbers: Bool = false) {
    (self.pipeline, self.writesNumbers) = (pipeline, writesNumbers)
    provenance = Provenance("article", settings: settings + ["\(writesNumbers)"])
  }

  /// What a record asks about.
  public static func input(
    _ record: Record, into findings: inout [Finding]
  ) throws(RecordError) -> ArticleExtractor.Input {
    var input = ArticleExtractor.Input(page: try record.pageText())
    input.url = record.address(into: &findings)
    (input.feedTitle, input.feedText) = (record.feedTitle ?? "", record.feedSummary ?? "")
    return input
  }

  /// Writes `title`, `byline`, ..., `html` and `text`, which are null for a page without an article.
  public func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let input = try Self.input(record, into: &findings)
    if writesNumbers {
      writer.key("blocks")
      pipeline.extractor.writeNumbers(input, into: &writer)
    } else {
      writer.article(pipeline.process(input))
    }
  }
}

package import Tamis
package import TamisArticle
package import TamisCore
import TamisURL

/// Finds the articles of web pages.
package struct ArticleMapper: RecordMapper {
  /// The release and the rules that determine the answers.
  package let provenance: Provenance
  /// True, since articles are in web pages.
  package var wantsPages: Bool { true }
  private let pipeline: ArticlePipeline
  private let writesNumbers: Bool
  private let markdown: Markdown.Options?

  /// Creates a mapper.
  ///
  /// - Parameters:
  ///   - pipeline: the stages for a page.
  ///   - settings: all settings on which the result depends.
  ///   - writesNumbers: whether answers have the numbers of blocks and choices, for training, instead of the article.
  ///   - markdown: the form of the Markdown that answers have too; nil for none.
  package init(
    _ pipeline: ArticlePipeline, settings: [String], writesNumbers: Bool = false, markdown: Markdown.Options? = nil
  ) {
    (self.pipeline, self.writesNumbers, self.markdown) = (pipeline, writesNumbers, markdown)
    provenance = Provenance("article", settings: settings + ["\(writesNumbers)"] + (markdown?.settings ?? []))
  }

  /// Returns the page of a record.
  package static func input(
    _ record: Record, into findings: inout [Finding]
  ) throws(RecordError) -> ArticleExtractor.Input {
    var input = ArticleExtractor.Input(page: record.pageText())
    input.url = record.address(into: &findings)
    (input.feedTitle, input.feedText) = (record.feedTitle ?? "", record.feedSummary ?? "")
    return input
  }

  /// Writes `title`, `byline`, ..., `html` and `text`, which are null for a page without an article.
  package func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let input = try Self.input(record, into: &findings)
    if writesNumbers {
      pipeline.extractor.writeNumbers(input, into: &writer)
    } else {
      let output = pipeline.process(input)
      writer.article(output)
      if let markdown, let content = output.content {
        findings += writer.markdown(content, markdown)
      }
    }
  }
}

import ArgumentParser
import Tamis
import TamisRecords

extension ArticleCommand {
  /// The boilerplate of the pages in all files, by site.
  ///
  /// Unreadable input is reported later, when the file is read for its articles.
  func templates(of files: [String], _ extractor: ArticleExtractor) -> SiteTemplates {
    var templates = SiteTemplates()
    for file in files {
      forEachPage(of: file) { page in
        if let outline = extractor.outline(page) { templates.add(outline) }
      }
    }
    templates.settle()
    if templates.forgotten > 0 {
      Terminal.error(
        "tamis: note: \(templates.forgotten.counted("page")) of large sites were not compared: at most \(SiteTemplates.mostBlocks) blocks of a site are [article.site-templates]"
      )
    }
    return templates
  }

  private func forEachPage(of file: String, _ body: (ArticleExtractor.Input) -> Void) {
    if records.jsonl {
      var findings: [Finding] = []
      var input = RecordInput([FilePath(file)], longest: records.longestRecord, wantsPages: true)
      while let record = input.next() {
        if let page = try? ArticleMapper.input(record, into: &findings) { body(page) }
      }
      return
    }
    guard let source = try? FileSource(FilePath(file)) else { return }
    if ArchivedPages.isOne(source) {
      var findings: [Finding] = []
      guard var pages = try? ArchivedPages(source, name: file) else { return }
      while let input = pages.next(into: &findings) {
        body(input)
        findings = []
      }
    } else if let page = try? source.beginning(Limits.standard.documentBytes) {
      body(ArticleExtractor.Input(page: PageEncoding.decode(page), url: url.flatMap { WebURL($0) }))
    }
  }
}

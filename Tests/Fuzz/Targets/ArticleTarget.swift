import Tamis
import TamisCheck
import TamisMarkdown
import TamisSanitizer
import TamisURL

/// Web pages for the extraction of articles; the first byte chooses rules and URL.
struct ArticleTarget: FuzzTarget {
  let name = "article"
  let longest = 8000

  private static let ways = ["reading", "strict", "text"].compactMap { Sanitizer.shipped(named: $0) }.flatMap {
    sanitizer in
    [nil, WebURL("https://news.example/2026/11/story.html?page=2")].map {
      (sanitizer: sanitizer, pipeline: ArticlePipeline(sanitizer: sanitizer), url: $0)
    }
  }

  func fault(in input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let way = Self.ways[Int(first) % Self.ways.count]
    let output = way.pipeline.process(page: Array(input.dropFirst()), url: way.url)
    guard let content = output.content else {
      return output.article.text.isEmpty ? nil : "an article has text and no markup"
    }
    let base = output.article.markup?.base.flatMap { WebURL($0) }
    let contract = OutputContract(policy: way.sanitizer.policy)
    if let breach = contract.breach(of: content, by: way.sanitizer, base: base, page: way.url) {
      return "\(breach) in \(content.string.prefix(4000).debugDescription)"
    }
    if !(0...1).contains(output.article.confidence) { return "a confidence of \(output.article.confidence)" }
    let markdown = Markdown(content)
    // Indentation repeats at each line of a nested block, so that the size is not that of the markup.
    if markdown.text.utf8.count > 16 * content.string.utf8.count + 256 << 10 { return "the Markdown is too large" }
    return markdown == Markdown(content) ? nil : "Markdown is not repeatable"
  }

  func text(of input: [UInt8]) -> String { String(decoding: input.dropFirst(), as: UTF8.self) }

  func seeds(from files: SeedFiles) -> [[UInt8]] {
    let pages =
      files.files(in: "FullText", withExtension: "html")
      + ["Pages", "Pages/Articles", "Pages/Facts", "Pages/Sites"].flatMap { folder in
        ["input", "page"].flatMap { files.sections($0, in: folder) }
      }
    return pages.enumerated().map { [UInt8($0.offset % Self.ways.count)] + $0.element.prefix(longest - 1) }
  }
}

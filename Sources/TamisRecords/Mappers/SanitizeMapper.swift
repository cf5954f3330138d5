package import Tamis
import TamisArticle
package import TamisCore
import TamisFeed
package import TamisHTML
package import TamisSanitizer
package import TamisURL

/// Sanitizes fragments of HTML: the member `html`, and `report` if requested.
package struct SanitizeMapper: RecordMapper {
  /// The release and the rules that determine the answers.
  package let provenance: Provenance
  /// True, since fragments are from web pages.
  package var wantsPages: Bool { true }
  private let sanitizer: Sanitizer
  private let base: WebURL?
  private let page: WebURL?
  private let isReporting: Bool
  private let markdown: Markdown.Options?
  private let selection: PreparedSelection?

  /// Creates a mapper.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer of the fragments.
  ///   - base: the base URL of relative URLs in records without a URL.
  ///   - page: the page from which all fragments are.
  ///   - isReporting: whether answers have a report of the removed parts.
  ///   - markdown: the form of the Markdown that answers have too; nil for none.
  ///   - selection: the parts of fragments that are read.
  package init(
    sanitizer: Sanitizer, base: WebURL? = nil, page: WebURL? = nil, isReporting: Bool = false,
    markdown: Markdown.Options? = nil, selection: PartSelection = PartSelection()
  ) {
    self.sanitizer = sanitizer
    (self.base, self.page, self.isReporting, self.markdown) = (base, page, isReporting, markdown)
    self.selection = PreparedSelection(selection)
    provenance = Provenance(
      "sanitize",
      settings: [sanitizer.fingerprint, base?.href ?? "", page?.href ?? "", "\(isReporting)"]
        + (markdown?.settings ?? []) + selection.all.map(\.description) + ["\(selection.remove.count)"])
  }

  /// Writes `html`, and `markdown` and `report` if requested.
  package func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let html = record.pageText()
    let base = record.address(into: &findings) ?? base
    guard isReporting || selection != nil else {
      return write(sanitizer.sanitizedHTML(ofUTF8: html.span, base: base, page: page), into: &findings, to: &writer)
    }
    let result = sanitizer.sanitize(utf8: html.span, base: base, page: page, selection: selection)
    write(result.html, into: &findings, to: &writer)
    if isReporting { writer.report(result) }
  }

  private func write(_ html: SanitizedHTML, into findings: inout [Finding], to writer: inout JSONWriter) {
    writer.member("html", html.string)
    if let markdown { findings += writer.markdown(html, markdown) }
  }
}

extension Markdown.Options {
  /// The settings on which an answer depends.
  var settings: [String] { ["markdown", links.rawValue, pictures.rawValue] }
}

extension JSONWriter {
  /// Writes the member `markdown`, and returns what is to be said of it.
  mutating func markdown(_ html: SanitizedHTML, _ options: Markdown.Options) -> [Finding] {
    let markdown = Markdown(html, options: options)
    member("markdown", markdown.text)
    return markdown.findings(at: Finding.Location(file: ""))
  }
}

extension Record {
  /// Returns the body as a page's text in UTF-8.
  func pageText() -> [UInt8] {
    switch body {
    case .text(let text): return text
    case .bytes(let bytes):
      let type = headers.value(of: "Content-Type").map { ContentType($0) }
      return PageEncoding.decode(bytes, announced: type?.charset)
    }
  }

  /// Returns the URL, if it is absolute; an invalid one only prevents the resolving of relative URLs, with a finding.
  func address(into findings: inout [Finding]) -> WebURL? {
    guard let url else { return nil }
    if let address = WebURL(url) { return address }
    let message = "'url' is not an absolute URL; relative URLs are not resolved"
    findings.append(Finding(.warning, "record.url", message, at: Finding.Location(file: "")))
    return nil
  }
}

extension JSONWriter {
  /// Writes the member `report`: the parts that the sanitizer removed.
  fileprivate mutating func report(_ result: Sanitizer.Result) {
    object("report") { writer in
      writer.member("tidy", result.tidy.rawValue)
      writer.object("totals") { writer in
        for rule in Removal.Rule.allCases {
          guard let count = result.removalCounts[rule] else { continue }
          writer.key(rule.rawValue)
          writer.int(Int64(count))
        }
      }
      writer.array("removals") { writer in for removal in result.removals { writer.removal(removal) } }
    }
  }

  private mutating func removal(_ removal: Removal) {
    object { writer in
      writer.member("rule", removal.rule.rawValue)
      writer.member("name", removal.name)
      writer.member("reason", removal.rule.reason)
      writer.member("line", removal.line)
      writer.member("column", removal.column)
    }
  }
}

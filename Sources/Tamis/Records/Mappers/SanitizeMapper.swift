import TamisArticle
public import TamisCore
import TamisFeed
import TamisRules
public import TamisSanitizer
public import TamisURL

/// Makes fragments of HTML safe: the member `html`, and `report` where that is asked for.
public struct SanitizeMapper: RecordMapper {
  /// By what and under which rules answers are made.
  public let provenance: Provenance
  /// Fragments are of web pages.
  public var wantsPages: Bool { true }
  private let sanitizer: Sanitizer
  private let base: WebURL?
  private let page: WebURL?
  private let isReporting: Bool

  /// Makes a mapper.
  ///
  /// - Parameters:
  ///   - policy: the rules.
  ///   - base: what relative URLs are resolved against in records that name no address.
  ///   - page: the page that all fragments are from.
  ///   - isReporting: whether answers say what was taken away.
  public init(policy: Policy, base: WebURL? = nil, page: WebURL? = nil, isReporting: Bool = false) {
    sanitizer = Sanitizer(policy: policy)
    (self.base, self.page, self.isReporting) = (base, page, isReporting)
    provenance = Provenance(
      "sanitize", settings: [Rules.text(of: policy), base?.href ?? "", page?.href ?? "", "\(isReporting)"])
  }

  /// Writes `html` and perhaps `report`.
  public func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let html = try record.pageText()
    let base = record.address(into: &findings) ?? base
    guard isReporting else {
      writer.member("html", sanitizer.html(ofUTF8: html.span, base: base, page: page).string)
      return
    }
    let result = sanitizer.sanitize(utf8: html.span, base: base, page: page)
    writer.member("html", result.html.string)
    writer.report(result)
  }
}

extension Record {
  /// The body as a page's text in UTF-8.
  func pageText() throws(RecordError) -> [UInt8] {
    switch body {
    case .pair: throw .pair
    case .text(let text): return text
    case .bytes(let bytes):
      let type = headers.value(of: "Content-Type").map { ContentType($0) }
      return PageEncoding.decode(bytes, announced: type?.charset)
    }
  }

  /// The address, if it is an absolute URL: one that is none costs the resolving, not the record.
  func address(into findings: inout [Finding]) -> WebURL? {
    guard let url else { return nil }
    if let address = WebURL(url) { return address }
    let message = "'url' is no absolute URL; relative addresses are not resolved against it"
    findings.append(Finding(.warning, "record.url", message, at: SourceLocation(file: "")))
    return nil
  }
}

extension JSONWriter {
  /// Writes the member `report`: what the sanitizer took away.
  fileprivate mutating func report(_ result: Sanitizer.Result) {
    key("report")
    object { writer in
      writer.member("tidy", result.tidy.rawValue)
      writer.key("totals")
      writer.object { writer in
        for rule in Removal.Rule.allCases {
          guard let count = result.removalCounts[rule] else { continue }
          writer.key(rule.rawValue)
          writer.int(Int64(count))
        }
      }
      writer.key("removals")
      writer.array { writer in
        for removal in result.removals { writer.removal(removal) }
      }
    }
  }

  private mutating func removal(_ removal: Removal) {
    object { writer in
      writer.member("rule", removal.rule.rawValue)
      writer.member("name", removal.name)
      writer.member("reason", removal.rule.reason)
      writer.key("line")
      writer.int(Int64(removal.line))
      writer.key("column")
      writer.int(Int64(removal.column))
    }
  }
}

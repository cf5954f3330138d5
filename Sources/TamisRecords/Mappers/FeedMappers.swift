package import Tamis
package import TamisCore
import TamisExtract
package import TamisFeed
package import TamisSanitizer

/// Parses feeds: the answer is the output of ``FeedJSON``.
package struct ParseMapper: RecordMapper {
  /// The release and the rules that determine the answers.
  package let provenance: Provenance
  /// False, since any document may be a feed.
  package var wantsPages: Bool { false }
  /// Whether text is escaped for HTML.
  package let escapesHTML: Bool
  private let parser: FeedParser
  private let json: FeedJSON

  /// Creates a mapper.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer of markup.
  ///   - isSafe: whether text is escaped for HTML, and URLs that are not safe to follow are left out.
  ///   - fields: the elements of entries that are read by name.
  package init(sanitizer: Sanitizer, isSafe: Bool = false, fields: [FeedParser.CustomField] = []) {
    (parser, json) = (FeedParser(fields: fields), isSafe ? FeedJSON(safe: sanitizer) : FeedJSON(sanitizer: sanitizer))
    escapesHTML = isSafe
    provenance = Provenance("parse", settings: [sanitizer.fingerprint, "\(fields)"] + (isSafe ? ["safe"] : []))
  }

  /// Writes `entries`, `feed`, `bozo` and the other members of the model.
  package func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let document = record.feedDocument()
    let parsed: FeedParser.Result
    do throws(FeedParser.Failure) { parsed = try parser.run(document, into: &findings) } catch {
      throw RecordError(error)
    }
    for entry in parsed.entries { findings += json.findings(about: entry) }
    findings += json.findings(about: parsed.feed, at: Finding.Location(file: document.name))
    json.writeMembers(of: parsed, document, to: &writer)
  }
}

/// Reads feeds: the answer has the fields of each entry that a reader shows, and its safe HTML.
package struct ExtractMapper: RecordMapper {
  /// The release and the rules that determine the answers.
  package let provenance: Provenance
  /// False, since any document may be a feed.
  package var wantsPages: Bool { false }
  private let pipeline: Pipeline
  private let json: FeedJSON
  private let markdown: Markdown.Options?

  /// Creates a mapper.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer of bodies.
  ///   - pipeline: the stages for a document.
  ///   - settings: the settings on which the result depends besides the sanitizer.
  ///   - markdown: the form of the Markdown that entries have too; nil for none.
  package init(sanitizer: Sanitizer, _ pipeline: Pipeline, settings: [String] = [], markdown: Markdown.Options? = nil) {
    (self.pipeline, json, self.markdown) = (pipeline, FeedJSON(sanitizer: sanitizer), markdown)
    provenance = Provenance("extract", settings: [sanitizer.fingerprint] + settings + (markdown?.settings ?? []))
  }

  /// Writes `feed`, `bozo` and `entries`.
  package func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let document = record.feedDocument()
    let output: Pipeline.Output
    do throws(FeedParser.Failure) { output = try pipeline.process(document) } catch { throw RecordError(error) }
    findings += output.findings
    writer.key("feed")
    json.write(output.feed, to: &writer)
    writer.member("bozo", output.feed.fault != nil)
    writer.array("entries") { writer in
      for extraction in output.extractions {
        let post = extraction.post
        let written = markdown.map { Markdown(post.content, options: $0) }
        writer.extraction(extraction, withPost: true, markdown: written)
        findings += written?.findings(at: post.location, entry: post.id ?? post.title) ?? []
      }
    }
  }
}

extension Record {
  /// Returns the body as a feed's document.
  func feedDocument() -> FeedDocument {
    switch body {
    case .text(let text):
      var document = FeedDocument(name: url ?? "", bytes: text, url: url, headers: headers)
      document.isDecoded = true
      return document
    case .bytes(let bytes): return FeedDocument(name: url ?? "", bytes: bytes, url: url, headers: headers)
    }
  }
}

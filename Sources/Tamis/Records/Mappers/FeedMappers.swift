public import TamisCore
public import TamisFeed
import TamisRules
public import TamisSanitizer

/// Reads feeds: what ``FeedJSON`` writes of a document.
public struct ParseMapper: RecordMapper {
  /// By what and under which rules answers are made.
  public let provenance: Provenance
  /// Whatever may be a feed is of use.
  public var wantsPages: Bool { false }
  private let parser: FeedParser
  private let json: FeedJSON

  /// Makes a mapper.
  ///
  /// - Parameters:
  ///   - policy: the rules for markup.
  ///   - fields: elements of entries that are to be had by name.
  public init(policy: Policy, fields: [CustomField] = []) {
    (parser, json) = (FeedParser(fields: fields), FeedJSON(policy: policy))
    provenance = Provenance("parse", settings: [Rules.text(of: policy), "\(fields)"])
  }

  /// Writes `entries`, `feed`, `bozo` and what else the model has.
  public func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let document = try record.feedDocument()
    let parsed: ParsedFeed
    do throws(NotAFeed) { parsed = try parser.run(document, into: &findings) } catch { throw RecordError(error) }
    json.writeMembers(of: parsed, document, to: &writer)
  }
}

/// Reads feeds and says what a reader needs to know of each entry, with its safe HTML.
public struct ExtractMapper: RecordMapper {
  /// By what and under which rules answers are made.
  public let provenance: Provenance
  /// Whatever may be a feed is of use.
  public var wantsPages: Bool { false }
  private let pipeline: Pipeline
  private let json: FeedJSON

  /// Makes a mapper.
  ///
  /// - Parameters:
  ///   - policy: the rules for bodies.
  ///   - pipeline: the way of a document through the stages.
  ///   - settings: what the way depends on besides the policy.
  public init(policy: Policy, _ pipeline: Pipeline, settings: [String] = []) {
    (self.pipeline, json) = (pipeline, FeedJSON(policy: policy))
    provenance = Provenance("extract", settings: [Rules.text(of: policy)] + settings)
  }

  /// Writes `feed`, `bozo` and `entries`.
  public func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    let document = try record.feedDocument()
    let output: Pipeline.Output
    do throws(NotAFeed) { output = try pipeline.process(document) } catch { throw RecordError(error) }
    findings += output.findings
    writer.key("feed")
    json.write(output.feed, to: &writer)
    writer.key("bozo")
    writer.bool(output.feed.fault != nil)
    writer.key("entries")
    writer.array { writer in
      for extraction in output.extractions { writer.extraction(extraction, withPost: true) }
    }
  }
}

extension Record {
  /// The body as a feed's document.
  func feedDocument() throws(RecordError) -> FeedDocument {
    switch body {
    case .pair: throw .pair
    case .text(let text):
      var document = FeedDocument(name: url ?? "", bytes: text, url: url, headers: headers)
      document.isDecoded = true
      return document
    case .bytes(let bytes): return FeedDocument(name: url ?? "", bytes: bytes, url: url, headers: headers)
    }
  }
}

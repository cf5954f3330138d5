package import Tamis
package import TamisCore
import TamisFeed
import TamisSystem

/// Answers records independently, so that any number of processes can share them.
///
/// The same record always has the same answer, whichever other records are in the input.
package protocol RecordMapper: Sendable {
  /// The release, rules and options that determine the answers; see ``Provenance``.
  var provenance: Provenance { get }
  /// Whether the mapper takes only web pages; otherwise it takes any document that may be a feed.
  var wantsPages: Bool { get }
  /// Whether findings and errors about a record are escaped for HTML, as its answer is.
  var escapesHTML: Bool { get }
  /// Writes the members of an answer.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - findings: receives findings about the record.
  ///   - writer: the writer of the answer.
  /// - Throws: ``RecordError`` before anything is written.
  func answer(_ record: Record, into findings: inout [Finding], to writer: inout JSONWriter) throws(RecordError)
}

extension RecordMapper {
  /// The default: answers are not HTML.
  package var escapesHTML: Bool { false }
}

/// Writes answers to records.
struct RecordAnswers<Mapper: RecordMapper> {
  /// The beginning of each answer.
  static var beginning: String.UTF8View { #"{"v":1,"id":"#.utf8 }

  let mapper: Mapper
  private let by: String
  private(set) var writer = JSONWriter()
  /// The number of answers that were written.
  private(set) var count = 0
  /// The number of errors among them, by code.
  private(set) var errors: [RecordError.Code: Int] = [:]

  init(_ mapper: Mapper) {
    self.mapper = mapper
    by = mapper.provenance.description
  }

  /// Passes on the written bytes; the buffer is reused.
  mutating func handOn(to write: ([UInt8]) -> Void) {
    if !writer.bytes.isEmpty { write(writer.bytes) }
    writer.removeAll()
  }

  /// Answers a question.
  mutating func answer(_ question: RecordQuestion) {
    switch question.content {
    case .line(let bytes):
      do throws(Record.Invalid) {
        answer(try Record(line: bytes), line: question.number)
      } catch {
        write(error.error, id: error.id, line: question.number, meta: error.meta)
      }
    case .record(let record): answer(record, line: question.number)
    case .invalid(let invalid): write(invalid.error, id: invalid.id, line: question.number, meta: invalid.meta)
    }
  }

  private mutating func answer(_ record: Record, line: Int) {
    let start = writer.bytes.count
    var findings = record.findings
    begin(record.id, line: line)
    do throws(RecordError) {
      try mapper.answer(record, into: &findings, to: &writer)
    } catch {
      writeMembers(error)
    }
    let reported = findings.filter { $0.severity > .note }
    if !reported.isEmpty {
      writer.escapesHTML = mapper.escapesHTML
      writer.findings(reported)
      writer.escapesHTML = false
    }
    end(meta: record.meta, from: start)
  }

  /// Writes an error as the answer to a record.
  mutating func write(_ error: RecordError, id: Record.ID, line: Int, meta: [UInt8]) {
    let start = writer.bytes.count
    begin(id, line: line)
    writeMembers(error)
    end(meta: meta, from: start)
  }

  private mutating func begin(_ id: Record.ID, line: Int) {
    count += 1
    writer.beginObject()
    writer.member("v", 1)
    writer.key("id")
    writer.id(id)
    guard !id.isExact else { return }
    writer.member("line", line)
  }

  private mutating func writeMembers(_ error: RecordError) {
    errors[error.code, default: 0] += 1
    writer.key("error")
    writer.escapesHTML = mapper.escapesHTML
    writer.object { writer in
      writer.member("code", error.code.rawValue)
      writer.member("message", error.message)
    }
    writer.escapesHTML = false
  }

  private mutating func end(meta: [UInt8], from start: Int) {
    if !meta.isEmpty {
      writer.key("meta")
      writer.json(meta.span)
    }
    writer.member("by", by)
    writer.endObject()
    writer.escapeLineEnds(from: start)
    writer.endLine()
  }
}

extension JSONWriter {
  /// Writes the member `findings`, with locations in the document.
  fileprivate mutating func findings(_ findings: [Finding]) {
    array("findings") { writer in
      for finding in findings {
        writer.object { writer in
          writer.member("severity", finding.severity.rawValue)
          writer.member("code", finding.code)
          writer.member("message", finding.message)
          if finding.location.line > 0 {
            writer.member("line", finding.location.line)
          }
          if finding.location.column > 0 {
            writer.member("column", finding.location.column)
          }
          writer.member("entry", finding.entry)
        }
      }
    }
  }
}

extension RecordError {
  /// Creates the record error for a document that is not a feed.
  init(_ error: FeedParser.Failure) {
    let code: Code =
      switch error.reason {
      case .empty: .emptyFeed
      case .tooLarge: .tooLarge
      case .unreadable, .somethingElse: .notAFeed
      }
    self.init(code, error.finding.message)
  }
}

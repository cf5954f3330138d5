import Tamis
package import TamisCore
import TamisFoundation

/// A record, version 1: a document with its metadata, read from a line of JSON or a record of a WARC file.
///
/// The format is described in docs/records.md. Unknown members are ignored.
package struct Record: Sendable {
  /// The identifier of a record, which is returned with the answer.
  package enum ID: Sendable, Hashable {
    case none
    case string(String)
    /// A number as it was written; programs differ in which numbers they can represent.
    case number(String)
  }

  /// The document.
  package enum Body: Sendable, Hashable {
    /// Text in UTF-8, whatever encoding it declares.
    case text([UInt8])
    /// Raw bytes.
    case bytes([UInt8])
  }

  /// The error of a line that is not a record, with the readable part of its id.
  package struct Invalid: Error, Sendable {
    /// The error.
    package let error: RecordError
    /// The id; `none` when it cannot be read.
    package let id: ID
    /// The JSON to be returned with the answer; empty for none.
    package let meta: [UInt8]
  }

  /// The id.
  package var id = ID.none
  /// The URL of the document, against which relative URLs in it are resolved.
  package var url: String?
  /// The header fields of the document's response.
  package var headers: [HeaderField] = []
  /// The document.
  package var body: Body
  /// The title of a page in its feed: `feed.title`.
  package var feedTitle: String?
  /// The summary of a page in its feed: `feed.summary`.
  package var feedSummary: String?
  /// The JSON that is returned with the answer; empty for none.
  package var meta: [UInt8] = []
  /// The findings about the line.
  package var findings: [Finding] = []

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - body: the document.
  package init(id: ID, body: Body) { (self.id, self.body) = (id, body) }

  /// Reads a line.
  ///
  /// Invalid UTF-8 becomes U+FFFD, and control characters that should have been escaped are accepted, both with a
  /// finding.
  ///
  /// - Parameter line: the line, without its end.
  /// - Throws: ``Invalid`` when the line is not a record.
  package init(line: [UInt8]) throws(Invalid) {
    guard line.contains(where: { !$0.isJSONSpace }) else {
      throw Invalid(error: RecordError(.blank, "this line is blank"), id: .none, meta: [])
    }
    var members = RecordMembers(line.span)
    var finding: Finding?
    if members.fault != nil, let mended = MendedLine(line) {
      members = RecordMembers(mended.bytes.span)
      finding = mended.finding
    }
    try self.init(members, of: line)
    if let finding { findings.append(finding) }
  }

  private init(_ members: RecordMembers, of line: [UInt8]) throws(Invalid) {
    let (id, idError) = Self.id(members)
    func invalid(_ code: RecordError.Code, _ message: String) -> Invalid {
      Invalid(error: RecordError(code, message), id: id, meta: members.meta)
    }
    if let fault = members.fault {
      if MendedLine.isWide(line) {
        throw invalid(.encoding, "this line is in UTF-16 or UTF-32, and records are in UTF-8")
      }
      throw invalid(.json, "this line is not a JSON object: at column \(fault.column), \(fault.message)")
    }
    guard members.isObject else { throw invalid(.json, "this line is JSON, but not an object") }
    if let idError { throw Invalid(error: idError, id: .none, meta: members.meta) }
    switch members[.version] {
    case nil, .null, .number("1"): break
    default: throw invalid(.version, "'v' is not 1, and no other version is known")
    }
    do { body = try Self.body(members) } catch { throw Invalid(error: error, id: id, meta: members.meta) }
    self.id = id
    (meta, headers) = (members.meta, members.headers)
    url = members.text(.url) ?? members.text(.base)
    (feedTitle, feedSummary) = (members.text(.feedTitle), members.text(.feedSummary))
    for name in members.namesOfOtherTypes {
      findings.append(Finding(.warning, "record.member", "'\(name)' has the wrong type; it is left out"))
    }
  }

  private static func id(_ members: RecordMembers) -> (ID, RecordError?) {
    switch members[.id] {
    case nil, .null: (.none, nil)
    case .string(let text): (.string(text), nil)
    case .number(let text): (.number(text), nil)
    case .bool, .array, .object:
      (.none, RecordError(.id, "'id' is neither a string nor a number; the answer has the line number instead"))
    }
  }

  private static func body(_ members: RecordMembers) throws(RecordError) -> Body {
    let given = [RecordMembers.Member.body, .html, .base64].filter(members.has)
    guard let member = given.first else {
      throw RecordError(.body, "there is no body: give 'body' or 'html' (a string), or 'body64' (base64)")
    }
    if given.count > 1 {
      throw RecordError(.body, "there are several bodies: '\(given.map(\.rawValue).joined(separator: "' and '"))'")
    }
    guard case .string(let text) = members[member] else {
      throw RecordError(.body, "'\(member.rawValue)' is not a string")
    }
    guard member == .base64 else { return .text(Array(text.utf8)) }
    // Some encoders break base64 into lines (RFC 2045, section 6.8).
    guard let bytes = Data(base64Encoded: Data(text.utf8.filter { !$0.isJSONSpace })) else {
      throw RecordError(.body, "'body64' is not valid base64 (RFC 4648, section 4)")
    }
    return .bytes(Array(bytes))
  }
}

extension Record {
  /// The record of a document as a line of JSON, without its findings.
  var line: [UInt8] {
    JSONWriter.object { writer in
      writer.key("id")
      writer.id(id)
      writer.member("url", url)
      if !headers.isEmpty {
        writer.object("headers") { writer in for field in headers { writer.member(field.name, field.value) } }
      }
      switch body {
      case .text(let text):
        writer.key("body")
        writer.string(utf8: text.span)
      case .bytes(let bytes):
        writer.key("body64")
        writer.json(([UInt8(ascii: "\"")] + Data(bytes).base64EncodedData() + [UInt8(ascii: "\"")]).span)
      }
      if !meta.isEmpty {
        writer.key("meta")
        writer.json(meta.span)
      }
    }
  }
}

extension JSONWriter {
  /// Writes an id.
  mutating func id(_ id: Record.ID) {
    switch id {
    case .none: null()
    case .string(let text): string(text)
    case .number(let text): json(Array(text.utf8).span)
    }
  }
}

extension Record.ID {
  /// Reads the id from the beginning of a long line, as far as it is there.
  init(beginningOf line: [UInt8]) {
    switch RecordMembers(line.span)[.id] {
    case .string(let text): self = .string(text)
    case .number(let text): self = .number(text)
    default: self = .none
    }
  }

  /// Whether answers can be matched to the id: it could be read exactly.
  var isExact: Bool {
    switch self {
    case .none: false
    case .number: true
    case .string(let text): !text.unicodeScalars.contains("\u{FFFD}")
    }
  }
}

extension Finding {
  fileprivate init(_ severity: Severity, _ code: String, _ message: String) {
    self.init(severity, code, message, at: Finding.Location(file: ""))
  }
}

/// A line whose bytes were repaired to valid JSON without loss of content.
struct MendedLine {
  let bytes: [UInt8]
  let finding: Finding

  /// Repairs a line; nil when there is nothing to repair, or when the line is in another encoding.
  init?(_ line: [UInt8]) {
    if Self.isWide(line) { return nil }
    let isUTF8 = UTF8Sequence.firstFault(line.span) == nil
    let text = isUTF8 ? line : Array(String(decoding: line, as: UTF8.self).utf8)
    var mended: [UInt8] = []
    var (isInString, isEscaped, controls) = (false, false, 0)
    mended.reserveCapacity(text.count + 64)
    for byte in text {
      if isInString, byte < 0x20 {
        let digits = Array("0123456789abcdef".utf8)
        // A backslash before the character is itself data and is escaped.
        if isEscaped { mended.append(UInt8(ascii: "\\")) }
        mended += [UInt8(ascii: "\\")] + "u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        controls += 1
        isEscaped = false
        continue
      }
      mended.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if byte == UInt8(ascii: "\\"), isInString {
        isEscaped = true
      }
    }
    if isUTF8, controls == 0 { return nil }
    bytes = mended
    let message =
      isUTF8
      ? "control characters in strings are not escaped; they are accepted"
      : "bytes that are not UTF-8 were replaced by U+FFFD"
    finding = Finding(.warning, "record.encoding", message)
  }

  /// Whether a line is in UTF-16 or UTF-32: it begins with a byte order mark, or at least two of five bytes of its
  /// beginning are NUL.
  static func isWide(_ line: [UInt8]) -> Bool {
    if line.starts(with: [0xFF, 0xFE]) || line.starts(with: [0xFE, 0xFF]) { return true }
    let beginning = line.prefix(64)
    return beginning.count > 3 && beginning.count { $0 == 0 } * 5 >= beginning.count * 2
  }
}

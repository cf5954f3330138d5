import Tamis
import TamisCore
import TamisJSON

/// The known members of a record, read in one pass over its line without building a tree.
///
/// The last of several members with the same name is used.
struct RecordMembers {
  /// A known member.
  enum Member: Int, CaseIterable {
    case version, id, url, base, body, html, base64, feedTitle, feedSummary

    /// The name of the member in a record.
    var name: String {
      switch self {
      case .version: "v"
      case .id: "id"
      case .url: "url"
      case .base: "base"
      case .body: "body"
      case .html: "html"
      case .base64: "body64"
      case .feedTitle: "feed.title"
      case .feedSummary: "feed.summary"
      }
    }
  }

  /// The value of a member, as far as records use it.
  enum Value: Hashable {
    case null
    case string([UInt8])
    /// A number, as it was written.
    case number(String)
    /// `true`, `false`, an object or an array.
    case other
  }

  /// The fault of the line; everything before it was read.
  let fault: JSONFault?
  /// Whether the line is an object.
  let isObject: Bool
  /// `meta` as JSON; empty when there is none.
  let meta: [UInt8]
  /// The members of `headers` whose values are strings, or arrays of strings for repeated fields.
  let headers: [HeaderField]
  private let values: [Value?]
  /// The names of members that should be objects and are not, and of header fields that are not text.
  private let misfits: Set<String>

  init(_ line: borrowing Span<UInt8>) {
    let listener = RecordListener()
    var limits = Limits.standard
    limits.fieldBytes = line.count
    let reader = JSONReader(handler: listener, limits: limits)
    listener.offset = { [unowned reader] in reader.offset }
    if reader.read(line) { reader.finish() }
    (fault, isObject) = (listener.fault, listener.isObject)
    var values = listener.values
    // A truncated number is another number.
    if fault != nil, case .number = values[Member.id.rawValue], !Self.endsNumber(line, at: listener.idEnd) {
      values[Member.id.rawValue] = nil
    }
    self.values = values
    misfits = listener.misfits
    // A truncated `meta` is not returned.
    meta = listener.fault == nil ? listener.meta : []
    headers = listener.headers
  }

  private static func endsNumber(_ line: borrowing Span<UInt8>, at index: Int) -> Bool {
    index < line.count
      && (line[index] == UInt8(ascii: ",") || line[index] == UInt8(ascii: "}") || line[index].isJSONSpace)
  }

  subscript(member: Member) -> Value? { values[member.rawValue] }

  /// Returns a member that is a string; nil when it is missing, null, or of another type.
  func text(_ member: Member) -> String? {
    if case .string(let text)? = self[member] { return String(decoding: text, as: UTF8.self) }
    return nil
  }

  /// The members that should be strings and are of another type.
  var namesOfOtherTypes: [String] {
    let members = [Member.url, .base, .feedTitle, .feedSummary].filter { member in
      switch self[member] {
      case nil, .null, .string: false
      case .number, .other: true
      }
    }
    return members.map(\.name) + misfits.sorted()
  }
}

/// Collects the known members.
private final class RecordListener: JSONHandler {
  typealias Member = RecordMembers.Member

  /// The part of the record that is being read.
  private enum Part {
    case root
    case feed
    case headers
    case otherObject
    /// An array, whose values have no names; `isHeader` when they are the values of a header field.
    case array(isHeader: Bool)
  }

  /// The meaning of the next value.
  private enum Expected {
    case nothing
    case member(Member)
    case feed
    case headers
    case header
    case meta
  }

  private(set) var values = [RecordMembers.Value?](repeating: nil, count: Member.allCases.count)
  private(set) var fault: JSONFault?
  private(set) var isObject = false
  /// The offset of the end of the id when it is a number.
  private(set) var idEnd = 0
  private(set) var misfits: Set<String> = []
  /// A function that returns the offset of the current event.
  var offset: () -> Int = { 0 }
  private(set) var meta: [UInt8] = []
  private(set) var headers: [HeaderField] = []
  private var parts: [Part] = []
  private var expected = Expected.nothing
  /// The name of a header field.
  private var name = ""
  /// The part of `meta` that was read, and the number of its open objects and arrays.
  private var copy: JSONWriter?
  private var copyDepth = 0

  // MARK: - Values

  func null() {
    if copying({ $0.null() }) { return }
    keep(.null)
  }

  func bool(_ value: Bool) {
    if copying({ $0.bool(value) }) { return }
    keep(.other)
  }

  func number(_ text: borrowing Span<UInt8>) {
    if isCopying {
      beginCopy()
      copy?.json(text)
      endCopy()
    } else if case .member(let member) = expected {
      if member == .id { idEnd = offset() + text.count }
      keep(.number(Self.string(text)))
    } else {
      keep(.other)
    }
  }

  func string(_ text: borrowing Span<UInt8>) {
    if isCopying {
      beginCopy()
      copy?.string(utf8: text)
      endCopy()
      return
    }
    switch expected {
    case .member: keep(.string(Self.bytes(text)))
    case .header: headers.append(HeaderField(name: name, value: Self.string(text)))
    case .nothing:
      if case .array(isHeader: true)? = parts.last {
        headers.append(HeaderField(name: name, value: Self.string(text)))
      }
    case .feed, .headers: keep(.string([]))
    case .meta: break
    }
    expected = .nothing
  }

  private func keep(_ value: RecordMembers.Value) {
    if case .member(let member) = expected { values[member.rawValue] = value }
    switch expected {
    case .headers:
      headers = []
      if value != .null { misfits.insert("headers") }
    case .header: misfits.insert("headers.\(name)")
    case .feed: if value != .null { misfits.insert("feed") }
    case .nothing, .member, .meta: break
    }
    expected = .nothing
  }

  // MARK: - Objects and arrays

  func startObject() {
    if isCopying {
      beginCopy()
      copy?.beginObject()
      copyDepth += 1
      return
    }
    parts.append(part())
  }

  /// Returns the part for the object that begins.
  private func part() -> Part {
    defer { expected = .nothing }
    if parts.isEmpty {
      isObject = true
      return .root
    }
    switch expected {
    case .feed: return .feed
    case .headers:
      headers = []
      return .headers
    case .nothing, .member, .header, .meta:
      keep(.other)
      return .otherObject
    }
  }

  func startArray() {
    if isCopying {
      beginCopy()
      copy?.beginArray()
      copyDepth += 1
      return
    }
    var isHeader = false
    if case .header = expected { isHeader = true } else { keep(.other) }
    expected = .nothing
    parts.append(.array(isHeader: isHeader))
  }

  func key(_ text: borrowing Span<UInt8>) {
    if copy != nil {
      copy?.key(Self.string(text))
      return
    }
    expected = .nothing
    switch parts.last {
    case .root: expected = Self.member(text)
    case .feed:
      if Self.equals(text, "title") { expected = .member(.feedTitle) }
      if Self.equals(text, "summary") { expected = .member(.feedSummary) }
    case .headers:
      name = Self.string(text)
      expected = .header
    case .otherObject, .array, nil: break
    }
  }

  func endObject() {
    if endCopiedPart({ $0.endObject() }) { return }
    parts.removeLast()
  }

  func endArray() {
    if endCopiedPart({ $0.endArray() }) { return }
    parts.removeLast()
  }

  func fault(_ fault: JSONFault) { self.fault = fault }

  // MARK: - Copy

  private var isCopying: Bool {
    if case .meta = expected { return true }
    return copy != nil
  }

  private func beginCopy() {
    if copy == nil { copy = JSONWriter() }
    expected = .nothing
  }

  private func endCopy() {
    guard copyDepth == 0, let copy else { return }
    meta = copy.bytes
    self.copy = nil
  }

  private func copying(_ write: (inout JSONWriter) -> Void) -> Bool {
    guard isCopying else { return false }
    beginCopy()
    if var writer = copy.take() {
      write(&writer)
      copy = writer
    }
    endCopy()
    return true
  }

  private func endCopiedPart(_ write: (inout JSONWriter) -> Void) -> Bool {
    guard var writer = copy.take() else { return false }
    write(&writer)
    copy = writer
    copyDepth -= 1
    endCopy()
    return true
  }

  // MARK: - Names

  private static func member(_ name: borrowing Span<UInt8>) -> Expected {
    switch name.count {
    case 1: equals(name, "v") ? .member(.version) : .nothing
    case 2: equals(name, "id") ? .member(.id) : .nothing
    case 3: equals(name, "url") ? .member(.url) : .nothing
    case 4:
      equals(name, "body")
        ? .member(.body)
        : equals(name, "html")
          ? .member(.html)
          : equals(name, "base")
            ? .member(.base) : equals(name, "meta") ? .meta : equals(name, "feed") ? .feed : .nothing
    case 6: equals(name, "body64") ? .member(.base64) : .nothing
    case 7: equals(name, "headers") ? .headers : .nothing
    default: .nothing
    }
  }

  private static func equals(_ text: borrowing Span<UInt8>, _ name: StaticString) -> Bool {
    guard text.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in
      for index in name.indices where text[index] != name[index] { return false }
      return true
    }
  }

  private static func bytes(_ text: borrowing Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    bytes.append(text, 0..<text.count)
    return bytes
  }

  private static func string(_ text: borrowing Span<UInt8>) -> String {
    String(text, 0..<text.count)
  }
}

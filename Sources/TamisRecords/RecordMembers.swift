import Tamis
import TamisCore

/// The known members of a record; of several with one name the last counts.
struct RecordMembers {
  /// A known member.
  enum Member: String {
    case version = "v"
    case id, url, base, body, html
    case base64 = "body64"
    case feedTitle = "feed.title"
    case feedSummary = "feed.summary"
  }

  /// The fault of the line; everything before it was read.
  let fault: JSONFault?
  /// Whether the line is an object.
  let isObject: Bool
  /// `meta` as JSON; empty when there is none, or it may be truncated.
  private(set) var meta: [UInt8] = []
  /// The members of `headers` whose values are strings, or arrays of strings for repeated fields.
  private(set) var headers: [HeaderField] = []
  private var values: [Member: JSONNode] = [:]
  /// The names of members that should be objects and are not, and of header fields that are not text.
  private var misfits: Set<String> = []

  init(_ line: borrowing Span<UInt8>) {
    var limits = Limits.standard
    limits.fieldBytes = line.count
    let root: JSONNode?
    (root, fault) = JSONNode.read(line, limits: limits)
    isObject = root?.members != nil
    for member in root?.members ?? [] {
      switch member.name {
      case "meta": if fault == nil { meta = Self.json(member.value) }
      case "headers": readHeaders(member.value)
      case "feed":
        if member.value.members == nil, !member.value.isNull { misfits.insert("feed") }
        for part in member.value.members ?? [] { keep(part.value, "feed.\(part.name)") }
      default: if !member.name.contains(".") { keep(member.value, member.name) }
      }
    }
  }

  private mutating func keep(_ value: JSONNode, _ name: String) {
    if let member = Member(rawValue: name) { values[member] = value }
  }

  private mutating func readHeaders(_ node: JSONNode) {
    headers = []
    if node.members == nil, !node.isNull { misfits.insert("headers") }
    for field in node.members ?? [] {
      guard let texts = field.value.text.map({ [$0] }) ?? field.value.elements?.compactMap(\.text) else {
        misfits.insert("headers.\(field.name)")
        continue
      }
      headers += texts.map { HeaderField(name: field.name, value: $0) }
    }
  }

  private static func json(_ node: JSONNode) -> [UInt8] {
    var writer = JSONWriter()
    writer.json(node)
    return writer.bytes
  }

  subscript(member: Member) -> JSONNode.Value? { values[member]?.value }

  /// Returns a member that is a string; nil when it is missing, null, or of another type.
  func text(_ member: Member) -> String? { values[member]?.text }

  /// Whether a member is there and not null.
  func has(_ member: Member) -> Bool { values[member].map { !$0.isNull } ?? false }

  /// The members that should be strings and are of another type.
  var namesOfOtherTypes: [String] {
    let members = [Member.url, .base, .feedTitle, .feedSummary].filter { has($0) && text($0) == nil }
    return members.map(\.rawValue) + misfits.sorted()
  }
}

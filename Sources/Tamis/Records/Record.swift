public import TamisCore
import TamisJSON

/// One line of JSON that asks for something: an object of which some members are read, in one pass and without a tree of it.
///
/// Members of members are named by their way, as `feed.title`. Of two members with one name the last counts.
public struct Record: Sendable {
  /// What an answer is found by, given back with it.
  public enum ID: Sendable, Hashable {
    case none
    case string(String)
    case number(Int64)
  }

  /// The value of a member, as far as records have use for it.
  enum Value: Sendable, Hashable {
    case null
    case string([UInt8])
    case number(String)
    /// `true`, `false`, an object or an array.
    case other
  }

  /// Why a line is no record.
  public struct Invalid: Error, Sendable, Hashable {
    /// What can be said of whose line it is.
    public let id: ID
    /// In words.
    public let message: String
  }

  /// What its answer is found by.
  public let id: ID
  private let values: [String: Value]

  /// Reads a line.
  ///
  /// - Parameter names: the members that are wanted besides `id`.
  /// - Throws: when it is no object, or its id can not be given back exactly: callers match answers by it.
  public init(_ line: borrowing Span<UInt8>, members names: Set<String>) throws(Invalid) {
    let listener = RecordListener(names.union(["id"]))
    var limits = Limits.standard
    limits.fieldBytes = line.count
    let reader = JSONReader(handler: listener, limits: limits)
    if reader.read(line) { reader.finish() }
    values = listener.values
    if let fault = listener.fault {
      throw Invalid(id: .none, message: "this line is no JSON object: at column \(fault.column), \(fault.message)")
    }
    guard listener.isObject else { throw Invalid(id: .none, message: "this line is no JSON object") }
    switch values["id"] {
    case nil, .null: id = .none
    case .string(let text): id = .string(String(decoding: text, as: UTF8.self))
    case .number(let text):
      guard let whole = Int64(text) else { throw Self.unusableID }
      id = .number(whole)
    case .other: throw Self.unusableID
    }
  }

  private static var unusableID: Invalid { Invalid(id: .none, message: "'id' is no string and no whole number") }

  /// The UTF-8 of a member that has to be a string.
  public func bytes(_ name: String) throws(Invalid) -> [UInt8] {
    guard case .string(let text)? = values[name] else {
      throw Invalid(id: id, message: "there is no string '\(name)'")
    }
    return text
  }

  /// A member that may be missing, or null, and else is a string.
  public func text(_ name: String) throws(Invalid) -> String? {
    switch values[name] {
    case nil, .null: return nil
    case .string(let text): return String(decoding: text, as: UTF8.self)
    case .number, .other: throw Invalid(id: id, message: "'\(name)' is no string")
    }
  }
}

extension Record.ID {
  /// Writes it as the member `id`.
  public func write(to writer: inout JSONWriter) {
    writer.key("id")
    switch self {
    case .none: writer.null()
    case .string(let text): writer.string(text)
    case .number(let number): writer.int(number)
    }
  }
}

/// Keeps the members that are wanted, by their ways.
private final class RecordListener: JSONHandler {
  private let names: Set<String>
  private(set) var values: [String: Record.Value] = [:]
  private(set) var fault: JSONFault?
  private(set) var isObject = false
  /// The names of the members that are open; nil where nothing below is wanted.
  private var way: [String?] = []
  /// The member whose value comes next.
  private var name: String?

  init(_ names: Set<String>) { self.names = names }

  private func keep(_ value: @autoclosure () -> Record.Value) {
    if let name, names.contains(name) { values[name] = value() }
    name = nil
  }

  private static func bytes(_ text: borrowing Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    bytes.append(text, 0..<text.count)
    return bytes
  }

  private static func string(_ text: borrowing Span<UInt8>) -> String {
    String(decoding: bytes(text), as: UTF8.self)
  }

  func null() { keep(.null) }
  func bool(_ value: Bool) { keep(.other) }
  func number(_ text: borrowing Span<UInt8>) {
    if name == nil { return }
    keep(.number(Self.string(text)))
  }

  func string(_ text: borrowing Span<UInt8>) {
    guard let name, names.contains(name) else {
      self.name = nil
      return
    }
    keep(.string(Self.bytes(text)))
  }

  func startObject() {
    if way.isEmpty { isObject = true }
    begin()
  }

  func startArray() { begin() }

  private func begin() {
    way.append(way.isEmpty ? "" : name)
    keep(.other)
  }

  func key(_ text: borrowing Span<UInt8>) {
    // Longer than any name that is asked for.
    guard let around = way.last ?? nil, text.count <= 64 else {
      name = nil
      return
    }
    let own = Self.string(text)
    name = around.isEmpty ? own : "\(around).\(own)"
  }

  func endObject() { way.removeLast() }
  func endArray() { way.removeLast() }
  func fault(_ fault: JSONFault) { self.fault = fault }
}

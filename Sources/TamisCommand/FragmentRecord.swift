import Foundation
import Tamis

/// One line of `tamis sanitize --jsonl`.
struct FragmentRecord {
  /// What an answer is found by, given back with it.
  enum ID {
    case none
    case string(String)
    case number(Int64)

    func write(to writer: inout JSONWriter) {
      writer.key("id")
      switch self {
      case .none: writer.null()
      case .string(let text): writer.string(text)
      case .number(let number): writer.int(number)
      }
    }
  }

  let id: ID
  let html: String
  let base: WebURL?

  /// Why a line is no record.
  struct Invalid: Error {
    let id: ID
    let message: String
  }

  init(_ line: [UInt8]) throws(Invalid) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
      throw Invalid(id: .none, message: "this line is no JSON object")
    }
    let id: ID
    switch object["id"] {
    case nil, is NSNull: id = .none
    case let text as String: id = .string(text)
    case let number as NSNumber:
      // Given back exactly or not at all: callers match answers by it.
      guard let whole = Int64(number.stringValue), String(cString: number.objCType) != "c" else {
        throw Invalid(id: .none, message: "'id' is no string and no whole number")
      }
      id = .number(whole)
    default: throw Invalid(id: .none, message: "'id' is no string and no whole number")
    }
    guard let html = object["html"] as? String else { throw Invalid(id: id, message: "there is no string 'html'") }
    self.id = id
    self.html = html
    switch object["base"] {
    case nil, is NSNull: base = nil
    // One that is no absolute URL is no base: that costs the resolving, not the fragment.
    case let text as String: base = WebURL(text)
    default: throw Invalid(id: id, message: "'base' is no string")
    }
  }
}

import Foundation
import Tamis

/// One line of `tamis sanitize --jsonl`.
struct FragmentRecord {
  /// Given back with the answer: a string or a whole number.
  let id: JSONValue
  let html: String
  let base: WebURL?

  /// Why a line is no record.
  struct Invalid: Error {
    let id: JSONValue
    let message: String
  }

  init(_ line: [UInt8]) throws(Invalid) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
      throw Invalid(id: .null, message: "this line is no JSON object")
    }
    let id: JSONValue
    switch object["id"] {
    case nil, is NSNull: id = .null
    case let text as String: id = .string(text)
    case let number as NSNumber:
      // Given back exactly or not at all: callers match answers by it.
      guard let whole = Int64(number.stringValue), String(cString: number.objCType) != "c" else {
        throw Invalid(id: .null, message: "'id' is no string and no whole number")
      }
      id = .int(whole)
    default: throw Invalid(id: .null, message: "'id' is no string and no whole number")
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

import Foundation
import Tamis

/// One line of `tamis sanitize --jsonl`.
struct FragmentRecord {
  /// Given back with the answer: a string or a whole number.
  let id: JSONValue
  let html: String
  let base: String?

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
    case let text as String: id = .string(text)
    case let number as NSNumber: id = .int(number.int64Value)
    default: id = .null
    }
    guard let html = object["html"] as? String else { throw Invalid(id: id, message: "there is no string 'html'") }
    if let base = object["base"], !(base is String), !(base is NSNull) {
      throw Invalid(id: id, message: "'base' is no string")
    }
    self.id = id
    self.html = html
    base = object["base"] as? String
  }
}

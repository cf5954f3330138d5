import Foundation
import TestSupport
import Testing

/// A case of a file in `Fixtures/Encoding`: bytes, and what they mean.
struct EncodingCase: Decodable, Sendable, CustomTestStringConvertible {
  /// The names that an encoding is known by.
  var labels: [String]?
  /// Its name, where one is enough.
  var encoding: String?
  var hex: String?
  var text: String?
  /// Whether the text is refused when nothing is to be replaced; it is where nothing is said.
  var refused: Bool?
  /// What the text looks like.
  var guess: String?
  var why: String?

  var testDescription: String { "\(encoding ?? labels?.first ?? guess ?? ""): \(why ?? text ?? "")" }

  var bytes: [UInt8] {
    let digits = Array((hex ?? "").utf8.filter { $0 != UInt8(ascii: " ") })
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }

  static func all(in file: String) -> [EncodingCase] {
    let data = (try? Data(contentsOf: Fixtures.url("Encoding/\(file).json"))) ?? Data()
    return (try? JSONDecoder().decode([EncodingCase].self, from: data)) ?? []
  }
}

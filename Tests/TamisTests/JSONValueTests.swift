import Foundation
import Tamis
import Testing

@Suite struct JSONValueTests {
  @Test func isReadBackAsItWasWritten() throws {
    let text = "\"\\/\u{0}\u{1F}\n\t\r é 😀 \u{2028}"
    let value = JSONValue.object([
      ("b", .string(text)), ("a", .array([.int(-1), .bool(true), .bool(false), .null])), (text, .object([])),
    ])
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(value.serialized())) as? [String: Any])
    #expect(object["b"] as? String == text)
    #expect((object["a"] as? [Any])?.count == 4)
    #expect(object[text] is [String: Any])
    #expect(String(decoding: value.serialized().prefix(4), as: UTF8.self) == "{\"b\"", "members keep their order")
  }
}

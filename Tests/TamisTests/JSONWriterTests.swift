import TamisCore
import Foundation
import Tamis
import Testing

@Suite struct JSONWriterTests {
  @Test func writtenJSONParsesBackUnchanged() throws {
    let text = "\"\\/\u{0}\u{1F}\n\t\r é 😀 \u{2028}\u{7F}\u{80}\u{A0}\"\u{9B}Â\u{9F}"
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("b", text)
      writer.key("a")
      writer.array { writer in
        writer.int(-1)
        writer.bool(true)
        writer.number(.infinity)
        writer.null()
      }
      writer.key(text)
      writer.object { _ in }
    }
    let object = try #require(JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
    #expect(object["b"] as? String == text)
    #expect(!String(decoding: writer.bytes, as: UTF8.self).unicodeScalars.contains { 0x7F...0x9F ~= $0.value })
    #expect((object["a"] as? [Any])?.count == 4)
    #expect(object[text] is [String: Any])
    #expect(String(decoding: writer.bytes.prefix(4), as: UTF8.self) == "{\"b\"", "members keep their order")
  }

  @Test func writerContinuesAfterRemoveAll() {
    var writer = JSONWriter()
    var taken: [UInt8] = []
    writer.beginArray()
    for number in 0..<3 {
      writer.object { $0.member("n", "\(number)") }
      taken += writer.bytes
      writer.removeAll()
    }
    writer.endArray()
    taken += writer.bytes
    #expect(String(decoding: taken, as: UTF8.self) == #"[{"n":"0"},{"n":"1"},{"n":"2"}]"#)
  }
}

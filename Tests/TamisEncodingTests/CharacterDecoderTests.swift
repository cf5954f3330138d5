import Foundation
import TamisEncoding
import TestSupport
import Testing

/// Bytes are decoded to text as the fixtures say.
///
/// The encodings are in `Fixtures/Encoding/encodings.json`, and bytes that belong to no character in `strays.json`.
@Suite struct CharacterDecoderTests {
  static let encodings = EncodingCase.all(in: "encodings")
  static let strays = EncodingCase.all(in: "strays")

  @Test func fixtureCasesExist() {
    #expect(Self.encodings.count >= 80 && Self.strays.count >= 20)
  }

  @Test(arguments: encodings)
  func everyEncodingLabelDecodes(_ each: EncodingCase) throws {
    for name in try #require(each.labels) {
      #expect(decoded(each.bytes, name, .refuse) == each.text, "\(name)")
      #expect(decoded(each.bytes, name, .replace) == each.text, "\(name)")
    }
  }

  /// Text decodes the same wherever pieces are cut, even inside of a character.
  @Test(arguments: encodings + strays)
  func decodingIsIndependentOfPieces(_ each: EncodingCase) throws {
    let name = try #require(each.encoding ?? each.labels?.first)
    let cuts = [1, 2, 3, 5].map { [$0] } + (0..<each.bytes.count).map { [$0, .max] }
    for fallback in [CharacterDecoder.Fallback.refuse, .replace] {
      let whole = decoded(each.bytes, name, fallback)
      for cut in cuts { #expect(decoded(each.bytes, name, fallback, cut: cut) == whole, "\(name), cut at \(cut)") }
    }
  }

  /// So do random bytes, in encodings in which they are read by what was before.
  @Test(arguments: ["utf-7", "utf-16", "iso-2022-jp", "iso-2022-kr", "big5-hkscs", "gb18030", "shift_jisx0213"])
  func decodingOfNoiseIsIndependentOfPieces(_ name: String) {
    var random = SeededRandom(seed: 1)
    let marks = Array("+-AZaz09/&~\u{1B}$(BJ)\u{0E}\u{0F}\n ".utf8) + [0x80, 0x81, 0x88, 0x62, 0xD8, 0xDC, 0xFF]
    for _ in 0..<3000 {
      let bytes = (0..<1 + random.below(14)).map { _ in
        random.chance(30) ? UInt8(random.below(256)) : random.one(of: marks)
      }
      let whole = decoded(bytes, name, .replace)
      for cut in 1...3 { #expect(decoded(bytes, name, .replace, cut: [cut]) == whole, "\(bytes)") }
    }
  }

  @Test(arguments: strays)
  func invalidBytesAreReplacedOrRejected(_ each: EncodingCase) throws {
    let name = try #require(each.encoding)
    #expect(decoded(each.bytes, name, .replace) == each.text, "\(each.why ?? "")")
    #expect(decoded(each.bytes, name, .refuse) == (each.refused == false ? each.text : nil), "\(each.why ?? "")")
  }

  @Test(arguments: [
    // iconv does not know it, and browsers refuse it.
    "hz-gb-2312", "hz", "", " ", "-", "char", "wchar_t", "internal", "utf-9", "utf-8//ignore", "utf-8//translit",
    "cp1251//ignore", "iso-8859-5//translit", "//", "no such encoding",
    "iso-8859-99", "99999999999999999999", "1", "utf-8\0", "\0", "koi8-r\0", "日本語", "../../etc/passwd", "%s%n",
    String(repeating: "a", count: 100_000),
  ])
  func unknownEncodingNameIsRejected(_ name: String) {
    let isKnown = CharacterDecoder(name, .replace) != nil
    #expect(!isKnown, "\(name.prefix(40))")
  }

  /// Texts longer than what is converted at once are decoded completely.
  @Test(arguments: ["utf-8", "shift_jis", "utf-16le", "macgreek"])
  func longTextIsDecodedCompletely(_ name: String) throws {
    let unit: [UInt8] = name == "utf-16le" ? [0x61, 0] : [0x61]
    let bytes = Array(repeatElement(unit, count: 100_000).joined())
    let text = try #require(decoded(bytes, name, .refuse, cut: [1 << 14]))
    #expect(text.utf8.count == 100_000 && text.utf8.allSatisfy { $0 == UInt8(ascii: "a") })
  }

  /// The text; nil when the encoding is unknown or the text is refused.
  private func decoded(
    _ bytes: [UInt8], _ name: String, _ fallback: CharacterDecoder.Fallback, cut: [Int] = [.max]
  ) -> String? {
    guard var decoder = CharacterDecoder(name, fallback) else { return nil }
    var output: [UInt8] = []
    for piece in bytes.cut(into: cut) {
      guard decoder.decode(piece.span, into: &output) else { return nil }
    }
    guard decoder.finish(into: &output) else { return nil }
    return String(validating: output, as: UTF8.self) ?? "not UTF-8"
  }
}

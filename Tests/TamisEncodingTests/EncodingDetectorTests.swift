import Foundation
import TamisEncoding
import TestSupport
import Testing

/// Guesses from the text alone: `Fixtures/Encoding/detection.json`.
@Suite struct EncodingDetectorTests {
  static let cases = EncodingCase.all(in: "detection")

  @Test(arguments: cases)
  func guessMatchesFixture(_ each: EncodingCase) throws {
    let detector = try #require(EncodingDetector())
    detector.add(each.bytes)
    #expect(detector.finish() == each.guess)
  }

  /// Guessed encodings are known to the decoder, and decode to the expected text.
  @Test(arguments: cases.filter { $0.guess != nil && $0.text != nil })
  func guessedEncodingDecodesText(_ each: EncodingCase) throws {
    let guess = try #require(each.guess)
    var output: [UInt8] = []
    guard var decoder = CharacterDecoder(guess.lowercased(), .refuse), decoder.decode(each.bytes.span, into: &output),
      decoder.finish(into: &output)
    else {
      Issue.record("cannot be read as \(guess)")
      return
    }
    #expect(String(decoding: output, as: UTF8.self) == each.text)
  }
}

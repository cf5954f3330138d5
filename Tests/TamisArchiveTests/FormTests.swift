import TamisArchive
import Testing

/// What is compared of texts and titles.
@Suite struct FormTests {
  /// Titles of ASCII and punctuation take another path than others.
  @Test func punctuationIsNormalizedInAllTitles() {
    for code in UInt32(0x2010)...0x2023 {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let title = "Rene\(scalar)s \(scalar) First, Look"
      let plain = TitleForm(title).text
      #expect(TitleForm(title + " é").text == plain + " e", "U+\(String(code, radix: 16))")
      #expect(plain.hasPrefix(code == 0x2019 ? "renes first" : "rene s first"))
    }
  }

  /// Archives store these numbers: if they changed, every post would look changed.
  @Test func textDigestsAreStable() {
    let form = TextForm("The quick brown Fox’s 12 naïve cafés — 漢字 don't ＡＢＣ")
    #expect(form.words == 11)
    #expect(form.digest == 5_350_898_859_242_559_236)
    #expect(form.numbers == 32)
    let quoted = TextForm("'a' b'")
    #expect(quoted.words == 2 && quoted.digest == 5_955_345_199_940_852_171)
    let mixed = TextForm("x.é1é, 'Ünïted' 2nd—3º")
    #expect(mixed.words == 5 && mixed.digest == 6_743_059_491_359_712_658 && mixed.numbers == 35_684_352)
    #expect(TextForm("").digest == nil)
  }
}

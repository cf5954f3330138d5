import Foundation
import TamisSystem
import Testing

/// Forms of text by libunistring, compared with Foundation's and Swift's, which have tables of their own.
@Suite struct UnicodeTextTests {
  /// Characters that Unicode 14 and later know, of all scripts, in steps that meet each block.
  private static let scalars = (UInt32(0)..<0x2FFFF).compactMap { Unicode.Scalar($0) }.filter {
    $0.properties.age.map { $0.major <= 14 } ?? false
  }

  @Test func decompositionMatchesFoundation() {
    for scalar in Self.scalars {
      let other = Array(String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars)
      #expect(UnicodeText.decomposed(scalar) == other, "\(scalar.value)")
    }
  }

  @Test func propertiesMatchSwift() {
    var (alphabetic, numeric, marks) = (0, 0, 0)
    for scalar in Self.scalars {
      let properties = scalar.properties
      if UnicodeText.isAlphabetic(scalar) != properties.isAlphabetic { alphabetic += 1 }
      if UnicodeText.isNumeric(scalar) != (properties.numericType != nil) { numeric += 1 }
      if UnicodeText.isNonspacingMark(scalar) != (properties.generalCategory == .nonspacingMark) { marks += 1 }
    }
    // Later versions of Unicode have changed these for a few characters.
    #expect(alphabetic < 100 && numeric < 100 && marks < 20, "\(alphabetic), \(numeric), \(marks)")
  }

  @Test(arguments: [
    ("Straße", "strasse"), ("ÉCOLE", "ecole"), ("Ａ１", "a1"), ("Ёлка", "елка"), ("が", "が"), ("हिन्दी", "हिन्दी"),
    ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("İstanbul", "istanbul"), ("한글", "한글"), ("ﬁne", "fine"), ("", ""), ("a\u{0}b", "a\u{0}b"),
  ])
  func foldingNormalizesForComparison(_ text: String, _ folded: String) {
    #expect(
      Array(UnicodeText.folded(text).unicodeScalars)
        == Array(folded.precomposedStringWithCanonicalMapping.unicodeScalars))
    #expect(UnicodeText.folded(folded) == folded)
  }

  @Test(arguments: [("ÀB", "àb"), ("A\u{300}", "à"), ("ΟΔΟΣ", "οδος"), ("ǅ", "ǆ")])
  func lowercasingComposes(_ text: String, _ lower: String) {
    #expect(Array(UnicodeText.lowercased(text).unicodeScalars) == Array(lower.unicodeScalars))
  }

  @Test func longTextsExpandWhenFolded() {
    let text = String(repeating: "\u{FDFA}", count: 10_000)
    #expect(UnicodeText.folded(text).unicodeScalars.count == 180_000)
  }

  @Test func libraryHasVersion() { #expect(UnicodeText.version >= 0x0100) }
}

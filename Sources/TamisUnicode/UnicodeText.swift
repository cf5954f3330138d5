import CUnistring

/// Forms and properties of Unicode text by libunistring, for keys that are stored.
///
/// The tables of Swift and of Foundation change with the toolchain; a key that was stored must stay the same. libunistring is
/// one library with a version of its own, which archives record (``version``). By Unicode's stability policy only characters
/// that one version did not know yet have other forms in a later one.
package enum UnicodeText {
  /// The version of libunistring, as it counts: major times 256 plus minor.
  package static var version: Int { Int(_libunistring_version) }

  /// The compatibility decomposition of a character (NFKD; Unicode Standard Annex 15).
  package static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    unsafe converted([scalar.value], tamis_unicode_nfkd).map(Self.scalar)
  }

  /// A text in lower case and composed (NFC), without the rules of any language.
  package static func lowercased(_ text: String) -> String {
    String(unsafe converted(text.unicodeScalars.map(\.value), tamis_unicode_lower))
  }

  /// A text for comparison: without case, accents and width.
  ///
  /// Only marks that are accents in Latin, Greek and Cyrillic go; in other scripts marks are vowels.
  package static func folded(_ text: String) -> String {
    let parts = unsafe converted(text.unicodeScalars.map(\.value), tamis_unicode_nfkd).filter { !isAccent($0) }
    return String(unsafe converted(converted(parts, tamis_unicode_fold), tamis_unicode_nfc))
  }

  /// The blocks of combining diacritical marks, for letters and for symbols.
  private static func isAccent(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
    default: false
    }
  }

  /// A character in lower case, by its simple mapping.
  package static func lowercased(_ scalar: Unicode.Scalar) -> UInt32 { uc_tolower(scalar.value) }

  /// Whether a character is a nonspacing mark (Mn).
  package static func isNonspacingMark(_ scalar: Unicode.Scalar) -> Bool {
    tamis_unicode_is_nonspacing_mark(scalar.value)
  }

  /// Whether a character combines with the one before it (Mn, Mc).
  package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    tamis_unicode_is_nonspacing_mark(scalar.value) || tamis_unicode_is_spacing_mark(scalar.value)
  }

  /// Whether a character is alphabetic (Alphabetic).
  package static func isAlphabetic(_ scalar: Unicode.Scalar) -> Bool { uc_is_property_alphabetic(scalar.value) }

  /// Whether a character has a numeric value (Numeric_Type).
  package static func isNumeric(_ scalar: Unicode.Scalar) -> Bool { tamis_unicode_is_number(scalar.value) }

  // MARK: - Calls

  private typealias Conversion = (
    UnsafePointer<UInt32>?, Int, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Int>?
  ) -> UnsafeMutablePointer<UInt32>?

  /// The result of a function of libunistring, which it writes into a buffer or into memory of its own.
  private static func converted(_ text: [UInt32], _ convert: Conversion) -> [UInt32] {
    if text.isEmpty { return [] }
    return unsafe text.withUnsafeBufferPointer { source in
      // Most results are as long as their source.
      unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * text.count + 32) { buffer in
        var length = buffer.count
        guard let result = unsafe convert(source.baseAddress, source.count, buffer.baseAddress, &length) else {
          return text
        }
        defer { if unsafe result != buffer.baseAddress { unsafe free(result) } }
        return unsafe Array(UnsafeBufferPointer(start: result, count: length))
      }
    }
  }

  private static func scalar(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "\u{FFFD}" }
}

extension String {
  fileprivate init(_ values: [UInt32]) {
    self.init()
    unicodeScalars.append(contentsOf: values.map { Unicode.Scalar($0) ?? "\u{FFFD}" })
  }
}

import CUnistring

/// Normalization, case mapping and properties of Unicode text by libunistring, for keys that are stored.
///
/// The tables of Swift and of Foundation change with the toolchain, while a stored key must stay the same. libunistring
/// is a single library with its own version, which archives record (``version``). By the stability policy of Unicode,
/// only characters that were unassigned in one version have other forms in a later one.
package enum UnicodeText {
  /// The version of libunistring: the major version times 256 plus the minor version.
  package static var version: Int { Int(_libunistring_version) }

  /// Returns the compatibility decomposition of a code point (NFKD; Unicode Standard Annex 15).
  package static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    unsafe converted([scalar.value], tamis_unicode_nfkd).map(Self.scalar)
  }

  /// Returns a text in lower case and composed (NFC), by rules that do not depend on a language.
  package static func lowercased(_ text: String) -> String {
    String(unsafe converted(text.unicodeScalars.map(\.value), tamis_unicode_lower))
  }

  /// Returns a text folded for comparison: without differences of case, accents and width.
  ///
  /// Only marks that are accents in Latin, Greek and Cyrillic are removed; in other scripts, marks are vowels.
  package static func folded(_ text: String) -> String {
    let parts = unsafe converted(text.unicodeScalars.map(\.value), tamis_unicode_nfkd).filter { !isAccent($0) }
    return String(unsafe converted(converted(parts, tamis_unicode_fold), tamis_unicode_nfc))
  }

  /// Whether a code point is in a block of combining diacritical marks, for letters or for symbols.
  private static func isAccent(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
    default: false
    }
  }

  /// Returns the simple lowercase mapping of a code point.
  package static func lowercased(_ scalar: Unicode.Scalar) -> UInt32 { uc_tolower(scalar.value) }

  /// Returns whether a code point is a nonspacing mark (Mn).
  package static func isNonspacingMark(_ scalar: Unicode.Scalar) -> Bool {
    tamis_unicode_is_nonspacing_mark(scalar.value)
  }

  /// Returns whether a code point combines with the one before it (Mn, Mc).
  package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    tamis_unicode_is_nonspacing_mark(scalar.value) || tamis_unicode_is_spacing_mark(scalar.value)
  }

  /// Returns whether a code point is alphabetic (Alphabetic).
  package static func isAlphabetic(_ scalar: Unicode.Scalar) -> Bool { uc_is_property_alphabetic(scalar.value) }

  /// Returns whether a code point has a numeric value (Numeric_Type).
  package static func isNumeric(_ scalar: Unicode.Scalar) -> Bool { tamis_unicode_is_number(scalar.value) }

  // MARK: - Calls

  private typealias Conversion = (
    UnsafePointer<UInt32>?, Int, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Int>?
  ) -> UnsafeMutablePointer<UInt32>?

  /// Returns the result of a libunistring function, which writes it into the given buffer or allocates memory for it.
  private static func converted(_ text: [UInt32], _ convert: Conversion) -> [UInt32] {
    if text.isEmpty { return [] }
    return unsafe text.withUnsafeBufferPointer { source in
      // Most results are as long as the input.
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

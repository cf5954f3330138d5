/// The scripts that are written without spaces between words: Thai, Lao, Burmese, Khmer, Kana and Han.
///
/// What counts, compares or finds words takes each of their characters for a word, or two of them for one.
package enum UnspacedScript {
  /// Whether a character belongs to a block of one of these scripts (Unicode's `Blocks.txt`).
  @inlinable package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}

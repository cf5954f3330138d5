/// Conversion of columns in characters, as libyaml counts them, to columns in bytes.
///
/// Lookups in the order of the text take linear time in total.
struct ByteColumns {
  private let bytes: [UInt8]
  private let isASCII: Bool
  private var line = 1
  private var lineStart = 0
  private var scalar = 1
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  /// Returns the column in bytes, from 1.
  mutating func column(line wanted: Int, scalars column: Int) -> Int {
    isASCII ? column : offset(line: wanted, scalars: column) - lineStart + 1
  }

  /// Returns the offset in bytes, from 0.
  mutating func offset(line wanted: Int, scalars column: Int) -> Int {
    if wanted < line { (line, lineStart, scalar, index) = (1, 0, 1, 0) }
    if wanted == line, column < scalar { (scalar, index) = (1, lineStart) }
    while line < wanted, index < bytes.count {
      let length = lengthOfBreak(at: index)
      index += max(1, length)
      if length > 0 { (line, lineStart, scalar) = (line + 1, index, 1) }
    }
    while scalar < column, index < bytes.count {
      index += 1
      while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
      scalar += 1
    }
    return index
  }

  /// Returns the length in bytes of the line break at an index, as defined by YAML 1.1; 0 when there is none.
  private func lengthOfBreak(at index: Int) -> Int {
    switch bytes[index] {
    case 0x0A: return 1
    case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
    case 0xC2: return index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
    case 0xE2:
      return index + 2 < bytes.count && bytes[index + 1] == 0x80 && [0xA8, 0xA9].contains(bytes[index + 2]) ? 3 : 0
    default: return 0
    }
  }
}

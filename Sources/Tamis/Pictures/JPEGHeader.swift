/// Reads the size of a JPEG picture, and its orientation (ITU-T T.81, annex B; Exif 2.3, 4.6.2).
enum JPEGHeader {
  static func size(_ data: PictureBytes) -> PictureDimensions? {
    var (index, isOnSide) = (2, false)
    while data[index] == 0xFF {
      while data[index] == 0xFF { index += 1 }
      guard let marker = data[index] else { return nil }
      index += 1
      // These markers have no segment.
      if marker == 0x01 || (0xD0...0xD7).contains(marker) { continue }
      guard let length = data.big(2, at: index), length >= 2 else { return nil }
      switch marker {
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        guard let height = data.big(2, at: index + 3), let width = data.big(2, at: index + 5), length >= 8,
          index + length <= data.count
        else { return nil }
        let size = PictureDimensions(width: width, height: height)
        return isOnSide ? size.turned : size
      case 0xE1: isOnSide = isOnSide || Self.isOnSide(data, index + 2, end: index + length)
      // The picture data begins, and there was no frame header with a size.
      case 0xD9, 0xDA: return nil
      default: break
      }
      index += length
    }
    return nil
  }

  /// Whether the Exif data has an orientation with a quarter turn.
  private static func isOnSide(_ data: PictureBytes, _ start: Int, end: Int) -> Bool {
    guard data.has("Exif\0\0", at: start) else { return false }
    let base = start + 6
    let isLittle = data.has("II", at: base)
    func number(_ count: Int, at index: Int) -> Int? {
      guard index + count <= end else { return nil }
      return isLittle ? data.little(count, at: index) : data.big(count, at: index)
    }
    guard let offset = number(4, at: base + 4), let count = number(2, at: base + offset) else { return false }
    for entry in 0..<count {
      let field = base + offset + 2 + 12 * entry
      guard let tag = number(2, at: field) else { return false }
      if tag == 0x0112 { return (5...8).contains(number(2, at: field + 8) ?? 1) }
    }
    return false
  }
}

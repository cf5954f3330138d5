/// Reads the sizes of pictures with simple headers.
enum PictureHeaders {
  /// Returns the size of a PNG picture (https://www.w3.org/TR/png/#11IHDR).
  static func png(_ data: PictureBytes, at start: Int) -> PictureDimensions? {
    guard data.has("IHDR", at: start + 12), let width = data.big(4, at: start + 16),
      let height = data.big(4, at: start + 20), data.big(4, at: start + 29) != nil
    else { return nil }
    return PictureDimensions(width: width, height: height)
  }

  /// Returns the size of a GIF picture (https://www.w3.org/Graphics/GIF/spec-gif89a.txt).
  ///
  /// A frame may be larger than the screen that the header declares.
  static func gif(_ data: PictureBytes) -> PictureDimensions? {
    guard let width = data.little(2, at: 6), let height = data.little(2, at: 8), let flags = data[10] else {
      return nil
    }
    var size = PictureDimensions(width: width, height: height)
    var hasFrame = false
    var index = 13 + colors(flags)
    while let kind = data[index] {
      switch kind {
      case 0x21: index = behindBlocks(data, index + 2)
      case 0x2C:
        guard let left = data.little(2, at: index + 1), let top = data.little(2, at: index + 3),
          let frameWidth = data.little(2, at: index + 5), let frameHeight = data.little(2, at: index + 7),
          let flags = data[index + 9]
        else { return hasFrame ? size : nil }
        hasFrame = true
        size.most = max(size.most, (left + frameWidth) * (top + frameHeight))
        index = behindBlocks(data, index + 11 + colors(flags))
      default: return hasFrame ? size : nil
      }
    }
    return hasFrame ? size : nil
  }

  /// Returns the size in bytes of a table of colors.
  private static func colors(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

  private static func behindBlocks(_ data: PictureBytes, _ start: Int) -> Int {
    var index = start
    while let length = data[index], length > 0 { index += length + 1 }
    return index + 1
  }

  /// Returns the size of a WebP picture (https://developers.google.com/speed/webp/docs/riff_container; RFC 9649).
  static func webp(_ data: PictureBytes) -> PictureDimensions? {
    if data.has("VP8X", at: 12) {
      guard let width = data.little(3, at: 24), let height = data.little(3, at: 27) else { return nil }
      return PictureDimensions(width: width + 1, height: height + 1)
    }
    if data.has("VP8L", at: 12) {
      guard data[20] == 0x2F, let bits = data.little(4, at: 21) else { return nil }
      return PictureDimensions(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    guard data.has("VP8 ", at: 12), data.has([0x9D, 0x01, 0x2A], at: 23), let width = data.little(2, at: 26),
      let height = data.little(2, at: 28)
    else { return nil }
    return PictureDimensions(width: width & 0x3FFF, height: height & 0x3FFF)
  }

  /// Returns the size in the header of a bitmap, as in BMP and ICO
  /// (https://learn.microsoft.com/windows/win32/gdi/bitmap-header-types).
  static func bitmap(_ data: PictureBytes, at start: Int) -> PictureDimensions? {
    guard let length = data.little(4, at: start) else { return nil }
    if length == 12 {
      guard let width = data.little(2, at: start + 4), let height = data.little(2, at: start + 6) else { return nil }
      return PictureDimensions(width: width, height: height)
    }
    guard length >= 40, let width = data.little(4, at: start + 4), let height = data.little(4, at: start + 8) else {
      return nil
    }
    // A negative height means that the rows are stored from top to bottom.
    let rows = Int(Int32(truncatingIfNeeded: height).magnitude)
    return width > Int(Int32.max) ? nil : PictureDimensions(width: width, height: rows)
  }

  /// Returns the size of the largest picture of an ICO file
  /// (https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)).
  static func icon(_ data: PictureBytes) -> PictureDimensions? {
    guard let count = data.little(2, at: 4), count > 0, data.count >= 6 + 16 * count else { return nil }
    var (largest, most): (PictureDimensions?, Int) = (nil, 0)
    for number in 0..<count {
      let entry = 6 + 16 * number
      guard let width = data[entry], let height = data[entry + 1], let length = data.little(4, at: entry + 8),
        let offset = data.little(4, at: entry + 12), offset + length <= data.count
      else { return nil }
      // Sizes in the list have only one byte, so the picture's own header is read.
      let isPNG = data.has([0x89, 0x50, 0x4E, 0x47], at: offset)
      guard let inner = isPNG ? png(data, at: offset) : bitmap(data, at: offset) else { return nil }
      most = max(most, inner.most)
      let listed = PictureDimensions(width: width == 0 ? 256 : width, height: height == 0 ? 256 : height)
      let size = isPNG ? inner : listed
      if size.most > largest?.most ?? 0 { largest = size }
    }
    largest?.most = most
    return largest
  }
}

/// Reads the size of an AVIF picture (https://aomediacodec.github.io/av1-avif/; ISO/IEC 14496-12 and 23008-12).
enum AVIFHeader {
  /// Whether the first box has an AVIF brand.
  static func isBrand(_ data: PictureBytes) -> Bool {
    guard let length = data.big(4, at: 0), length >= 16, length <= min(data.count, 1024) else { return false }
    // The major brand, then, after its version, the compatible brands.
    return ([8] + stride(from: 16, to: length - 3, by: 4)).contains {
      data.has("avif", at: $0) || data.has("avis", at: $0)
    }
  }

  static func size(_ data: PictureBytes) -> PictureDimensions? {
    guard let meta = box("meta", in: 0..<data.count, data),
      let properties = box("iprp", in: meta.lowerBound + 4..<max(meta.lowerBound + 4, meta.upperBound), data),
      let container = box("ipco", in: properties, data)
    else { return nil }
    // The size of a tiled picture is that of the largest item.
    var (largest, isOnSide): (PictureDimensions?, Bool) = (nil, false)
    each(in: container, data) { name, content in
      if name("ispe"), content.count >= 12, let width = data.big(4, at: content.lowerBound + 4),
        let height = data.big(4, at: content.lowerBound + 8)
      {
        let size = PictureDimensions(width: width, height: height)
        if size.most >= largest?.most ?? 0 { largest = size }
      } else if name("irot"), let angle = data[content.lowerBound], !content.isEmpty {
        isOnSide = angle & 1 == 1
      }
      return true
    }
    return isOnSide ? largest?.turned : largest
  }

  /// Returns the content of the first box of a name.
  private static func box(_ name: StaticString, in range: Range<Int>, _ data: PictureBytes) -> Range<Int>? {
    var found: Range<Int>?
    each(in: range, data) { isNamed, content in
      if isNamed(name) { found = content }
      return found == nil
    }
    return found
  }

  /// Calls `body` with consecutive boxes, as far as each is complete.
  private static func each(
    in range: Range<Int>, _ data: PictureBytes, _ body: ((StaticString) -> Bool, Range<Int>) -> Bool
  ) {
    var index = range.lowerBound
    while index + 8 <= range.upperBound, var length = data.big(4, at: index) {
      var head = 8
      if length == 0 { length = range.upperBound - index }
      if length == 1 {
        guard data.big(4, at: index + 8) == 0, let large = data.big(4, at: index + 12) else { return }
        (length, head) = (large, 16)
      }
      guard length >= head, length <= range.upperBound - index else { return }
      let start = index
      if !body({ data.has($0, at: start + 4) }, index + head..<index + length) { return }
      index += length
    }
  }
}

/// The format and size of a picture, read from the bytes of its file; its name and `Content-Type` are ignored.
package struct PictureFile: Sendable, Hashable {
  /// The format of the picture.
  package let format: PictureFormat
  /// The width in pixels, as it is shown.
  package let width: Int
  /// The height in pixels, as it is shown.
  package let height: Int

  /// Reads the header of a picture.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the file.
  ///   - limits: the limits of size.
  /// - Throws: ``PictureRefusal`` when the file is not a picture, or not one that is stored.
  package init(_ bytes: [UInt8], limits: PictureLimits = PictureLimits()) throws(PictureRefusal) {
    guard let format = Self.format(of: bytes) else { throw .notAPicture(Self.description(of: bytes)) }
    if bytes.count > limits.bytes { throw .tooLarge("\(bytes.count) bytes, and \(limits.bytes) are allowed") }
    guard let size = Self.size(of: format, PictureBytes(bytes)), size.width > 0, size.height > 0 else {
      throw .damaged(format)
    }
    // Both numbers have at most 32 bits.
    if size.most > limits.pixels { throw .tooLarge("\(size.most) pixels, and \(limits.pixels) are allowed") }
    if size.width == 1, size.height == 1 { throw .unseen }
    (self.format, width, height) = (format, size.width, size.height)
  }

  /// Returns the format by the first bytes of a file
  /// (https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm).
  private static func format(of bytes: [UInt8]) -> PictureFormat? {
    let data = PictureBytes(bytes)
    if data.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
    if data.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
    if data.has("GIF87a", at: 0) || data.has("GIF89a", at: 0) { return .gif }
    if data.has("RIFF", at: 0), data.has("WEBP", at: 8) { return .webp }
    if data.has("ftyp", at: 4), AVIFHeader.isBrand(data) { return .avif }
    if data.has("BM", at: 0) { return .bmp }
    if data.has([0, 0, 1, 0], at: 0) { return .ico }
    return nil
  }

  private static func size(of format: PictureFormat, _ data: PictureBytes) -> PictureDimensions? {
    switch format {
    case .png: PictureHeaders.png(data, at: 0)
    case .jpeg: JPEGHeader.size(data)
    case .gif: PictureHeaders.gif(data)
    case .webp: PictureHeaders.webp(data)
    case .avif: AVIFHeader.size(data)
    case .bmp: data.count > 14 ? PictureHeaders.bitmap(data, at: 14) : nil
    case .ico: PictureHeaders.icon(data)
    }
  }

  /// Returns a description of a file that is not a picture.
  private static func description(of bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "empty" }
    let beginning = bytes.prefix(1024).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    let text = String(decoding: beginning, as: UTF8.self).lowercased()
    if text.hasPrefix("<svg") || text.hasPrefix("<?xml") && text.contains("<svg") { return "a drawing (SVG)" }
    if text.hasPrefix("<!doctype") || text.hasPrefix("<html") || text.hasPrefix("<") { return "markup" }
    return "something else"
  }
}

/// The size of a picture.
struct PictureDimensions {
  var width: Int
  var height: Int
  /// The number of pixels of the largest frame.
  var most: Int

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    most = width.multipliedReportingOverflow(by: height).overflow ? .max : width * height
  }

  /// The size when it is shown with a quarter turn.
  var turned: PictureDimensions { PictureDimensions(width: height, height: width) }
}

/// The bytes of a file, with bounds-checked reads.
struct PictureBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  subscript(_ index: Int) -> Int? { bytes.indices.contains(index) ? Int(bytes[index]) : nil }

  func has(_ expected: [UInt8], at index: Int) -> Bool {
    index >= 0 && index <= bytes.count && bytes[index...].starts(with: expected)
  }

  func has(_ expected: StaticString, at index: Int) -> Bool {
    guard index >= 0, index <= bytes.count else { return false }
    return expected.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  /// Returns a big-endian number of up to 4 bytes.
  func big(_ count: Int, at index: Int) -> Int? {
    guard index >= 0, index <= bytes.count - count else { return nil }
    return bytes[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a little-endian number of up to 4 bytes.
  func little(_ count: Int, at index: Int) -> Int? {
    guard index >= 0, index <= bytes.count - count else { return nil }
    return bytes[index..<index + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

import TamisCore

/// Decodes transfer codings (RFC 9112, section 7) and content codings (RFC 9110, section 8.4) of HTTP messages.
enum Codings {
  /// Returns the names of the codings of a message, in the order in which they were applied.
  static func names(of message: HTTPMessage) -> [String] {
    ["content-encoding", "transfer-encoding"].flatMap { name in
      message.fields.filter { $0.name.asciiLowercased() == name }.flatMap { $0.value.split(separator: ",") }
    }.map { $0.trimmed().asciiLowercased() }.filter { !$0.isEmpty && $0 != "identity" }
  }

  /// Decodes one coding; nil when it is not supported.
  static func undo(_ name: String, _ bytes: [UInt8], most: Int) -> ContentCoding.Unpacked? {
    if name == "chunked" { return unchunk(bytes) }
    // Many writers decode the body but keep the header field.
    if isText(bytes) { return ContentCoding.Unpacked(end: .notThisCoding) }
    return ContentCoding(name: name)?.unpack(bytes, most: most)
  }

  /// Whether bytes begin like markup or JSON and contain no controls near the beginning, unlike compressed data.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first(where: { !$0.isHTMLSpace }), "<{[".utf8.contains(first) else { return false }
    return bytes.prefix(256).allSatisfy { $0 >= 0x20 || $0.isHTMLSpace }
  }

  /// Decodes the chunked transfer coding (RFC 9112, section 7.1); trailers are dropped.
  static func unchunk(_ bytes: [UInt8]) -> ContentCoding.Unpacked {
    var output = ContentCoding.Unpacked()
    var index = 0
    while true {
      guard let (size, start) = chunkHead(bytes, at: index) else {
        output.end = index == 0 ? .notThisCoding : index == bytes.count ? .cut : .damaged
        return output
      }
      if size == 0 { return output }
      let end = min(bytes.count, start + size)
      output.bytes += bytes[start..<end]
      if bytes.count - start < size { return ContentCoding.Unpacked(bytes: output.bytes, end: .cut) }
      index = end
      if index < bytes.count, bytes[index] == ASCII.carriageReturn { index += 1 }
      if index < bytes.count, bytes[index] == ASCII.lineFeed {
        index += 1
      } else {
        output.end = index == bytes.count ? .cut : .damaged
        return output
      }
    }
  }

  /// Returns the size of the chunk that begins at an index, and the index of its data.
  ///
  /// The chunk begins with hexadecimal digits, optional extensions and CR LF. An impossibly large size is clamped; the
  /// chunk then ends with the input.
  private static func chunkHead(_ bytes: [UInt8], at start: Int) -> (size: Int, start: Int)? {
    var (index, size) = (start, 0)
    while index < bytes.count, let digit = bytes[index].hexDigitValue {
      size = min(size << 4 | Int(digit), 1 << 56)
      index += 1
    }
    guard index > start else { return nil }
    while index < bytes.count, bytes[index] == ASCII.space || bytes[index] == ASCII.tab { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: ";") {
      index = ByteScan.index(of: ASCII.lineFeed, in: bytes.span, from: index)
      if index < bytes.count, bytes[index - 1] == ASCII.carriageReturn { index -= 1 }
    }
    if index < bytes.count, bytes[index] == ASCII.carriageReturn { index += 1 }
    guard index < bytes.count, bytes[index] == ASCII.lineFeed else { return nil }
    return (size, index + 1)
  }
}

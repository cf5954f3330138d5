import CEncoding
import TamisCore

/// Converts text to UTF-8 from the encodings that iconv knows.
package enum CharacterDecoder {
  /// What is done about bytes that belong to no character.
  package enum Fallback {
    /// The text is refused.
    case refuse
    /// Each becomes U+FFFD: it costs itself, not what follows.
    case replace
  }

  /// The bytes as UTF-8; nil when the encoding is unknown, or when a byte belongs to no character and that is not allowed.
  package static func decode(_ bytes: [UInt8], from encoding: String, _ fallback: Fallback) -> [UInt8]? {
    switch encoding {
    case "utf-8", "utf8", "utf_8":
      guard let fault = UTF8Sequence.firstFault(bytes.span) else { return bytes }
      return fallback == .refuse ? nil : repaired(bytes, from: fault)
    case "us-ascii", "ascii":
      guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
      return fallback == .refuse ? nil : repaired(bytes, from: 0)
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "windows_1252":
      // Those who write Latin-1 mean windows-1252 (WHATWG Encoding Standard, 4.2).
      return Windows1252.decode(bytes)
    default:
      return convert(bytes, aliases[encoding] ?? encoding.replacing("_", with: "-"), fallback)
    }
  }

  /// Names that Python knows and iconv does not.
  private static let aliases = [
    "cp_is": "CP861", "maciceland": "MAC-IS", "maclatin2": "MAC-CENTRALEUROPE", "gb2312": "GB18030",
  ]

  /// UTF-8 in which bytes that are not stand for their windows-1252 characters.
  private static func repaired(_ bytes: [UInt8], from start: Int) -> [UInt8] {
    var output = Array(bytes[..<start])
    output.reserveCapacity(bytes.count + bytes.count / 16)
    var index = start
    while index < bytes.count {
      let length = UTF8Sequence.length(bytes.span, at: index)
      if length == 0 {
        output.append(scalar: Windows1252.scalar(for: bytes[index]))
        index += 1
      } else {
        output.append(bytes.span, index..<index + length)
        index += length
      }
    }
    return output
  }

  private static func convert(_ bytes: [UInt8], _ name: String, _ fallback: Fallback) -> [UInt8]? {
    let converter = unsafe iconv_open("UTF-8", name)
    // Its failure is (iconv_t)-1.
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { unsafe iconv_close(converter) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    var input = bytes
    var buffer = [CChar](repeating: 0, count: 1 << 14)
    let isWhole = unsafe input.withUnsafeMutableBytes { raw -> Bool in
      var next = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = raw.count
      while left > 0 {
        let isStopped = unsafe buffer.withUnsafeMutableBufferPointer { target -> Bool in
          var out = target.baseAddress
          var room = target.count
          let result = unsafe iconv(converter, &next, &left, &out, &room)
          unsafe target[..<(target.count - room)].forEach { output.append(UInt8(bitPattern: $0)) }
          // Stopped with room to spare, it stopped at a byte it cannot read.
          return result == -1 && left > 0 && room >= 16
        }
        guard isStopped else { continue }
        if fallback == .refuse { return false }
        output.append(scalar: "\u{FFFD}")
        unsafe next = next?.advanced(by: 1)
        left -= 1
      }
      return true
    }
    return isWhole ? output : nil
  }
}

import CLibXML2
import TamisCore

/// Converts text in the encodings that iconv knows.
package enum CharacterDecoder {
  /// The bytes as UTF-8, nil when the encoding is unknown.
  ///
  /// Each byte that belongs to no character becomes U+FFFD: it costs itself, not what follows.
  package static func decode(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
    let converter = unsafe iconv_open("UTF-8", encoding)
    // iconv_open's failure is (iconv_t)-1.
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { unsafe iconv_close(converter) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    var input = bytes
    var buffer = [CChar](repeating: 0, count: 1 << 14)
    unsafe input.withUnsafeMutableBytes { raw in
      var next = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = raw.count
      while left > 0 {
        unsafe buffer.withUnsafeMutableBufferPointer { target in
          var out = target.baseAddress
          var room = target.count
          let result = unsafe iconv(converter, &next, &left, &out, &room)
          unsafe target[..<(target.count - room)].forEach { output.append(UInt8(bitPattern: $0)) }
          // Stopped with room to spare, it stopped at a byte it cannot read.
          if result == -1, left > 0, room >= 16 {
            output.append(scalar: "\u{FFFD}")
            unsafe next = next?.advanced(by: 1)
            left -= 1
          }
        }
      }
    }
    return output
  }
}

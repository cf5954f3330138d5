/// Finds white space at the ends of text in its UTF-8 bytes.
package enum WhiteSpace {
  /// Returns the range of the bytes without white space at both ends.
  ///
  /// White space is that of HTML and Unicode, zero-width spaces, and the byte order mark.
  package static func trimmedRange(_ bytes: borrowing Span<UInt8>) -> Range<Int> {
    var start = 0
    while start < bytes.count {
      let length = lengthOfBlank(bytes, at: start)
      if length == 0 { break }
      start += length
    }
    var end = bytes.count
    while end > start {
      // A blank character has one to three bytes; where one of two begins, none of three ends.
      guard let length = (1...3).first(where: { end - $0 >= start && lengthOfBlank(bytes, at: end - $0) == $0 }) else {
        break
      }
      end -= length
    }
    return start..<end
  }

  /// Returns whether all bytes are HTML white space.
  package static func isHTMLSpace(_ bytes: borrowing Span<UInt8>) -> Bool {
    for index in 0..<bytes.count where !bytes[index].isHTMLSpace { return false }
    return true
  }

  /// Returns the number of bytes of the blank character that begins here; 0 when none does.
  private static func lengthOfBlank(_ bytes: borrowing Span<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    if first < 0x80 { return first == 0x20 || (0x09...0x0D).contains(first) ? 1 : 0 }
    guard index + 1 < bytes.count else { return 0 }
    let second = bytes[index + 1]
    // U+0085 and U+00A0
    if first == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
    guard index + 2 < bytes.count else { return 0 }
    switch (first, second, bytes[index + 2]) {
    // U+1680, U+2000 to U+200B, U+2028, U+2029, U+202F, U+205F, U+2060, U+3000 and U+FEFF
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8B), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
      (0xE2, 0x81, 0x9F...0xA0),
      (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
      return 3
    default: return 0
    }
  }
}

extension String {
  /// Returns the string without white space at both ends.
  ///
  /// White space is that of HTML and Unicode, zero-width spaces, and the byte order mark.
  package func trimmed() -> String {
    var text = self
    return text.withUTF8 { bytes in
      let range = WhiteSpace.trimmedRange(bytes.span)
      return range.count == bytes.count ? self : String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// Returns the longest prefix with at most this number of bytes that does not split a character.
  package func prefix(bytes most: Int) -> String {
    var text = self
    return text.withUTF8 { bytes in
      var end = min(max(0, most), bytes.count)
      while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      return end == bytes.count ? self : String(decoding: bytes[..<end], as: UTF8.self)
    }
  }

  /// Returns the trimmed string; nil when nothing is left.
  package func trimmedOrNil() -> String? {
    let text = trimmed()
    return text.isEmpty ? nil : text
  }

  /// Returns the string with `A`…`Z` replaced by `a`…`z` and nothing else (ASCII lower case in HTML and XML).
  package func asciiLowercased() -> String {
    var text = self
    return text.withUTF8 { bytes in
      guard bytes.contains(where: { $0 &- 0x41 < 26 }) else { return self }
      return String(unsafeUninitializedCapacity: bytes.count) { target in
        for index in bytes.indices { target.initializeElement(at: index, to: bytes[index].asciiLowercased) }
        return bytes.count
      }
    }
  }

  /// Returns the string with each run of white space replaced by one space, and without white space at the ends.
  package func collapsingSpace() -> String {
    var text = self
    return text.withUTF8 { bytes in
      var wasSpace = true
      let isCollapsed = bytes.allSatisfy { byte in
        let isDouble = wasSpace && byte.isHTMLSpace
        wasSpace = byte.isHTMLSpace
        return !isDouble && (byte == ASCII.space || !wasSpace)
      }
      if isCollapsed, !wasSpace { return self }
      var output: [UInt8] = []
      output.reserveCapacity(bytes.count)
      for byte in bytes {
        if !byte.isHTMLSpace {
          output.append(byte)
        } else if let last = output.last, last != ASCII.space {
          output.append(ASCII.space)
        }
      }
      if output.last == ASCII.space { output.removeLast() }
      return String(decoding: output, as: UTF8.self)
    }
  }
}

extension Substring {
  /// Returns the same as `String.trimmed()`.
  package func trimmed() -> String { String(self).trimmed() }

  /// Returns the same as `String.trimmedOrNil()`.
  package func trimmedOrNil() -> String? { String(self).trimmedOrNil() }

  /// Returns the same as `String.asciiLowercased()`.
  package func asciiLowercased() -> String { String(self).asciiLowercased() }
}

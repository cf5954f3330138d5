import TamisCore

/// The escapes of characters that would form markup.
enum Escapes {
  /// Whether a byte may need an escape, by its value.
  static let mayNeedEscape: [Bool] = {
    var table = Array(repeating: false, count: 256)
    for byte in "\\`*_[]{<&~^#>+-=:|.)".utf8 { table[Int(byte)] = true }
    return table
  }()

  /// Whether a byte stands for itself anywhere but at the beginning of a line, by its value.
  ///
  /// Spaces are dropped after others, and 0xC2 and 0xE2 may begin an end of a line.
  static let isPlain: [Bool] = mayNeedEscape.enumerated().map { byte, mayNeed in
    !mayNeed && byte != 0x20 && byte != 0xC2 && byte != 0xE2
  }

  /// Returns a byte of text as it is written.
  ///
  /// - Parameters:
  ///   - byte: the byte, one of those that may need an escape.
  ///   - before: the byte before it in the output; nil at the beginning.
  ///   - rest: the bytes after it in the same piece.
  ///   - line: the line so far.
  ///   - context: the block that it is in.
  /// - Returns: the byte, with a backslash where all renderers know that, or as a character reference.
  static func text(
    of byte: UInt8, before: UInt8?, rest: ArraySlice<UInt8>, line: ArraySlice<UInt8>, in context: InlineWriter.Context
  ) -> [UInt8] {
    let after = rest.first
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"):
      return [0x5C, byte]
    case UInt8(ascii: "<"): return Array("&lt;".utf8)
    // Python-Markdown knows no escape of it. Renderers that make links of URLs in a text read references too late; the
    // tilde of `/~vic` closes no deletion.
    case UInt8(ascii: "~"): return before == UInt8(ascii: "/") && isLetter(after) ? [byte] : Array("&#126;".utf8)
    case UInt8(ascii: "_"):
      let isInWord = isLetter(before) && isLetter(after) && !line.isEmpty
      return isInWord ? [byte] : [0x5C, byte]
    // The `&b=` of a URL is no reference.
    case UInt8(ascii: "&") where rest.first { !$0.isASCIIAlphanumeric } == UInt8(ascii: "=") && after != 0x3D:
      return [byte]
    case UInt8(ascii: "&"): return isLetter(after) || after == nil || after == 0x23 ? Array("&amp;".utf8) : [byte]
    // A caret at the beginning of a link would make a footnote of it.
    case UInt8(ascii: "^"): return before == UInt8(ascii: "[") ? Array("&#94;".utf8) : [byte]
    case UInt8(ascii: "|"):
      if context == .cell { return [0x5C, byte] }
      return line.isEmpty ? Array("&#124;".utf8) : [byte]
    case UInt8(ascii: "#"): return line.isEmpty || context == .heading ? [0x5C, byte] : [byte]
    default: return atLineStart(byte, line)
    }
  }

  /// Returns a byte that would make a link or a definition of a reference before it; nil for others.
  static func behindReference(_ byte: UInt8) -> [UInt8]? {
    switch byte {
    case UInt8(ascii: "("): [0x5C, byte]
    case UInt8(ascii: ":"): Array("&#58;".utf8)
    default: nil
    }
  }

  /// Returns a byte that would begin the title of a link; nil for others.
  static func titleMark(_ byte: UInt8) -> [UInt8]? {
    switch byte {
    case UInt8(ascii: "\""): Array("&quot;".utf8)
    case UInt8(ascii: "'"): Array("&#39;".utf8)
    case UInt8(ascii: "("): Array("&#40;".utf8)
    default: nil
    }
  }

  /// Returns a byte that is markup at the beginning of a line, or after the number of an item.
  private static func atLineStart(_ byte: UInt8, _ line: ArraySlice<UInt8>) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: ")"):
      // Some renderers read numbers of any length, and of other scripts.
      // A look back ends at the mark before, so that all of them together cost no more than the line.
      guard let last = line.last, last.isASCIIDigit || last >= 0x80,
        line.reversed().allSatisfy({ $0.isASCIIDigit || $0 >= 0x80 })
      else { return [byte] }
      let isNumber =
        String(decoding: line, as: UTF8.self).unicodeScalars.allSatisfy { $0.properties.numericType == .decimal }
      return isNumber ? [0x5C, byte] : [byte]
    case UInt8(ascii: ">"): return line.isEmpty ? Array("&gt;".utf8) : [byte]
    case UInt8(ascii: "="): return line.isEmpty ? Array("&#61;".utf8) : [byte]
    case UInt8(ascii: ":"): return line.isEmpty ? Array("&#58;".utf8) : [byte]
    default: return line.isEmpty ? [0x5C, byte] : [byte]
    }
  }

  private static func isLetter(_ byte: UInt8?) -> Bool { byte?.isASCIIAlphanumeric ?? false }
}

/// Characters that some renderers take for the end of a line.
enum LineEnds {
  /// Returns a text with spaces in place of these.
  static func spaced(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else { return text }
    var (output, index): ([UInt8], Int) = ([], 0)
    while index < text.count {
      let length = length(at: index, in: text[...])
      output.append(length == nil ? text[index] : ASCII.space)
      index += length ?? 1
    }
    return output
  }

  /// Returns the length of U+0085, U+2028 or U+2029 at an index; nil when none is there.
  static func length(at index: Int, in bytes: ArraySlice<UInt8>) -> Int? {
    if bytes[index] == 0xC2, bytes[index...].dropFirst().first == 0x85 { return 2 }
    guard bytes[index] == 0xE2, index + 2 < bytes.endIndex, bytes[index + 1] == 0x80 else { return nil }
    return bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 ? 3 : nil
  }
}

extension Unicode.Scalar {
  /// Whether the character is white space (Unicode's `White_Space`).
  var isSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}

/// The characters at the ends of texts in UTF-8.
enum UTF8Scalar {
  /// Returns the first character; a space when there is none.
  static func first(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar {
    if let byte = bytes.first, byte < 0x80 { return Unicode.Scalar(byte) }
    return String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
  }

  /// Returns the last character; a space when there is none.
  static func last(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar {
    if let byte = bytes.last, byte < 0x80 { return Unicode.Scalar(byte) }
    return String(decoding: bytes.suffix(lengthOfLast(bytes)), as: UTF8.self).unicodeScalars.first ?? " "
  }

  /// Returns the number of bytes of the first character.
  static func lengthOfFirst(_ bytes: ArraySlice<UInt8>) -> Int {
    1 + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
  }

  /// Returns the number of bytes of the last character.
  static func lengthOfLast(_ bytes: ArraySlice<UInt8>) -> Int {
    min(bytes.count, 1 + bytes.reversed().prefix { $0 & 0xC0 == 0x80 }.count)
  }
}

/// The runs of backticks in code.
enum CodeFence {
  /// Returns the length of the longest run.
  static func longestRun(in code: ArraySlice<UInt8>) -> Int {
    var (longest, run) = (0, 0)
    for byte in code {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

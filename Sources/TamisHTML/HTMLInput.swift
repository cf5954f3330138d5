import TamisCore

/// The input stream (HTML Standard, 13.2.3): conversion of any bytes to UTF-8 with line feeds as newlines.
///
/// Invalid bytes are read as windows-1252, as readers of old pages expect. Control characters have no meaning in HTML
/// and are dropped, except for U+0000, which the tokenizer handles; a form feed is a space; C1 controls are read as
/// windows-1252; U+FFFE and U+FFFF become U+FFFD.
package enum HTMLInput {
  /// Returns the converted source; nil when the source needs no change and thus no copy.
  package static func prepared(_ source: borrowing Span<UInt8>) -> [UInt8]? {
    let fault = firstFault(source, from: 0)
    if fault == source.count { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(source.count + source.count / 16)
    var (start, index) = (0, fault)
    while index < source.count {
      output.append(source, start..<index)
      index += replace(source, at: index, &output)
      start = index
      index = firstFault(source, from: index)
    }
    output.append(source, start..<source.count)
    return output
  }

  private static func firstFault(_ source: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = start
    while true {
      index = ByteScan.indexOfHTMLSuspect(in: source, from: index)
      if index >= source.count { return source.count }
      let byte = source[index]
      if byte < 0x80 { return index }
      let length = UTF8Sequence.length(source, at: index)
      if length == 0 || isReplaced(source, at: index) { return index }
      index += length
      while index < source.count, source[index] >= 0x80 {
        let length = UTF8Sequence.length(source, at: index)
        if length == 0 || isReplaced(source, at: index) { return index }
        index += length
      }
    }
  }

  /// Whether a C1 control (C2 80…9F), U+FFFE or U+FFFF is at an index.
  private static func isReplaced(_ source: borrowing Span<UInt8>, at index: Int) -> Bool {
    switch source[index] {
    case 0xC2: source[index + 1] < 0xA0
    case 0xEF: source[index + 1] == 0xBF && source[index + 2] >= 0xBE
    default: false
    }
  }

  /// Writes the replacement of the bytes at `index`; returns how many bytes were replaced.
  private static func replace(_ source: borrowing Span<UInt8>, at index: Int, _ output: inout [UInt8]) -> Int {
    let byte = source[index]
    if byte < 0x80 {
      if byte == ASCII.carriageReturn {
        let isPair = index + 1 < source.count && source[index + 1] == ASCII.lineFeed
        if !isPair { output.append(ASCII.lineFeed) }
      } else if byte == ASCII.formFeed {
        output.append(ASCII.space)
      }
      return 1
    }
    if byte == 0xC2, index + 1 < source.count, 0x80...0x9F ~= source[index + 1] {
      append(windows1252: source[index + 1], to: &output)
      return 2
    }
    if byte == 0xEF, UTF8Sequence.length(source, at: index) == 3 {
      output.append(scalar: "\u{FFFD}")
      return 3
    }
    append(windows1252: byte, to: &output)
    return 1
  }

  private static func append(windows1252 byte: UInt8, to output: inout [UInt8]) {
    if let scalar = character(for: Windows1252.scalar(for: byte)) { output.append(scalar: scalar) }
  }

  /// Returns the character of a reference to a code point by the same rules; nil when it is dropped.
  package static func character(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x0D: "\n"
    case 0x0C: " "
    case 0x00..<0x09, 0x0B, 0x0E..<0x20, 0x7F: nil
    case 0x80...0x9F, 0xFFFE, 0xFFFF: "\u{FFFD}"
    default: scalar
    }
  }
}

import TamisCore

/// The first step: bytes as they come, made into what libxml2 and the walker may rely on.
///
/// Valid UTF-8 (stray bytes are taken as windows-1252, as browsers' users see them), no NUL and no other control
/// characters but tab and line feed, line ends as line feeds, and of character references only decimal ones and `&amp;`:
/// libxml2 knows HTML 4's names, browsers know ten times as many, and the difference is where `javascript&colon;` hides.
package enum HTMLPreparation {
  /// What a byte asks for.
  private enum ByteClass: UInt8 {
    case plain, ampersand, control, lead
  }

  private static let classes: [UInt8] = (0...255).map { (byte: Int) -> UInt8 in
    switch byte {
    case 0x26: ByteClass.ampersand.rawValue
    case 0x09, 0x0A: ByteClass.plain.rawValue
    case 0x00..<0x20, 0x7F: ByteClass.control.rawValue
    case 0x80...: ByteClass.lead.rawValue
    default: ByteClass.plain.rawValue
    }
  }

  /// Appends the prepared fragment to `output`.
  package static func append(_ input: borrowing Span<UInt8>, to output: inout [UInt8]) {
    output.reserveCapacity(output.count + input.count + input.count / 16)
    var runStart = 0
    var index = 0
    while index < input.count {
      let byteClass = classes[Int(input[index])]
      if byteClass == ByteClass.plain.rawValue {
        index += 1
        continue
      }
      if byteClass == ByteClass.lead.rawValue {
        let length = UTF8Sequence.length(input, at: index)
        if length > 0, !isReplaced(input, at: index) {
          index += length
          continue
        }
      }
      output.append(input, runStart..<index)
      index += replace(input, at: index, byteClass, &output)
      runStart = index
    }
    output.append(input, runStart..<index)
  }

  /// C1 controls (C2 80…9F) are read as windows-1252 characters; U+FFFE and U+FFFF are not characters.
  package static func isReplaced(_ input: borrowing Span<UInt8>, at index: Int) -> Bool {
    switch input[index] {
    case 0xC2: input[index + 1] < 0xA0
    case 0xEF: input[index + 1] == 0xBF && input[index + 2] >= 0xBE
    default: false
    }
  }

  /// Writes the replacement of the bytes at `index`; returns how many bytes were replaced.
  private static func replace(
    _ input: borrowing Span<UInt8>, at index: Int, _ byteClass: UInt8, _ output: inout [UInt8]
  ) -> Int {
    let byte = input[index]
    switch ByteClass(rawValue: byteClass) {
    case .ampersand:
      guard let reference = CharacterReference.match(input, at: index) else {
        output.append(contentsOf: "&amp;".utf8)
        return 1
      }
      append(reference.first, to: &output)
      if let second = reference.second { append(second, to: &output) }
      return reference.length
    case .control:
      if byte == ASCII.carriageReturn {
        let isPair = index + 1 < input.count && input[index + 1] == ASCII.lineFeed
        if !isPair { output.append(ASCII.lineFeed) }
      } else if byte == ASCII.formFeed {
        output.append(ASCII.space)
      }
      return 1
    default:
      if byte == 0xC2, index + 1 < input.count, 0x80...0x9F ~= input[index + 1] {
        append(windows1252: input[index + 1], to: &output)
        return 2
      }
      if byte == 0xEF, UTF8Sequence.length(input, at: index) == 3 {
        output.append(scalar: "\u{FFFD}")
        return 3
      }
      append(windows1252: byte, to: &output)
      return 1
    }
  }

  /// The character that a numeric reference expands to; nil for a control character, which is dropped.
  package static func character(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x0D: "\n"
    case 0x0C: " "
    case 0x00..<0x09, 0x0B, 0x0E..<0x20, 0x7F: nil
    // Unassigned codes of windows-1252, and noncharacters.
    case 0x80...0x9F, 0xFFFE, 0xFFFF: "\u{FFFD}"
    default: scalar
    }
  }

  /// Writes the windows-1252 character of a byte.
  private static func append(windows1252 byte: UInt8, to output: inout [UInt8]) {
    if let scalar = character(for: Windows1252.scalar(for: byte)) { output.append(scalar: scalar) }
  }

  /// Writes a referenced character: itself where it can mean nothing to a tokenizer, else a decimal reference.
  private static func append(_ referenced: Unicode.Scalar, to output: inout [UInt8]) {
    guard let scalar = character(for: referenced) else { return }
    switch scalar.value {
    case 0x26: output.append(contentsOf: "&amp;".utf8)
    case 0x00..<0x80: output.append(contentsOf: "&#\(scalar.value);".utf8)
    default: output.append(scalar: scalar)
    }
  }
}

import CEncoding
import TamisCore

/// Converts text to UTF-8, piece by piece, from the encodings that iconv knows and some others.
///
/// The result does not depend on where the pieces were cut.
@safe package struct CharacterDecoder: ~Copyable {
  /// The treatment of bytes that are not part of a character.
  package enum Fallback {
    /// The text is refused.
    case refuse
    /// Invalid bytes are replaced; the text after them is not affected.
    ///
    /// In UTF-8 and ASCII the replacement is the windows-1252 character of the byte, the usual cause of such bytes;
    /// elsewhere it is U+FFFD.
    case replace
  }

  private enum Method {
    case utf8
    case ascii
    case windows1252
    case table([Unicode.Scalar])
    /// A conversion by iconv, with the size of a code unit in bytes; 0 for escape sequences, as in ISO-2022-JP.
    case iconv(unit: Int)
  }

  private let method: Method
  private let fallback: Fallback
  private var isUTF7 = false
  private let converter: iconv_t?
  /// Bytes at the end of a piece that begin a character.
  private var rest: [UInt8] = []
  /// The number of bytes of the next piece that belong to an invalid unit at the end of the last one.
  private var toSkip = 0

  /// Creates a decoder; nil for an unknown encoding.
  package init?(_ encoding: String, _ fallback: Fallback) {
    self.fallback = fallback
    switch encoding {
    case "utf-8", "utf8", "utf_8", "u8", "utf", "cp65001": method = .utf8
    case "us-ascii", "ascii", "646", "ansi_x3.4-1968", "iso-646.irv-1991": method = .ascii
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "latin_1", "latin", "l1", "iso8859", "8859",
      "windows-1252", "cp1252", "windows_1252", "1252":
      // Text labelled Latin-1 is windows-1252 (WHATWG Encoding Standard, 4.2).
      method = .windows1252
    default:
      if let table = MacEncoding.table(named: encoding.filter({ $0 != "_" && $0 != "-" })) {
        method = .table(table)
        break
      }
      if EncodingLabel.encoding(encoding) == "windows-1252" {
        method = .windows1252
        break
      }
      guard let name = EncodingLabel.superset(of: encoding) ?? EncodingName.iconv(encoding) else { return nil }
      let opened = unsafe iconv_open("UTF-8", name)
      // iconv_open returns (iconv_t)-1 on failure.
      guard Int(bitPattern: opened) != -1 else { return nil }
      method = .iconv(unit: EncodingName.unit(of: name))
      isUTF7 = name.asciiLowercased().contains("utf-7")
      unsafe converter = opened
      return
    }
    unsafe converter = nil
  }

  deinit {
    if let converter = unsafe converter { unsafe iconv_close(converter) }
  }

  /// Decodes the next piece of the text and appends the result; returns false when the text is refused.
  package mutating func decode(_ piece: borrowing Span<UInt8>, into output: inout [UInt8]) -> Bool {
    rest.append(piece, 0..<piece.count)
    return decodeRest(isLast: false, &output)
  }

  /// Decodes what is left at the end of the text; returns false when that is refused.
  package mutating func finish(into output: inout [UInt8]) -> Bool { decodeRest(isLast: true, &output) }

  private mutating func decodeRest(isLast: Bool, _ output: inout [UInt8]) -> Bool {
    switch method {
    case .windows1252:
      Windows1252.decode(rest.span, into: &output)
      rest.removeAll(keepingCapacity: true)
      return true
    case .table(let table):
      for byte in rest { output.append(scalar: byte < 0x80 ? Unicode.Scalar(byte) : table[Int(byte) - 0x80]) }
      rest.removeAll(keepingCapacity: true)
      return true
    case .ascii:
      if fallback == .refuse, rest.contains(where: { $0 >= 0x80 }) { return false }
      return decodeUTF8(isLast: isLast, &output)
    case .utf8: return decodeUTF8(isLast: isLast, &output)
    case .iconv(let unit): return convert(isLast: isLast, unit: unit, &output)
    }
  }

  private mutating func decodeUTF8(isLast: Bool, _ output: inout [UInt8]) -> Bool {
    var input: [UInt8] = []
    swap(&input, &rest)
    let end = isLast ? input.count : input.count - UTF8Sequence.lengthOfIncompleteEnd(input.span)
    rest = Array(input[end...])
    if UTF8Sequence.isWellFormed(input.span.extracting(..<end)) {
      output.append(input.span, 0..<end)
    } else if fallback == .refuse {
      return false
    } else {
      Self.repair(input.span.extracting(..<end), into: &output)
    }
    return true
  }

  private static func repair(_ bytes: borrowing Span<UInt8>, into output: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      let length = UTF8Sequence.length(bytes, at: index)
      if length == 0 {
        output.append(scalar: Windows1252.scalar(for: bytes[index]))
        index += 1
      } else {
        output.append(bytes, index..<index + length)
        index += length
      }
    }
  }

  private mutating func convert(isLast: Bool, unit: Int, _ output: inout [UInt8]) -> Bool {
    var input: [UInt8] = []
    swap(&input, &rest)
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    var start = toSkip
    while start < input.count {
      let step = convertOnce(&input, from: start, into: &buffer)
      output.append(buffer.span, 0..<step.written)
      start += step.read
      switch step.end {
      case .done, .full: break
      case .incomplete where !isLast:
        rest = Array(input[start...])
        toSkip = 0
        return true
      case .incomplete, .invalid:
        if fallback == .refuse { return false }
        output.append(scalar: "\u{FFFD}")
        // Skips the whole unit; otherwise the text after it would be read out of step.
        start += unit > 0 ? unit : input[start] < 0x80 ? 2 : 1
        // What is left of a character of UTF-7 depends on where the piece began.
        if isUTF7 { unsafe iconv(converter, nil, nil, nil, nil) }
      }
    }
    toSkip = start - input.count
    if isLast { flush(through: &buffer, into: &output) }
    return true
  }

  /// Appends what iconv has kept back: the last character, which an accent might have followed.
  private mutating func flush(through buffer: inout [UInt8], into output: inout [UInt8]) {
    let written = unsafe buffer.withUnsafeMutableBytes { target in
      var out = unsafe target.baseAddress?.assumingMemoryBound(to: CChar.self)
      var room = target.count
      _ = unsafe iconv(converter, nil, nil, &out, &room)
      return target.count - room
    }
    output.append(buffer.span, 0..<written)
  }

  private enum End {
    case done, full, incomplete, invalid
  }

  /// Runs iconv until the input ends, the buffer is full, or a byte cannot be converted.
  private func convertOnce(
    _ input: inout [UInt8], from start: Int, into buffer: inout [UInt8]
  ) -> (read: Int, written: Int, end: End) {
    unsafe input.withUnsafeMutableBytes { input in
      unsafe buffer.withUnsafeMutableBytes { target in
        var next = unsafe input.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
        var left = input.count - start
        var out = unsafe target.baseAddress?.assumingMemoryBound(to: CChar.self)
        var room = target.count
        let result = unsafe iconv(converter, &next, &left, &out, &room)
        let end: End
        if result != -1 {
          end = .done
        } else {
          let error = tamis_errno()
          end = error == E2BIG ? .full : error == EINVAL ? .incomplete : .invalid
        }
        return (input.count - start - left, target.count - room, end)
      }
    }
  }
}

/// An IPv6 address in brackets, with `::` and a trailing dotted IPv4 form (section 3.5).
struct IPv6Address {
  /// The eight 16-bit pieces, most significant first.
  private var pieces: [UInt16] = Array(repeating: 0, count: 8)

  /// Parses the text between the brackets (the "IPv6 parser"); nil when the standard returns failure.
  init?(_ input: ArraySlice<UInt8>) {
    var rest = input
    var index = 0
    var compress: Int?
    if rest.first == URLByte.colon {
      guard rest.dropFirst().first == URLByte.colon else { return nil }
      rest = rest.dropFirst(2)
      compress = 0
    }
    while let byte = rest.first {
      guard index < 8 else { return nil }
      if byte == URLByte.colon {
        guard compress == nil else { return nil }
        rest.removeFirst()
        compress = index
        continue
      }
      let digits = rest.prefix(4).prefix { $0.hexDigitValue != nil }
      let after = rest.dropFirst(digits.count)
      if after.first == URLByte.dot {
        guard index <= 6, let tail = Self.dottedTail(rest) else { return nil }
        pieces[index] = tail.0
        pieces[index + 1] = tail.1
        index += 2
        break
      }
      pieces[index] = digits.reduce(0) { $0 << 4 | UInt16($1.hexDigitValue ?? 0) }
      index += 1
      rest = after
      guard let separator = rest.popFirst() else { break }
      // A colon has to separate two pieces; one at the end is invalid.
      guard separator == URLByte.colon, !rest.isEmpty else { return nil }
    }
    guard expand(from: compress, count: index) else { return nil }
  }

  /// Moves the pieces after `::` to the end.
  private mutating func expand(from compress: Int?, count: Int) -> Bool {
    guard let compress else { return count == 8 }
    let moved = count - compress
    guard moved > 0, count < 8 else { return true }
    let tail = Array(pieces[compress..<count])
    for position in compress..<8 { pieces[position] = 0 }
    pieces.replaceSubrange((8 - moved)..<8, with: tail)
    return true
  }

  /// Reads `1.2.3.4`: exactly four decimal numbers up to 255, without leading zeros.
  private static func dottedTail(_ input: ArraySlice<UInt8>) -> (UInt16, UInt16)? {
    let parts = input.split(separator: URLByte.dot, maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy(\.isASCIIDigit) else { return nil }
      guard part.count == 1 || part.first != URLByte.zero else { return nil }
      let number = part.reduce(0) { $0 * 10 + UInt32($1 - URLByte.zero) }
      guard number <= 255 else { return nil }
      value = value << 8 | number
    }
    return (UInt16(value >> 16), UInt16(value & 0xFFFF))
  }

  /// Appends the address without brackets (the "IPv6 serializer"): the first longest run of zeros becomes `::`.
  func write(to output: inout [UInt8]) {
    let run = longestZeroRun
    var index = 0
    while index < 8 {
      if let run, run.lowerBound == index {
        output.append(URLByte.colon)
        if index == 0 { output.append(URLByte.colon) }
        index = run.upperBound
        continue
      }
      output.append(contentsOf: String(pieces[index], radix: 16).utf8)
      index += 1
      if index < 8 { output.append(URLByte.colon) }
    }
  }

  /// The first longest run of two or more zero pieces.
  private var longestZeroRun: Range<Int>? {
    var longest: Range<Int>?
    var start = 0
    for (index, piece) in pieces.enumerated() {
      if piece != 0 { start = index + 1 }
      if index + 1 - start > max(longest?.count ?? 0, 1) { longest = start..<(index + 1) }
    }
    return longest
  }
}

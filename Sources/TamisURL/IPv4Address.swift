/// An IPv4 address as browsers parse it: one to four numbers, decimal, octal or hexadecimal (section 3.5).
struct IPv4Address {
  /// The address as a number in network order: 127.0.0.1 is 0x7F000001.
  let value: UInt32

  /// Parses a lowercased ASCII host that ends in a number; nil when the standard returns failure.
  init?(_ input: ArraySlice<UInt8>) {
    var parts = input.split(separator: URLByte.dot, maxSplits: 5, omittingEmptySubsequences: false)
    if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count <= 4, let lastPart = parts.popLast(), let last = Self.number(lastPart) else { return nil }
    var value: UInt64 = 0
    for (index, part) in parts.enumerated() {
      guard let number = Self.number(part), number <= 255 else { return nil }
      value |= number << UInt64(8 * (3 - index))
    }
    // The last number fills all remaining bytes: 127.1 is 127.0.0.1.
    guard last < 1 << UInt64(8 * (4 - parts.count)) else { return nil }
    self.value = UInt32(value | last)
  }

  /// Whether a domain must be an IPv4 address or fail (the "ends in a number checker").
  static func endsInNumber(_ domain: ArraySlice<UInt8>) -> Bool {
    var rest = domain
    if rest.last == URLByte.dot { rest.removeLast() }
    let last = rest.suffix(from: (rest.lastIndex(of: URLByte.dot) ?? rest.startIndex - 1) + 1)
    guard let first = last.first, first.isASCIIDigit else { return false }
    return last.allSatisfy(\.isASCIIDigit) || number(last) != nil
  }

  /// Parses a number (the "IPv4 number parser"), clamping numbers too large for an address to avoid overflow.
  private static func number(_ input: ArraySlice<UInt8>) -> UInt64? {
    guard !input.isEmpty else { return nil }
    var digits = input
    var radix: UInt64 = 10
    if digits.first == URLByte.zero, digits.count > 1 {
      digits.removeFirst()
      radix = 8
      if digits.first.map({ $0 | 0x20 }) == UInt8(ascii: "x") {
        digits.removeFirst()
        radix = 16
      }
    }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = byte.hexDigitValue, digit < radix else { return nil }
      value = min(value * radix + UInt64(digit), 1 << 33)
    }
    return value
  }

  /// Appends the address as four decimal numbers (the "IPv4 serializer").
  func write(to output: inout [UInt8]) {
    for shift in [24, 16, 8, 0] {
      if shift != 24 { output.append(URLByte.dot) }
      output.append(contentsOf: String(value >> UInt32(shift) & 255).utf8)
    }
  }
}

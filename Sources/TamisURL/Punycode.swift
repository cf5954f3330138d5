/// Punycode (RFC 3492), for single labels of at most 63 bytes, which bounds its quadratic time.
enum Punycode {
  private static let maximumLength = 63

  /// Encodes a label, without the prefix `xn--`; nil when the result would be too long for a label.
  static func encode(_ label: [Unicode.Scalar]) -> [UInt8]? {
    guard label.count <= maximumLength else { return nil }
    var output = label.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
    let basicCount = output.count
    if basicCount > 0 { output.append(URLByte.hyphen) }
    var (next, delta, bias, handled) = (128, 0, 72, basicCount)
    while let smallest = label.lazy.map({ Int($0.value) }).filter({ $0 >= next }).min() {
      delta += (smallest - next) * (handled + 1)
      next = smallest
      for scalar in label {
        if scalar.value < next { delta += 1 }
        guard scalar.value == next else { continue }
        appendInteger(delta, bias: bias, to: &output)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return output.count + 4 <= maximumLength ? output : nil
  }

  /// Decodes the part after `xn--` of a lowercased label; nil when it is not Punycode.
  static func decode(_ input: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
    guard input.count <= maximumLength, input.allSatisfy({ $0 < 0x80 }) else { return nil }
    var output: [Unicode.Scalar] = []
    var rest = input
    if let hyphen = input.lastIndex(of: URLByte.hyphen) {
      output = input[..<hyphen].map { Unicode.Scalar($0) }
      rest = input[(hyphen + 1)...]
    }
    var (next, position, bias) = (128, 0, 72)
    while !rest.isEmpty {
      guard let delta = readInteger(&rest, bias: bias) else { return nil }
      let count = output.count + 1
      bias = adapt(delta, count: count, isFirst: position == 0 && next == 128)
      next += (position + delta) / count
      position = (position + delta) % count
      guard let value = UInt32(exactly: next), let scalar = Unicode.Scalar(value) else { return nil }
      output.insert(scalar, at: position)
      position += 1
    }
    return output
  }

  private static func threshold(_ index: Int, bias: Int) -> Int { min(max(index - bias, 1), 26) }

  private static func appendInteger(_ integer: Int, bias: Int, to output: inout [UInt8]) {
    var (rest, index) = (integer, 36)
    while true {
      let limit = threshold(index, bias: bias)
      let digit = rest < limit ? rest : limit + (rest - limit) % (36 - limit)
      output.append(UInt8(digit < 26 ? digit + 97 : digit + 22))
      if rest < limit { return }
      rest = (rest - limit) / (36 - limit)
      index += 36
    }
  }

  private static func readInteger(_ rest: inout ArraySlice<UInt8>, bias: Int) -> Int? {
    var (value, weight, index) = (0, 1, 36)
    while let byte = rest.popFirst() {
      guard byte.isASCIIDigit || byte.isASCIIAlpha else { return nil }
      let digit = byte.isASCIIDigit ? Int(byte) - 22 : Int(byte.asciiLowercased) - 97
      value += digit * weight
      let limit = threshold(index, bias: bias)
      // No code point needs a number this large, and larger ones could overflow.
      guard value <= 1 << 32 else { return nil }
      if digit < limit { return value }
      weight *= 36 - limit
      guard weight <= 1 << 40 else { return nil }
      index += 36
    }
    return nil
  }

  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var bias = 0
    while rest > 455 {
      rest /= 35
      bias += 36
    }
    return bias + 36 * rest / (rest + 38)
  }
}

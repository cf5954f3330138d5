import TamisCore

/// Calculates `calc`, `min`, `max` and `clamp` (CSS Values and Units Module Level 4, 10), with lengths in pixels.
struct StyleMath {
  /// The maximum number of characters, and the maximum depth of parentheses.
  private static let (longest, deepest) = (300, 16)

  private let bytes: [UInt8]
  private let em: Double
  private var index = 0

  /// Returns the value of a function; nil when it is none, or has what is not known.
  ///
  /// - Parameters:
  ///   - text: the function.
  ///   - em: the size in pixels of the text around.
  /// - Returns: the value.
  static func value(_ text: some StringProtocol, em: Double = StyleValue.em) -> Double? {
    guard text.utf8.count <= longest else { return nil }
    var math = StyleMath(bytes: Array(text.utf8), em: em)
    guard let value = math.term(0), math.index == math.bytes.count else { return nil }
    return value
  }

  private init(bytes: [UInt8], em: Double) { (self.bytes, self.em) = (bytes, em) }

  private mutating func sum(_ depth: Int) -> Double? {
    guard var value = product(depth) else { return nil }
    while true {
      skipSpace()
      if take(UInt8(ascii: "+")) {
        guard let other = product(depth) else { return nil }
        value += other
      } else if take(UInt8(ascii: "-")) {
        guard let other = product(depth) else { return nil }
        value -= other
      } else {
        return value
      }
    }
  }

  private mutating func product(_ depth: Int) -> Double? {
    guard var value = term(depth) else { return nil }
    while true {
      skipSpace()
      if take(UInt8(ascii: "*")) {
        guard let other = term(depth) else { return nil }
        value *= other
      } else if take(UInt8(ascii: "/")) {
        guard let other = term(depth), other != 0 else { return nil }
        value /= other
      } else {
        return value
      }
    }
  }

  /// Reads a number with its unit, a function, or parentheses.
  private mutating func term(_ depth: Int) -> Double? {
    skipSpace()
    if depth > Self.deepest { return nil }
    let start = index
    while index < bytes.count, bytes[index].isASCIILetter { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    guard take(UInt8(ascii: "(")) else {
      index = start
      return number()
    }
    guard let first = sum(depth + 1) else { return nil }
    var values = [first]
    while take(UInt8(ascii: ",")) {
      guard let next = sum(depth + 1) else { return nil }
      values.append(next)
    }
    skipSpace()
    guard take(UInt8(ascii: ")")) else { return nil }
    switch name {
    case "", "calc": return values.count == 1 ? first : nil
    case "min": return values.min()
    case "max": return values.max()
    case "clamp": return values.count == 3 ? max(values[0], min(values[1], values[2])) : nil
    default: return nil
    }
  }

  private mutating func number() -> Double? {
    let start = index
    while index < bytes.count,
      ![ASCII.space, UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "*"), UInt8(ascii: "/")].contains(bytes[index])
    {
      index += 1
    }
    guard let (value, unit) = StyleValue.number(String(decoding: bytes[start..<index], as: UTF8.self)) else {
      return nil
    }
    // A share is one of what is not known.
    if unit == "%" { return nil }
    return unit.isEmpty ? value : StyleValue.pixels(of: unit, em: em).map { $0 * value }
  }

  private mutating func skipSpace() { while index < bytes.count, bytes[index] == ASCII.space { index += 1 } }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }
}

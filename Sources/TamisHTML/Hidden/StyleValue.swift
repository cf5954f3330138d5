import TamisCore

/// The parts of values of CSS: words, functions and lengths.
enum StyleValue {
  /// Returns the words of a value, at spaces and commas outside of parentheses.
  static func words(_ value: String) -> [Substring] {
    var (words, start, depth): ([Substring], String.Index?, Int) = ([], nil, 0)
    for index in value.utf8.indices {
      let byte = value.utf8[index]
      if depth == 0, byte == ASCII.space || byte == UInt8(ascii: ",") {
        if let begin = start { words.append(value[begin..<index]) }
        start = nil
        continue
      }
      if start == nil { start = index }
      if byte == UInt8(ascii: "(") { depth += 1 } else if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
    }
    if let start { words.append(value[start...]) }
    return words
  }

  /// Returns what is in the parentheses of a function; nil when the value is no such function.
  static func arguments(of function: String, in value: String?) -> Substring? {
    guard let value, value.hasPrefix(function + "("), value.hasSuffix(")") else { return nil }
    return value.dropFirst(function.utf8.count + 1).dropLast()
  }

  /// Whether a value has a word anywhere, also as a part of another.
  static func has(_ word: StaticString, in value: String?) -> Bool {
    value.map { ByteScan.index(of: word, in: $0.utf8.span, from: 0) != nil } ?? false
  }

  /// Whether a value has a function, so that it may be anything.
  static func isFunction(_ value: some StringProtocol) -> Bool { value.utf8.contains(UInt8(ascii: "(")) }

  /// Returns a number, and what follows it (CSS Syntax Module Level 3, 4.3.12); nil when there is none.
  static func number(_ text: some StringProtocol) -> (value: Double, rest: String)? {
    let bytes = Array(text.utf8)
    var (end, digits, decimals) = (0, 0, 0)
    func skipDigits() {
      while end < bytes.count, bytes[end].isASCIIDigit {
        digits = end < mostDigits ? digits * 10 + Int(bytes[end] - 0x30) : 0
        end += 1
      }
    }
    if end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") { end += 1 }
    let start = end
    skipDigits()
    if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), bytes[end + 1].isASCIIDigit {
      end += 1
      let point = end
      skipDigits()
      decimals = end - point
    }
    if end == start { return nil }
    let (isShort, stop) = (end <= mostDigits, end)
    if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "e") {
      let sign = bytes[end + 1] == UInt8(ascii: "-") || bytes[end + 1] == UInt8(ascii: "+") ? 2 : 1
      if end + sign < bytes.count, bytes[end + sign].isASCIIDigit {
        end += sign
        skipDigits()
      }
    }
    let rest = String(decoding: bytes[end...], as: UTF8.self)
    // Both numbers are exact, and so is the rounding of their quotient.
    if isShort, stop == end {
      let value = Double(digits) / powers[decimals]
      return (bytes[0] == UInt8(ascii: "-") ? -value : value, rest)
    }
    return Double(String(decoding: bytes[..<end], as: UTF8.self)).map { ($0, rest) }
  }

  /// The number of digits, with a sign and a point, up to which a number is exact without the library's help.
  private static let mostDigits = 15
  private static let powers: [Double] = (0..<mostDigits).reduce(into: [1]) { powers, _ in
    powers.append(powers[powers.count - 1] * 10)
  }

  /// The size in pixels of units, of relative ones as it mostly is.
  private static let units: [String: Double] = [
    "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "q": 0.945, "em": 16, "rem": 16, "ex": 8,
    "ch": 8, "lh": 20, "rlh": 20, "rex": 8, "rch": 8, "cap": 11, "rcap": 11, "ic": 16, "ric": 16, "%": 2,
  ].merging(ofWindow) { own, _ in own }

  /// Those that are shares of the window, of which a container is taken to have the size.
  private static let ofWindow: [String: Double] = {
    var units: [String: Double] = [:]
    for prefix in ["", "s", "l", "d"] {
      for (unit, size) in [("w", 12.8), ("i", 12.8), ("max", 12.8), ("h", 8), ("b", 8), ("min", 8)] {
        units[prefix + "v" + unit] = size
        units["cq" + unit] = size
      }
    }
    return units
  }()

  /// The size in pixels of text, unless it is declared.
  static let em = 16.0

  /// Those that are shares of the size of the text around.
  static let ofText: Set<String> = ["em", "ex", "ch", "lh", "ic", "cap"]

  /// Returns the size in pixels of a unit; nil when it is none of length.
  ///
  /// - Parameters:
  ///   - unit: the unit.
  ///   - em: the size in pixels of the text around.
  /// - Returns: the size.
  static func pixels(of unit: String, em: Double) -> Double? {
    units[unit].map { ofText.contains(unit) ? $0 * em / Self.em : $0 }
  }

  /// Returns a length in pixels; nil when the text is none.
  static func length(_ text: some StringProtocol) -> Double? {
    if isFunction(text) { return StyleMath.value(text) }
    guard let (value, unit) = number(text) else { return nil }
    if unit.isEmpty { return value == 0 ? 0 : nil }
    return units[unit].map { $0 * value }
  }
}

import TamisCore

/// Time zones as feeds name them.
enum TimeZoneName {
  private static let hours: [String: Int] = [
    "ut": 0, "gmt": 0, "utc": 0, "z": 0, "adt": -3, "ast": -4, "at": -4, "edt": -4, "est": -5, "et": -5, "cdt": -5,
    "cst": -6, "ct": -6, "mdt": -6, "mst": -7, "mt": -7, "pdt": -7, "pst": -8, "pt": -8, "a": -1, "n": 1, "m": -12,
    "y": 12, "met": 1, "mest": 2, "cet": 1, "cest": 2, "bst": 1, "jst": 9,
  ]

  /// Seconds ahead of UTC: `+0200`, `+02:00`, `-5`, `GMT+1`, a name; an unknown name counts as UTC.
  ///
  /// Nil when it is no zone.
  static func offset(_ text: String) -> Int? {
    if let common = common(text.utf8) { return common }
    var name = text.asciiLowercased().trimmed()
    if name.hasPrefix("etc/") { name.removeFirst(4) }
    if let known = hours[name] { return known * 3600 }
    for prefix in ["gmt", "utc"] where name.hasPrefix(prefix) { name.removeFirst(3) }
    guard let sign = name.first, sign == "+" || sign == "-" else {
      return name.utf8.allSatisfy(\.isASCIILetter) ? 0 : nil
    }
    let digits = name.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits), digits.utf8.allSatisfy(\.isASCIIDigit), digits.count <= 4 else { return nil }
    let seconds = digits.count <= 2 ? number * 3600 : number / 100 * 3600 + number % 100 * 60
    return sign == "-" ? -seconds : seconds
  }

  /// `+0200`, `GMT` and `Z`, which nearly all dates have; nil for any other.
  private static func common(_ text: String.UTF8View) -> Int? {
    // The text in one number.
    var word: UInt64 = 0
    for byte in text.prefix(6) { word = word << 8 | UInt64(byte) }
    if word == 0x47_4D54 || word == 0x5A { return 0 }
    let sign = word >> 32
    guard sign == 0x2B || sign == 0x2D else { return nil }
    var seconds = 0
    for (shift, unit) in [(24, 36_000), (16, 3600), (8, 600), (0, 60)] as [(UInt64, Int)] {
      let digit = UInt8(truncatingIfNeeded: word >> shift)
      guard digit.isASCIIDigit else { return nil }
      seconds += Int(digit - UInt8(ascii: "0")) * unit
    }
    return sign == 0x2D ? -seconds : seconds
  }
}

import TamisCore

/// Time zones as feeds name them.
enum TimeZoneName {
  private static let hours: [String: Int] = [
    "ut": 0, "gmt": 0, "utc": 0, "z": 0, "adt": -3, "ast": -4, "at": -4, "edt": -4, "est": -5, "et": -5, "cdt": -5,
    "cst": -6, "ct": -6, "mdt": -6, "mst": -7, "mt": -7, "pdt": -7, "pst": -8, "pt": -8, "a": -1, "n": 1, "m": -12,
    "y": 12, "met": 1, "mest": 2, "cet": 1, "cest": 2, "bst": 1, "jst": 9,
  ]

  /// Returns the offset from UTC in seconds of `+0200`, `+02:00`, `-5`, `GMT+1` or a name.
  ///
  /// An unknown name counts as UTC. Nil when the text is not a zone.
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

  /// Returns the offset of `+0200`, `GMT` or `Z`, which nearly all dates have, or nil for any other.
  private static func common(_ text: String.UTF8View) -> Int? {
    guard let sign = text.first else { return nil }
    switch text.count {
    case 1: return sign == UInt8(ascii: "Z") ? 0 : nil
    case 3: return text.elementsEqual("GMT".utf8) ? 0 : nil
    case 5 where sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"):
      var number = 0
      for digit in text.dropFirst() {
        guard digit.isASCIIDigit else { return nil }
        number = 10 * number + Int(digit - UInt8(ascii: "0"))
      }
      let seconds = number / 100 * 3600 + number % 100 * 60
      return sign == UInt8(ascii: "-") ? -seconds : seconds
    default: return nil
    }
  }
}

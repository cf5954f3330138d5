import TamisCore

/// Time zones as feeds name them.
enum TimeZoneName {
  /// Returns the offset from UTC in seconds of `+0200`, `+02:00`, `-5`, `GMT+1` or a known name.
  ///
  /// Nil when the text is not a zone, or one of an unknown name (see ``isName(_:)``).
  static func offset(_ text: String) -> Int? {
    if let common = common(text.utf8) { return common }
    var name = text.asciiLowercased().trimmed()
    if name.hasPrefix("etc/") { name.removeFirst(4) }
    if let known = ZoneAbbreviation.minutes(name) { return known * 60 }
    for prefix in ["gmt", "utc"] where name.hasPrefix(prefix) { name.removeFirst(3) }
    guard let sign = name.first, sign == "+" || sign == "-" else { return nil }
    let digits = name.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits), digits.utf8.allSatisfy(\.isASCIIDigit), digits.count <= 4 else { return nil }
    let seconds = digits.count <= 2 ? number * 3600 : number / 100 * 3600 + number % 100 * 60
    return sign == "-" ? -seconds : seconds
  }

  /// Whether a text without a known offset may be the name of a zone, such as `Asia/Kolkata`.
  static func isName(_ text: String) -> Bool {
    text.utf8.first?.isASCIILetter == true && text.utf8.count <= 40
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "/_+-".utf8.contains($0) }
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

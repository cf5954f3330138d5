/// Named bytes of the URL syntax.
enum URLByte {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let hash = UInt8(ascii: "#")
  static let percent = UInt8(ascii: "%")
  static let ampersand = UInt8(ascii: "&")
  static let plus = UInt8(ascii: "+")
  static let hyphen = UInt8(ascii: "-")
  static let dot = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let zero = UInt8(ascii: "0")
  static let colon = UInt8(ascii: ":")
  static let equals = UInt8(ascii: "=")
  static let question = UInt8(ascii: "?")
  static let at = UInt8(ascii: "@")
  static let leftBracket = UInt8(ascii: "[")
  static let backslash = UInt8(ascii: "\\")
  static let rightBracket = UInt8(ascii: "]")
  static let bar = UInt8(ascii: "|")
}

extension UInt8 {
  var isASCIIAlpha: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  var isASCIIDigit: Bool { self &- URLByte.zero < 10 }

  /// Whether the standard removes the byte anywhere in the input (section 4.4, "ASCII tab or newline").
  var isTabOrNewline: Bool { self == URLByte.tab || self == URLByte.lineFeed || self == URLByte.carriageReturn }

  var asciiLowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

  /// The value of a hexadecimal digit, 0 to 15; nil for any other byte.
  var hexDigitValue: UInt8? {
    if isASCIIDigit { return self &- URLByte.zero }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}

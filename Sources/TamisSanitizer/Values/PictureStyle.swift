import TamisCore

/// The size, alignment and visibility of a picture by its `style` attribute, whether the declarations are kept or not.
struct PictureStyle {
  /// The width in CSS pixels; nil when not given in pixels.
  private(set) var width: Int?
  /// The height in CSS pixels; nil when not given in pixels.
  private(set) var height: Int?
  /// The side of alignment; nil when text does not flow beside the picture.
  private(set) var side: PictureBoxes.Side?
  /// Whether the picture is invisible, at least until a script runs.
  private(set) var isTransparent = false

  init(_ style: ArraySlice<UInt8>) {
    var rest = style
    while let end = rest.firstIndex(of: UInt8(ascii: ";")) {
      read(rest[..<end])
      rest = rest[(end + 1)...]
    }
    read(rest)
  }

  private static let longestName = "opacity".utf8.count

  private mutating func read(_ declaration: ArraySlice<UInt8>) {
    guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = declaration[..<colon].filter { !$0.isHTMLSpace }
    // Most declarations are of other properties, for which no string is made.
    guard name.count <= Self.longestName else { return }
    let text = String(streamSafe: name).asciiLowercased()
    guard ["width", "height", "float", "opacity"].contains(text) else { return }
    let value = String(streamSafe: declaration[(colon + 1)...]).trimmed()
    switch text {
    case "opacity": isTransparent = Double(value) == 0
    case "float": side = PictureBoxes.Side(rawValue: value.prefix { $0 != "!" }.trimmed().asciiLowercased())
    case "width": width = Self.pixels(value) ?? width
    default: height = Self.pixels(value) ?? height
    }
  }

  private static func pixels(_ value: String) -> Int? {
    // A number alone is not a valid length, but means pixels; other units do not tell the size of the file.
    let unit = value.drop { $0 == "." || ("0"..."9").contains($0) }.trimmed().asciiLowercased()
    let isPixels = unit.isEmpty || unit == "px" || unit.hasPrefix("px ") || unit.hasPrefix("px!")
    return isPixels ? Dimension.pixels(value) : nil
  }
}

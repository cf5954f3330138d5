import TamisCore

/// What a `style` attribute says of a picture, whether the declarations stay or not.
struct PictureStyle {
  /// Width in CSS pixels, nil when not said in pixels.
  private(set) var width: Int?
  /// Height in CSS pixels, nil when not said in pixels.
  private(set) var height: Int?
  /// At which side it stands, nil when text is not to run beside it.
  private(set) var side: PictureBoxes.Side?
  /// Whether nothing of it is to be seen, at least until a script runs.
  private(set) var isTransparent = false

  init(_ style: [UInt8]) {
    for declaration in style.split(separator: UInt8(ascii: ";")) {
      let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = String(decoding: parts[0].filter { !$0.isHTMLSpace }, as: UTF8.self).asciiLowercased()
      let value = String(decoding: parts[1], as: UTF8.self).trimmed()
      if name == "opacity" { isTransparent = Double(value) == 0 }
      if name == "float" { side = PictureBoxes.Side(rawValue: value.prefix { $0 != "!" }.trimmed().asciiLowercased()) }
      guard name == "width" || name == "height" else { continue }
      // A number alone is no length, but what writes it means pixels; all other units say nothing of the file.
      let unit = value.drop { $0 == "." || ("0"..."9").contains($0) }.trimmed().asciiLowercased()
      guard unit.isEmpty || unit == "px" || unit.hasPrefix("px ") || unit.hasPrefix("px!") else { continue }
      if name == "width" { width = Dimension.pixels(value) } else { height = Dimension.pixels(value) }
    }
  }
}

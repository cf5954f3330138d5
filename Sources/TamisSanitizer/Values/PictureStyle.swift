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

  init(_ style: [UInt8]) {
    for declaration in style.split(separator: UInt8(ascii: ";")) {
      let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = String(streamSafe: parts[0].filter { !$0.isHTMLSpace }).asciiLowercased()
      let value = String(streamSafe: parts[1]).trimmed()
      if name == "opacity" { isTransparent = Double(value) == 0 }
      if name == "float" { side = PictureBoxes.Side(rawValue: value.prefix { $0 != "!" }.trimmed().asciiLowercased()) }
      guard name == "width" || name == "height" else { continue }
      // A number alone is not a valid length, but means pixels; other units do not tell the size of the file.
      let unit = value.drop { $0 == "." || ("0"..."9").contains($0) }.trimmed().asciiLowercased()
      guard unit.isEmpty || unit == "px" || unit.hasPrefix("px ") || unit.hasPrefix("px!") else { continue }
      if name == "width" { width = Dimension.pixels(value) } else { height = Dimension.pixels(value) }
    }
  }
}

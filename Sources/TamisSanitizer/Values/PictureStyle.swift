import TamisCore
import TamisHTML

/// The size, alignment and visibility of a picture by its `style` attribute, whether the declarations are kept or not.
struct PictureStyle {
  /// The width in CSS pixels; nil when not given in pixels.
  private(set) var width: Int?
  /// The height in CSS pixels; nil when not given in pixels.
  private(set) var height: Int?
  /// The maximum width and height in CSS pixels; nil when not given in pixels.
  private(set) var mostWidth: Int?
  private(set) var mostHeight: Int?
  /// The side of alignment; nil when text does not flow beside the picture.
  private(set) var side: PictureBoxes.Side?
  /// Whether the picture is transparent, at least until a script runs.
  private(set) var isTransparent = false
  /// Whether the picture has no box, or one that is never painted.
  private(set) var isHidden = false

  private static let properties = NameIndex([
    "display", "float", "height", "max-height", "max-width", "min-height", "min-width", "opacity", "visibility",
    "width",
  ])

  init(_ style: ArraySlice<UInt8>) {
    var declarations = InlineStyle(style, of: Self.properties)
    // As of `width: 1px; min-width: 100%`.
    var hasMinimum = false
    while let declaration = declarations.next() {
      let value = declaration.value
      switch declaration.name {
      case "opacity": isTransparent = Double(value) == 0
      case "float": side = PictureBoxes.Side(rawValue: value)
      case "width": width = Self.pixels(value) ?? width
      case "height": height = Self.pixels(value) ?? height
      case "max-width": mostWidth = Self.pixels(value) ?? mostWidth
      case "max-height": mostHeight = Self.pixels(value) ?? mostHeight
      case "min-width", "min-height": hasMinimum = true
      case "display": if value == "none" { isHidden = true }
      case "visibility": if value == "hidden" { isHidden = true }
      default: break
      }
    }
    mostWidth = hasMinimum ? nil : [mostWidth, width].compactMap { $0 }.min()
    mostHeight = hasMinimum ? nil : [mostHeight, height].compactMap { $0 }.min()
  }

  private static func pixels(_ value: String) -> Int? {
    // A number alone is not a valid length, but means pixels; other units do not tell the size of the file.
    let unit = value.drop { $0 == "." || ("0"..."9").contains($0) }.trimmed()
    let isPixels = unit.isEmpty || unit == "px" || unit.hasPrefix("px ")
    return isPixels ? Dimension.pixels(value) : nil
  }
}

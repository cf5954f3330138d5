import TamisCore

/// The declarations of a `style` attribute that can keep an element, or the text in it, from being seen.
///
/// No style sheets are applied: a property that is not declared here has its initial value, or that of the element.
package struct HidingStyle {
  /// The properties that are read; the shorthands among them become what they stand for.
  private enum Property: String, CaseIterable {
    case display, visibility, opacity, filter, position, color, clip, left, right, top, bottom, width, height, float
    case transition, animation, transform, translate, scale
    case font, background, overflow, padding, margin, inset
    case contentVisibility = "content-visibility"
    case fontSize = "font-size"
    case textIndent = "text-indent"
    case overflowX = "overflow-x"
    case overflowY = "overflow-y"
    case backgroundColor = "background-color"
    case backgroundImage = "background-image"
    case backgroundClip = "background-clip"
    case webkitBackgroundClip = "-webkit-background-clip"
    case textFillColor = "-webkit-text-fill-color"
    case textStroke = "-webkit-text-stroke"
    case textShadow = "text-shadow"
    case clipPath = "clip-path"
    case marginTop = "margin-top"
    case marginRight = "margin-right"
    case marginBottom = "margin-bottom"
    case marginLeft = "margin-left"
    case maxWidth = "max-width"
    case maxHeight = "max-height"
    case minWidth = "min-width"
    case minHeight = "min-height"
    case paddingTop = "padding-top"
    case paddingRight = "padding-right"
    case paddingBottom = "padding-bottom"
    case paddingLeft = "padding-left"
    case willChange = "will-change"
    case transitionProperty = "transition-property"
    case animationName = "animation-name"
    case webkitTransform = "-webkit-transform"
    case webkitTransition = "-webkit-transition"
  }

  private static let names = Set(Property.allCases.map(\.rawValue))
  private var values: [Property: String] = [:]

  package init(_ style: ArraySlice<UInt8>) {
    var declarations = InlineStyle(style, of: Self.names)
    var important: Set<Property> = []
    while let declaration = declarations.next() {
      guard let property = Property(rawValue: declaration.name) else { continue }
      for (property, value) in Self.longhands(of: property, declaration.value) {
        if declaration.isImportant { important.insert(property) } else if important.contains(property) { continue }
        values[property] = value
      }
    }
  }

  /// Returns the properties that a declaration sets.
  private static func longhands(of property: Property, _ value: String) -> [(Property, String)] {
    switch property {
    case .font: size(ofFont: value).map { [(.fontSize, $0)] } ?? []
    case .background:
      [
        (.backgroundColor, value.split(separator: " ").first { CSSColor($0) != nil }.map(String.init) ?? "transparent"),
        (.backgroundImage, ["url(", "gradient(", "image("].contains { value.contains($0) } ? value : "none"),
      ]
    case .overflow:
      value.split(separator: " ").first.map { first in
        [(.overflowX, String(first)), (.overflowY, value.split(separator: " ").last.map(String.init) ?? "")]
      } ?? []
    case .padding: sides(value, [.paddingTop, .paddingRight, .paddingBottom, .paddingLeft])
    case .margin: sides(value, [.marginTop, .marginRight, .marginBottom, .marginLeft])
    case .inset: sides(value, [.top, .right, .bottom, .left])
    default: [(property, value)]
    }
  }

  /// Returns the value of each side of a box by one to four values.
  private static func sides(_ value: String, _ properties: [Property]) -> [(Property, String)] {
    let words = value.split(separator: " ").map(String.init)
    guard let top = words.first, words.count <= 4 else { return [] }
    let right = words.count > 1 ? words[1] : top
    let bottom = words.count > 2 ? words[2] : top
    return Array(zip(properties, [top, right, bottom, words.count > 3 ? words[3] : right]))
  }

  private static func size(ofFont value: String) -> String? {
    value.split(separator: " ").lazy.map { String($0.prefix { $0 != "/" }) }.first { word in
      sizes.contains(word) || length(word) != nil || ["larger", "smaller"].contains(word)
    }
  }

  // MARK: - Boxes

  /// The declared display; nil when there is none.
  package var display: String? { values[.display] }

  /// Returns whether an element is not painted at all, nor what is in it.
  ///
  /// - Parameters:
  ///   - isBlock: whether the element is a block unless its display is declared.
  ///   - isPadded: whether browsers give the element a padding at its sides.
  ///   - isForScreenReaders: whether a class says that it is to be read aloud.
  ///   - fadesIn: whether transparent elements become visible.
  /// - Returns: whether nothing is painted.
  func hidesBox(isBlock: Bool, isPadded: Bool, isForScreenReaders: Bool, fadesIn: Bool) -> Bool {
    if values.isEmpty { return false }
    if display == "none" { return true }
    let isBox = isBox(isBlock: isBlock)
    if isBox, values[.contentVisibility] == "hidden" { return true }
    if isTransparent, !isAnimated, !fadesIn { return true }
    return !isForScreenReaders && (isClipped || isOutside || isBox && isFlat(isPadded: isPadded))
  }

  /// Whether the element makes a box of its own, not parts of lines.
  private func isBox(isBlock: Bool) -> Bool {
    isPositioned || values[.float] == "left" || values[.float] == "right"
      || display.map { $0 != "inline" && $0 != "contents" } ?? isBlock
  }

  private var isTransparent: Bool {
    func isZero(_ text: some StringProtocol) -> Bool {
      let value = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
      return value.map { $0 <= CSSColor.leastVisible } ?? false
    }
    if let opacity = values[.opacity], isZero(opacity) { return true }
    return Self.arguments(of: "opacity", in: values[.filter]).map { isZero($0) } ?? false
  }

  /// Whether a script or a style sheet is about to change the element, as pages do that fade in what they show.
  private var isAnimated: Bool {
    let signs: [Property] = [
      .transition, .transitionProperty, .webkitTransition, .animation, .animationName, .transform, .webkitTransform,
      .translate, .scale, .willChange,
    ]
    return signs.contains { property in values[property].map { $0 != "none" && $0 != "auto" } ?? false }
  }

  private var isPositioned: Bool { ["absolute", "fixed"].contains(values[.position]) }

  /// Whether everything is clipped away (CSS Masking Module Level 1, 5.1 and appendix A).
  private var isClipped: Bool {
    if isPositioned, let edges = Self.arguments(of: "rect", in: values[.clip]) {
      let edges = edges.split { $0 == "," || $0 == " " }.map { Self.length($0) }
      guard edges.count == 4, let top = edges[0], let right = edges[1], let bottom = edges[2], let left = edges[3]
      else { return false }
      return right - left <= 1 || bottom - top <= 1
    }
    let path = values[.clipPath]
    if let radius = Self.arguments(of: "circle", in: path) ?? Self.arguments(of: "ellipse", in: path) {
      return radius.split(separator: " ").first.flatMap { Self.length($0) } == 0
    }
    guard let inset = Self.arguments(of: "inset", in: path) else { return false }
    let shares = inset.split(separator: " ").map { $0.hasSuffix("%") ? Double($0.dropLast()) ?? 0 : 0 }
    guard let top = shares.first else { return false }
    let right = shares.count > 1 ? shares[1] : top
    return top + (shares.count > 2 ? shares[2] : top) >= 100 || right + (shares.count > 3 ? shares[3] : right) >= 100
  }

  /// The distances in pixels beyond which a box is outside of every page.
  ///
  /// One is for a box that is taken out of its place, one for a box that is moved: carousels move what they show.
  private static let farAway = (positioned: 999.0, moved: 5000.0)

  /// Whether the element is moved out of the page.
  private var isOutside: Bool {
    if isPositioned || values[.position] == "relative" || values[.position] == "sticky" {
      let far = isPositioned ? Self.farAway.positioned : Self.farAway.moved
      let sides: [Property] = [.left, .right, .top, .bottom]
      if sides.contains(where: { pixels($0).map { $0 <= -far || $0 >= Self.farAway.moved } ?? false }) { return true }
    }
    let margins: [Property] = [.marginLeft, .marginTop]
    return margins.contains { pixels($0).map { $0 <= -Self.farAway.moved } ?? false }
  }

  /// Whether a box has no area, and hides what exceeds it.
  private func isFlat(isPadded: Bool) -> Bool {
    guard [.overflowX, .overflowY].contains(where: { ["hidden", "clip"].contains(values[$0]) }) else { return false }
    let height = extent([.height, .maxHeight], heldBy: [.paddingTop, .paddingBottom, .minHeight])
    let width =
      isPadded && values[.paddingLeft] == nil
      ? nil : extent([.width, .maxWidth], heldBy: [.paddingLeft, .paddingRight, .minWidth])
    if let height, let width, height <= 1, width <= 1 { return true }
    return height == 0 || width == 0
  }

  /// Returns the size of a box in one direction; nil when it is not declared, or is more by padding or a least size.
  private func extent(_ sizes: [Property], heldBy others: [Property]) -> Double? {
    if others.contains(where: { values[$0].map { Self.length($0) ?? 1 > 0 } ?? false }) { return nil }
    return sizes.compactMap(pixels).min()
  }

  private func pixels(_ property: Property) -> Double? { values[property].flatMap { Self.length($0) } }

  // MARK: - Text

  /// Whether text is hidden by `visibility`; nil when the element says nothing about it.
  var hidesText: Bool? {
    switch values[.visibility] {
    case "hidden", "collapse": true
    case "visible", "initial": false
    default: nil
    }
  }

  /// Whether text is too small to be seen; nil when its size depends on that of the text around it.
  var isTiny: Bool? { values[.fontSize].flatMap { Self.isTiny($0) } }

  private static let sizes: Set<String> = [
    "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "initial",
  ]

  private static func isTiny(_ size: some StringProtocol) -> Bool? {
    if sizes.contains(String(size)) { return false }
    guard let pixels = length(size) else { return size.contains("(") ? false : nil }
    if pixels == 0 { return true }
    let isRelative = ["em", "%", "ex", "ch", "lh"].contains { size.hasSuffix($0) } && !size.hasSuffix("rem")
    return isRelative ? nil : pixels <= 1
  }

  /// Whether lines begin outside of the page; nil when the element says nothing about it.
  var indentsOut: Bool? {
    guard let indent = values[.textIndent], let pixels = Self.length(indent.prefix { $0 != " " }) else { return nil }
    return abs(pixels) >= Self.farAway.positioned
  }

  /// The color of text.
  enum TextColor: Equatable {
    /// The color cannot be seen on any background.
    case transparent
    /// The color is that of the element's own background.
    case lost
    case visible
  }

  /// Returns the color of the text in an element; nil when it is that of the element around it.
  ///
  /// - Parameters:
  ///   - attribute: the value of a `color` attribute; nil for none.
  ///   - attributeBackground: the value of a `bgcolor` attribute; nil for none.
  /// - Returns: the color.
  func textColor(color attribute: String? = nil, background attributeBackground: String? = nil) -> TextColor? {
    let declared = values[.textFillColor] ?? values[.color] ?? attribute
    guard let declared, !["inherit", "unset", "currentcolor", "revert"].contains(declared) else { return nil }
    guard let color = CSSColor(declared), !isDrawnOtherwise else { return .visible }
    if color.isTransparent { return .transparent }
    guard !hasPicture, let background = backgroundColor ?? attributeBackground.flatMap({ CSSColor($0) }) else {
      return .visible
    }
    return color.isLost(on: background) ? .lost : .visible
  }

  /// Whether the element has a background of its own.
  var hasBackground: Bool { hasPicture || backgroundColor.map { !$0.isTransparent } ?? false }

  private var backgroundColor: CSSColor? { values[.backgroundColor].flatMap { CSSColor($0) } }

  private var hasPicture: Bool { values[.backgroundImage].map { $0 != "none" } ?? false }

  /// Whether the letters are seen by their shadow, their outline, or the background that they cut out.
  private var isDrawnOtherwise: Bool {
    if values[.backgroundClip] == "text" || values[.webkitBackgroundClip] == "text" { return true }
    return [.textShadow, .textStroke].contains { (property: Property) in values[property].map { $0 != "none" } ?? false
    }
  }

  // MARK: - Values

  /// Returns what is in the parentheses of a function; nil when the value is no such function.
  private static func arguments(of function: String, in value: String?) -> Substring? {
    guard let value, value.hasPrefix(function + "("), value.hasSuffix(")") else { return nil }
    return value.dropFirst(function.count + 1).dropLast()
  }

  /// The size in pixels of units, of relative ones as it mostly is.
  private static let units: [String: Double] = [
    "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "q": 0.945, "em": 16, "rem": 16, "ex": 8,
    "ch": 8, "lh": 20, "vw": 10, "vh": 10, "vmin": 10, "vmax": 10, "%": 2,
  ]

  /// Returns a length in pixels; nil when the text is none.
  private static func length(_ text: some StringProtocol) -> Double? {
    let number = text.prefix { "+-.0123456789".contains($0) }
    guard let value = Double(number) else { return nil }
    let unit = text[number.endIndex...]
    if unit.isEmpty { return value == 0 ? 0 : nil }
    return units[String(unit)].map { $0 * value }
  }
}

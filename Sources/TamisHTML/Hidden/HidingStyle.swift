import TamisCore

/// The declarations of a `style` attribute that can keep an element, or the text in it, from being seen.
///
/// No style sheets are applied: a property that is not declared here has its initial value, or that of the element.
package struct HidingStyle {
  /// The properties that are read; the shorthands among them become what they stand for.
  private enum Property: String, CaseIterable {
    case display, visibility, opacity, filter, position, color, clip, left, right, top, bottom, width, height, float
    case transition, animation, transform, translate, scale, rotate, perspective, contain
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
    case textStrokeWidth = "-webkit-text-stroke-width"
    case flex
    case flexGrow = "flex-grow"
    case flexBasis = "flex-basis"
    case willChange = "will-change"
    case backdropFilter = "backdrop-filter"
    case webkitTransform = "-webkit-transform"
    case webkitTransition = "-webkit-transition"
  }

  private static let byName = Dictionary(uniqueKeysWithValues: Property.allCases.map { ($0.rawValue, $0) })
  private static let names = Set(byName.keys)
  /// The properties of text and backgrounds alone, which leave the box of the element as it is.
  private static let textProperties: Set<Property> = [
    .visibility, .color, .textFillColor, .fontSize, .textIndent, .backgroundColor, .backgroundImage, .backgroundClip,
    .webkitBackgroundClip, .textStroke, .textStrokeWidth, .textShadow,
  ]
  private var values: [Property: String] = [:]
  /// Whether properties other than those of text are declared; nothing else can hide the element as a whole.
  private let changesBox: Bool

  package init(_ style: ArraySlice<UInt8>) {
    var declarations = InlineStyle(style, of: Self.names)
    // The last declaration of a property counts that a browser takes.
    var declared: [Property: (order: Int, value: String, isImportant: Bool)] = [:]
    var order = 0
    while let declaration = declarations.next() {
      order += 1
      guard let property = Self.byName[declaration.name],
        declaration.isImportant || declared[property]?.isImportant != true,
        Self.isValid(declaration.value, for: property)
      else { continue }
      declared[property] = (order, declaration.value, declaration.isImportant)
    }
    let sorted = declared.sorted {
      ($0.value.isImportant ? 1 : 0, $0.value.order) < ($1.value.isImportant ? 1 : 0, $1.value.order)
    }
    for (property, declaration) in sorted {
      for (longhand, value) in Self.longhands(of: property, declaration.value) { values[longhand] = value }
    }
    changesBox = !values.keys.allSatisfy(Self.textProperties.contains)
  }

  /// Returns the properties that a declaration sets.
  private static func longhands(of property: Property, _ value: String) -> [(Property, String)] {
    switch property {
    case .font: return [(.fontSize, size(ofFont: value) ?? "initial")]
    case .background:
      let words = StyleValue.words(value)
      let color = words.first { isColor($0) }
      let picture = words.first { ["url(", "image("].contains(where: $0.hasPrefix) || $0.contains("gradient(") }
      return [
        (.backgroundColor, color.map(String.init) ?? "transparent"),
        (.backgroundImage, picture.map(String.init) ?? "none"), (.backgroundClip, words.contains("text") ? "text" : ""),
      ]
    case .overflow:
      let words = StyleValue.words(value)
      return [(.overflowX, String(words.first ?? "")), (.overflowY, String(words.last ?? ""))]
    case .padding: return sides(value, [.paddingTop, .paddingRight, .paddingBottom, .paddingLeft])
    case .margin: return sides(value, [.marginTop, .marginRight, .marginBottom, .marginLeft])
    case .inset: return sides(value, [.top, .right, .bottom, .left])
    default: return [(property, value)]
    }
  }

  /// Returns the value of each side of a box by one to four values.
  private static func sides(_ value: String, _ properties: [Property]) -> [(Property, String)] {
    let words = StyleValue.words(value).map(String.init)
    guard let top = words.first, words.count <= 4 else { return [] }
    let right = words.count > 1 ? words[1] : top
    let bottom = words.count > 2 ? words[2] : top
    return Array(zip(properties, [top, right, bottom, words.count > 3 ? words[3] : right]))
  }

  private static func size(ofFont value: String) -> String? {
    StyleValue.words(value).lazy.map { String($0.prefix { $0 != "/" }) }.first { word in
      sizes.contains(word) || StyleValue.length(word) != nil || ["larger", "smaller"].contains(word)
    }
  }

  // MARK: - Validity

  private static let general: Set<String> = ["inherit", "initial", "unset", "revert", "revert-layer"]
  private static let systemFonts: Set<String> = [
    "caption", "icon", "menu", "message-box", "small-caption", "status-bar",
  ]
  private static let displays = ElementTable.words(
    """
    none block inline inline-block flex inline-flex grid inline-grid list-item contents flow-root flow ruby math run-in \
    table inline-table table-row table-cell table-caption table-column table-column-group table-row-group \
    table-header-group table-footer-group -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex
    """)
  private static let containments: Set<String> = [
    "none", "strict", "content", "size", "inline-size", "layout", "style", "paint",
  ]
  private static let overflows: Set<String> = ["visible", "hidden", "clip", "scroll", "auto", "overlay"]

  /// Whether a browser takes a value; when it does not, an earlier declaration stays.
  private static func isValid(_ value: String, for property: Property) -> Bool {
    if value.isEmpty { return false }
    if general.contains(value) || ByteScan.index(of: "var(", in: value.utf8.span, from: 0) != nil { return true }
    switch property {
    case .display: return StyleValue.words(value).allSatisfy { displays.contains(String($0)) }
    case .visibility: return ["visible", "hidden", "collapse"].contains(value)
    case .position: return ["static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"].contains(value)
    case .overflow, .overflowX, .overflowY: return StyleValue.words(value).allSatisfy { overflows.contains(String($0)) }
    case .opacity: return opacity(value) != nil || StyleValue.isFunction(value)
    case .color, .textFillColor, .backgroundColor: return isColor(value)
    case .background: return StyleValue.words(value).allSatisfy { isColor($0) || isPartOfBackground($0) }
    case .fontSize:
      return isLength(value, isSigned: false) || sizes.contains(value) || ["larger", "smaller"].contains(value)
    // The family follows the size.
    case .font: return systemFonts.contains(value) || size(ofFont: value) != nil && StyleValue.words(value).count > 1
    case .left, .right, .top, .bottom, .marginTop, .marginRight, .marginBottom, .marginLeft, .margin, .inset:
      return StyleValue.words(value).allSatisfy { $0 == "auto" || isLength($0, isSigned: true) }
    case .width, .height, .maxWidth, .maxHeight, .minWidth, .minHeight:
      return isLength(value, isSigned: false) || value == "auto" || value == "none" || value.hasSuffix("-content")
    case .padding, .paddingTop, .paddingRight, .paddingBottom, .paddingLeft:
      return StyleValue.words(value).allSatisfy { isLength($0, isSigned: false) }
    case .textIndent: return StyleValue.words(value).first.map { isLength($0, isSigned: true) } ?? false
    case .rotate, .perspective, .transform, .filter, .backdropFilter:
      return value == "none" || value.hasSuffix(")")
        || StyleValue.words(value).contains { StyleValue.number($0) != nil }
    case .contain: return StyleValue.words(value).allSatisfy { Self.containments.contains(String($0)) }
    case .float: return ["left", "right", "none", "inline-start", "inline-end"].contains(value)
    default: return true
    }
  }

  private static func isLength(_ value: some StringProtocol, isSigned: Bool) -> Bool {
    StyleValue.length(value).map { isSigned || $0 >= 0 } ?? StyleValue.isFunction(value)
  }

  private static func isColor(_ value: some StringProtocol) -> Bool {
    if CSSColor(value) != nil || value == "currentcolor" { return true }
    let isPicture = value.hasPrefix("url(") || value.hasPrefix("image") || value.contains("gradient(")
    return StyleValue.isFunction(value) && !isPicture
  }

  private static func isPartOfBackground(_ word: Substring) -> Bool {
    StyleValue.isFunction(word) || StyleValue.length(word) != nil || word == "/"
      || [
        "none", "repeat", "scroll", "fixed", "local", "center", "left", "right", "top", "bottom", "cover", "contain",
        "text",
        "auto", "space", "round",
      ].contains(word) || word.hasSuffix("-box") || word.contains("repeat")
  }

  private static func opacity(_ text: some StringProtocol) -> Double? {
    guard let (value, unit) = StyleValue.number(text), unit.isEmpty || unit == "%" else { return nil }
    return unit.isEmpty ? value : value / 100
  }

  // MARK: - Boxes

  /// The declared display; nil when there is none.
  package var display: String? { values[.display] }

  /// What of an element is not painted.
  enum Extent {
    /// Nothing of the element is painted, nor of what is in it.
    case all
    /// Only absolute boxes inside are painted, whose place is that of an element further out.
    case flow
  }

  /// Returns what of an element is not painted.
  ///
  /// - Parameters:
  ///   - isBlock: whether the element is a block unless its display is declared.
  ///   - isPadded: whether browsers give the element a padding at its sides.
  ///   - isForScreenReaders: whether a class says that it is to be read aloud, which is asked only if it matters.
  ///   - fadesIn: whether transparent elements become visible.
  /// - Returns: the extent; nil when the element is painted.
  func hiddenExtent(
    isBlock: Bool, isPadded: Bool, isForScreenReaders: @autoclosure () -> Bool,
    fadesIn: @autoclosure () -> Bool
  ) -> Extent? {
    if !changesBox || display == "contents" { return nil }
    if display == "none" { return .all }
    let isBox = isBox(isBlock: isBlock)
    if isBox, values[.contentVisibility] == "hidden" { return .all }
    if isTransparent, !appears, values[.transform] == nil, !fadesIn() { return .all }
    if isScaledAway, !appears { return .all }
    if isForScreenReaders() { return nil }
    if isClipped || isOutside(isBox: isBox) { return .all }
    return isBox && isFlat(isPadded: isPadded) ? .flow : nil
  }

  /// Whether absolute boxes inside have their place in this element (CSS Positioned Layout Module Level 3, 2.1).
  ///
  /// - Parameter isBox: whether the element makes a box of its own.
  /// - Returns: whether they have.
  func placesAbsoluteBoxes(isBox: Bool) -> Bool {
    values[.position].map { $0 != "static" && !Self.general.contains($0) } ?? false || placesFixedBoxes(isBox: isBox)
  }

  /// Whether fixed boxes inside have their place in this element, not in the window.
  ///
  /// - Parameter isBox: whether the element makes a box of its own; only boxes are transformed and contained.
  /// - Returns: whether they have.
  func placesFixedBoxes(isBox: Bool) -> Bool {
    if isDeclared([.filter, .backdropFilter]) { return true }
    guard isBox else { return false }
    if isDeclared([.transform, .translate, .scale, .rotate, .perspective]) { return true }
    return names([.contain], among: ["strict", "content", "layout", "paint"])
      || names([.willChange], among: ["transform", "translate", "scale", "rotate", "perspective", "filter"])
  }

  private func isDeclared(_ properties: [Property]) -> Bool {
    properties.contains { values[$0].map { $0 != "none" && !Self.general.contains($0) } ?? false }
  }

  private func names(_ properties: [Property], among words: Set<String>) -> Bool {
    properties.contains { property in
      values[property].map {
        $0.split { $0 == " " || $0 == "," }.contains { words.contains(String($0)) }
      } ?? false
    }
  }

  /// Whether the element makes a box of its own, not parts of lines.
  func isBox(isBlock: Bool) -> Bool {
    isPositioned || isFloating
      || display.map { $0 != "inline" && !Self.general.contains($0) } ?? isBlock
  }

  /// Whether the line before the element ends there.
  func breaksLine(isBlock: Bool) -> Bool {
    isBox(isBlock: isBlock) && !isPositioned && !isFloating && display?.hasPrefix("inline") != true
  }

  private var isFloating: Bool { values[.float] == "left" || values[.float] == "right" }

  private var isTransparent: Bool {
    let filter = StyleValue.words(values[.filter] ?? "").lazy.compactMap { word in
      StyleValue.arguments(of: "opacity", in: String(word)).flatMap { Self.opacity($0) }
    }.first
    return [values[.opacity].flatMap { Self.opacity($0) }, filter].contains {
      $0.map { $0 <= CSSColor.leastVisible } ?? false
    }
  }

  /// Whether the element is about to change, as pages do that fade in what they show.
  private var appears: Bool {
    if let change = values[.willChange], change != "auto" { return true }
    // A time of more than zero.
    return [.transition, .webkitTransition, .animation].contains { (property: Property) in
      values[property]?.utf8.contains { (0x31...0x39).contains($0) } ?? false
    }
  }

  private var isScaledAway: Bool {
    if values[.scale].flatMap({ StyleValue.words($0).first }).flatMap({ StyleValue.number($0)?.value }) == 0 {
      return true
    }
    let functions = StyleValue.words(values[.transform] ?? "").map(String.init)
    if functions.contains(where: {
      ["scale", "scale3d", "scalex", "scaley"].contains(firstArgument(of: $0)?.name)
        && firstArgument(of: $0)?.pixels == 0
    }) {
      return true
    }
    let moves = functions.filter { ["translate", "translatex", "translate3d"].contains(firstArgument(of: $0)?.name) }
    let offsets =
      moves.compactMap { firstArgument(of: $0)?.pixels }
      + [values[.translate].flatMap { StyleValue.words($0).first }.flatMap { StyleValue.length($0) }].compactMap { $0 }
    return offsets.contains { $0 <= -Self.farAway.moved }
  }

  private func firstArgument(of function: String) -> (name: String, pixels: Double)? {
    guard let open = function.firstIndex(of: "("), function.hasSuffix(")") else { return nil }
    let inner = String(function[function.index(after: open)...].dropLast())
    guard let first = StyleValue.words(inner).first, let pixels = StyleValue.length(first) else { return nil }
    return (String(function[..<open]), pixels)
  }

  /// Whether the element is a box whose place is in the window.
  var isFixed: Bool { values[.position] == "fixed" }

  /// Whether the element is an absolute or a fixed box.
  var isPositioned: Bool { ["absolute", "fixed"].contains(values[.position]) }

  /// Whether everything is clipped away (CSS Masking Module Level 1, 5.1 and appendix A).
  private var isClipped: Bool {
    if isPositioned, let edges = StyleValue.arguments(of: "rect", in: values[.clip]) {
      let edges = StyleValue.words(String(edges)).map { StyleValue.length($0) }
      guard edges.count == 4, let top = edges[0], let right = edges[1], let bottom = edges[2], let left = edges[3]
      else { return false }
      return right - left <= 1 || bottom - top <= 1
    }
    let path = values[.clipPath]
    if let radius = StyleValue.arguments(of: "circle", in: path) ?? StyleValue.arguments(of: "ellipse", in: path) {
      return radius.split(separator: " ").first.flatMap { StyleValue.length($0) }.map { $0 < 1 } ?? false
    }
    if let points = StyleValue.arguments(of: "polygon", in: path) {
      return Set(points.split(separator: ",").map { $0.split(separator: " ") }).count == 1
    }
    guard let inset = StyleValue.arguments(of: "inset", in: path) else { return false }
    let shares = inset.split(separator: " ").prefix { $0 != "round" }.map { share in
      share.hasSuffix("%")
        ? StyleValue.number(share)?.value ?? 0
        : StyleValue.length(share).map { $0 >= Self.farAway.moved ? 100 : 0 } ?? 0
    }
    guard let top = shares.first else { return false }
    let right = shares.count > 1 ? shares[1] : top
    return top + (shares.count > 2 ? shares[2] : top) >= 100 || right + (shares.count > 3 ? shares[3] : right) >= 100
  }

  /// The distances in pixels beyond which a box is outside of every page.
  ///
  /// One is for a box that is taken out of its place, one for a box that is moved: carousels move what they show.
  private static let farAway = (positioned: 999.0, moved: 5000.0)

  /// Whether the element is moved out of the page to the left or above.
  ///
  /// A reader can scroll to what is to the right or below.
  private func isOutside(isBox: Bool) -> Bool {
    let isMoved = isPositioned || values[.position] == "relative"
    if isMoved {
      let far = isPositioned ? Self.farAway.positioned : Self.farAway.moved
      if let left = pixels(.left) {
        if left <= -far { return true }
      } else if let right = pixels(.right), right <= -far || right >= Self.farAway.moved {
        return true
      }
      if let top = pixels(.top), top <= -far { return true }
    }
    if let margin = pixels(.marginLeft), margin <= -Self.farAway.moved, values[.float] != "right",
      !isHeld([.paddingLeft]),
      !isMoved || values[.left] == nil
    {
      return true
    }
    return isBox && pixels(.marginTop).map { $0 <= -Self.farAway.moved } ?? false && !isHeld([.paddingTop])
  }

  /// Whether a box has no area, and hides what exceeds it.
  private func isFlat(isPadded: Bool) -> Bool {
    if values[.flex] != nil || values[.flexGrow] != nil || values[.flexBasis] != nil { return false }
    if display?.contains("table") == true { return false }
    let cuts = [values[.overflowX], values[.overflowY]].contains { ["hidden", "auto", "scroll"].contains($0) }
    if cuts || values[.overflowY] == "clip", !isHeld([.paddingTop, .paddingBottom, .minHeight]) {
      // A share of a height that depends on the content is none.
      let sizes = [values[.height], values[.maxHeight]].compactMap { $0 }.filter { !$0.hasSuffix("%") }
      if sizes.contains(where: { StyleValue.length($0).map { $0 <= 1 } ?? false }) { return true }
    }
    let isWide = isHeld([.paddingLeft, .paddingRight, .minWidth]) || isPadded && values[.paddingLeft] == nil
    return (cuts || values[.overflowX] == "clip") && !isWide
      && [pixels(.width), pixels(.maxWidth)].contains { $0.map { $0 <= 1 } ?? false }
  }

  /// Whether a padding, or the least size, is more than nothing.
  private func isHeld(_ properties: [Property]) -> Bool {
    properties.contains { values[$0].map { StyleValue.length($0) ?? 1 > 0 } ?? false }
  }

  private func pixels(_ property: Property) -> Double? { values[property].flatMap { StyleValue.length($0) } }

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
    guard let pixels = StyleValue.length(size) else { return StyleValue.isFunction(size) ? false : nil }
    if pixels == 0 { return true }
    let isRelative = ["em", "%", "ex", "ch", "lh"].contains { size.hasSuffix($0) } && !size.hasSuffix("rem")
    return isRelative ? nil : pixels <= 1
  }

  /// Whether lines begin outside of the page; nil when the element says nothing about it.
  var indentsOut: Bool? {
    let words = StyleValue.words(values[.textIndent] ?? "")
    guard let indent = words.first, let pixels = StyleValue.length(indent) else { return nil }
    return abs(pixels) >= Self.farAway.positioned && words.count == 1
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
  ///   - attribute: the color of a `color` attribute; nil for none.
  ///   - attributeBackground: the color of a `bgcolor` attribute; nil for none.
  /// - Returns: the color.
  func textColor(attribute: CSSColor? = nil, background attributeBackground: CSSColor? = nil) -> TextColor? {
    let declared = values[.textFillColor] ?? values[.color]
    if let declared, Self.general.contains(declared) || declared == "currentcolor" { return nil }
    guard let color = declared.map({ CSSColor($0) }) ?? attribute.map({ Optional($0) }) else { return nil }
    guard let color else { return .visible }
    if color.isTransparent { return .transparent }
    guard !hasPicture, let background = values[.backgroundColor].map({ CSSColor($0) }) ?? attributeBackground else {
      return .visible
    }
    return color.isLost(on: background) ? .lost : .visible
  }

  /// Whether the element has a background of its own.
  var hasBackground: Bool {
    hasPicture || values[.backgroundColor].map { CSSColor($0)?.isTransparent != true } ?? false
  }

  private var hasPicture: Bool { values[.backgroundImage].map { $0 != "none" } ?? false }

  /// Whether letters, also in elements inside, are seen by a shadow, an outline, or the background that they cut out.
  var drawsOtherwise: Bool {
    if [values[.backgroundClip], values[.webkitBackgroundClip]].contains(where: { $0?.contains("text") == true }) {
      return true
    }
    return [.textShadow, .textStroke, .textStrokeWidth].contains { (property: Property) in
      values[property].map { $0 != "none" && $0 != "0" } ?? false
    }
  }
}

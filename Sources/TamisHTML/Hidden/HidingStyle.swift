import TamisCore

/// The declarations of style sheets and of a `style` attribute that can keep an element, or the text in it, from being
/// seen.
///
/// A property that is not declared has its initial value, or that of the element.
package struct HidingStyle {
  typealias Property = HidingProperty

  /// All properties but those of text and backgrounds alone, which leave the box of the element as it is.
  private static let boxProperties: [Property] = {
    let ofText: Set<Property> = [
      .visibility, .color, .textFillColor, .fontSize, .textIndent, .backgroundColor, .backgroundImage, .backgroundClip,
      .textStroke, .textStrokeWidth, .textShadow,
    ]
    return Property.allCases.filter { !ofText.contains($0) }
  }()
  /// The properties that an animation may change of which nothing is known, when it shows what was not seen.
  private static let fading: [Property] = [
    .opacity, .filter, .transform, .scale, .translate, .zoom, .width, .height, .maxWidth, .maxHeight,
  ]

  private var values = Values()
  /// The values by property.
  private struct Values {
    private var values: [String?] = []
    private(set) var isEmpty = true

    subscript(property: Property) -> String? {
      get { isEmpty ? nil : values[property.rawValue] }
      set {
        if isEmpty {
          if newValue == nil { return }
          (values, isEmpty) = (Array(repeating: nil, count: Property.allCases.count), false)
        }
        values[property.rawValue] = newValue
      }
    }

    /// Whether one of some properties has a value.
    func has(_ properties: [Property]) -> Bool { !isEmpty && properties.contains { values[$0.rawValue] != nil } }
  }

  /// Whether properties other than those of text are declared; nothing else can hide the element as a whole.
  let changesBox: Bool

  /// Reads the value of a `style` attribute.
  package init(_ style: ArraySlice<UInt8>) { self.init(Cascade(inline: style)) }

  /// Reads what the sheets of a tree say of an element, and its `style` attribute.
  ///
  /// - Parameters:
  ///   - style: what the sheets say.
  ///   - sheets: the sheets.
  ///   - inline: the value of the attribute; nil for none.
  ///   - local: the values of custom properties that the element has; nil when they are not known.
  init(_ style: SheetStyles.Style, of sheets: SheetStyles, inline: ArraySlice<UInt8>?, _ local: [String: String]? = nil)
  {
    self.init(Cascade(style, of: sheets, inline: inline, local))
  }

  private init(_ cascade: consuming Cascade) {
    var winners: [Property: Cascade.Rank] = [:]
    var (unsure, important): (Set<Property>, Set<Property>) = ([], [])
    var earlier: [Property: [(rank: Cascade.Rank, value: String?)]] = [:]
    let layers = cascade.layerCount
    let declarations = cascade.sorted
    let isSure = declarations.allSatisfy { $0.standing == .applies }
    var longhands: [(property: Property, value: String)] = []
    for declaration in declarations where declaration.standing == .applies {
      longhands.removeAll(keepingCapacity: true)
      Self.addLonghands(of: declaration.property, declaration.value, to: &longhands)
      for (longhand, value) in longhands {
        var value: String? = value
        if value == "revert-layer" {
          value = earlier[longhand]?.last { $0.rank.isBefore(declaration.rank) }?.value
          if declaration.rank.isImportant { unsure.insert(longhand) }
        }
        // What is not inherited has no need of its first value, but for what says that the element is shown.
        if value == "initial" || value == "unset", longhand != .display, !Self.inherited.contains(longhand) {
          value = nil
        }
        values[longhand] = value
        if declaration.rank.isImportant { important.insert(longhand) }
        if !isSure { winners[longhand] = declaration.rank }
        if layers > 1 { earlier[longhand, default: []].append((declaration.rank, value)) }
      }
    }
    for declaration in declarations where declaration.standing != .applies {
      longhands.removeAll(keepingCapacity: true)
      Self.addLonghands(of: declaration.property, declaration.value, to: &longhands)
      for (longhand, value) in longhands {
        // A page says for many states how its colors change.
        if declaration.standing == .isState, Self.colors.contains(longhand) { continue }
        guard values[longhand] != value, winners[longhand].map({ $0 < declaration.rank }) ?? true else { continue }
        unsure.insert(longhand)
      }
    }
    unsure.formUnion(Self.changing(values, important, cascade.page))
    for property in unsure { values[property] = Self.unknown }
    changesBox = values.has(Self.boxProperties)
    textColor = Self.textColor(values)
    background = Self.background(values)
  }

  private static let inherited: Set<Property> = [
    .visibility, .color, .textFillColor, .fontSize, .textIndent, .textShadow, .whiteSpace,
  ]

  /// Returns the properties that an animation changes (CSS Animations Level 1, 3).
  ///
  /// What is declared with `!important` wins against an animation, but not against a custom property that one changes.
  private static func changing(
    _ values: Values, _ important: Set<Property>, _ page: CustomProperties?
  ) -> [Property] {
    let name = values[.animationName] ?? "none"
    let timeline = values[.animationTimeline] ?? "auto"
    let fills = StyleValue.words(values[.animationFillMode] ?? "").contains { $0 == "forwards" || $0 == "both" }
    let runs = hasTime(values[.animationDuration]) || fills || timeline != "auto" && timeline != "none"
    if name == "inherit" || values[.animationDuration] == "inherit" { return Property.allCases }
    if name == "none" || general.contains(name) || !runs { return [] }
    guard let page else { return fading }
    guard let changed = page.changes(byAnimation: name) else { return Property.allCases.filter { $0 != .display } }
    return changed.count == Property.allCases.count ? Array(changed) : Array(changed.subtracting(important))
  }

  /// Whether a value has a time of more than zero, or what it is is not known.
  private static func hasTime(_ value: String?) -> Bool {
    guard let value else { return false }
    return value.utf8.contains { (0x31...0x39).contains($0) } || StyleValue.isFunction(value)
  }

  /// The value of a property that may be anything.
  private static let unknown = CustomProperties.unknown
  private static let colors: Set<Property> = [
    .color, .textFillColor, .backgroundColor, .backgroundImage, .backgroundClip, .textShadow,
  ]

  /// Whether browsers know a declaration, as far as it is one that is read.
  static func supports(_ property: String, _ value: String) -> Truth {
    let value = value.hasSuffix("!important") ? value.dropLast(10).trimmed() : value
    if property.hasPrefix("-ms-") || property.hasPrefix("-o-") { return .no }
    guard let property = Property(property) else { return .maybe }
    // What is not known here may be known to a browser, but for keywords that are all listed.
    return isValid(value, for: property) ? .yes : listed.contains(property) ? .no : .maybe
  }

  private static let listed: Set<Property> = [.display, .visibility, .position, .float]

  /// Adds the properties that a declaration sets, with their values.
  static func addLonghands(
    of property: Property, _ value: String, to longhands: inout [(property: Property, value: String)]
  ) {
    switch property {
    case .font:
      let height = StyleValue.words(value).lazy.compactMap { $0.split(separator: "/").dropFirst().first }.first
      longhands += [(.fontSize, size(ofFont: value) ?? "initial"), (.lineHeight, height.map(String.init) ?? "normal")]
    case .background:
      let words = StyleValue.words(value)
      let color = words.first { isColor($0) }
      let picture = words.first { StyleValue.isFunction($0) && !isColor($0) }
      longhands += [
        (.backgroundColor, color.map(String.init) ?? "transparent"),
        (.backgroundImage, picture.map(String.init) ?? "none"), (.backgroundClip, words.contains("text") ? "text" : ""),
      ]
    case .overflow:
      let words = StyleValue.words(value)
      longhands += [(.overflowX, String(words.first ?? "")), (.overflowY, String(words.last ?? ""))]
    case .padding: longhands += sides(value, [.paddingTop, .paddingRight, .paddingBottom, .paddingLeft])
    case .margin: longhands += sides(value, [.marginTop, .marginRight, .marginBottom, .marginLeft])
    case .inset: longhands += sides(value, [.top, .right, .bottom, .left])
    case .insetInline: longhands += ends(value, [.left, .right])
    case .insetBlock: longhands += ends(value, [.top, .bottom])
    case .marginInline: longhands += ends(value, [.marginLeft, .marginRight])
    case .marginBlock: longhands += ends(value, [.marginTop, .marginBottom])
    case .paddingInline: longhands += ends(value, [.paddingLeft, .paddingRight])
    case .paddingBlock: longhands += ends(value, [.paddingTop, .paddingBottom])
    case .animation:
      longhands += [
        (.animationName, value), (.animationDuration, value), (.animationFillMode, value), (.animationTimeline, "auto"),
      ]
    case .transition: longhands += [(.transitionProperty, value), (.transitionDuration, value)]
    case .all: longhands += Property.allCases.map { ($0, value) }
    default: longhands.append((property, value))
    }
  }

  /// Returns the value of two sides of a box by one or two values.
  private static func ends(_ value: String, _ properties: [Property]) -> [(property: Property, value: String)] {
    let words = StyleValue.words(value).map(String.init)
    guard let first = words.first, let last = words.last, words.count <= 2 else { return [] }
    return [(properties[0], first), (properties[1], last)]
  }

  /// Returns the value of each side of a box by one to four values.
  private static func sides(_ value: String, _ properties: [Property]) -> [(property: Property, value: String)] {
    let words = StyleValue.words(value).map(String.init)
    guard let top = words.first, words.count <= 4 else { return [] }
    let right = words.count > 1 ? words[1] : top
    let bottom = words.count > 2 ? words[2] : top
    return zip(properties, [top, right, bottom, words.count > 3 ? words[3] : right]).map { ($0, $1) }
  }

  private static func size(ofFont value: String) -> String? {
    StyleValue.words(value).lazy.map { String($0.prefix { $0 != "/" }) }.first { word in
      sizes.contains(word) || StyleValue.length(word) != nil || ["larger", "smaller"].contains(word)
    }
  }

  // MARK: - Validity

  static let general: Set<String> = ["inherit", "initial", "unset", "revert", "revert-layer"]
  private static let systemFonts: Set<String> = [
    "caption", "icon", "menu", "message-box", "small-caption", "status-bar",
  ]
  private static let displays = ElementTable.words(
    """
    none block inline inline-block flex inline-flex grid inline-grid list-item contents flow-root flow ruby ruby-base \
    ruby-text ruby-base-container ruby-text-container math run-in grid-lanes inline-grid-lanes \
    table inline-table table-row table-cell table-caption table-column table-column-group table-row-group \
    table-header-group table-footer-group -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex
    """)
  private static let lengths: Set<String> = ["auto", "none", "stretch", "-webkit-fill-available", "-moz-available"]
  private static let containments: Set<String> = [
    "none", "strict", "content", "size", "inline-size", "layout", "style", "paint",
  ]
  private static let overflows: Set<String> = ["visible", "hidden", "clip", "scroll", "auto", "overlay"]

  /// Whether a browser takes a value; when it does not, an earlier declaration stays.
  static func isValid(_ value: String, for property: Property) -> Bool {
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
    case .left, .right, .top, .bottom, .inset, .insetInline, .insetBlock, .marginTop, .marginRight, .marginBottom,
      .marginLeft, .margin, .marginInline, .marginBlock:
      return StyleValue.words(value).allSatisfy { $0 == "auto" || isLength($0, isSigned: true) }
    case .width, .height, .maxWidth, .maxHeight, .minWidth, .minHeight:
      return isLength(value, isSigned: false) || lengths.contains(value) || value.hasSuffix("-content")
    case .padding, .paddingTop, .paddingRight, .paddingBottom, .paddingLeft, .paddingInline, .paddingBlock:
      return StyleValue.words(value).allSatisfy { isLength($0, isSigned: false) }
    case .textIndent: return StyleValue.words(value).first.map { isLength($0, isSigned: true) } ?? false
    case .rotate, .perspective, .transform:
      return value == "none" || value.hasSuffix(")")
        || StyleValue.words(value).contains { StyleValue.number($0) != nil }
    case .contain: return StyleValue.words(value).allSatisfy { Self.containments.contains(String($0)) }
    case .filter, .backdropFilter: return value == "none" || StyleValue.words(value).allSatisfy { isFilter(String($0)) }
    case .float: return ["left", "right", "none", "inline-start", "inline-end"].contains(value)
    case .all: return false
    default: return true
    }
  }

  private static let filters: Set<String> = [
    "blur", "brightness", "contrast", "drop-shadow", "grayscale", "hue-rotate", "invert", "opacity", "saturate",
    "sepia",
    "url", "progid:dximagetransform.microsoft.alpha", "alpha",
  ]

  private static func isFilter(_ word: String) -> Bool {
    word.firstIndex(of: "(").map { filters.contains(String(word[..<$0])) } ?? false
  }

  private static func isLength(_ value: some StringProtocol, isSigned: Bool) -> Bool {
    StyleValue.length(value).map { isSigned || $0 >= 0 } ?? StyleValue.isFunction(value)
  }

  private static func isColor(_ value: some StringProtocol) -> Bool {
    if CSSColor(value) != nil || value == "currentcolor" || systemColors.contains(String(value)) { return true }
    return colorFunctions.contains(String(value.prefix { $0 != "(" })) && StyleValue.isFunction(value)
  }

  private static let colorFunctions: Set<String> = [
    "color", "color-mix", "contrast-color", "hsl", "hsla", "hwb", "lab", "lch", "light-dark", "oklab", "oklch", "rgb",
    "rgba", "var", "env",
  ]
  /// The colors of a system (CSS Color Module Level 4, 10).
  private static let systemColors = ElementTable.words(
    """
    accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field fieldtext \
    graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext
    """)

  private static func isPartOfBackground(_ word: Substring) -> Bool {
    StyleValue.isFunction(word) || StyleValue.length(word) != nil || word == "/"
      || [
        "none", "repeat", "scroll", "fixed", "local", "center", "left", "right", "top", "bottom", "cover", "contain",
        "text", "auto", "space", "round",
      ].contains(word) || word.hasSuffix("-box") || StyleValue.has("repeat", in: String(word))
  }

  private static func opacity(_ text: some StringProtocol) -> Double? {
    if StyleValue.isFunction(text) { return StyleMath.value(text) }
    guard let (value, unit) = StyleValue.number(text), unit.isEmpty || unit == "%" else { return nil }
    return unit.isEmpty ? value : value / 100
  }

  // MARK: - Boxes

  /// The declared display; nil when there is none.
  package var display: String? { values[.display] }

  /// Whether absolute boxes inside have their place in this element (CSS Positioned Layout Module Level 3, 2.1), unless
  /// it places fixed ones too.
  var isPlace: Bool { values[.position].map { $0 != "static" && !Self.general.contains($0) } ?? false }

  /// Whether absolute and fixed boxes inside have their place in this element, not in the window; in any case, or when
  /// it makes a box of its own: only boxes are transformed and contained.
  var placesFixedBoxes: (always: Bool, asBox: Bool) {
    if isDeclared([.filter, .backdropFilter]) { return (true, true) }
    return (
      false,
      isDeclared([.transform, .translate, .scale, .rotate, .perspective]) || names(.contain, among: Self.containing)
        || names(.willChange, among: Self.moving)
    )
  }

  private func isDeclared(_ properties: [Property]) -> Bool {
    properties.contains { values[$0].map { $0 != "none" && !Self.general.contains($0) } ?? false }
  }

  private static let containing: Set<String> = ["strict", "content", "layout", "paint"]
  private static let moving: Set<String> = ["transform", "translate", "scale", "rotate", "perspective", "filter"]

  private func names(_ property: Property, among words: Set<String>) -> Bool {
    guard let value = values[property] else { return false }
    return value.split { $0 == " " || $0 == "," }.contains { words.contains(String($0)) }
  }

  /// Whether the element makes a box of its own, not parts of lines; nil when that depends on what it is.
  var isBox: Bool? {
    isPositioned || isFloating ? true : display.map { $0 != "inline" && !Self.general.contains($0) }
  }

  /// Whether the element is a box that is not in lines, if it is one.
  var mayBreakLine: Bool { !isPositioned && !isFloating && display?.hasPrefix("inline") != true }

  /// Whether a box of the element is not painted, which others are.
  var isHiddenBox: Bool { values[.contentVisibility] == "hidden" || (isScaledAway || isTurnedAway) && !appears }

  /// Whether the element cannot be seen, unless it fades in.
  var isFaded: Bool { isTransparent && !appears && values[.transform] == nil }

  private var isFloating: Bool { values[.float] == "left" || values[.float] == "right" }

  /// The opacity of the element, from 0 to 1; 1 for one that fades in.
  var share: Double {
    guard let declared = values[.opacity].flatMap({ Self.opacity($0) }), !appears, display != "contents",
      values[.transform] == nil
    else { return 1 }
    return max(0, min(declared, 1))
  }

  /// Whether lines have no height; nil when the element says nothing about it.
  var hasNoLines: Bool? { values[.lineHeight].map { StyleValue.number($0)?.value == 0 } }

  /// Whether a padding above or below makes room.
  var isPaddedAbove: Bool { isHeld([.paddingTop, .paddingBottom]) }

  /// Whether the element cuts what exceeds its height, which depends on its lines.
  var cuts: Bool {
    values[.overflowY] == "hidden" && !isHeld([.paddingTop, .paddingBottom, .minHeight, .height])
  }

  private var isTransparent: Bool {
    if values[.opacity] == nil, values[.filter] == nil { return false }
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
    return hasTransition
  }

  private var hasTransition: Bool { values[.transitionProperty] != "none" && Self.hasTime(values[.transitionDuration]) }

  private var isScaledAway: Bool {
    if values[.zoom].flatMap({ Self.opacity($0) }).map({ $0 > 0 && $0 <= CSSColor.leastVisible }) == true {
      return true
    }
    if values[.transform] == nil, values[.scale] == nil, values[.translate] == nil { return false }
    if StyleValue.words(values[.scale] ?? "").prefix(2).contains(where: { StyleValue.number($0)?.value == 0 }) {
      return true
    }
    let functions = StyleValue.words(values[.transform] ?? "").map(String.init)
    if functions.contains(where: { Self.isFlattening($0) }) { return true }
    // Carousels move by `transform`, and not by this.
    if values[.transform] == nil, movement(values[.translate]).left <= -Self.farAway.translated { return true }
    let moves = functions.map { Self.movement($0) } + [movement(values[.translate])]
    // A box is moved by a share of its own size, of which a line is the least; what overflows a track stays seen.
    let left = moves.reduce(0) { $0 + $1.left }
    return left <= -Self.farAway.moved && !isTrack(movedBy: left)
      || moves.reduce(0) { $0 + $1.up } <= Self.farAway.lines
  }

  /// Whether some of a box that is moved to the left stays in the page, as of a carousel's track.
  private func isTrack(movedBy left: Double) -> Bool {
    StyleValue.has("flex", in: display) || pixels(.width).map { $0 + left > 0 } ?? false
  }

  /// Whether the back of the element is in front, which is not painted.
  private var isTurnedAway: Bool {
    guard values[.backfaceVisibility] == "hidden" else { return false }
    return StyleValue.words(values[.transform] ?? "").contains { ["rotatey(180deg)", "rotatex(180deg)"].contains($0) }
  }

  /// Whether a mask lets nothing through.
  var isMasked: Bool {
    for mask in [values[.mask], values[.maskImage]] {
      guard let mask, let inner = Self.gradients.lazy.compactMap({ StyleValue.arguments(of: $0, in: mask) }).first
      else {
        continue
      }
      let stops = inner.split(separator: ",").compactMap { StyleValue.words(String($0)).first }
      if stops.allSatisfy({ CSSColor($0)?.isTransparent == true }) { return true }
    }
    guard let size = values[.maskSize] else { return false }
    let words = StyleValue.words(size)
    return !words.isEmpty && words.allSatisfy { StyleValue.length($0) == 0 }
  }

  private static let gradients = ["linear-gradient", "radial-gradient", "conic-gradient"]

  private func movement(_ translate: String?) -> (left: Double, up: Double) {
    Self.movement("translate(" + StyleValue.words(translate ?? "").joined(separator: ",") + ")")
  }

  /// Returns how far a function moves a box to the right in pixels, and down in percent of its height.
  private static func movement(_ function: String) -> (left: Double, up: Double) {
    guard let (name, words) = parts(of: function) else { return (0, 0) }
    func share(_ index: Int) -> Double {
      words.count > index && words[index].hasSuffix("%") ? StyleValue.number(words[index])?.value ?? 0 : 0
    }
    func pixels(_ index: Int) -> Double {
      let share = share(index)
      // A share of a width that is at least that of a word.
      if share != 0 { return share <= farAway.lines ? share : 0 }
      return words.count > index ? StyleValue.length(words[index]) ?? 0 : 0
    }
    switch name {
    case "translate" where words.count <= 2, "translate3d" where words.count == 3: return (pixels(0), share(1))
    case "translatex" where words.count == 1: return (pixels(0), 0)
    case "translatey" where words.count == 1: return (0, share(0))
    default: return (0, 0)
    }
  }

  /// Whether a function leaves a box no area.
  private static func isFlattening(_ function: String) -> Bool {
    guard let (name, words) = parts(of: function) else { return false }
    let numbers = words.map { StyleValue.number($0)?.value }
    switch name {
    case "scale", "scalex", "scaley": return numbers.contains(0)
    case "scale3d": return numbers.count == 3 && (numbers[0] == 0 || numbers[1] == 0)
    case "matrix":
      guard numbers.count == 6, let a = numbers[0], let b = numbers[1], let c = numbers[2], let d = numbers[3] else {
        return false
      }
      return a * d - b * c == 0
    case "rotatex", "rotatey": return words.first.flatMap { degrees($0) }.map(isOnEdge) ?? false
    case "rotate3d":
      guard numbers.count == 4, numbers[2] == 0, numbers[0] == 0 || numbers[1] == 0 else { return false }
      return degrees(words[3]).map(isOnEdge) ?? false
    default: return false
    }
  }

  /// Whether a box that is turned by an angle is seen from its edge.
  private static func isOnEdge(_ degrees: Double) -> Bool { abs(degrees.remainder(dividingBy: 180)) == 90 }

  /// Returns an angle in degrees (CSS Values and Units Module Level 4, 7.1).
  private static func degrees(_ angle: Substring) -> Double? {
    guard let (value, unit) = StyleValue.number(angle) else { return nil }
    return ["deg": 1, "grad": 0.9, "turn": 360][unit].map { $0 * value }
  }

  private static func parts(of function: String) -> (name: String, words: [Substring])? {
    guard let open = function.firstIndex(of: "("), function.hasSuffix(")") else { return nil }
    return (String(function[..<open]), StyleValue.words(String(function[function.index(after: open)...].dropLast())))
  }

  /// Whether the element is a box whose place is in the window.
  var isFixed: Bool { values[.position] == "fixed" }

  /// Whether the element is an absolute or a fixed box.
  var isPositioned: Bool { values[.position] == "absolute" || values[.position] == "fixed" }

  /// Whether everything is clipped away (CSS Masking Module Level 1, 5.1 and appendix A).
  var isClipped: Bool {
    if isPositioned, let edges = StyleValue.arguments(of: "rect", in: values[.clip]) {
      let edges = StyleValue.words(String(edges)).map { StyleValue.length($0) }
      guard edges.count == 4, let top = edges[0], let right = edges[1], let bottom = edges[2], let left = edges[3]
      else { return false }
      return right - left <= 1 || bottom - top <= 1
    }
    // `inset(100%) margin-box` names the box that is cut.
    let path = values[.clipPath].map { StyleValue.words($0).first { !$0.hasSuffix("-box") }.map(String.init) ?? "" }
    if let radius = StyleValue.arguments(of: "circle", in: path) {
      return radius.split(separator: " ").first.flatMap { StyleValue.length($0) }.map { $0 < 1 } ?? false
    }
    if let radii = StyleValue.arguments(of: "ellipse", in: path) {
      let radii = radii.split(separator: " ").prefix { $0 != "at" }
      return radii.count == 2 && radii.contains { StyleValue.length($0).map { $0 < 1 } ?? false }
    }
    if let points = StyleValue.arguments(of: "polygon", in: path) {
      return Set(points.split(separator: ",").map { $0.split(separator: " ") }).count == 1
    }
    if let place = StyleValue.arguments(of: "xywh", in: path) {
      let sizes = StyleValue.words(String(place)).dropFirst(2).prefix(2).map { StyleValue.length($0) }
      return sizes.contains { $0.map { $0 <= 1 } ?? false }
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
  private static let farAway = (positioned: 999.0, relative: 5000.0, translated: 2500.0, moved: 4000.0, lines: -5000.0)

  /// Whether the element is moved out of the page to the left or above.
  ///
  /// A reader can scroll to what is to the right or below.
  func isOutside(isBox: Bool) -> Bool {
    let isMoved = isPositioned || values[.position] == "relative"
    if isMoved {
      let far = isPositioned ? Self.farAway.positioned : Self.farAway.relative
      if let left = place(.left) {
        if left <= -far, !isTrack(movedBy: left) { return true }
      } else if let right = pixels(.right), right <= -far || right >= Self.farAway.moved {
        return true
      }
      if let top = place(.top), top <= -far { return true }
      if isPositioned, values[.top] == nil, let bottom = pixels(.bottom), bottom >= Self.farAway.moved { return true }
      // A box beside the window.
      if isFixed, values[.transform] == nil, values[.translate] == nil, values[.marginLeft] == nil,
        let left = pixels(.left), let width = pixels(.width), left < 0, left + width < -8, width > 0
      {
        return true
      }
    }
    if display?.hasPrefix("table-") == true { return false }
    if let margin = pixels(.marginLeft), margin <= -Self.farAway.moved, values[.float] != "right",
      !isHeld([.paddingLeft]), !isDeclared([.border, .borderLeft]), !isMoved || values[.left] == nil
    {
      return true
    }
    return isBox && pixels(.marginTop).map { $0 <= -Self.farAway.moved } ?? false && !isHeld([.paddingTop])
      && (!isMoved || values[.top] == nil)
  }

  /// Whether a box has no area, and hides what exceeds it.
  func isFlat(isPadded: Bool) -> Bool {
    if hasTransition || values[.overflowClipMargin] != nil { return false }
    if values[.flex] != nil || values[.flexGrow] != nil || values[.flexBasis] != nil { return false }
    if StyleValue.has("table", in: display) { return false }
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

  /// The place of an edge in pixels; of a share of what is around, as if that had 100 of them.
  private func place(_ property: Property) -> Double? {
    guard let value = values[property] else { return nil }
    return value.hasSuffix("%") ? StyleValue.number(value)?.value : StyleValue.length(value)
  }

  private func pixels(_ property: Property) -> Double? { values[property].flatMap { StyleValue.length($0) } }

  // MARK: - Text

  /// Whether text is hidden by `visibility`; nil when the element says nothing about it.
  var hidesText: Bool? {
    switch values[.visibility] {
    case "hidden", "collapse": true
    case "visible", "initial": false
    case let value?: StyleValue.isFunction(value) ? false : nil
    case nil: nil
    }
  }

  /// Whether text is too small to be seen; nil when its size depends on that of the text around it.
  var isTiny: Bool? { values[.fontSize].flatMap { Self.isTiny($0) } }

  private static let sizes: Set<String> = [
    "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "initial",
  ]

  private static func isTiny(_ size: some StringProtocol) -> Bool? {
    if sizes.contains(String(size)) { return false }
    if StyleValue.isFunction(size) {
      // What is calculated of the size of the text around has to be tiny for small and for large text.
      return Self.sizesAround.allSatisfy { em in StyleMath.value(size, em: em).map { $0 <= 1 } ?? false }
    }
    guard let (value, unit) = StyleValue.number(size), let pixels = StyleValue.length(size) else { return nil }
    return value == 0 ? true : unit == "%" || StyleValue.ofText.contains(unit) ? nil : pixels <= 1
  }

  private static let sizesAround = [8.0, 100.0]

  /// Whether lines begin outside of the page; nil when the element says nothing about it.
  var indentsOut: Bool? {
    let words = StyleValue.words(values[.textIndent] ?? "")
    if values[.whiteSpace] == "nowrap", values[.overflowX] == "hidden", words.count == 1, words[0].hasSuffix("%"),
      StyleValue.number(words[0]).map({ $0.value >= 100 }) == true
    {
      return true
    }
    if words.first.map(StyleValue.isFunction) == true, StyleValue.length(words[0]) == nil { return false }
    guard let indent = words.first, let pixels = StyleValue.length(indent) else { return nil }
    return abs(pixels) >= Self.farAway.positioned && words.count == 1
  }

  /// The color of text; `inherited` when the element says nothing of it, and nil when it is not known.
  enum TextColor: Equatable {
    case inherited
    case known(CSSColor)
    case unknown
  }

  /// The color of the text in an element.
  private(set) var textColor = TextColor.inherited

  private static func textColor(_ values: Values) -> TextColor {
    guard let declared = values[.textFillColor] ?? values[.color] else { return .inherited }
    if declared == "initial" { return CSSColor("black").map { .known($0) } ?? .unknown }
    if general.contains(declared) || declared == "currentcolor" { return .inherited }
    return CSSColor(declared).map { .known($0) } ?? .unknown
  }

  /// The background of an element; `inherited` when that of the element around it is seen.
  private(set) var background = TextColor.inherited

  /// Whether the element says what its background is, whatever its attributes say.
  var declaresBackground: Bool { values[.backgroundColor] != nil }

  /// Whether the background is the color of the text.
  var isOnItsColor: Bool {
    values[.backgroundColor] == "currentcolor" && background == .unknown && values[.textFillColor] == nil
  }

  private static func background(_ values: Values) -> TextColor {
    if let picture = values[.backgroundImage], picture != "none", !general.contains(picture) { return .unknown }
    if let shadow = values[.boxShadow],
      StyleValue.has("inset", in: shadow) || StyleValue.isFunction(shadow) && shadow.hasPrefix("var")
    {
      return .unknown
    }
    guard let declared = values[.backgroundColor], !general.contains(declared) else { return .inherited }
    guard let color = CSSColor(declared) else { return .unknown }
    return color.isTransparent ? .inherited : .known(color)
  }

  /// Whether the element may lie over others than those around it, whose backgrounds then are behind its text.
  var isLaid: Bool {
    if isPositioned || values[.position] == "relative" || values[.position] == "sticky" { return true }
    if values[.position].map(StyleValue.isFunction) == true { return true }
    if StyleValue.has("grid", in: display) || StyleValue.has("(", in: display) { return true }
    if isDeclared([.transform, .translate, .filter]) { return true }
    return [.marginTop, .marginLeft, .marginBottom, .marginRight].contains { pixels($0).map { $0 < -4 } ?? false }
  }

  /// Whether letters, also in elements inside, are seen by a shadow, an outline, or the background that they cut out.
  var drawsOtherwise: Bool {
    if StyleValue.has("text", in: values[.backgroundClip]) {
      return background != .inherited
    }
    return [.textShadow, .textStroke, .textStrokeWidth].contains { (property: Property) in
      guard let value = values[property], value != "none" else { return false }
      let words = StyleValue.words(value)
      if property == .textShadow { return !words.contains { CSSColor($0)?.isTransparent == true } }
      return !words.contains { StyleValue.length($0) == 0 }
    }
  }
}

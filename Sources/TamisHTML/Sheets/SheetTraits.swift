import TamisCore

/// What declarations of a style sheet may do to text, told from their first bytes: most rules of a page do nothing of
/// it, and are not read further.
struct SheetTraits: Equatable, Sendable {
  /// The questions that the declarations take part in.
  var declares: HidingProperty.Questions = []
  /// The questions that their values may answer by hiding.
  var hides: HidingProperty.Questions = []
  /// Whether they say a color of text, and one of a background.
  var (hasColor, hasBackground) = (false, false)
  /// Whether they may hide by a reference to a custom property.
  var refers = false

  /// Makes a value for no declarations.
  init() {}

  /// What the declaration of a custom property does.
  static let custom = {
    var traits = SheetTraits()
    traits.declares = .custom
    return traits
  }()

  /// Whether the declarations can be left out.
  var isEmpty: Bool { declares.isEmpty }

  mutating func formUnion(_ other: SheetTraits) {
    declares.formUnion(other.declares)
    hides.formUnion(other.hides)
    hasColor = hasColor || other.hasColor
    hasBackground = hasBackground || other.hasBackground
    refers = refers || other.refers
  }

  /// Reads a declaration.
  ///
  /// - Parameters:
  ///   - css: the sheet.
  ///   - name: the name of the property.
  ///   - value: the value with spaces around it.
  ///   - hasEscape: whether the declaration has a backslash or a comment, behind which everything can be.
  init(_ css: borrowing Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>, hasEscape: Bool) {
    if hasEscape {
      (declares, hides, hasColor, hasBackground, refers) = ([.all, .custom], .all, true, true, true)
      return
    }
    guard let property = HidingProperty(css, name) else { return }
    var value = value
    while let first = value.first, css[first].isHTMLSpace { value = (first + 1)..<value.upperBound }
    let text = css.extracting(value)
    declares = property.questions
    hasColor = property == .color || property == .textFillColor
    hasBackground = property == .background || property == .backgroundColor || property == .backgroundImage
    if Self.has("var(", text) {
      if property.hidingValues != .none || hasColor || hasBackground { hides = property.questions }
      refers = !hasColor && !hasBackground
    } else if Self.mayHide(property.hidingValues, text) || hasBackground && Self.has("currentcolor", text) {
      hides = property.questions
    }
  }

  /// Reads the value of a `style` attribute, whose semicolons all count as ends: what is behind one in a string adds
  /// to what may be.
  init(inline css: ArraySlice<UInt8>) {
    let css = Array(css)
    if css.contains(UInt8(ascii: "\\")) || css.contains(UInt8(ascii: "*")) {
      (declares, hides, refers) = ([.all, .custom], .all, true)
      return
    }
    var start = 0
    while start < css.count {
      let stop = ByteScan.index(of: UInt8(ascii: ";"), in: css.span, from: start)
      if let colon = css[start..<stop].firstIndex(of: UInt8(ascii: ":")) {
        var name = start..<colon
        while let first = name.first, css[first].isHTMLSpace { name = (first + 1)..<colon }
        while let last = name.last, css[last].isHTMLSpace { name = name.lowerBound..<last }
        formUnion(SheetTraits(css.span, name, colon + 1..<stop, hasEscape: false))
      }
      start = stop + 1
    }
  }

  // MARK: - Values

  private static func mayHide(_ values: HidingProperty.HidingValue, _ value: borrowing Span<UInt8>) -> Bool {
    switch values {
    case .none: false
    case .anything: true
    case .display: has("none", value) || has("column", value)
    case .visibility: has("hidden", value) || has("collapse", value)
    case .opacity: hasNumber(value) { number, _ in number < 1 } || has("%", value) || has("(", value) || has("-", value)
    case .size: hasSmallNumber(value) || has("(", value)
    case .distance: hasLongNumber(value) || value.count > 3 && has("-", value)
    case .margin: hasLongNumber(value)
    case .cut: has("(", value)
    case .shares: has("opacity", value)
    case .font: hasSmallNumber(value) || has("(", value)
    case .transform:
      hasLongNumber(value) || (has("scale", value) || has("matrix", value)) && hasSmallNumber(value)
        || has("rotatex", value) || has("rotatey", value) || has("rotate3d", value)
    }
  }

  /// Whether a value has a number for which something holds, given with the first letter of its unit, or 0 for
  /// none; what it is with an exponent is not asked.
  private static func hasNumber(_ value: borrowing Span<UInt8>, _ holds: (Double, UInt8) -> Bool) -> Bool {
    var index = 0
    while index < value.count {
      if value[index].isASCIILetter || value[index] == UInt8(ascii: "#") {
        // Digits in names and colors are no numbers.
        while index < value.count, value[index].isASCIIAlphanumeric || value[index] == UInt8(ascii: "#") { index += 1 }
        continue
      }
      guard value[index].isASCIIDigit || value[index] == UInt8(ascii: ".") else {
        index += 1
        continue
      }
      var (number, share) = (0.0, 0.0)
      while index < value.count, value[index].isASCIIDigit || value[index] == UInt8(ascii: ".") {
        if value[index] == UInt8(ascii: ".") {
          share = 1
        } else if share > 0 {
          share /= 10
          number += share * Double(value[index] - 0x30)
        } else {
          number = min(number * 10 + Double(value[index] - 0x30), 1e9)
        }
        index += 1
      }
      let unit = index < value.count ? value[index].asciiLowercased : 0
      let hasExponent =
        unit == UInt8(ascii: "e") && index + 1 < value.count
        && (value[index + 1].isASCIIDigit || value[index + 1] == UInt8(ascii: "-"))
      if hasExponent || holds(number, unit) { return true }
    }
    return false
  }

  /// Whether a number is a length that nobody sees, or smaller: `0`, `1px`, `.05em`, and not `1.5` or `1em`.
  private static func hasSmallNumber(_ value: borrowing Span<UInt8>) -> Bool {
    hasNumber(value) { number, unit in
      number <= 0.1 || number <= 1.1 && (unit == UInt8(ascii: "p") || unit == UInt8(ascii: "q"))
    }
  }

  /// Whether a number has three digits or more before its point: `-999em`, and not `0 auto 10px`.
  private static func hasLongNumber(_ value: borrowing Span<UInt8>) -> Bool {
    hasNumber(value) { number, _ in number >= 100 } || has("calc", value)
  }

  private static func has(_ word: StaticString, _ value: borrowing Span<UInt8>) -> Bool {
    let length = word.utf8CodeUnitCount
    guard value.count >= length else { return false }
    for start in 0...(value.count - length) {
      if (0..<length).allSatisfy({ value[start + $0].asciiLowercased == word.utf8Start[$0] }) { return true }
    }
    return false
  }
}

import TamisCore

/// What declarations of a style sheet may do to text, told from their first bytes: most rules of a page do nothing of
/// it, and are not read further.
struct SheetTraits: OptionSet {
  let rawValue: UInt8

  /// The declarations can matter beside others.
  static let matters = SheetTraits(rawValue: 1 << 0)
  /// The declarations can hide an element or its text, whatever its color.
  static let hides = SheetTraits(rawValue: 1 << 1)
  /// The declarations say a color of text, or of a background.
  static let colors = SheetTraits(rawValue: 1 << 2)
  static let background = SheetTraits(rawValue: 1 << 3)
  /// The color of text is that of a background somewhere on the page.
  static let mayBeLost = SheetTraits(rawValue: 1 << 4)
  /// The declarations have custom properties.
  static let defines = SheetTraits(rawValue: 1 << 5)
  /// The declarations can hide by a reference to a custom property.
  static let refers = SheetTraits(rawValue: 1 << 6)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Reads a declaration.
  ///
  /// - Parameters:
  ///   - css: the sheet.
  ///   - name: the name of the property.
  ///   - value: the value with spaces around it.
  ///   - hasEscape: whether the declaration has a backslash, behind which everything can be.
  init(_ css: borrowing Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>, hasEscape: Bool) {
    if hasEscape {
      self = [.matters, .hides, .colors, .background]
      return
    }
    guard let group = Self.group(css, name) else {
      self = []
      return
    }
    var value = value
    while let first = value.first, css[first].isHTMLSpace { value = (first + 1)..<value.upperBound }
    self = [.matters]
    let text = css.extracting(value)
    if group == .text { insert(.colors) }
    if group == .background { insert(.background) }
    if Self.mayHide(group, text) { insert(.hides) }
    if Self.has("var(", text) { formUnion(group == .text || group == .background ? .hides : [.hides, .refers]) }
  }

  /// Properties whose hiding values look alike.
  private enum Group {
    case display, visibility, opacity, filter, fontSize, font, far, margin, clip, size, transform, text, background,
      all, other
  }

  private static let groups: [(Group, String)] = [
    (.display, "display"), (.visibility, "visibility content-visibility"), (.opacity, "opacity zoom scale"),
    (.filter, "filter"),
    (.fontSize, "font-size"), (.font, "font"),
    (
      .far,
      "left top right bottom inset inset-inline-start inset-block-start text-indent translate"
    ),
    (.margin, "margin margin-left margin-top margin-inline-start margin-block-start"),
    (.clip, "clip clip-path line-height mask mask-image mask-size -webkit-mask -webkit-mask-image -webkit-mask-size"),
    (.size, "width height max-width max-height inline-size block-size max-inline-size max-block-size"),
    (.transform, "transform -webkit-transform"),
    (.text, "color -webkit-text-fill-color"), (.background, "background background-color background-image"),
    (.all, "all"),
  ]

  private static let (names, groupOfName): (NameIndex, [Group]) = {
    var (names, list) = (NameIndex(), [Group]())
    var groupOf: [String: Group] = [:]
    for (group, words) in groups { for word in words.split(separator: " ") { groupOf[String(word)] = group } }
    for name in HidingStyle.names.sorted() {
      names.add(name)
      list.append(groupOf[name] ?? .other)
    }
    return (names, list)
  }()

  private static func group(_ css: borrowing Span<UInt8>, _ name: Range<Int>) -> Group? {
    if let number = names.number(of: css, name) { return groupOfName[number] }
    var lower: [UInt8] = []
    var isChanged = false
    for index in name {
      lower.append(css[index].asciiLowercased)
      isChanged = isChanged || css[index] != lower[lower.count - 1]
    }
    guard isChanged, name.count < 30 else { return nil }
    return names.number(of: lower.span, 0..<lower.count).map { groupOfName[$0] }
  }

  private static func mayHide(_ group: Group, _ value: borrowing Span<UInt8>) -> Bool {
    switch group {
    case .display: has("none", value) || has("column", value)
    case .visibility: has("hidden", value) || has("collapse", value)
    case .opacity:
      isSmall(value) || isNearZero(value) || has("%", value) || has("e", value) || has("(", value) || has("-", value)
    case .fontSize: isNearZero(value) || has("p", value) && isSmall(value) || has("(", value)
    case .size: isNearZero(value) || has("1px", value) || has("0px", value) || has("(", value)
    case .filter: has("opacity", value)
    case .font: has(" 0", value) || value.count > 0 && value[0] == UInt8(ascii: "0") || has("1px", value)
    case .far: hasLongNumber(value) || has("-", value) && value.count >= 4
    case .margin: hasLongNumber(value)
    case .clip: has("(", value) || isNearZero(value)
    case .all: true
    case .transform:
      hasLongNumber(value) || has("(0", value) || has("90deg", value) || has("180deg", value) || has("turn", value)
    case .background: has("currentcolor", value)
    case .text, .other: false
    }
  }

  /// Whether a value begins with a number below a tenth: `0`, `0em`, `.01`, and not `.5` or `0.875em`.
  private static func isNearZero(_ value: borrowing Span<UInt8>) -> Bool {
    var index = 0
    if index < value.count, value[index] == UInt8(ascii: "-") || value[index] == UInt8(ascii: "+") { index += 1 }
    let start = index
    while index < value.count, value[index] == UInt8(ascii: "0") || value[index] == UInt8(ascii: ".") { index += 1 }
    if index == start { return false }
    guard index < value.count, value[index].isASCIIDigit else { return true }
    // Nothing but a point and at most one zero stands before the first digit.
    return index - start > 2
  }

  /// Whether a number begins with a point, or below two.
  private static func isSmall(_ value: borrowing Span<UInt8>) -> Bool {
    guard value.count > 1 else { return false }
    return value[0] == UInt8(ascii: ".") || value[0] == UInt8(ascii: "0")
      || value[0] == UInt8(ascii: "1") && !value[1].isASCIIDigit
  }

  /// Whether a number has three digits or more before its point: `-999em`, and not `0 auto 10px`.
  private static func hasLongNumber(_ value: borrowing Span<UInt8>) -> Bool {
    var count = 0
    for index in value.indices {
      count = value[index].isASCIIDigit ? count + 1 : 0
      if count == 3 { return true }
    }
    return has("calc", value)
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

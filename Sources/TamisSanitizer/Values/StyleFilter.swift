import TamisCore

/// Filters the declarations of a `style` attribute.
struct StyleFilter {
  let rules: Policy.StyleRules
  /// Whether the SVG properties are allowed too.
  let isSVG: Bool

  /// Returns the declarations that stay, `name: value;` each, separated by one space.
  func filter(_ css: borrowing Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var tokenizer = CSSTokenizer()
    var tokens: [CSSToken] = []
    func endDeclaration() {
      if let (name, value) = declaration(tokens, css) {
        if !output.isEmpty { output.append(ASCII.space) }
        output.append(contentsOf: name)
        output.append(contentsOf: ": ".utf8)
        output.append(contentsOf: value)
        output.append(UInt8(ascii: ";"))
      }
      tokens.removeAll(keepingCapacity: true)
    }
    var openFunctions = 0
    while let token = tokenizer.next(css) {
      if token == .semicolon, openFunctions == 0 {
        endDeclaration()
        continue
      }
      if case .function = token { openFunctions += 1 }
      if token == .closeParenthesis { openFunctions = max(0, openFunctions - 1) }
      tokens.append(token)
    }
    endDeclaration()
    return output
  }

  /// Returns the property's name and its value as written; nil when either is refused.
  private func declaration(_ tokens: [CSSToken], _ css: borrowing Span<UInt8>) -> (name: [UInt8], value: [UInt8])? {
    let significant = tokens.filter { $0 != .space }
    guard significant.count > 2, case .identifier(let nameRange) = significant[0], significant[1] == .colon
    else { return nil }
    let name = bytes(css, nameRange).map(\.asciiLowercased)
    let property = String(streamSafe: name)
    let value = significant.dropFirst(2)
    let family = property.split(separator: "-").first.map(String.init) ?? property
    if rules.properties.contains(property) || (isSVG && rules.svgProperties.contains(property)) {
      guard Self.isSimple(value, css), property != "vertical-align" || Self.isKeyword(value),
        property != "position" || staysInFlow(value, css), !Self.displacing.contains(family),
        !Self.textSized.contains(property) || Self.isOfText(value, css)
      else { return nil }
    } else if rules.families.contains(family) {
      guard Self.isSimple(value, css), value.allSatisfy({ isListed($0, css) }) else { return nil }
    } else {
      return nil
    }
    guard let first = Self.range(of: value.first), let last = Self.end(of: value.last, in: tokens, css) else {
      return nil
    }
    return (name, bytes(css, first.lowerBound..<last))
  }

  /// Whether a value is one word; a length of `vertical-align` moves text over the page above.
  private static func isKeyword(_ value: ArraySlice<CSSToken>) -> Bool {
    if case .identifier = value.first { value.count == 1 } else { false }
  }

  /// Whether a value of `position` leaves the box where it stands; others put it over the page around.
  private func staysInFlow(_ value: ArraySlice<CSSToken>, _ css: borrowing Span<UInt8>) -> Bool {
    guard case .identifier(let range) = value.first else { return false }
    return ["static", "relative"].contains(Self.lowercased(css, range))
  }

  /// The properties, or their families, that put a box over the page around it: `bottom: 9em` is `top: -9em`.
  private static let displacing: Set = ["bottom", "inset", "right", "rotate", "scale", "translate", "view", "zoom"]
  /// The properties whose lengths are those of text.
  private static let textSized: Set = [
    "box-shadow", "font", "font-size", "line-height", "outline", "outline-offset", "outline-width", "text-shadow",
    "-webkit-text-stroke", "-webkit-text-stroke-width",
  ]

  /// The largest size of letters and lines by unit, about eight times that of text; larger ones lie over the page.
  private static let largestText: [String: Double] = [
    "": 8, "em": 8, "rem": 8, "ex": 16, "ch": 16, "%": 800, "px": 128, "pt": 96, "pc": 8, "cm": 3.4, "mm": 34,
    "in": 1.4, "q": 136, "vw": 10, "vh": 10,
  ]

  /// Whether the lengths of a value are those of text; a number of `font` that is not behind a slash is a weight, such
  /// as `700`.
  private static func isOfText(_ value: ArraySlice<CSSToken>, _ css: borrowing Span<UInt8>) -> Bool {
    var isBehindSlash = value.count == 1
    for token in value {
      if case .number(let range, let unit, _) = token {
        let unit = lowercased(css, unit)
        let number = Double(lowercased(css, range).dropLast(unit.utf8.count)) ?? .infinity
        if isBehindSlash || !unit.isEmpty, number > largestText[unit] ?? 0 { return false }
      }
      isBehindSlash = token == .slash
    }
    return true
  }

  private func bytes(_ css: borrowing Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var output: [UInt8] = []
    output.append(css, range)
    return output
  }

  /// Whether a token of a family's value is a keyword, a colour or a length of the policy.
  private func isListed(_ token: CSSToken, _ css: borrowing Span<UInt8>) -> Bool {
    switch token {
    case .identifier(let range):
      let word = String(streamSafe: bytes(css, range)).asciiLowercased()
      return rules.keywords.contains(word) || (word == "important" && rules.keywords.contains("!important"))
    case .string: return false
    case .number(let range, let unit, _): return Self.isInRange(bytes(css, range.lowerBound..<unit.lowerBound))
    case .hash(let range): return bytes(css, range).allSatisfy { $0.hexDigitValue != nil }
    default: return true
    }
  }

  /// Whether a length has at most four digits, and at most two after its point.
  ///
  /// Larger lengths push the element out of sight; the limits are those of Universal Feed Parser.
  private static func isInRange(_ number: [UInt8]) -> Bool {
    let parts = number.filter { $0 != UInt8(ascii: "+") }.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1].count : 0
    return parts[0].count <= (fraction > 0 ? 2 : 4) && fraction <= 2
  }

  private static let units: Set<String> = [
    "", "%", "px", "em", "rem", "ex", "ch", "pt", "pc", "cm", "mm", "in", "q", "deg", "vw", "vh",
  ]
  private static let colorFunctions: Set<String> = ["rgb", "rgba", "hsl", "hsla"]

  /// Whether a value consists only of words, numbers that are not negative, colours, and quoted names.
  ///
  /// Other functions, URLs and escapes are refused.
  private static func isSimple(_ value: ArraySlice<CSSToken>, _ css: borrowing Span<UInt8>) -> Bool {
    var isInFunction = false
    for token in value {
      switch token {
      case .identifier, .hash, .string, .exclamation: if isInFunction { return false }
      case .comma, .slash, .space: break
      case .number(_, let unit, let isNegative):
        if isNegative || !units.contains(lowercased(css, unit)) { return false }
      case .function(let name):
        if isInFunction || !colorFunctions.contains(lowercased(css, name)) { return false }
        isInFunction = true
      case .closeParenthesis:
        if !isInFunction { return false }
        isInFunction = false
      case .colon, .semicolon, .refused: return false
      }
    }
    return !isInFunction
  }

  private static func lowercased(_ css: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    var output: [UInt8] = []
    output.append(css, range)
    return String(decoding: output, as: UTF8.self).asciiLowercased()
  }

  private static func range(of token: CSSToken?) -> Range<Int>? {
    switch token {
    case .identifier(let range), .string(let range), .number(let range, _, _), .function(let range): range
    case .hash(let range): range.lowerBound - 1..<range.upperBound
    default: nil
    }
  }

  /// Returns the end of the last token of a value; a parenthesis has no range, so it is searched for.
  private static func end(of token: CSSToken?, in tokens: [CSSToken], _ css: borrowing Span<UInt8>) -> Int? {
    if let range = range(of: token) { return range.upperBound }
    guard token == .closeParenthesis, var index = tokens.compactMap({ range(of: $0)?.upperBound }).max() else {
      return nil
    }
    while index < css.count, css[index] != UInt8(ascii: ")") { index += 1 }
    return min(index + 1, css.count)
  }

  /// Whether a value consists only of words, numbers and colours.
  static func isSimple(_ value: borrowing Span<UInt8>) -> Bool {
    var tokenizer = CSSTokenizer()
    var tokens: [CSSToken] = []
    while let token = tokenizer.next(value) { tokens.append(token) }
    return isSimple(tokens[...], value)
  }
}

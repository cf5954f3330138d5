import TamisCore

/// Decides the conditions of `@media` and `@supports` (Media Queries Level 5, CSS Conditional Rules Module Level 4).
///
/// The page is on a screen of 1280 by 800 pixels, in light colors, with a mouse. Text is in lower case.
struct SheetCondition {
  /// The maximum number of words of a condition.
  private static let mostWords = 500
  /// The maximum depth of parentheses.
  private static let deepest = 16

  private let words: [Substring]
  private var index = 0
  private let feature: (String) -> Truth

  /// Decides a list of media queries; an empty one holds.
  static func media(_ text: String) -> Truth {
    let text = text.trimmed()
    if text.isEmpty { return .yes }
    return parts(text).map { query(String($0)) }.max() ?? .no
  }

  /// Decides the condition of `@supports`.
  static func supports(_ text: String) -> Truth { decide(text.trimmed(), supportsFeature) }

  private static func decide(_ text: String, _ feature: @escaping (String) -> Truth) -> Truth {
    let words = words(text)
    if words.isEmpty || words.count > mostWords { return .no }
    var condition = SheetCondition(words: words, feature: feature)
    let truth = condition.condition(0)
    return condition.index == words.count ? truth ?? .no : .no
  }

  private init(words: [Substring], feature: @escaping (String) -> Truth) {
    (self.words, self.feature) = (words, feature)
  }

  private static func query(_ text: String) -> Truth {
    var rest = text.trimmed()[...]
    var isNegated = false
    for word in ["only ", "not "] where rest.hasPrefix(word) {
      // `not (hover)` is a condition, `not screen` a query.
      if rest.dropFirst(word.count).trimmed().hasPrefix("(") { break }
      isNegated = word == "not "
      rest = rest.dropFirst(word.count).trimmed()[...]
    }
    let type = rest.prefix { $0 != " " && $0 != "(" }
    if type.isEmpty || type == "not" { return decide(String(rest), mediaFeature) }
    var truth = Truth(type == "all" || type == "screen")
    rest = rest.dropFirst(type.count).trimmed()[...]
    if !rest.isEmpty {
      // `or` cannot follow a type.
      guard rest.hasPrefix("and "), !words(String(rest)).contains("or") else { return .no }
      truth = min(truth, decide(rest.dropFirst(3).trimmed(), mediaFeature))
    }
    return isNegated ? !truth : truth
  }

  // MARK: - Grammar

  /// Reads `not x`, `x and y`, `x or y` or `x`; returns nil for other text.
  private mutating func condition(_ depth: Int) -> Truth? {
    if depth > Self.deepest { return nil }
    if take("not") { return inParentheses(depth).map { !$0 } }
    guard var truth = inParentheses(depth) else { return nil }
    if index < words.count, words[index] == "and" {
      while take("and") {
        guard let other = inParentheses(depth) else { return nil }
        truth = min(truth, other)
      }
    } else {
      while take("or") {
        guard let other = inParentheses(depth) else { return nil }
        truth = max(truth, other)
      }
    }
    return truth
  }

  private mutating func take(_ word: String) -> Bool {
    guard index < words.count, words[index] == word else { return false }
    index += 1
    return true
  }

  private mutating func inParentheses(_ depth: Int) -> Truth? {
    guard index < words.count else { return nil }
    let word = words[index]
    index += 1
    guard word.hasSuffix(")") else { return nil }
    guard word.hasPrefix("(") else { return feature(String(word)) }
    // Without a space before it, `and(` would be a function.
    guard Self.isOne(word) else { return nil }
    let inner = word.dropFirst().dropLast().trimmed()
    let parts = Self.words(inner)
    if inner.hasPrefix("(") || parts.first == "not" || parts.first?.hasSuffix(")") == true && parts.count > 2 {
      var condition = SheetCondition(words: parts, feature: feature)
      guard let truth = condition.condition(depth + 1), condition.index == parts.count else { return nil }
      return truth
    }
    return feature(inner)
  }

  /// Whether the parenthesis that a word begins with closes at its end.
  private static func isOne(_ word: Substring) -> Bool {
    var depth = 0
    for byte in word.utf8.dropLast() {
      if byte == UInt8(ascii: "(") { depth += 1 } else if byte == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return false }
    }
    return true
  }

  /// Returns the words of a text, at spaces outside of parentheses.
  private static func words(_ text: String) -> [Substring] { split(text, at: ASCII.space) }

  /// Returns the parts of a list, at commas outside of parentheses.
  private static func parts(_ text: String) -> [Substring] { split(text, at: UInt8(ascii: ",")) }

  private static func split(_ text: String, at separator: UInt8) -> [Substring] {
    var (parts, start, depth): ([Substring], String.Index, Int) = ([], text.startIndex, 0)
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case separator where depth == 0:
        if start < index { parts.append(text[start..<index]) }
        start = text.utf8.index(after: index)
      default: break
      }
    }
    if start < text.endIndex { parts.append(text[start...]) }
    return parts
  }

  // MARK: - Media features

  private static let lengths: [String: Double] = ["width": 1280, "height": 800]
  private static let numbers: [String: Double] = [
    "aspect-ratio": 1.6, "color": 8, "color-index": 0, "monochrome": 0, "grid": 0,
  ]
  private static let keywords = [
    "orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine",
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference", "prefers-reduced-data": "no-preference", "forced-colors": "none",
    "inverted-colors": "none", "display-mode": "browser", "update": "fast", "overflow-block": "scroll",
    "overflow-inline": "scroll", "color-gamut": "srgb", "dynamic-range": "standard",
  ]
  /// The values of keywords that do not hold without a value, as in `(prefers-reduced-motion)`.
  private static let absent: Set<String> = ["no-preference", "none"]

  private static func mediaFeature(_ text: String) -> Truth {
    if let colon = text.firstIndex(of: ":") {
      let (name, value) = (text[..<colon].trimmed(), text[text.index(after: colon)...].trimmed())
      if name.hasPrefix("min-") { return compare(String(name.dropFirst(4)), value) { $0 >= $1 } }
      if name.hasPrefix("max-") { return compare(String(name.dropFirst(4)), value) { $0 <= $1 } }
      if let known = keywords[name] { return Truth(known == value) }
      return compare(name, value) { $0 == $1 }
    }
    guard text.contains(where: { "<>=".contains($0) }) else {
      if let known = keywords[text] { return Truth(!absent.contains(known)) }
      return (lengths[text] ?? numbers[text]).map { Truth($0 != 0) } ?? .maybe
    }
    return range(text)
  }

  /// Decides `400px <= width < 900px`.
  private static func range(_ text: String) -> Truth {
    var (operands, operators): ([String], [String]) = ([""], [])
    for character in text {
      if "<>=".contains(character) {
        if operands.last == "", !operators.isEmpty {
          operators[operators.count - 1].append(character)
        } else {
          operators.append(String(character))
          operands.append("")
        }
      } else if character != " " || operands.last != "" {
        operands[operands.count - 1].append(character)
      }
    }
    operands = operands.map { $0.trimmed() }
    func holds(_ name: String, _ sign: String, _ value: String, isFlipped: Bool) -> Truth {
      compare(name, value) { left, right in
        let (left, right) = isFlipped ? (right, left) : (left, right)
        return switch sign {
        case "<": left < right
        case "<=": left <= right
        case ">": left > right
        case ">=": left >= right
        default: left == right
        }
      }
    }
    if operands.count == 3 {
      guard operators[0].first == operators[1].first, operators[0] != "=" else { return .no }
      return min(
        holds(operands[1], operators[0], operands[0], isFlipped: true),
        holds(operands[1], operators[1], operands[2], isFlipped: false))
    }
    guard operands.count == 2 else { return .no }
    let isFlipped = lengths[operands[0]] == nil && numbers[operands[0]] == nil
    return holds(operands[isFlipped ? 1 : 0], operators[0], operands[isFlipped ? 0 : 1], isFlipped: isFlipped)
  }

  private static func compare(_ name: String, _ value: String, _ holds: (Double, Double) -> Bool) -> Truth {
    if let length = lengths[name] { return StyleValue.length(value).map { Truth(holds(length, $0)) } ?? .maybe }
    guard let number = numbers[name] else { return .maybe }
    let terms = value.split(separator: "/").map { Double($0.trimmed()) }
    guard let first = terms.first ?? nil, terms.count <= 2 else { return .maybe }
    return Truth(holds(number, terms.count == 2 ? first / ((terms[1] ?? 1) == 0 ? 1 : terms[1] ?? 1) : first))
  }

  // MARK: - Supported declarations

  private static func supportsFeature(_ text: String) -> Truth {
    if text.hasPrefix("selector(") {
      let table = SelectorTable(PageWords(), knowsRoot: false)
      let selector = Array(text.utf8.dropFirst(9).dropLast())
      return Truth(table.add(selector, 0..<selector.count) != nil)
    }
    guard let colon = text.firstIndex(of: ":") else { return .maybe }
    let (name, value) = (text[..<colon].trimmed(), text[text.index(after: colon)...].trimmed())
    if name.hasPrefix("--") { return .yes }
    return HidingStyle.supports(name, value)
  }
}

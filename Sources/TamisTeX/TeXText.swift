import TamisCore

/// Finds what stands between marks of formulas in a text.
package enum TeXText {
  /// A formula in a text: `\(x\)` is the whole, `x` its TeX.
  package struct Part {
    package var whole: Range<Int>
    package var tex: Range<Int>
    package var isDisplayed: Bool
    package var isInDollars = false
    /// Whether it has what only formulas have; a letter between marks can be something else.
    package var isSure = false
  }

  /// What texts have of marks between which they were not read as formulas.
  ///
  /// When what stands between two of them goes, they can become a formula.
  package struct Marks {
    private var (dollars, isStrong, hasMark) = (0, false, false)

    package init() {}

    package mutating func add(_ text: ArraySlice<UInt8>) {
      var last: UInt8 = 0
      for byte in text {
        switch byte {
        case UInt8(ascii: "$"): dollars += 1
        case UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "{"), UInt8(ascii: "\\"): isStrong = true
        case UInt8(ascii: "("), UInt8(ascii: "["): if last == UInt8(ascii: "\\") { hasMark = true }
        case UInt8(ascii: "b"): if last == UInt8(ascii: "\\") { hasMark = true }
        default: break
        }
        last = byte
      }
    }

    /// Whether the texts, joined, may have a formula.
    package var mayBeFormula: Bool { hasMark || (dollars > 1 && (isStrong || dollars > 3)) }
  }

  /// Whether a text has a backslash or a dollar.
  package static func mayBe(in text: some Collection<UInt8>) -> Bool {
    text.withContiguousStorageIfAvailable { bytes in
      bytes.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "$") }
    } ?? text.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "$") }
  }

  private static let environments: Set = [
    "equation", "equation*", "align", "align*", "gather", "gather*", "multline", "multline*", "eqnarray", "eqnarray*",
    "displaymath", "alignat", "alignat*",
  ]

  /// Returns the formulas of a text in order, in time linear in it.
  package static func formulas(in text: [UInt8]) -> [Part] {
    var (parts, index, places): ([Part], Int, [String: Int]) = ([], 0, [:])
    /// The next place of a mark; what was found stays known, so that the text is searched once for each mark.
    func find(_ mark: String, from start: Int) -> Int {
      if let known = places[mark], known >= start { return known }
      let bytes = Array(mark.utf8)
      var place = start
      while place + bytes.count <= text.count, !text[place..<place + bytes.count].elementsEqual(bytes) { place += 1 }
      if place + bytes.count > text.count { place = .max }
      places[mark] = place
      return place
    }
    while index + 1 < text.count {
      guard let mark = openingMark(text, index) else {
        index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        continue
      }
      let start = index + mark.open.utf8.count
      let end = find(mark.close, from: start)
      // The last of several opening marks counts.
      guard end < .max, mark.open == mark.close || find(mark.open, from: start) > end else {
        index = start
        continue
      }
      var part = Part(
        whole: index..<end + mark.close.utf8.count,
        tex: mark.isEnvironment ? index..<end + mark.close.utf8.count : start..<end,
        isDisplayed: mark.isDisplayed, isInDollars: mark.close.hasPrefix("$"))
      if isFormula(text, &part, mark.close) {
        parts.append(part)
        index = part.whole.upperBound
      } else {
        index = start
      }
    }
    return parts
  }

  private struct Mark {
    var open: String
    var close: String
    var isDisplayed: Bool
    var isEnvironment = false
  }

  private static func openingMark(_ text: [UInt8], _ index: Int) -> Mark? {
    let next = text[index + 1]
    if text[index] == UInt8(ascii: "$") {
      if next == UInt8(ascii: "$") { return Mark(open: "$$", close: "$$", isDisplayed: true) }
      let before = index > 0 ? text[index - 1] : ASCII.space
      return before.isASCIIAlphanumeric || next.isHTMLSpace ? nil : Mark(open: "$", close: "$", isDisplayed: false)
    }
    guard text[index] == UInt8(ascii: "\\") else { return nil }
    if next == UInt8(ascii: "(") { return Mark(open: "\\(", close: "\\)", isDisplayed: false) }
    if next == UInt8(ascii: "[") { return Mark(open: "\\[", close: "\\]", isDisplayed: true) }
    let begin = "\\begin{"
    guard text[index...].starts(with: begin.utf8) else { return nil }
    let name = String(
      decoding: text[(index + begin.utf8.count)...].prefix(12).prefix { $0 != UInt8(ascii: "}") }, as: UTF8.self)
    guard environments.contains(name) else { return nil }
    return Mark(open: begin + name + "}", close: "\\end{\(name)}", isDisplayed: true, isEnvironment: true)
  }

  /// Whether what stands between marks can be a formula.
  private static func isFormula(_ text: [UInt8], _ part: inout Part, _ close: String) -> Bool {
    let after = part.whole.upperBound < text.count ? text[part.whole.upperBound] : ASCII.space
    // WordPress has `$latex x^2&bg=ffffff$`.
    let latex = "latex "
    if close == "$", text[part.tex].starts(with: latex.utf8) {
      let tex = text[part.tex].dropFirst(latex.utf8.count)
      let options = [UInt8]("&bg=".utf8)
      part.tex = tex.startIndex..<(tex.firstRange(of: options)?.lowerBound ?? tex.endIndex)
      part.isSure = true
      return true
    }
    let tex = text[part.tex]
    part.isSure = isStrong(tex)
    switch close {
    case "$":
      if tex.last?.isHTMLSpace ?? true || after.isASCIIAlphanumeric || hasWords(tex) { return false }
      return part.isSure || (isWeak(tex) && tex.first?.isASCIILetter ?? false)
    case "$$":
      if tex.contains(UInt8(ascii: "$")) || after.isASCIIAlphanumeric { return false }
      return part.isSure || (isWeak(tex) && tex.contains(where: \.isRelation))
    default: return tex.contains { !$0.isHTMLSpace } && (part.isSure || isWeak(tex))
    }
  }

  /// Whether a text that stands for a picture can be a formula, and is not its description.
  package static func looksLikeFormula(_ tex: ArraySlice<UInt8>) -> Bool {
    isWeak(tex) || (isStrong(tex) && !hasWords(tex))
  }

  /// Whether a text has a command, a break of lines or a script of TeX.
  private static func isStrong(_ tex: ArraySlice<UInt8>) -> Bool {
    var (last, letters): (UInt8, Int?) = (ASCII.space, nil)
    for byte in tex {
      // `\d` is of an expression for a search too.
      letters = byte.isASCIILetter ? letters.map { $0 + 1 } : byte == UInt8(ascii: "\\") ? 0 : nil
      if letters == 2 || (byte == UInt8(ascii: "\\") && last == byte) { return true }
      if byte == UInt8(ascii: "^") || byte == UInt8(ascii: "_"), !last.isHTMLSpace { return true }
      last = byte
    }
    return false
  }

  /// Whether a text is letters, numbers and signs without a word: `n`, `a + b`.
  private static func isWeak(_ tex: ArraySlice<UInt8>) -> Bool {
    var letters = 0
    for byte in tex {
      letters = byte.isASCIILetter ? letters + 1 : 0
      if letters > 2 { return false }
    }
    return true
  }

  /// Whether a text has two words behind each other outside of commands and groups: `5_000 in cash and`.
  private static func hasWords(_ tex: ArraySlice<UInt8>) -> Bool {
    var (words, depth) = (0, 0)
    for word in tex.split(whereSeparator: \.isHTMLSpace) {
      words = depth == 0 && word.count > 2 && word.allSatisfy(\.isASCIILetter) ? words + 1 : 0
      if words > 1 { return true }
      for byte in word { depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0 }
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isRelation: Bool { "=<>+".utf8.contains(self) }
}

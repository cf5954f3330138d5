import TamisCore

/// A detector of HTML in text that should be plain, as in many RSS titles.
///
/// The rule is nearly Universal Feed Parser's: the text ends an element that it began or has a character reference, and
/// every tag and every named reference is one of HTML's. So `<blink>` or `a < b` in a title stays text, and so does
/// `</li> considered harmful`.
enum HTMLEvidence {
  static func isConvincing(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "&")) || bytes.contains(UInt8(ascii: "<")) else { return false }
    let span = bytes.span
    var hasEvidence = false
    var begun: Set<String> = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") {
        if let reference = CharacterReference.match(span, at: index) {
          let isClosed = bytes[index + reference.length - 1] == UInt8(ascii: ";")
          hasEvidence = hasEvidence || isClosed
        } else if isClosedName(bytes, after: index) {
          return false
        }
      } else if byte == UInt8(ascii: "<"), index + 1 < bytes.count {
        let isEnd = bytes[index + 1] == UInt8(ascii: "/")
        let name = bytes[(index + (isEnd ? 2 : 1))...].prefix(while: \.isASCIIAlphanumeric)
        if !name.isEmpty {
          let element = String(streamSafe: name).asciiLowercased()
          guard ElementTable.evidence.contains(element) else { return false }
          if isEnd { hasEvidence = hasEvidence || begun.contains(element) } else { begun.insert(element) }
        }
      }
      index += 1
    }
    return hasEvidence
  }

  /// Whether a text has `<` but nothing of HTML: no tag, comment or declaration, and no character reference.
  ///
  /// In an RSS description, which should be HTML, `a<b` or `<me@example.org>` is then meant to be read.
  static func hasOnlySigns(_ text: borrowing Span<UInt8>) -> Bool {
    var hasSign = false
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "&"): if CharacterReference.match(text, at: index) != nil { return false }
      case UInt8(ascii: "<"):
        hasSign = true
        var start = index + 1
        if start < text.count, text[start] == UInt8(ascii: "/") { start += 1 }
        guard start < text.count, ![UInt8(ascii: "!"), UInt8(ascii: "?")].contains(text[start]) else {
          if start < text.count { return false }
          continue
        }
        var end = start
        while end < text.count, end - start < 24, text[end].isASCIIAlphanumeric || text[end] == UInt8(ascii: "-") {
          end += 1
        }
        let isName = end > start && (end == text.count || isEndOfName(text[end]))
        if isName, ElementTable.known.contains(String(text, start..<end).asciiLowercased()) { return false }
      default: continue
      }
    }
    return hasSign
  }

  /// Whether a text that may be a body has an element of HTML: an end tag, a void element, or a paragraph.
  ///
  /// Weaker than ``isConvincing(_:)``: bodies also hold elements that titles never have, and are seldom about markup.
  static func hasElements(_ text: borrowing Span<UInt8>) -> Bool {
    var index = 0
    while true {
      index = ByteScan.index(of: UInt8(ascii: "<"), in: text, from: index)
      guard index + 1 < text.count else { return false }
      index += 1
      let isEnd = text[index] == UInt8(ascii: "/")
      if isEnd { index += 1 }
      let start = index
      while index < text.count, index - start < 12, text[index].isASCIIAlphanumeric { index += 1 }
      guard index > start, index < text.count, isEndOfName(text[index]) else { continue }
      let name = String(text, start..<index).asciiLowercased()
      if isEnd ? ElementTable.evidence.contains(name) : ["br", "hr", "img", "p"].contains(name) {
        // The tag has to end.
        return ByteScan.index(of: UInt8(ascii: ">"), in: text, from: index) < text.count
      }
    }
  }

  private static func isEndOfName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte.isHTMLSpace
  }

  /// Whether this is `&name;` with a name that is not one of HTML's.
  private static func isClosedName(_ bytes: [UInt8], after index: Int) -> Bool {
    let name = bytes[(index + 1)...].prefix(while: \.isASCIIAlphanumeric)
    return !name.isEmpty && name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: ";")
  }
}

import TamisCore
import TamisSystem

/// The words of a title for comparison, without case, accents, punctuation and the site's name
/// (Tamis.docc/HowAPostIsRecognized.md, K0).
package struct TitleForm: Sendable, Hashable {
  /// The words with one space between them; empty when there are none.
  package let text: String

  /// The maximum number of bytes of a title's words that are stored.
  private static let mostKept = 1000

  /// The words as they are stored.
  ///
  /// For a very long title these are the words at its beginning and a digest of all of them, so that two titles that
  /// differ only later still differ.
  var bounded: String {
    guard text.utf8.count > Self.mostKept else { return text }
    let beginning = String(decoding: text.utf8.prefix(Self.mostKept), as: UTF8.self)
    let whole = beginning.lastIndex(of: " ").map { beginning[..<$0] } ?? ""
    return "\(whole) \(UInt64(bitPattern: Digest.of(text, kind: "title")))"
  }

  package init(_ title: String) {
    if let plain = Self.plainWords(Array(title.utf8)) {
      text = plain
      return
    }
    var words = ""
    let folded = UnicodeText.folded(title)
    for scalar in folded.unicodeScalars {
      // A mark belongs to the preceding letter.
      if UnicodeText.isAlphabetic(scalar) || UnicodeText.isNumeric(scalar)
        || UnicodeText.isMark(scalar) && words.unicodeScalars.last.map({ $0 != " " }) ?? false
      {
        words.unicodeScalars.append(scalar)
      } else if scalar != "'", scalar != "\u{2019}", let last = words.unicodeScalars.last, last != " " {
        words.append(" ")
      }
    }
    let letters = words.unicodeScalars.count { $0 != " " }
    let signs = folded.unicodeScalars.count { !$0.properties.isWhitespace }
    // `C++`, `C#`, `???`: in titles that consist mostly of signs, the signs are compared.
    text = letters * 2 > signs ? words.trimmed() : Self.words(folded)
  }

  /// Returns the parts between white space, separated by one space.
  private static func words(_ text: String) -> String {
    text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }.joined(separator: " ")
  }

  /// Returns the words of a title that consists mostly of ASCII letters, with any dashes and quotation marks; nil for
  /// any other.
  ///
  /// The result is the same as that of the general algorithm, at a tenth of the cost.
  private static func plainWords(_ title: [UInt8]) -> String? {
    var words: [UInt8] = []
    words.reserveCapacity(title.count)
    var letters = 0
    var signs = 0
    var index = 0
    while index < title.count {
      var byte = title[index]
      index += 1
      if byte >= 0x80 {
        // U+2010 to U+2023: punctuation, including an apostrophe.
        guard byte == 0xE2, title[index] == 0x80, (0x90...0xA3).contains(title[index + 1]) else { return nil }
        byte = UInt8(ascii: title[index + 1] == 0x99 ? "'" : "-")
        index += 2
      }
      if !byte.isHTMLSpace { signs += 1 }
      if byte.isASCIIAlphanumeric {
        words.append(byte.asciiLowercased)
        letters += 1
      } else if byte != UInt8(ascii: "'"), let last = words.last, last != UInt8(ascii: " ") {
        words.append(UInt8(ascii: " "))
      }
    }
    guard letters * 2 > signs else { return nil }
    if words.last == UInt8(ascii: " ") { words.removeLast() }
    return String(decoding: words, as: UTF8.self)
  }

  /// Returns the titles of one document, without the name with which at least 60 of 100 of them begin or end.
  package static func all(_ titles: [String]) -> [TitleForm] {
    let names = siteNames(titles)
    return titles.map { title in
      var title = title
      for name in names {
        if title.hasSuffix(name) { title.removeLast(name.count) }
        if title.hasPrefix(name) { title.removeFirst(name.count) }
      }
      return TitleForm(title)
    }
  }

  /// Returns the possible words of a title: all of them, or without a possible site name at its beginning or end.
  static func variants(_ title: String) -> [TitleForm] {
    let parts = separators.flatMap { separator in
      [
        title.ranges(of: separator).last.map { String(title[..<$0.lowerBound]) },
        title.firstRange(of: separator).map { String(title[$0.upperBound...]) },
      ].compactMap { $0 }
    }
    return ([title] + parts).map(TitleForm.init)
  }

  private static let separators = [" | ", " - ", " – ", " — ", " :: ", " » ", " · ", ": "]

  /// Returns the first and last parts, with their separators, that most titles share.
  private static func siteNames(_ titles: [String]) -> [String] {
    guard titles.count >= 5 else { return [] }
    var counts: [[UInt8]: Int] = [:]
    let separators = separators.map { Array($0.utf8) }
    for title in titles where title.utf8.count < 1000 {
      let title = Array(title.utf8)
      var parts: Set<ArraySlice<UInt8>> = []
      for separator in separators {
        let positions = positions(of: separator, in: title)
        if let first = positions.first { parts.insert(title[..<(first + separator.count)]) }
        if let last = positions.last { parts.insert(title[last...]) }
      }
      for part in parts { counts[Array(part), default: 0] += 1 }
    }
    return counts.filter { $0.value * 10 >= titles.count * 6 }.keys.map { String(decoding: $0, as: UTF8.self) }
      .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
  }

  private static func positions(of text: [UInt8], in title: [UInt8]) -> [Int] {
    guard title.count >= text.count else { return [] }
    return (0...title.count - text.count).filter { start in
      title[start] == text[0] && title[start..<start + text.count].elementsEqual(text)
    }
  }

  /// Whether two titles can belong to one post.
  ///
  /// They can when they are equal, when one is missing, when one is the other with something before or after it, when
  /// they differ by a typing mistake, or when they have next to nothing in common, as an alternative headline has.
  /// Titles of one pattern with other words in it, or with other numbers, name different posts.
  package static func areCompatible(_ one: String, _ other: String) -> Bool {
    if one == other || one.isEmpty || other.isEmpty { return true }
    let (first, second) = (one.split(separator: " "), other.split(separator: " "))
    guard numbers(first) == numbers(second) else { return false }
    let (short, long) = first.count <= second.count ? (first, second) : (second, first)
    if long.starts(with: short) || long.reversed().starts(with: short.reversed()) { return true }
    let ours = Set(short)
    let missing = short.filter { !long.contains($0) }
    let extra = long.filter { !ours.contains($0) }
    let shared = short.count - missing.count
    if missing.isEmpty, extra.count <= 1 { return true }
    if missing.count == 1, extra.count == 1 { return isSlip(missing[0], extra[0]) }
    // An alternative headline: at most a third of the words are those of the first.
    return shared * 3 <= short.count
  }

  /// Whether two titles belong to one post, provided that the texts agree too.
  ///
  /// They do when they are equal, when one is missing, when one is the other with something before or after it (a
  /// label, an author, a site), or when they differ by a typing mistake; two different headlines do not.
  static func nameOnePost(_ one: String, _ other: String) -> Bool {
    if one == other || one.isEmpty || other.isEmpty { return true }
    let (first, second) = (one.split(separator: " "), other.split(separator: " "))
    let (short, long) = first.count <= second.count ? (first, second) : (second, first)
    if long.starts(with: short) || long.reversed().starts(with: short.reversed()) { return short.count >= fewestWords }
    if numbersAgree(one, other), shareTheMiddle(first, second) { return true }
    return areCompatible(one, other) && haveMuchInCommon(one, other)
  }

  /// Whether the numbers of one title are all in the other.
  package static func numbersAgree(_ one: String, _ other: String) -> Bool {
    let (first, second) = (numbers(one.split(separator: " ")), numbers(other.split(separator: " ")))
    return Set(first).isSubset(of: second) || Set(second).isSubset(of: first)
  }

  /// Whether two titles have much in common and the same numbers: `Version 1.1` is not `Version 1.2`.
  static func areAlike(_ one: String, _ other: String) -> Bool {
    haveMuchInCommon(one, other) && numbers(one.split(separator: " ")) == numbers(other.split(separator: " "))
  }

  /// Whether two titles share most of the shorter one between other words: a label before it, a site after it.
  ///
  /// A common beginning or end alone is a pattern, as in the titles of advisories.
  private static func shareTheMiddle(_ one: [Substring], _ other: [Substring]) -> Bool {
    guard max(one.count, other.count) <= mostCompared else { return false }
    let least = max(fewestWords, min(one.count, other.count) / 2 + 1)
    // The number of matching words up to each word of the other title.
    var lengths = [Int](repeating: 0, count: other.count + 1)
    for (i, word) in one.enumerated() {
      var next = [Int](repeating: 0, count: other.count + 1)
      for (j, otherWord) in other.enumerated() where word == otherWord {
        let length = lengths[j] + 1
        next[j + 1] = length
        guard length >= least else { continue }
        let begins = (length == i + 1, length == j + 1)
        let ends = (i + 1 == one.count, j + 1 == other.count)
        let isPattern = begins.0 && begins.1 || ends.0 && ends.1
        if !isPattern, begins.0 != begins.1 || ends.0 != ends.1 { return true }
      }
      lengths = next
    }
    return false
  }

  /// The maximum number of words; longer titles are compared by their beginnings and ends only.
  private static let mostCompared = 64

  /// The minimum number of words for a title to match the beginning or the end of another; many adverts share the name
  /// of a trade.
  private static let fewestWords = 3

  /// Whether at least half of the shorter title's words are in the other.
  package static func haveMuchInCommon(_ one: String, _ other: String) -> Bool {
    let (first, second) = (Set(one.split(separator: " ")), Set(other.split(separator: " ")))
    let shared = first.intersection(second).count
    return shared > 0 && shared * 2 >= min(first.count, second.count)
  }

  private static func numbers(_ words: [Substring]) -> [Substring] {
    words.filter(isNumber).sorted()
  }

  /// Whether a word contains a digit of any script.
  private static func isNumber(_ word: Substring) -> Bool {
    var isASCII = true
    for byte in word.utf8 {
      if byte.isASCIIDigit { return true }
      if byte >= 0x80 { isASCII = false }
    }
    return !isASCII && word.unicodeScalars.contains { UnicodeText.isNumeric($0) }
  }

  /// Whether two words differ by one typing mistake: one letter inserted, deleted or replaced, or two letters swapped.
  private static func isSlip(_ one: Substring, _ other: Substring) -> Bool {
    let (a, b) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
    guard min(a.count, b.count) >= 3, abs(a.count - b.count) <= 1 else { return false }
    let prefix = zip(a, b).prefix { $0 == $1 }.count
    let suffix = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    let rest = max(a.count, b.count) - min(prefix + suffix, min(a.count, b.count))
    if rest <= 1 { return true }
    return rest == 2 && a.count == b.count && a[prefix] == b[prefix + 1] && a[prefix + 1] == b[prefix]
  }
}

import TamisCore

/// A parser of the names in the author fields of a page, without job titles, addresses, and names of sites.
struct Byline {
  /// The names of the site, squashed.
  var sites: Set<String> = []
  private static let mostNames = 12

  /// Returns the names in a text, separated by commas, or nil when there are none.
  func names(in text: String) -> String? { names(in: [text]) }

  /// Returns the names in several texts, each once.
  ///
  /// - Parameters:
  ///   - texts: the texts.
  ///   - persons: whether the names are known to be of people; on a personal site these bear the site's name.
  /// - Returns: the names, separated by commas; nil when there are none.
  func names(in texts: [String], persons: Bool = false) -> String? {
    var (names, seen): ([String], Set<String>) = ([], [])
    for text in texts {
      for name in Self.split(text) {
        guard let name = cleaned(name, persons), names.count < Self.mostNames, seen.insert(Squash.text(name)).inserted
        else {
          continue
        }
        names.append(name)
      }
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Returns the names of a text of the form "Last, First; Last, First" or "Last, First and Last, First", as they are
  /// read.
  ///
  /// A text without commas, or with more than one in a name, has another form and stays.
  static func inReadingOrder(_ text: String) -> [String] {
    text.split(separator: ";").flatMap { part in
      let names = part.split(separator: " and ")
      let turned = names.compactMap { name -> String? in
        let sides = name.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed() }
        guard sides.count == 2, let last = sides.first, let first = sides.last, !last.isEmpty, !first.isEmpty else {
          return nil
        }
        // "Jane Doe, Richard Roe" are two; "García Márquez, Gabriel" is one, and so is "van der Berg, Anna".
        let words = last.split(separator: " ").count { $0.first?.isLowercase == false }
        guard words <= 1 || words == 2 && !first.contains(" ") && !last.hasPrefix("The ") else { return nil }
        // The scripts of China, Japan and Korea have the family name first.
        let isEastern = last.unicodeScalars.first.map { (0x2E80...0xD7FF).contains($0.value) } ?? false
        return isEastern ? "\(last) \(first)" : "\(first) \(last)"
      }
      return turned.count == names.count ? turned : [String(part)]
    }
  }

  /// Whether visible text looks like names: each begins with a capital, in scripts with capitals, and is no sentence.
  ///
  /// - Parameters:
  ///   - names: the names, separated by commas.
  ///   - short: whether one word is enough.
  /// - Returns: whether all of the names look like names.
  func areNames(_ names: String, short: Bool) -> Bool {
    names.split(separator: ",").allSatisfy { name in
      let words = name.split(separator: " ")
      guard let first = words.first?.first, let last = words.last?.last, words.count <= 5 else { return false }
      return !first.isLowercase && last != "?" && last != "!" && (short || words.count > 1 || !first.isASCII)
    }
  }

  /// Whether a name may be a person's: two or three capitalized words.
  static func looksPersonal(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    if let first = words.first, FactNames.articles.contains(first.lowercased()) { return false }
    return (2...3).contains(words.count)
      && words.allSatisfy { $0.first?.isUppercase ?? false && $0.last?.isUppercase != true }
  }

  /// Whether all names are those of a group.
  static func isGroup(_ names: String) -> Bool {
    names.split(separator: ",").allSatisfy { name in
      name.lowercased().split(separator: " ").last.map { FactNames.groups.contains(String($0)) } ?? false
    }
  }

  /// Whether a line begins with a word like "By", and so names an author.
  static func saysBy(_ line: String) -> Bool { afterBy(line) != nil }

  /// Returns the text after a word like "By".
  private static func afterBy(_ line: String) -> Substring? {
    let beginning = line.prefix(30)
    let folded = Array(beginning.lowercased().utf8)
    var longest: Substring?
    var length = 0
    for word in byWords where word.text.count > length && folded.starts(with: word.text) {
      let next = String(decoding: folded[word.text.count...].prefix(4), as: UTF8.self).first
      let isWhole = next.map { $0.isWhitespace || $0 == ":" || $0 == "|" } ?? true
      if isWhole || !word.endsInLetter {
        length = word.text.count
        longest = line.dropFirst(String(decoding: word.text, as: UTF8.self).count)
      }
    }
    return longest?.drop { $0.isWhitespace || $0 == ":" || $0 == "|" }
  }

  /// The words of ``FactNames/byWords`` in UTF-8, cached since every line near a headline is compared with them.
  private static let byWords = FactNames.byWords.map {
    (text: Array($0.utf8), endsInLetter: $0.last?.isLetter ?? false)
  }

  /// Returns the pieces of a text that may be names.
  private static func split(_ text: String) -> [String] {
    // A URL is not a name; its last component may be an identifier, which is no name either.
    if text.contains("://") { return [] }
    var line = String(text.prefix(400)).collapsingSpace().replacing("\u{A0}", with: " ")
    for _ in 0..<3 {
      guard let rest = afterBy(line) else { break }
      line = String(rest)
    }
    var pieces: [String] = []
    for part in line.split(whereSeparator: { ",;|/•·、，".contains($0) || $0 == "\n" }) {
      var words: [Substring] = []
      var isOver = false
      func end() {
        if !words.isEmpty { pieces.append(words.joined(separator: " ")) }
        words = []
      }
      for word in part.split(separator: " ") {
        let folded = word.lowercased()
        if ["-", "–", "—", ":", "»", "«", ">"].contains(word) || FactNames.endWords.contains(folded) && !words.isEmpty {
          isOver = true
          break
        }
        if FactNames.andWords.contains(folded), folded.count > 1 || !words.isEmpty { end() } else { words.append(word) }
      }
      end()
      if isOver { break }
    }
    return pieces
  }

  /// Returns a cleaned name, or nil when the text is no name.
  private func cleaned(_ text: String, _ persons: Bool) -> String? {
    var name = text
    // A mail address with the name in parentheses, or a name with a job title in them.
    if let start = name.firstIndex(of: "("), let end = name.lastIndex(of: ")"), start < end {
      let inside = name[name.index(after: start)..<end]
      name = name[..<start].contains("@") ? String(inside) : String(name[..<start])
    }
    if let rest = Self.afterBy(name) { name = String(rest) }
    name = name.trimmed().trimmingMarks()
    let folded = name.lowercased()
    let words = folded.split(separator: " ")
    guard name.count >= 2, name.utf8.count <= 100, words.count <= 7, !name.contains("@"), !name.contains("://"),
      !folded.hasPrefix("www."), !name.contains("{"), !name.contains("<"), !name.contains("_"),
      name.contains(where: \.isLetter),
      !FactNames.noNames.contains(folded), !name.contains(":"),
      !sites.contains(Squash.text(name)) || persons && Self.looksPersonal(name)
    else { return nil }
    // A job title or a degree after a comma.
    if let last = words.last, words.count == 1 || last.count > 4, FactNames.offices.contains(String(last)) {
      return nil
    }
    if words.count == 1, FactNames.monthNumbers[folded] != nil { return nil }
    if words.contains(where: { FactNames.monthNumbers[String($0)] != nil }) && name.contains(where: \.isNumber) {
      return nil
    }
    if name.filter(\.isNumber).count > 4 || name.hasSuffix(".com") || name.hasPrefix("#") { return nil }
    if let end = folded.split(separator: ".").last, words.count == 1, folded.contains("."),
      FactNames.domains.contains(String(end))
    {
      return nil
    }
    // The name of a variable that a template has left.
    if words.count == 1, folded.count(where: { $0 == "." }) > 2, !folded.hasSuffix(".") { return nil }
    if let first = name.first, first.isNumber, words.count > 1 { return nil }
    return name
  }
}

/// Normalization of texts for comparison: letters and digits only, in lower case.
enum Squash {
  static func text(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return String(decoding: text.utf8.lazy.filter(\.isASCIIAlphanumeric).map(\.asciiLowercased), as: UTF8.self)
    }
    return String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }))
  }
}

extension String {
  /// Returns the text without marks at its ends that belong to no name.
  fileprivate func trimmingMarks() -> String {
    let isMark: (Character) -> Bool = { $0.isWhitespace || "-–—:;,|•·*\"“”'‘’/\\>»«".contains($0) }
    var text = self[...].drop(while: isMark)
    while let last = text.last, isMark(last) { text.removeLast() }
    return String(text)
  }
}

import TamisCore

/// A reader of a words file.
///
/// A line is `name = text`, `name[category] = text` for a counted text, empty, or a comment that begins with `#`.
struct WordsReader {
  /// The complete and checked words of a file.
  struct Result {
    var language = ""
    var rules = PluralRules()
    var phrases: [Word: Phrase] = [:]
    var forms: [CountedWord: [PluralRules.Category: Phrase]] = [:]
  }

  private let source: [UInt8]
  private let file: String
  private var line = 0
  private var result = Result()

  init(_ source: [UInt8], file: String) {
    self.source = source
    self.file = file
  }

  /// Reads the file.
  ///
  /// - Parameter reference: words whose placeholders have to match; nil for the reference itself.
  /// - Returns: the language, the plural rules and the texts of the file.
  /// - Throws: ``Site/WordsError`` for the first invalid line, or when something is missing.
  consuming func read(like reference: Site.Words?) throws(Site.WordsError) -> Result {
    guard source.count <= Site.Words.maximumLength else {
      throw Site.WordsError(
        description: "\(file): words have at most \(Site.Words.maximumLength) bytes; this file has \(source.count)")
    }
    for text in source.withoutByteOrderMark.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      guard let text = String(validating: text, as: UTF8.self)?.trimmed() else {
        throw error("this line is not in UTF-8")
      }
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let sign = text.firstIndex(of: "=") else {
        throw error("a line is name = text, or a comment that begins with #")
      }
      let value = String(text[text.index(after: sign)...]).trimmed()
      guard !value.isEmpty else { throw error("the text after = is missing") }
      try set(String(text[..<sign]).trimmed(), value, like: reference)
    }
    try checkNothingIsMissing()
    try checkCounts()
    return result
  }

  private mutating func set(_ name: String, _ text: String, like reference: Site.Words?) throws(Site.WordsError) {
    if name == "language" {
      guard result.language.isEmpty, let tag = LanguageTag.normalized(text) else {
        throw error("the language is given twice, or is not of a form such as en, de-AT or pt-BR")
      }
      result.language = tag
      return
    }
    if name.hasSuffix("]"), let open = name.firstIndex(of: "[") {
      let category = try category(String(name[name.index(after: open)...].dropLast()))
      try set(String(name[..<open]), category, text)
    } else if let word = Word(rawValue: name) {
      guard result.phrases[word] == nil else { throw error("\(name) is given twice") }
      let phrase = try phrase(text)
      try check(phrase, of: word, like: reference)
      result.phrases[word] = phrase
    } else if CountedWord(rawValue: name) != nil {
      throw error("\(name) is counted; write a line for each form, as in \(name)[other] = \(text)")
    } else {
      throw unknown(name, Word.allCases.map(\.rawValue) + CountedWord.allCases.map(\.rawValue))
    }
  }

  private mutating func set(_ name: String, _ category: PluralRules.Category, _ text: String) throws(Site.WordsError) {
    if name == "plural" {
      guard category != .other else { throw error("plural[other] takes no rule: it is for all other numbers") }
      guard !result.rules.hasRule(for: category) else { throw error("\(name)[\(category)] is given twice") }
      guard result.rules.add(category, text) else {
        throw error("'\(text)' is not a plural rule; write it as CLDR does, as in i % 10 = 2..4 and i % 100 != 12..14")
      }
      return
    }
    guard let word = CountedWord(rawValue: name) else {
      throw unknown(name, CountedWord.allCases.map(\.rawValue) + ["plural"])
    }
    guard result.forms[word]?[category] == nil else { throw error("\(name)[\(category)] is given twice") }
    let phrase = try phrase(text)
    guard phrase.placeholders.isSubset(of: [.count]) else { throw error("\(name) takes no placeholder but {count}") }
    result.forms[word, default: [:]][category] = phrase
  }

  private func category(_ name: String) throws(Site.WordsError) -> PluralRules.Category {
    guard let category = PluralRules.Category(rawValue: name) else {
      throw error("'\(name)' is not a plural category: zero, one, two, few, many, other")
    }
    return category
  }

  private func phrase(_ text: String) throws(Site.WordsError) -> Phrase {
    do { return try Phrase(text) } catch { throw self.error(error.description) }
  }

  // MARK: - Required texts

  private func check(_ phrase: Phrase, of word: Word, like reference: Site.Words?) throws(Site.WordsError) {
    if word.isDate {
      let names = phrase.placeholders
      guard names.isSubset(of: [.day, .paddedDay, .month, .monthNumber, .paddedMonth, .year]), names.contains(.year),
        !names.isDisjoint(with: [.day, .paddedDay]), !names.isDisjoint(with: [.month, .monthNumber, .paddedMonth])
      else {
        throw error(
          "\(word.rawValue) takes {day} or {padded_day}, {month}, {month_number} or {padded_month}, and {year}")
      }
      return
    }
    guard let wanted = reference?.placeholders(of: word), wanted != phrase.placeholders else { return }
    let names = wanted.map { "{\($0.rawValue)}" }.sorted().joined(separator: ", ")
    throw error("\(word.rawValue) takes \(names.isEmpty ? "no name in braces" : names), and no other name")
  }

  private func checkNothingIsMissing() throws(Site.WordsError) {
    var missing: [String] = []
    if result.language.isEmpty { missing.append("language") }
    missing += Word.allCases.filter { result.phrases[$0] == nil }.map(\.rawValue)
    for word in CountedWord.allCases {
      missing += result.rules.categories.filter { result.forms[word]?[$0] == nil }.map { "\(word.rawValue)[\($0)]" }
    }
    guard missing.isEmpty else {
      let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
      throw Site.WordsError(
        description: "\(file): these lines are missing: \(missing.prefix(5).joined(separator: ", "))\(more)")
    }
  }

  /// Checks that a text without the number is only used for a plural category with a single number.
  ///
  /// In Russian, for example, `one post` would be used for 21.
  private func checkCounts() throws(Site.WordsError) {
    let numbers = Dictionary(grouping: Array(0...200) + [1_000_000], by: result.rules.category)
    for word in CountedWord.allCases {
      for (category, phrase) in (result.forms[word] ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        guard result.rules.categories.contains(category) else {
          throw Site.WordsError(
            description: "\(file): \(word.rawValue)[\(category)] has no rule; write plural[\(category)] = …")
        }
        guard phrase.placeholders.isEmpty, numbers[category]?.count != 1 else { continue }
        throw Site.WordsError(
          description: "\(file): \(word.rawValue)[\(category)] needs {count}: this form is for several numbers")
      }
    }
  }

  private func unknown(_ name: String, _ known: [String]) -> Site.WordsError {
    let near = NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? ""
    return error("there is no word '\(name)'\(near)")
  }

  private func error(_ message: String) -> Site.WordsError {
    Site.WordsError(description: "\(file):\(line): \(message)")
  }
}

import FoundationEssentials
public import TamisCore
import TamisFiles

/// The words of pages besides the posts, in a language, with a form for each plural category and the ways in which dates are
/// written.
public struct Words: Sendable {
  /// The language (BCP 47).
  public let language: String
  /// The offsets of line beginnings.
  public let direction: TextDirection
  /// Changes with every byte of its file, and with the language.
  let digest: String
  private let phrases: [Word: Phrase]
  private let forms: [CountedWord: [PluralRules.Category: Phrase]]
  private let rules: PluralRules
  private let separator: String

  /// Longest file of words, in bytes.
  public static let maximumLength = 1 << 18

  // MARK: - Languages that are built in

  /// The languages that are part of the library.
  public static let languages = sources.keys.sorted()

  /// The default words: English.
  public static let standard = shipped(PackageResources.en_words, "en", like: nil)

  /// The words of a language that is part of the library, by its name (BCP 47); nil when there is none.
  ///
  /// A region is one of its language: `de-AT` has the words of `de`, and the pages say `de-AT`.
  public static func shipped(_ name: String) -> Words? {
    guard let tag = LanguageTag.normalized(name) else { return nil }
    if tag == standard.language { return standard }
    let subtags = tag.split(separator: "-")
    // A script subtag (such as zh-Hant) makes it another language.
    guard let source = sources[subtags[0].lowercased()],
      !subtags.dropFirst().contains(where: { $0.count == 4 && $0.first?.isLetter == true })
    else { return nil }
    return shipped(source, tag, like: standard)
  }

  /// The file of a language that is part of the library, to begin one of your own with; nil when there is none.
  public static func source(of language: String) -> [UInt8]? { sources[language] }

  private static let sources = [
    "ar": PackageResources.ar_words, "de": PackageResources.de_words, "en": PackageResources.en_words,
    "es": PackageResources.es_words, "fr": PackageResources.fr_words, "ja": PackageResources.ja_words,
  ]

  private static func shipped(_ source: [UInt8], _ language: String, like reference: Words?) -> Words {
    do {
      return try Words(WordsReader(source, file: "\(language).words").read(like: reference), source, language: language)
    } catch {
      // The files are part of this binary and a test reads them.
      preconditionFailure("the words cannot be read: \(error)")
    }
  }

  // MARK: - Languages of others

  /// Reads a file of words.
  ///
  /// - Throws: when it cannot be read or used, with the line and what to do.
  public init(file: String) throws(WordsError) {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw WordsError(
        description:
          "\(file): no such language: neither a file nor one of \(Self.languages.joined(separator: ", "))")
    }
    try self.init(Array(data), file: file)
  }

  /// Reads what a file of words holds: lines `name = text` and, for what is counted, `name[category] = text`.
  ///
  /// - Parameter file: what it is called in an error.
  /// - Throws: when it cannot be used, with the line and what to do.
  public init(_ source: [UInt8], file: String) throws(WordsError) {
    let read = try WordsReader(source, file: file).read(like: .standard)
    self.init(read, source, language: read.language)
  }

  private init(_ read: WordsReader.Result, _ source: [UInt8], language: String) {
    self.language = language
    direction = TextDirection(language: language)
    (phrases, forms, rules) = (read.phrases, read.forms, read.rules)
    separator = read.phrases[.list]?.filled { _ in nil } ?? ", "
    digest = SHA256(Array("\(language)\n".utf8) + source).hex
  }

  // MARK: - Texts

  /// A text with its placeholders replaced.
  ///
  /// What may run in the other direction is isolated from the words around it (Unicode Standard Annex #9).
  func text(_ word: Word, _ values: KeyValuePairs<Placeholder, String> = [:]) -> String {
    // A handful: looking through them is faster than hashing.
    text(word) { placeholder in values.first { $0.key == placeholder }?.value }
  }

  /// Likewise, with values that are made when the text has their placeholder.
  func text(_ word: Word, _ value: (Placeholder) -> String?) -> String {
    phrases[word]?.filled(isolatingIf: needsIsolation, value) ?? ""
  }

  /// How many of something, in the form that the number has.
  func counted(_ word: CountedWord, _ count: Int) -> String {
    forms[word]?[rules.category(of: count)]?.filled { $0 == .count ? "\(count)" : nil } ?? ""
  }

  /// Texts one after another.
  func joined(_ texts: [String]) -> String { texts.joined(separator: separator) }

  /// The plural category of a number, as CLDR calls it: `zero`, `one`, `two`, `few`, `many` or `other`.
  public func category(of count: Int) -> String { rules.category(of: count).rawValue }

  /// The value of a placeholder.
  func placeholders(of word: Word) -> Set<Placeholder> { phrases[word]?.placeholders ?? [] }

  private func needsIsolation(_ value: String) -> Bool {
    // Nothing runs from right to left in ASCII.
    direction == .rightToLeft || !value.utf8.allSatisfy { $0 < 0x80 } && RightToLeft.isIn(Array(value.utf8))
  }
}

/// Why a file of words cannot be used.
public struct WordsError: Error, CustomStringConvertible {
  /// What is wrong and what to do, with the file and line.
  public let description: String
}

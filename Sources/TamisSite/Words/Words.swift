// To add a language of pages: a file in Languages, its lines in CBuiltInFiles/site.c and its header, its name in
// `sources`, cases in Fixtures/Words/Plurals, and the lists in docs/themes.md and docs/planet.md.

import CBuiltInFiles
package import TamisCore
import TamisSystem
import TamisFoundation

extension Site {
  /// The texts of the interface in a language, with a form for each plural category and the formats of dates.
  public struct Words: Sendable {
    /// The language (BCP 47).
    package let language: String
    /// The writing direction of the language.
    package let direction: TextDirection
    /// A digest that changes with every byte of the file, and with the language.
    let digest: String
    private let phrases: [Word: Phrase]
    private let forms: [CountedWord: [PluralRules.Category: Phrase]]
    private let rules: PluralRules
    private let separator: String

    /// The maximum size of a words file, in bytes.
    package static let maximumLength = 1 << 18

    // MARK: - Languages that are built in

    /// The built-in languages.
    public static let languages = sources.keys.sorted()

    /// The default words: English.
    public static let standard = shipped(Array(tamis_en_words), "en", like: nil)

    /// Returns the words of a built-in language by its tag (BCP 47), or nil when there is none.
    ///
    /// A region belongs to its language: `de-AT` has the words of `de`, and pages declare `de-AT`.
    public static func shipped(_ name: String) -> Site.Words? {
      guard let tag = LanguageTag.normalized(name) else { return nil }
      if tag == standard.language { return standard }
      let subtags = tag.split(separator: "-")
      // A script subtag (such as zh-Hant) makes it another language.
      guard let source = sources[subtags[0].lowercased()],
        !subtags.dropFirst().contains(where: { $0.count == 4 && $0.first?.isLetter == true })
      else { return nil }
      return shipped(source, tag, like: standard)
    }

    /// Returns the file of a built-in language as a starting point for a new one, or nil when there is none.
    package static func source(of language: String) -> [UInt8]? { sources[language] }

    private static let sources = [
      "ar": Array(tamis_ar_words), "de": Array(tamis_de_words), "en": Array(tamis_en_words),
      "es": Array(tamis_es_words), "fr": Array(tamis_fr_words), "ja": Array(tamis_ja_words),
    ]

    private static func shipped(_ source: [UInt8], _ language: String, like reference: Site.Words?) -> Site.Words {
      builtIn("the words") {
        try Site.Words(
          WordsReader(source, file: "\(language).words").read(like: reference), source, language: language)
      }
    }

    // MARK: - Languages of others

    /// Reads a words file.
    ///
    /// - Parameter file: the path of the file.
    /// - Throws: ``Site/WordsError`` when the file cannot be read or is invalid, with the line and the correction.
    public init(file: String) throws(Site.WordsError) {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw Site.WordsError(
          description:
            "\(file): no such language: neither a file nor one of \(Self.languages.joined(separator: ", "))")
      }
      try self.init(Array(data), file: file)
    }

    /// Reads the content of a words file: lines `name = text` and, for counted texts, `name[category] = text`.
    ///
    /// - Parameters:
    ///   - source: the content of the file.
    ///   - file: its name in errors.
    /// - Throws: ``Site/WordsError`` when the content is invalid, with the line and the correction.
    public init(_ source: [UInt8], file: String) throws(Site.WordsError) {
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

    /// Returns a text with its placeholders replaced.
    ///
    /// Values that may have another direction are isolated from the surrounding text (Unicode Standard Annex #9).
    func text(_ word: Word, _ values: KeyValuePairs<Placeholder, String> = [:]) -> String {
      // There are few, so that a linear search is faster than hashing.
      text(word) { placeholder in values.first { $0.key == placeholder }?.value }
    }

    /// Returns a text with its placeholders replaced by values that are computed on demand.
    func text(_ word: Word, _ value: (Placeholder) -> String?) -> String {
      // Captured alone: the words would be copied into the closure, member by member.
      let direction = direction
      return phrases[word]?.filled(isolatingIf: { Self.needsIsolation($0, in: direction) }, value) ?? ""
    }

    /// Returns a number of things, in the plural form of the number.
    func counted(_ word: CountedWord, _ count: Int) -> String {
      forms[word]?[rules.category(of: count)]?.filled { $0 == .count ? "\(count)" : nil } ?? ""
    }

    /// Returns texts as a list, with the language's separator.
    func joined(_ texts: [String]) -> String { texts.joined(separator: separator) }

    /// Returns the CLDR plural category of a number: `zero`, `one`, `two`, `few`, `many` or `other`.
    package func category(of count: Int) -> String { rules.category(of: count).rawValue }

    /// Returns the placeholders of a text.
    func placeholders(of word: Word) -> Set<Placeholder> { phrases[word]?.placeholders ?? [] }

    private static func needsIsolation(_ value: String, in direction: TextDirection) -> Bool {
      // ASCII has no right-to-left letters.
      direction == .rightToLeft || !value.utf8.allSatisfy { $0 < 0x80 } && RightToLeft.isIn(Array(value.utf8))
    }
  }
}

extension Site {
  /// The error for a words file that cannot be used.
  public struct WordsError: Error, CustomStringConvertible {
    /// The problem and its remedy, with the file and line.
    public let description: String
  }
}

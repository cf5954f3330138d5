import Foundation
import TamisCore
import TamisSanitizer
import TamisSite
import TestSupport
import Testing

/// What pages say besides the posts, with the tables of `Fixtures/Words`.
@Suite struct WordsTests {
  @Test func everyRuleOfRemovalHasWords() throws {
    let english = String(decoding: try #require(Site.Words.source(of: "en")), as: UTF8.self)
    for rule in Removal.Rule.allCases { #expect(english.contains("\nrule_\(rule.rawValue) = "), "\(rule)") }
  }

  /// A shipped language is read like a user's: its file is complete and uses the same placeholders.
  @Test(arguments: Site.Words.languages)
  func everyShippedLanguageIsComplete(_ language: String) throws {
    let source = try #require(Site.Words.source(of: language))
    let words = try Site.Words(source, file: "\(language).words")
    #expect(words.language == language)
    #expect(words.direction == (language == "ar" ? .rightToLeft : .leftToRight))
    #expect(Site.Words.shipped(language)?.language == language)
  }

  @Test func regionUsesWordsOfItsLanguage() {
    #expect(Site.Words.shipped("de_AT")?.language == "de-AT")
    #expect(Site.Words.shipped("es-419")?.language == "es-419")
    for name in ["", "xx", "ar-Latn", "german", "../de"] { #expect(Site.Words.shipped(name) == nil, "\(name)") }
  }

  @Test(arguments: Case.all(in: "Words/Plurals"))
  func pluralCategoriesMatchFixture(_ each: Case) throws {
    let language = try #require(each.settings["language"])
    let words = try #require(
      try each.sections["rules"].map { try Self.english(rules: $0) } ?? Site.Words.shipped(language))
    let lines = try #require(each.sections["numbers"]).split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let parts = line.split(separator: ": ")
      for sample in parts[1].split(separator: ", ") {
        let ends = sample.split(separator: "~").compactMap { Int($0) }
        for number in ends[0]...ends[ends.count - 1] {
          #expect(words.category(of: number) == parts[0], "\(number)")
          #expect(words.category(of: -number) == parts[0], "\(-number)")
        }
      }
    }
    #expect(!words.category(of: .min).isEmpty)
  }

  /// English words with the plural rules of another language.
  private static func english(rules: String) throws -> Site.Words {
    let categories = rules.split(separator: "\n").map { $0.prefix { $0 != ":" } } + ["other"]
    let lines = englishLines.flatMap { line -> [String] in
      if line.hasPrefix("plural[") { return [] }
      guard let open = line.firstIndex(of: "["), line.contains("[other]") else {
        return line.contains("[") && !line.hasPrefix("#") ? [] : [line]
      }
      return categories.map { "\(line[..<open])[\($0)] = {count}" }
    }
    let own = rules.split(separator: "\n").map { rule in
      let parts = rule.split(separator: ": ", maxSplits: 1)
      return "plural[\(parts[0])] = \(parts[1])"
    }
    return try Site.Words(Array((own + lines).joined(separator: "\n").utf8), file: "rules.words")
  }

  private static let englishLines = String(decoding: Site.Words.source(of: "en") ?? [], as: UTF8.self).split(
    separator: "\n"
  ).map(String.init)

  @Test(arguments: Case.all(in: "Words/Mistakes"))
  func wordsMistakesAreReported(_ each: Case) throws {
    let own = (each.sections["lines"] ?? "").split(separator: "\n").map(String.init)
    func name(_ line: String) -> String { line.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces) }
    var without = Set(each.settings["without"].map { [$0] } ?? [])
    if each.settings["twice"] == nil { without.formUnion(own.map(name)) }
    let lines = own + Self.englishLines.filter { !without.contains(name($0)) }
    let error = #expect(throws: Site.WordsError.self) {
      try Site.Words(Array(lines.joined(separator: "\n").utf8), file: "mine.words")
    }
    let finding = try #require(each.sections["finding"])
    #expect(error?.description.contains(finding) == true, "\(error?.description ?? "")")
    // The line is said where there is one: it is the first, or for what is said twice a later one.
    if !own.isEmpty, each.settings["twice"] == nil, error?.description.hasPrefix("mine.words:1: ") != true {
      #expect(error?.description.hasPrefix("mine.words: ") == true, "\(error?.description ?? "")")
    }
  }

  @Test func unreadableWordsFileIsRejected() {
    let long = Array(repeating: UInt8(ascii: "#"), count: Site.Words.maximumLength + 1)
    #expect(throws: Site.WordsError.self) { try Site.Words(long, file: "long.words") }
    #expect(throws: Site.WordsError.self) { try Site.Words(file: "/nowhere/it.words") }
    #expect(throws: Site.WordsError.self) { try Site.Words([0xFF, 0xFE], file: "bytes.words") }
  }

  @Test(arguments: Case.all(in: "Words/Dates"))
  func datesFollowLanguageAndForm(_ each: Case) throws {
    let words = try #require(each.settings["language"].flatMap(Site.Words.shipped))
    let form = try #require(each.settings["form"].flatMap(DateForm.init(rawValue:)))
    let site = Samples.site(words: words) {
      $0.dateForm = form
      $0.timeZone = .fixed(seconds: each.settings["zone"].flatMap { Int($0) } ?? 0)
    }
    for (name, text) in each.sections {
      let time = try #require(Int64(name.prefix { $0 != " " }))
      let page: SiteFile
      if name.hasSuffix("minute") {
        var state = FetchState(address: "https://a.example/")
        state.fetched = time
        let item = StatusItem(FeedItem(feed: Samples.feed, count: 1), fetching: state)
        page = site.statusPage(number: 1, of: 1, feeds: [item])
      } else {
        let item = Samples.item(1) { $0.published = time }.sorted(by: time)
        page = site.indexPage(FrontView(items: [item], feeds: [], postCount: 1, feedCount: 1, pageCount: 0))
        #expect(page.text.contains("<span dir=\"auto\">\(text)</span></h2>"))
        // The heading says it; the card need not.
        #expect(!page.text.contains("<time"))
        // Programs read UTC.
        let utc = Date(timeIntervalSince1970: Double(time)).ISO8601Format()
        let list = site.updatedPage([item])
        #expect(list.text.contains("datetime=\"\(utc)\" dir=\"auto\">\(text)</time>"))
      }
      #expect(page.text.contains(text), "\(name)")
    }
  }
}

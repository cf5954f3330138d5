import TamisCore

/// Reads dates written in the words of some languages, as blog services there wrote them.
enum NationalDate {
  /// Returns the text in one of the common forms, or nil when the text has none of these.
  static func translated(_ text: String, language: String) -> String? {
    hungarian(text) ?? korean(text) ?? chinese(text) ?? numeric(text, language)
  }

  /// Translates `5.3.2026 10:00` and `03/25/2026 10:00 PM`.
  ///
  /// The month comes first in a date with slashes in some languages, and in a feed that does not say its language,
  /// unless the first number cannot be one.
  private static func numeric(_ text: String, _ language: String) -> String? {
    var scanner = DateScanner(Array(text.utf8))
    guard var day = scanner.number(digits: 1...2) else { return nil }
    let isSlashed = scanner.skip("/")
    guard isSlashed || scanner.skip(".") else { return nil }
    if !isSlashed { scanner.skipSpaces() }
    guard var month = scanner.number(digits: 1...2), scanner.skip(isSlashed ? "/" : ".") else { return nil }
    if !isSlashed { scanner.skipSpaces() }
    guard let year = scanner.number(digits: 4...4), !scanner.isAtDigit else { return nil }
    // `es_MX`, as some feeds write it.
    let tag = language.asciiLowercased().replacing("_", with: "-")
    if isSlashed, day <= 12, month > 12 || CivilTime.monthFirst.contains(tag) { swap(&day, &month) }
    guard (1...12).contains(month) else { return nil }
    _ = scanner.skip(",")
    return "\(year)-\(month.padded())-\(day.padded())\(scanner.rest)"
  }

  /// Translates `2004-július-13T9:15-05:00`.
  private static func hungarian(_ text: String) -> String? {
    let parts = text.split(separator: "-", maxSplits: 2).map(String.init)
    guard parts.count == 3, parts[0].utf8.count == 4, let month = hungarianMonths[parts[1].lowercased()],
      let time = parts[2].firstIndex(of: "T")
    else { return nil }
    let day = parts[2][..<time]
    let clock = parts[2][parts[2].index(after: time)...]
    func padded(_ number: Substring) -> String { number.count == 1 ? "0\(number)" : String(number) }
    let hour = clock.prefix { $0 != ":" }
    return "\(parts[0])-\(month)-\(padded(day))T\(padded(hour))\(clock.dropFirst(hour.count))"
  }

  private static let hungarianMonths = [
    "január": "01", "február": "02", "februári": "02", "március": "03", "április": "04", "május": "05", "máujus": "05",
    "június": "06", "július": "07", "augusztus": "08", "szeptember": "09", "október": "10", "november": "11",
    "december": "12",
  ]

  /// Translates `2004년 05월 28일 01:31:15` (OnBlog) and `2004-05-25 오후 11:23:17` (Nate), both in Korean time.
  private static func korean(_ text: String) -> String? {
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    if numbers.count == 3, numbers[0] > 999, text.contains("년") {
      return "\(numbers[0])-\(numbers[1].padded())-\(numbers[2].padded())"
    }
    guard numbers.count == 6, numbers[0] > 999 else { return nil }
    let isAfternoon = text.contains("오후")
    let isMorning = text.contains("오전")
    guard isAfternoon || isMorning || text.contains("년") else { return nil }
    // Twelve in the morning is midnight.
    let hour = isMorning && numbers[3] == 12 ? 0 : isAfternoon && numbers[3] < 12 ? numbers[3] + 12 : numbers[3]
    let date = "\(numbers[0])-\(numbers[1].padded())-\(numbers[2].padded())"
    return "\(date)T\(hour.padded()):\(numbers[4].padded()):\(numbers[5].padded())+09:00"
  }

  /// Translates `2026年5月1日 10:20:30`, in Chinese and Japanese; the time may be missing.
  private static func chinese(_ text: String) -> String? {
    guard text.contains("年"), text.contains("月"), text.contains("日") else { return nil }
    let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    guard [3, 5, 6].contains(numbers.count), numbers[0] > 999 else { return nil }
    let date = "\(numbers[0])-\(numbers[1].padded())-\(numbers[2].padded())"
    return numbers.count == 3 ? date : date + "T" + numbers[3...].map { $0.padded() }.joined(separator: ":")
  }

  /// Returns the number of a month by its name or abbreviation in French, Spanish, Italian, Portuguese, German, Dutch
  /// or Turkish (Unicode CLDR, `months`), where it differs from the English one.
  static func romanceOrGermanicMonth(_ text: String) -> Int? {
    guard (3...10).contains(text.utf8.count), text.utf8.first?.isASCIILetter == true else { return nil }
    let word = text.hasSuffix(".") ? text.dropLast() : text[...]
    return otherMonths[word.lowercased()]
  }

  private static let otherMonths: [String: Int] = {
    let names = [
      "janv januar januari janeiro gennaio gen enero ene jän jänner ocak oca",
      "févr fév fevereiro fev febbraio februari", "mär märz mrt maart março mart", "avril avr abril abr nisan nis",
      "mai mag maggio mei maio mayıs", "juin giugno giu junio haziran haz",
      "juil juillet luglio lug julio temmuz tem", "août agosto ago ağustos ağu",
      "sept septembre settembre set septiembre setembro eylül eyl",
      "octobre okt oktober ottobre ott octubre outubro out ekim eki", "novembre noviembre kasım kas",
      "déc décembre dez dezember dic dicembre diciembre dezembro aralık ara",
    ]
    var months: [String: Int] = [:]
    for (index, words) in names.enumerated() {
      for word in words.split(separator: " ") { months[String(word)] = index + 1 }
    }
    return months
  }()

  /// Returns the number of a month by its Greek, Russian or Turkish abbreviation; the word may be longer.
  static func otherMonth(_ text: String) -> Int? {
    let lower = text.lowercased()
    return monthBeginnings.first { text.hasPrefix($0.0) || lower.hasPrefix($0.0) }?.1
  }

  private static let monthBeginnings = [
    ("янв", 1), ("фев", 2), ("мар", 3), ("апр", 4), ("май", 5), ("мая", 5), ("июн", 6), ("июл", 7), ("авг", 8),
    ("сен", 9), ("окт", 10), ("ноя", 11), ("дек", 12), ("şub", 2),
    ("Ιαν", 1), ("Φεβ", 2), ("Μάώ", 3), ("Μαώ", 3), ("Μάρ", 3), ("Μαρ", 3), ("Απρ", 4), ("Μάι", 5), ("Μαϊ", 5),
    ("Μαι", 5),
    ("Ιούν", 6), ("Ιον", 6), ("Ιούλ", 7), ("Ιολ", 7), ("Αύγ", 8), ("Αυγ", 8), ("Σεπ", 9), ("Οκτ", 10), ("Νοέ", 11),
    ("Νοε", 11), ("Δεκ", 12),
  ]
}

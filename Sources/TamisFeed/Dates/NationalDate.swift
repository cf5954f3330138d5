import TamisCore

/// Reads dates written in the words of some languages, as blog services there wrote them.
enum NationalDate {
  /// Returns the text in one of the common forms, or nil when the text has none of these.
  static func translated(_ text: String) -> String? {
    hungarian(text) ?? korean(text) ?? chinese(text)
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

  /// Returns the number of a month by its name or abbreviation in French, Spanish, Italian, Portuguese, German or Dutch
  /// (Unicode CLDR, `months`), where it differs from the English one.
  static func romanceOrGermanicMonth(_ text: String) -> Int? {
    guard (3...10).contains(text.utf8.count), text.utf8.first?.isASCIILetter == true else { return nil }
    let word = text.hasSuffix(".") ? text.dropLast() : text[...]
    return otherMonths[word.lowercased()]
  }

  private static let otherMonths: [String: Int] = {
    let names = [
      "janv januar januari janeiro gennaio gen enero ene jän jänner", "févr fév fevereiro fev febbraio februari",
      "mär märz mrt maart março", "avril avr abril abr", "mai mag maggio mei maio", "juin giugno giu junio",
      "juil juillet luglio lug julio", "août agosto ago", "sept septembre settembre set septiembre setembro",
      "octobre okt oktober ottobre ott octubre outubro out", "novembre noviembre",
      "déc décembre dez dezember dic dicembre diciembre dezembro",
    ]
    var months: [String: Int] = [:]
    for (index, words) in names.enumerated() {
      for word in words.split(separator: " ") { months[String(word)] = index + 1 }
    }
    return months
  }()

  /// Returns the number of a month by its Greek abbreviation; the word may be longer.
  static func greekMonth(_ text: String) -> Int? {
    greekMonths.first { text.hasPrefix($0.0) }?.1
  }

  private static let greekMonths = [
    ("Ιαν", 1), ("Φεβ", 2), ("Μάώ", 3), ("Μαώ", 3), ("Μάρ", 3), ("Μαρ", 3), ("Απρ", 4), ("Μάι", 5), ("Μαϊ", 5),
    ("Μαι", 5),
    ("Ιούν", 6), ("Ιον", 6), ("Ιούλ", 7), ("Ιολ", 7), ("Αύγ", 8), ("Αυγ", 8), ("Σεπ", 9), ("Οκτ", 10), ("Νοέ", 11),
    ("Νοε", 11), ("Δεκ", 12),
  ]
}

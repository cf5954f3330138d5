// To add a form of date: a line in Fixtures/Parsing/dates.txt; here (RFC 822, W3CDTF, asctime), in ISO8601Date.swift
// or in NationalDate.swift, tried in the order of `read`. Names of zones are in TimeZoneName.swift, of months in
// DateScanner.swift. Raise `Pipelines.version`. Dates of web pages: TamisArticle/Facts/PageDate.swift, cases in
// Fixtures/Pages/Facts.

public import TamisCore

/// Reads the dates of feeds: RFC 822 with its usual misspellings, W3CDTF (RFC 3339), and `asctime`.
enum DateParser {
  /// A date that was read.
  struct Reading: Equatable {
    /// Seconds since 1970-01-01T00:00:00Z.
    var seconds: Int64
    /// The offset from UTC of the time zone in the text, in seconds, or nil when the text has none that is known.
    var offset: Int?
    /// The name of the time zone in the text, when its offset is not known.
    var zone: String?

    /// Creates a reading of a civil time, or nil when the time is out of range.
    ///
    /// - Parameters:
    ///   - time: the time as written.
    ///   - zone: the time zone in the text, empty when it has none; an unknown one is read as UTC (RFC 5322, 4.3).
    init?(_ time: CivilTime, zone: String) {
      let offset = TimeZoneName.offset(zone)
      guard offset != nil || zone.isEmpty || TimeZoneName.isName(zone), let seconds = time.seconds(offset: offset ?? 0)
      else { return nil }
      (self.seconds, self.offset) = (seconds, offset)
      self.zone = offset == nil && !zone.isEmpty ? zone : nil
    }

    init(seconds: Int64, offset: Int?) { (self.seconds, self.offset) = (seconds, offset) }
  }

  /// Returns the seconds since 1970-01-01T00:00:00Z, or nil when the text is not a date in one of these forms.
  static func seconds(_ text: String) -> Int64? { read(text)?.seconds }

  /// Returns the date in a text, or nil when it has none of these forms.
  static func read(_ text: String, language: String = "") -> Reading? {
    // The common form first; nearly all dates have it.
    if let date = regular(Array(text.utf8)) { return date }
    let trimmed = withoutWeekday(text.trimmed())
    return unix(Array(trimmed.utf8)) ?? common(trimmed)
      ?? NationalDate.translated(trimmed, language: language).flatMap(common)
      ?? ISO8601Date.read(Array(trimmed.utf8))
  }

  /// Reads a Unix timestamp of ten digits (seconds) or thirteen (milliseconds), which means the years from 2001 on.
  private static func unix(_ bytes: [UInt8]) -> Reading? {
    guard bytes.count == 10 || bytes.count == 13, bytes.allSatisfy(\.isASCIIDigit), bytes[0] != UInt8(ascii: "0") else {
      return nil
    }
    let seconds = bytes.prefix(10).reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    return Reading(seconds: seconds, offset: nil)
  }

  private static func common(_ trimmed: String) -> Reading? {
    let bytes = Array(trimmed.utf8)
    guard bytes.count >= 4, bytes.count <= 100 else { return nil }
    let separator = bytes.count > 4 ? bytes[4] : UInt8(ascii: "-")
    if bytes[..<4].allSatisfy(\.isASCIIDigit), [0x2D, 0x2E, 0x2F].contains(separator) {
      return w3c(bytes)
    }
    return regular(bytes) ?? rfc822(trimmed)
  }

  /// Reads well-formed RFC 822, `Mon, 06 Sep 2024 17:30:00 +0200`, which nearly all RSS dates are.
  private static func regular(_ bytes: [UInt8]) -> Reading? {
    var scanner = DateScanner(bytes)
    if scanner.skipLetters() > 0 {
      guard scanner.skip(",") else { return nil }
    }
    scanner.skipSpaces()
    guard let day = scanner.number(digits: 1...2), scanner.skip(" "), let month = scanner.month(), scanner.skip(" "),
      let year = scanner.number(digits: 4...4), scanner.skip(" "), let time = scanner.time(), scanner.skip(" "),
      TimeZoneName.offset(scanner.rest) != nil, scanner.rest != "a", scanner.rest != "A"
    else { return nil }
    return Reading(
      CivilTime(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second),
      zone: scanner.rest)
  }

  /// Removes the weekday from `Fri, 2006/09/15 08:19:53 EDT`, a form that Perforce writes.
  private static func withoutWeekday(_ text: String) -> String {
    guard let comma = text.firstIndex(of: ","), text[..<comma].allSatisfy(\.isLetter) else { return text }
    let rest = text[text.index(after: comma)...].trimmed()
    return rest.prefix(5).hasSuffix("/") && rest.prefix(4).utf8.allSatisfy(\.isASCIIDigit) ? rest : text
  }

  // MARK: - W3CDTF

  /// Reads `2024-05-01`, `2024-05-01T10:20Z` or `2024-05-01 10:20:30.5+02:00`.
  ///
  /// Day, month and time may be missing; slashes, or the full stops of CDF, may replace the hyphens.
  private static func w3c(_ bytes: [UInt8]) -> Reading? {
    var scanner = DateScanner(bytes)
    guard let year = scanner.number(digits: 4...4) else { return nil }
    var (month, day) = (1, 1)
    if scanner.skip("-") || scanner.skip("/") || scanner.skip(".") {
      guard let value = scanner.number(digits: 1...2) else { return nil }
      month = value
      if scanner.skip("-") || scanner.skip("/") || scanner.skip(".") {
        guard let value = scanner.number(digits: 1...2) else { return nil }
        day = value
      }
    }
    var time = (hour: 0, minute: 0, second: 0)
    var hasTime = false
    if scanner.skip("T") || scanner.skip("t") || scanner.skip(" ") {
      scanner.skipSpaces()
      guard var value = scanner.time() else { return nil }
      scanner.half(of: &value)
      time = value
      hasTime = true
    }
    scanner.skipSpaces()
    var zone = scanner.rest
    // A date without a time has no zone.
    if !hasTime, !zone.isEmpty { return nil }
    // `[Europe/Paris]` follows the offset, or stands alone (RFC 9557).
    if zone.hasSuffix("]"), let bracket = zone.firstIndex(of: "[") {
      let name = zone[zone.index(after: bracket)...].dropLast()
      zone = bracket == zone.startIndex ? String(name) : String(zone[..<bracket])
    }
    return Reading(
      CivilTime(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second),
      zone: zone)
  }

  // MARK: - RFC 822

  /// Reads `Mon, 06 Sep 2024 17:30:00 +0200` and its variants.
  ///
  /// The weekday, the time and the zone may be missing, day and month may be swapped, and the year may follow the time
  /// as in `asctime`.
  private static func rfc822(_ text: String) -> Reading? {
    var parts = text.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == "\n" }.map(String.init)
    // `01-Jan-04`, also after a weekday (RFC 9110, 5.6.7).
    if let index = parts.prefix(2).firstIndex(where: { $0.contains("-") && $0.first?.isNumber == true }) {
      parts.replaceSubrange(index...index, with: parts[index].split(separator: "-").map(String.init))
    }
    let half = parts.firstIndex { ["am", "pm", "a.m.", "p.m."].contains($0.asciiLowercased()) }.map {
      parts.remove(at: $0)
    }
    if beginsWithWeekday(parts) { parts.removeFirst() }
    guard let monthIndex = parts.firstIndex(where: { month($0) != nil }), let month = month(parts[monthIndex]) else {
      return nil
    }
    parts.removeFirst(monthIndex > 0 && Int(parts[monthIndex - 1]) != nil ? monthIndex - 1 : monthIndex)
    parts.removeAll { Self.month($0) == month && Int($0) == nil }
    guard let time = parts.firstIndex(where: { $0.contains(":") }) else {
      guard parts.count >= 2, let (day, year) = dayAndYear(parts) else { return nil }
      return Reading(CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0), zone: "")
    }
    var scanner = DateScanner(Array((parts[time] + (half ?? "")).utf8))
    guard var clock = scanner.time() else { return nil }
    scanner.half(of: &clock)
    var zone = scanner.rest
    var numbers: [String] = []
    for (index, part) in parts.enumerated() where index != time {
      if let number = Int(part), number >= 0, !part.hasPrefix("+"), numbers.count < 2 {
        numbers.append(part)
      } else if zone.isEmpty, index > time {
        zone = part
      }
    }
    guard numbers.count == 2, let (day, year) = dayAndYear(numbers) else { return nil }
    // Words that are no zone, such as a comment.
    let isWord =
      !zone.isEmpty && !zone.contains(":") && TimeZoneName.offset(zone) == nil && !TimeZoneName.isName(zone)
    return Reading(
      CivilTime(year: year, month: month, day: day, hour: clock.hour, minute: clock.minute, second: clock.second),
      zone: isWord ? "UTC" : zone)
  }

  /// Reads a day and a year; the year comes first when it has four digits, as in `2024 March 5`.
  private static func dayAndYear(_ numbers: [String]) -> (day: Int, year: Int)? {
    let isYearFirst = numbers[0].utf8.count == 4 && numbers[1].utf8.count <= 2
    guard let day = Int(numbers[isYearFirst ? 1 : 0]), let year = year(numbers[isYearFirst ? 0 : 1]) else { return nil }
    return (day, year)
  }

  /// Whether the first word is a weekday, as in `mar., 24 nov. 2026`: a day and another word follow.
  ///
  /// French, Spanish and Italian abbreviate Tuesday like March.
  private static func beginsWithWeekday(_ parts: [String]) -> Bool {
    guard parts.count >= 4, Int(parts[0]) == nil, Int(parts[1]) != nil, let third = parts[2].unicodeScalars.first else {
      return false
    }
    return third.properties.isAlphabetic && !englishWeekdays.contains(parts[2].prefix(3).asciiLowercased())
  }

  private static let englishWeekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private static func month(_ text: String) -> Int? {
    if let month = NationalDate.romanceOrGermanicMonth(text) { return month }
    if text.utf8.first.map({ $0 >= 0x80 }) == true { return NationalDate.otherMonth(text) }
    var scanner = DateScanner(Array(text.utf8))
    return scanner.month()
  }

  /// Reads a year; two digits from 50 on, and three digits, count from 1900, others from 2000 (RFC 2822, 4.3).
  private static func year(_ text: String) -> Int? {
    guard let number = Int(text), number >= 0 else { return nil }
    switch text.utf8.count {
    case ...2: return number >= 50 ? 1900 + number : 2000 + number
    case 3: return 1900 + number
    default: return number
    }
  }
}

extension Feed.Timestamp {
  /// Creates a date from text in any of the forms that feeds use.
  ///
  /// - Parameters:
  ///   - text: the text, such as `Mon, 06 May 2024 07:08:09 GMT`.
  ///   - language: the language of the feed (BCP 47): in Hebrew `IST` is Israel's time, in other languages India's; in
  ///     Spanish `03/11/2026` is in November.
  public init(reading text: String, language: String? = nil) {
    let date = DateParser.read(text, language: language ?? "")
    self.init(source: text, seconds: date?.seconds, offset: date?.offset)
    guard let language, let seconds, let offset, offset != 0 else { return }
    // `10:00:00 -0600 CST` says itself what it means.
    if text.utf8.reversed().prefix(while: { $0 != UInt8(ascii: ":") }).contains(where: { $0 == 0x2B || $0 == 0x2D }) {
      return
    }
    for word in text.asciiLowercased().split(whereSeparator: { !$0.isASCII || !$0.isLetter }) {
      guard let zone = ZoneAbbreviation.minutes(String(word), in: language),
        ZoneAbbreviation.minutes(String(word)) == offset / 60
      else { continue }
      (self.seconds, self.offset) = (seconds + Int64(offset - 60 * zone), 60 * zone)
    }
  }

  /// The time zone that the text names when its offset is not known, such as `Asia/Kolkata`; nil for none.
  package var zoneName: String? { seconds == nil || offset != nil ? nil : DateParser.read(source)?.zone }

  /// Whether the date names no zone that is known, so that it is read as UTC; a Unix timestamp needs none.
  ///
  /// Appending a zone to a date with a time changes its meaning.
  package var isLocal: Bool {
    guard let seconds, offset == nil else { return false }
    let text = source.trimmed()
    let isDay =
      seconds.isMultiple(of: 86_400) && !text.contains(":") && ![10, 13].contains(text.count(where: \.isNumber))
    if isDay { return true }
    // In whatever language `03/11/2026 10:00` was read.
    return zoneName != nil
      || ["", "es"].contains { language in
        ["+01:00", " +0100"].contains { DateParser.read(text + $0, language: language)?.seconds == seconds - 3600 }
      }
  }
}

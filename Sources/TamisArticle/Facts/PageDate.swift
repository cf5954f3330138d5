import TamisCore

/// A date as pages write it: a day, with time and zone if given.
package struct PageDate: Sendable {
  private var time: CivilTime
  private var hasTime = false
  /// The offset from UTC in minutes; nil when not given.
  private var zone: Int?
  /// The number of characters of the text, without white space, that are not part of the date.
  private(set) var other = 0

  /// The date in the format of RFC 3339: a date, or a date and time, with a zone when given.
  package var text: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(time.year)-\(two(time.month))-\(two(time.day))"
    guard hasTime else { return date }
    let clock = "\(date)T\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
    guard let zone else { return clock }
    if zone == 0 { return clock + "Z" }
    return "\(clock)\(zone < 0 ? "-" : "+")\(two(abs(zone) / 60)):\(two(abs(zone) % 60))"
  }

  /// Reads the first date in the beginning of a text, or returns nil when there is none.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - language: the language of the page (BCP 47), which decides whether the month comes first in numeric dates.
  package init?(_ text: String, language: String = "") {
    // Most lines have none, and splitting them into parts is slow.
    guard text.utf8.contains(where: \.isASCIIDigit) else { return nil }
    var parts = Parts(text)
    for start in parts.list.indices {
      parts.at = start
      guard let found = parts.date(language.asciiLowercased()) else { continue }
      let dateEnd = parts.at
      var time = CivilTime(year: found.year, month: found.month, day: found.day, hour: 0, minute: 0, second: 0)
      guard (1980...2100).contains(time.year), time.seconds(offset: 0) != nil else { continue }
      if let clock = parts.clock() {
        (time.hour, time.minute, time.second) = clock
        hasTime = time.seconds(offset: 0) != nil
        if hasTime { zone = parts.zone() } else { (time.hour, time.minute, time.second) = (0, 0, 0) }
      }
      self.time = time
      let used = parts.list[start..<max(dateEnd, parts.at)].reduce(0) { $0 + $1.length }
      other = parts.list.reduce(0) { $0 + $1.length } - used
      return
    }
    return nil
  }

  /// Returns the year, month and day in a URL's path: `/2024/05/17/`, `/2024-05-17-` or `/20240517/`.
  static func inAddress(_ path: String) -> PageDate? {
    let bytes = Array(path.utf8.prefix(1000))
    for start in bytes.indices.dropLast(7) where bytes[start] == 0x31 || bytes[start] == 0x32 {
      guard start > 0, bytes[start - 1] == 0x2F || bytes[start - 1] == 0x2D || bytes[start - 1] == 0x5F else {
        continue
      }
      let digits = bytes[start...].prefix(while: \.isASCIIDigit)
      let rest = bytes[(start + digits.count)...].prefix(7)
      var text = String(decoding: digits, as: UTF8.self)
      if digits.count == 4 { text += String(decoding: rest, as: UTF8.self) } else if digits.count != 8 { continue }
      let pieces = text.split { !$0.isASCII || !$0.isNumber }
      if digits.count == 4 {
        guard pieces.count >= 3, (1...2).contains(pieces[1].count), (1...2).contains(pieces[2].count) else { continue }
        text = pieces.prefix(3).joined(separator: "-")
      }
      if let date = PageDate(text), (1990...2100).contains(date.time.year) { return date }
    }
    return nil
  }
}

extension PageDate {
  /// A text split into numbers, words and marks.
  private struct Parts {
    enum Kind { case number, word, mark }

    struct Part {
      var kind: Kind
      var text: String
      var length: Int
      /// Whether white space precedes the part.
      var isApart: Bool
      var number: Int { kind == .number && length <= 14 ? Int(text) ?? -1 : -1 }
    }

    var list: [Part] = []
    var at = 0

    init(_ text: String) {
      var isApart = true
      for scalar in text.unicodeScalars.prefix(200) {
        if scalar.properties.isWhitespace || scalar.value == 0x200B {
          isApart = true
          continue
        }
        let isDigit = scalar.isASCII && UInt8(scalar.value).isASCIIDigit
        let kind = isDigit ? Kind.number : scalar.properties.isAlphabetic ? .word : .mark
        let isIdeograph = (0x3400...0x9FFF).contains(scalar.value) || (0xAC00...0xD7AF).contains(scalar.value)
        if !isApart, let last = list.indices.last, list[last].kind == kind, kind != .mark, !isIdeograph {
          list[last].text.unicodeScalars.append(scalar)
          list[last].length += 1
        } else {
          list.append(Part(kind: kind, text: String(scalar), length: 1, isApart: isApart))
        }
        isApart = false
      }
      for index in list.indices where list[index].kind == .word { list[index].text = list[index].text.lowercased() }
    }

    private func part(_ offset: Int) -> Part? { at + offset < list.count ? list[at + offset] : nil }

    private func isMark(_ offset: Int, _ marks: String) -> Bool {
      part(offset).map { $0.kind == .mark && marks.contains($0.text) } ?? false
    }

    private func number(_ offset: Int, _ range: ClosedRange<Int>, digits: ClosedRange<Int>) -> Int? {
      guard let part = part(offset), digits.contains(part.length), range.contains(part.number) else { return nil }
      return part.number
    }

    private func month(_ offset: Int) -> Int? {
      guard let part = part(offset), part.kind == .word else { return nil }
      return FactNames.monthNumbers[part.text]
    }

    /// Reads the date that begins here and moves past it.
    mutating func date(_ language: String) -> (year: Int, month: Int, day: Int)? {
      guard let first = part(0) else { return nil }
      if first.kind == .word { return monthFirst() }
      guard first.kind == .number else { return nil }
      if at > 0, list[at - 1].kind == .mark, ":.,-/+$#".contains(list[at - 1].text), !first.isApart { return nil }
      return compact() ?? yearFirst() ?? dayFirst() ?? numbers(language)
    }

    /// Reads `20240517`.
    private mutating func compact() -> (year: Int, month: Int, day: Int)? {
      guard let value = number(0, 19_800_101...21_001_231, digits: 8...8) else { return nil }
      at += 1
      return (value / 10_000, value / 100 % 100, value % 100)
    }

    /// Reads `2024-05-17`, `2024/5/17`, `2024年5月17日` or `2024 May 17`.
    private mutating func yearFirst() -> (year: Int, month: Int, day: Int)? {
      guard let year = number(0, 1980...2100, digits: 4...4) else { return nil }
      if let month = month(1), let day = number(2, 1...31, digits: 1...2) {
        at += 3
        return (year, month, day)
      }
      let isIdeographic = part(1).map { ["年", "년"].contains($0.text) } ?? false
      guard isIdeographic || isMark(1, "-/.–"), let month = number(2, 1...12, digits: 1...2) else { return nil }
      let marks = part(3).map { ["月", "월"].contains($0.text) } ?? false
      guard marks || isMark(3, "-/.–"), let day = number(4, 1...31, digits: 1...2) else { return nil }
      at += 5
      if let next = part(0), ["日", "일"].contains(next.text) { at += 1 }
      return (year, month, day)
    }

    /// Reads `17 May 2024`, `17. Mai 2024`, `1er mai 2024`, `17 de mayo de 2024` or `17-May-24`.
    private mutating func dayFirst() -> (year: Int, month: Int, day: Int)? {
      guard let day = number(0, 1...31, digits: 1...2) else { return nil }
      var offset = skip(1)
      guard let month = month(offset) else { return nil }
      offset = skip(offset + 1)
      guard let year = year(offset) else { return nil }
      at += offset + 1
      return (year, month, day)
    }

    /// Reads `May 17, 2024` or `May 17th 2024`.
    private mutating func monthFirst() -> (year: Int, month: Int, day: Int)? {
      guard let month = month(0) else { return nil }
      let offset = skip(1)
      guard let day = number(offset, 1...31, digits: 1...2) else { return nil }
      let last = skip(offset + 1)
      guard let year = year(last), part(last)?.length == 4 else { return nil }
      at += last + 1
      return (year, month, day)
    }

    /// Reads `17.05.2024`, `05/17/2024` or `17-05-24`.
    private mutating func numbers(_ language: String) -> (year: Int, month: Int, day: Int)? {
      guard let first = number(0, 1...31, digits: 1...2), isMark(1, "./-"),
        let second = number(2, 1...31, digits: 1...2), let mark = part(1)?.text, part(3)?.text == mark,
        let year = year(4)
      else { return nil }
      // A time, a version or an address continues with more of the same.
      if part(5)?.text == mark, part(6)?.kind == .number { return nil }
      at += 5
      let isMonthFirst = second > 12 || (first <= 12 && mark == "/" && CivilTime.monthFirst.contains(language))
      return isMonthFirst ? (year, first, second) : (year, second, first)
    }

    private func year(_ offset: Int) -> Int? {
      if let year = number(offset, 1980...2100, digits: 4...4) { return year }
      // Two digits after a space may as well be a time.
      guard isMark(offset - 1, "-/.'’") else { return nil }
      return number(offset, 0...60, digits: 2...2).map { 2000 + $0 }
    }

    /// Returns the offset after separators between the parts of a date.
    private func skip(_ offset: Int) -> Int {
      var offset = offset
      for _ in 0..<3 {
        guard let part = part(offset) else { break }
        let isFiller =
          part.kind == .mark
          ? ".,-–/'|".contains(part.text) : part.kind == .word && FactNames.dateWords.contains(part.text)
        guard isFiller else { break }
        offset += 1
      }
      return offset
    }

    /// Reads the time of day after the date and moves past it.
    mutating func clock() -> (Int, Int, Int)? {
      let start = at
      for _ in 0..<3 {
        guard let part = part(0) else { break }
        let isFiller =
          part.kind == .mark
          ? ",-–|@·•/".contains(part.text)
          : part.kind == .word && (part.text == "t" || FactNames.dateWords.contains(part.text))
        guard isFiller else { break }
        at += 1
      }
      guard var hour = number(0, 0...24, digits: 1...2), isMark(1, ":.") || part(1)?.text == "h",
        let minute = number(2, 0...59, digits: 2...2)
      else {
        at = start
        return nil
      }
      at += 3
      var second = 0
      if isMark(0, ":"), let value = number(1, 0...60, digits: 2...2) {
        second = value
        at += 2
        if isMark(0, ".,"), part(1)?.kind == .number, part(1)?.isApart == false { at += 2 }
      }
      if let half = part(0)?.text, ["am", "pm", "a", "p"].contains(half), (1...12).contains(hour) {
        hour = hour % 12 + (half.hasPrefix("p") ? 12 : 0)
        at += 1
        if half.count == 1 { while isMark(0, ".") || part(0)?.text == "m" { at += 1 } }
      }
      return (hour, minute, second)
    }

    /// Reads the zone after the time, in minutes, and moves past it.
    mutating func zone() -> Int? {
      if let name = part(0), name.kind == .word, !ZoneAbbreviation.words.contains(name.text),
        let zone = ZoneAbbreviation.minutes(name.text)
      {
        at += 1
        // `GMT+0200`
        return zone == 0 ? offset() ?? 0 : zone
      }
      return offset()
    }

    private mutating func offset() -> Int? {
      guard isMark(0, "+-−"), let sign = part(0)?.text, let digits = part(1), digits.kind == .number, !digits.isApart
      else { return nil }
      var minutes = digits.length <= 2 ? digits.number * 60 : digits.number / 100 * 60 + digits.number % 100
      guard digits.length <= 4, minutes <= 15 * 60 else { return nil }
      at += 2
      if digits.length <= 2, isMark(0, ":"), let value = number(1, 0...59, digits: 2...2) {
        minutes += value
        at += 2
      }
      return sign == "+" ? minutes : -minutes
    }
  }
}

import TamisCore
import TamisSystem

/// The formatter of times on pages, in the site's language, format and zone, whatever the machine's.
///
/// Programs read ``DateText``, which is in UTC.
struct ShownTime: Sendable {
  let words: Site.Words
  let form: DateForm
  let zone: Zone

  /// Returns the day, `14 November 2026`.
  ///
  /// - Parameters:
  ///   - time: seconds since 1970-01-01T00:00:00Z, clamped to the years 1 to 9999.
  ///   - offset: the offset of the author's time zone from UTC in seconds. Nil when not known. Zero counts as unknown,
  ///     since most programs write UTC wherever they run. The site's zone is used then.
  /// - Returns: the day in the language of the site.
  func day(_ time: Int64, offset: Int? = nil) -> String {
    guard let offset, offset != 0 else { return day(local(time).civil) }
    return day(CivilTime(seconds: DateText.bounded(DateText.bounded(time) + Int64(offset))))
  }

  /// Returns the day and the time, `14 November 2026, 08:30 UTC`.
  func minute(_ time: Int64) -> String {
    let (civil, seconds) = local(time)
    let hour = "\(civil.hour.padded()):\(civil.minute.padded())"
    return words.text(.dateTime, [.date: day(civil), .time: hour, .zone: Self.name(ofOffset: seconds)])
  }

  /// Returns the offset as people write it: `UTC`, `UTC+1`, `UTC-3:30`.
  private static func name(ofOffset seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    guard minutes > 0 else { return "UTC" }
    let part = minutes % 60
    return "UTC\(seconds < 0 ? "-" : "+")\(minutes / 60)\(part == 0 ? "" : part < 10 ? ":0\(part)" : ":\(part)")"
  }

  /// Returns the month, `November 2026`.
  func month(_ month: Int, of year: Int) -> String {
    words.text(.monthOfYear, [.month: nameOfMonth(month), .year: "\(year)"])
  }

  /// Returns `November`; a number outside of 1 to 12 is returned as is.
  func nameOfMonth(_ month: Int) -> String {
    (1...12).contains(month) ? words.text(Word.months[month - 1]) : "\(month)"
  }

  private func local(_ time: Int64) -> (civil: CivilTime, seconds: Int) {
    let seconds = zone.seconds(at: time)
    return (CivilTime(seconds: DateText.bounded(DateText.bounded(time) + Int64(seconds))), seconds)
  }

  private func day(_ civil: CivilTime) -> String {
    let pattern: Word
    switch form {
    case .iso: return "\(DateText.month(civil.year, civil.month))-\(civil.day.padded())"
    case .long: pattern = .dateLong
    case .short: pattern = .dateShort
    }
    return words.text(pattern) { placeholder in
      switch placeholder {
      case .day: civil.day == 1 ? words.text(.firstDay) : "\(civil.day)"
      case .paddedDay: civil.day.padded()
      case .month: nameOfMonth(civil.month)
      case .monthNumber: "\(civil.month)"
      case .paddedMonth: civil.month.padded()
      case .year: "\(civil.year)"
      default: nil
      }
    }
  }
}

/// Dates as pages print them, the same everywhere: in UTC and English, whatever the machine's clock and locale.
struct DateText {
  /// `14 November 2026`.
  let long: String
  /// `2026-11-14T08:30:00Z`.
  let iso: String

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// - Parameter seconds: seconds since 1970-01-01T00:00:00Z, in the years 1 to 9999.
  init(_ seconds: Int64) {
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let time = Int(seconds) - days * 86_400
    // Days since 0000-03-01, in eras of 400 years.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    long = "\(day) \(Self.months[month - 1]) \(year)"
    iso =
      "\(padded(year, 4))-\(padded(month))-\(padded(day))T"
      + "\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))Z"
  }
}

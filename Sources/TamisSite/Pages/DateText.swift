import TamisCore

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
    let time = CivilTime(seconds: seconds)
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    long = "\(time.day) \(Self.months[time.month - 1]) \(time.year)"
    iso =
      "\(padded(time.year, 4))-\(padded(time.month))-\(padded(time.day))T"
      + "\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))Z"
  }
}

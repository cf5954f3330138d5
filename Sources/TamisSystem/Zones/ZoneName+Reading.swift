package import TamisCore

extension ZoneName {
  /// The known names of time zones, to suggest corrections for misspelled ones.
  package static var places: [String] { ZoneDatabase.system.names.filter { $0.contains("/") } }

  /// Whether this machine has a database of named zones.
  package static var areKnown: Bool { ZoneDatabase.system.exists }

  /// The release of the database by which named zones are known, such as `2025b`; nil when it does not say it.
  package static var release: String? { ZoneDatabase.system.release }

  /// Whether the offset is that of the database.
  package var isNamed: Bool { if case .place = self { true } else { false } }

  /// Reads a name or an offset (`UTC`, `+02:00`, `-0530`), or returns nil when there is no such zone.
  package init?(_ text: String) {
    let text = text.trimmed()
    if ["utc", "gmt", "z"].contains(text.asciiLowercased()) {
      self = .utc
    } else if let sign = text.first, sign == "+" || sign == "-" {
      guard let seconds = Self.seconds(text.dropFirst()) else { return nil }
      self = .fixed(seconds: sign == "-" ? -seconds : seconds)
    } else {
      // Names in the database that have no slash are abbreviations, which are ambiguous.
      guard text.contains("/"), ZoneDatabase.system.has(text) else { return nil }
      self = .place(text)
    }
  }

  /// Returns the seconds of `hh`, `hhmm` or `hh:mm`.
  private static func seconds(_ text: Substring) -> Int? {
    let digits = text.filter { $0 != ":" }
    let hasColon = text.utf8.count == 5 && text.dropFirst(2).first == ":"
    guard digits.utf8.allSatisfy(\.isASCIIDigit), hasColon ? digits.count == 4 : digits.count == text.count,
      digits.count == 2 || digits.count == 4, let hours = Int(digits.prefix(2)),
      let minutes = digits.count == 2 ? 0 : Int(digits.suffix(2)), minutes < 60, hours * 60 + minutes <= 18 * 60
    else { return nil }
    return hours * 3600 + minutes * 60
  }
}

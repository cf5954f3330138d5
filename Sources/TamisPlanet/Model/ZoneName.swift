import Foundation
import TamisCore

extension Planet {
  /// A time zone, by name, such as `Europe/Vienna`, or as a fixed offset from UTC.
  package enum ZoneName: Sendable, Hashable, CustomStringConvertible {
    /// The name of a zone in the IANA time zone database, such as `Europe/Vienna`.
    case place(String)
    /// A fixed offset from UTC in seconds, at most 18 hours in either direction.
    case fixed(seconds: Int)

    /// UTC.
    package static let utc = Planet.ZoneName.fixed(seconds: 0)

    /// The known names of time zones, to suggest corrections for misspelled ones.
    package static var places: [String] { TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") } }

    /// Reads a name or an offset (`UTC`, `+02:00`, `-0530`), or returns nil when there is no such zone.
    package init?(_ text: String) {
      let text = text.trimmed()
      if ["utc", "gmt", "z"].contains(text.asciiLowercased()) {
        self = .utc
      } else if let sign = text.first, sign == "+" || sign == "-" {
        guard let seconds = Self.seconds(text.dropFirst()) else { return nil }
        self = .fixed(seconds: sign == "-" ? -seconds : seconds)
      } else {
        // Names in the database have a slash, letters, digits, `_`, `-` and `+`; abbreviations are ambiguous.
        guard text.contains("/"), text.utf8.count <= 64, !text.hasPrefix("/"),
          text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "/_-+".utf8.contains($0) }),
          TimeZone(identifier: text) != nil
        else { return nil }
        self = .place(text)
      }
    }

    /// The zone as written in a configuration.
    package var description: String {
      switch self {
      case .place(let name): return name
      case .fixed(seconds: 0): return "UTC"
      case .fixed(let seconds):
        let minutes = abs(seconds) / 60
        let text = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return (seconds < 0 ? "-" : "+") + text
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
}

/// A time zone, by name, such as `Europe/Vienna`, or as a fixed offset from UTC.
public enum ZoneName: Sendable, Hashable, CustomStringConvertible {
  /// The name of a zone in the IANA time zone database, such as `Europe/Vienna`.
  case place(String)
  /// A fixed offset from UTC in seconds, at most 18 hours in either direction.
  case fixed(seconds: Int)

  /// UTC.
  public static let utc = ZoneName.fixed(seconds: 0)

  /// The zone as written in a configuration.
  public var description: String {
    switch self {
    case .place(let name): return name
    case .fixed(seconds: 0): return "UTC"
    case .fixed(let seconds):
      let minutes = abs(seconds) / 60
      let text = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      return (seconds < 0 ? "-" : "+") + text
    }
  }
}

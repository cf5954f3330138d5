/// Something a stage noticed about its input: bad input is a value that travels beside the data, never a thrown error
/// as long as there is a way to go on.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// How severe a finding is.
  public enum Severity: String, Sendable, Hashable, Comparable {
    /// Worth knowing; nothing was lost.
    case note
    /// A field was repaired or left out.
    case warning
    /// An entry or a whole input could not be used; the exit code says so.
    case error

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }

    /// Orders severities from note to error.
    public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }
  }

  /// How severe it is.
  public var severity: Severity
  /// A stable code, `stage.rule`, such as `parse.not-a-feed`.
  public var code: String
  /// What is wrong and what to do about it, in one lower-case sentence without a full stop.
  public var message: String
  /// Where it is.
  public var location: SourceLocation
  /// The entry it is about: its identity or its title.
  public var entry: String?

  /// Makes a finding.
  public init(
    _ severity: Severity, _ code: String, _ message: String, at location: SourceLocation, entry: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.location = location
    self.entry = entry?.prefix(bytes: Self.longestEntry)
  }

  /// The most bytes of the entry's name.
  private static let longestEntry = 500

  /// `file:line:column: severity: message [stage.rule]`, the format from which editors can open the location.
  ///
  /// One line; what a feed could use to control a terminal (control characters, changes of direction) is left out.
  public var description: String {
    let text = "\(location): \(severity.rawValue): \(message)\(entry.map { " (entry \($0))" } ?? "") [\(code)]"
    return String(String.UnicodeScalarView(text.unicodeScalars.filter(Self.isPrintable)))
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }
}

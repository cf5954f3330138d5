/// A note, a warning or an error of a stage about its input.
///
/// Bad input is reported as a value beside the data; it is never a thrown error as long as the stage can go on.
public struct Finding: Sendable, Hashable, Encodable, CustomStringConvertible {
  /// The severity of a finding.
  public enum Severity: String, Sendable, Hashable, Encodable, Comparable {
    /// Information only; nothing was lost.
    case note
    /// A field was repaired or left out.
    case warning
    /// An entry or a whole input could not be used; the exit code reports it.
    case error

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }

    /// Returns whether the first severity is lower; the order is note, warning, error.
    public static func < (lhs: Severity, rhs: Severity) -> Bool { lhs.rank < rhs.rank }
  }

  /// The severity of the finding.
  public var severity: Severity
  /// A stable code, `stage.rule`, such as `parse.not-a-feed`.
  public var code: String
  /// The problem and its remedy, in one lower-case sentence without a full stop.
  public var message: String
  /// The place in the input.
  public var location: Finding.Location
  /// The entry that the finding is about: its identity or its title.
  public var entry: String?

  /// Makes a finding.
  public init(
    _ severity: Severity, _ code: String, _ message: String, at location: Finding.Location, entry: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.location = location
    self.entry = entry?.prefix(bytes: Self.longestEntry)
  }

  /// The maximum length of the entry's name, in bytes.
  private static let longestEntry = 500

  /// The finding as `file:line:column: severity: message [stage.rule]`, from which editors can open the location.
  ///
  /// The text is one line; characters that could control a terminal (control characters, changes of direction) are left
  /// out.
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

import TamisCore

/// The findings about one file, at most ``WARCLimits/findings``.
struct WARCLog {
  private let file: String
  private let most: Int
  private var count = 0
  private var waiting: [Finding] = []
  private var said: Set<String> = []

  init(file: String, most: Int) { (self.file, self.most) = (file, most) }

  /// Returns the findings that were added since the last call.
  mutating func take() -> [Finding] {
    defer { waiting.removeAll() }
    return waiting
  }

  /// Adds a finding about a location.
  mutating func add(
    _ severity: Finding.Severity, _ code: String, at location: WARCWindow.Location, _ message: String,
    uri: String? = nil
  ) {
    count += 1
    let file = Finding.Location(file: file)
    if count <= most {
      waiting.append(Finding(severity, code, "\(location): \(message)", at: file, entry: uri))
    } else if count == most + 1 {
      let message = "too many findings; later ones are not listed"
      waiting.append(Finding(.note, "warc.more", "\(location): \(message)", at: file))
    }
  }

  /// Adds a note that may apply to every record of the file, only once.
  mutating func addOnce(_ code: String, at location: WARCWindow.Location, _ message: String, uri: String?) {
    guard said.count < 16, said.insert(message).inserted else { return }
    add(.note, code, at: location, "\(message); this is reported once", uri: uri)
  }

  /// Reports that the file is cut off.
  mutating func cutOff(at location: WARCWindow.Location, _ message: String, uri: String? = nil) {
    guard said.insert("cut off").inserted else { return }
    add(.error, "warc.truncated", at: location, message, uri: uri)
  }

  /// Reports a part that cannot be decompressed.
  mutating func add(_ damage: WARCInput.Damage) {
    let end = damage.next.map { "up to byte \($0)" } ?? "up to the end of the file"
    add(
      .error, damage.code, at: WARCWindow.Location(offset: damage.start, inMember: 0),
      "\(damage.message); what cannot be read is left out \(end)")
  }
}

extension WARCWindow.Location: CustomStringConvertible {
  var description: String { inMember == 0 ? "byte \(offset)" : "byte \(offset), unpacked \(inMember) behind" }
}

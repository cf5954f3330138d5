import TamisCore

/// A reader of a list of URLs, one on each line.
///
/// Text after white space is the feed's title; text after `#` at the beginning of a line or after white space is a
/// comment.
enum AddressList {
  static func read(_ bytes: [UInt8], file: String) -> (Planet, [Finding]) {
    var gathering = PlanetGathering(file: file)
    let text = TextLines(bytes, file: file)
    gathering.findings = text.findings
    for (index, line) in text.lines.enumerated() {
      let line = withoutComment(line).trimmed()
      guard !line.isEmpty else { continue }
      let end = line.firstIndex { $0 == " " || $0 == "\t" } ?? line.endIndex
      var settings = Planet.FeedSettings()
      settings.title = String(line[end...]).collapsingSpace().trimmedOrNil()
      gathering.add(String(line[..<end]), settings, line: index + 1)
    }
    if gathering.planet.feeds.isEmpty, !gathering.findings.contains(where: { $0.severity == .error }) {
      gathering.note(.error, "there is no address of a feed in this file", line: 0)
    }
    return (gathering.planet, gathering.findings)
  }

  /// Returns a line without its comment; a number sign inside a URL begins its fragment.
  private static func withoutComment(_ line: String) -> String {
    var before: UInt8 = ASCII.space
    for index in line.utf8.indices {
      let byte = line.utf8[index]
      if byte == UInt8(ascii: "#"), before == ASCII.space || before == ASCII.tab { return String(line[..<index]) }
      before = byte
    }
    return line
  }
}

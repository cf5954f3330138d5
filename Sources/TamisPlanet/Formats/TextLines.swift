import TamisCore

/// A text file as lines with any line ends; a file that is not UTF-8 is read as windows-1252.
struct TextLines {
  /// The lines, without line ends.
  private(set) var lines: [String] = []
  /// The problems found.
  private(set) var findings: [Finding] = []

  /// Splits a file into lines; there are none when it is not text.
  init(_ bytes: [UInt8], file: String) {
    func note(_ severity: Finding.Severity, _ message: String, line: Int) {
      let code = severity == .error ? PlanetFile.invalid : PlanetFile.doubtful
      findings.append(Finding(severity, code, message, at: Finding.Location(file: file, line: line, column: 1)))
    }
    var bytes = Array(bytes.withoutByteOrderMark)
    if let index = bytes.firstIndex(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }) {
      note(.error, "this is not text: it has a control character", line: Self.line(of: index, in: bytes))
      return
    }
    if let index = UTF8Sequence.firstFault(bytes.span) {
      note(.warning, "this is not UTF-8; it is read as windows-1252", line: Self.line(of: index, in: bytes))
      var decoded: [UInt8] = []
      Windows1252.decode(bytes.span, into: &decoded)
      bytes = decoded
    }
    var start = 0
    for index in bytes.indices where bytes[index] == ASCII.lineFeed || bytes[index] == ASCII.carriageReturn {
      let isPair = bytes[index] == ASCII.lineFeed && index > 0 && bytes[index - 1] == ASCII.carriageReturn
      if !isPair { lines.append(String(decoding: bytes[start..<index], as: UTF8.self)) }
      start = index + 1
    }
    if start < bytes.count { lines.append(String(decoding: bytes[start...], as: UTF8.self)) }
  }

  private static func line(of index: Int, in bytes: [UInt8]) -> Int {
    bytes[..<index].count { $0 == ASCII.lineFeed } + 1
  }
}

import ArgumentParser
import Foundation
import Tamis

/// Where the command writes: results on standard output, everything else on standard error.
enum Terminal {
  /// Writes bytes to standard output.
  ///
  /// Ends the process when they cannot be written: quietly when the reader has gone.
  ///
  /// - Parameters:
  ///   - descriptor: by which standard output is open.
  ///   - goneCode: the exit code when the reader has gone.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = 1, goneCode: ExitCode = .success) {
    if !bytes.isEmpty { Progress.makeRoom() }
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
      }
      if count > 0 {
        offset += count
      } else if errno != EINTR {
        if errno == EPIPE {
          if goneCode != .success { error("tamis: error: standard output was closed [write]") }
          Foundation.exit(goneCode.rawValue)
        }
        error(
          "tamis: error: standard output cannot be written: \(String(cString: strerror(errno)).lowercased()) [write]")
        Foundation.exit(ExitCode.cannotWrite.rawValue)
      }
    }
  }

  /// Another descriptor of standard output; what anything else prints there goes to standard error from now on.
  static func outputForOneself() -> Int32 {
    let own = dup(1)
    return own >= 0 && dup2(2, 1) >= 0 ? own : 1
  }

  /// Writes a line to standard output.
  static func line(_ text: String) { write(Array((text + "\n").utf8)) }

  /// Writes a line to standard error.
  static func error(_ text: String) {
    Progress.makeRoom()
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  /// Whether standard output is a terminal whose user wants colours (https://no-color.org).
  static var hasColours: Bool { isatty(1) != 0 && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty }

  /// Reports what was odd; notes only on request.
  static func report(_ findings: [Finding], notes: Bool) {
    for finding in findings where notes || finding.severity > .note { error(finding.description) }
  }

  /// Reports what was odd in feeds: all of it on request, else what weighs more than a note, and many of a kind as one line.
  static func reportGathered(_ findings: [Finding], all: Bool) {
    if all { return report(findings, notes: true) }
    GatheredFindings.lines(findings.filter { $0.severity > .note }).forEach(error)
  }

  /// Reports what was odd with what was named; of what is no feed in a folder how much there is, or on request all of it.
  static func report(_ sources: FeedSources, notes: Bool) {
    report(sources.findings, notes: notes)
    for skipped in sources.skipped {
      report(skipped.findings, notes: notes)
      let (count, folder) = (skipped.findings.count, TerminalText.beginning(of: skipped.folder.description))
      let files = count == 1 ? "1 file in \(folder) is not a feed" : "\(count) files in \(folder) are not feeds"
      if !notes { error("\(files) (-v lists \(count == 1 ? "it" : "them"))") }
    }
  }

  /// The most bytes of a fragment or a page that is named on the command line (64 MiB).
  static let longestInput = 64 << 20

  /// All of a file, unpacked, or of standard input for `-`.
  ///
  /// - Throws: when it cannot be read, or has more than ``longestInput``.
  static func read(_ path: String) throws(ReadFailure) -> [UInt8] {
    var reader = try FileSource(FilePath(path)).makeReader()
    var bytes: [UInt8] = []
    while true {
      let piece = try reader.next()
      if piece.isEmpty { return bytes }
      bytes += piece
      if bytes.count > longestInput {
        throw ReadFailure("it has more than the \(longestInput >> 20) MiB that are read")
      }
    }
  }
}

import ArgumentParser
import Tamis
import TamisSystem
import TamisFoundation
import TamisLibC

/// The output of the command: results on standard output, everything else on standard error.
enum Terminal {
  /// Writes bytes to standard output.
  ///
  /// The function ends the process when the bytes cannot be written, without a message when the reader has gone.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to write.
  ///   - descriptor: the file descriptor of standard output.
  ///   - goneCode: the exit code when the reader has gone.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = 1, goneCode: ExitCode = .success) {
    if !bytes.isEmpty { Progress.makeRoom() }
    let failure = FileDescriptor(descriptor).write(bytes)
    if failure == 0 { return }
    if failure == EPIPE {
      if goneCode != .success { error("tamis: error: standard output was closed [write]") }
      exit(goneCode.rawValue)
    }
    error("tamis: error: standard output cannot be written: \(FileFailure(failure)) [write]")
    exit(ExitCode.cannotWrite.rawValue)
  }

  /// Returns a new descriptor of standard output; all other output to it goes to standard error from now on.
  static func outputForOneself() -> Int32 {
    let own = dup(1)
    return own >= 0 && dup2(2, 1) >= 0 ? own : 1
  }

  /// Writes a line to standard output.
  static func line(_ text: String) { write(Array((text + "\n").utf8)) }

  /// Writes an object as a line of JSON to standard output.
  static func json(_ members: (inout JSONWriter) -> Void) {
    write(JSONWriter.line(members))
  }

  /// Writes a line to standard error.
  static func error(_ text: String) {
    Progress.makeRoom()
    writeError(text + "\n")
  }

  /// Writes a line to standard error, and returns the exit code to throw after it.
  static func failure(_ text: String, _ code: ExitCode) -> ExitCode {
    error(text)
    return code
  }

  /// Writes text to standard error; nothing is left to tell of a failure.
  static func writeError(_ text: String) { _ = FileDescriptor(2).write(Array(text.utf8)) }

  /// Whether standard output is a terminal whose user wants colours (https://no-color.org).
  static var hasColours: Bool { isatty(1) != 0 && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty }

  /// Reports findings; notes only on request.
  static func report(_ findings: [Finding], notes: Bool) {
    for finding in findings where notes || finding.severity > .note { error(finding.description) }
  }

  /// Reports findings about feeds: all on request, else those above a note, with many of a kind as one line.
  static func reportGathered(_ findings: [Finding], all: Bool) {
    if all { return report(findings, notes: true) }
    GatheredFindings.lines(findings.filter { $0.severity > .note }).forEach(error)
  }

  /// Reports the findings about named sources.
  ///
  /// Files in a folder that are not feeds are reported by their number, or one by one on request.
  static func report(_ sources: FeedSources, notes: Bool) {
    report(sources.findings, notes: notes)
    for skipped in sources.skipped {
      report(skipped.findings, notes: notes)
      let (count, folder) = (skipped.findings.count, TerminalText.beginning(of: skipped.folder.description))
      let files = count == 1 ? "1 file in \(folder) is not a feed" : "\(count) files in \(folder) are not feeds"
      if !notes { error("\(files) (-v lists \(count == 1 ? "it" : "them"))") }
    }
  }

  /// The maximum size of a fragment or a page that is named on the command line, in bytes (64 MiB).
  static let longestInput = 64 << 20

  /// Returns the decompressed content of a file, or of standard input for `-`.
  ///
  /// - Throws: an error when the file cannot be read, or is larger than ``longestInput``.
  static func read(_ path: String) throws(ReadFailure) -> [UInt8] {
    var reader = try FileSource(FilePath(path)).makeReader()
    let bytes = try reader.rest(upTo: longestInput)
    if bytes.count > longestInput {
      throw ReadFailure("it has more than the \(longestInput >> 20) MiB that are read")
    }
    return bytes
  }

  /// Reads files, and passes each with its content to a closure.
  ///
  /// - Throws: the exit code to end with when some cannot be read, which is reported; else an error of the closure.
  static func forEach(_ files: [String], _ body: (String, [UInt8]) throws -> Void) throws {
    var failed = 0
    for file in files {
      let bytes: [UInt8]
      do throws(ReadFailure) { bytes = try read(file) } catch {
        let name = TerminalText.beginning(of: file)
        Terminal.error("\(name): error: this file cannot be read: \(error.message) [read.failed]")
        failed += 1
        continue
      }
      try body(file, bytes)
    }
    if failed > 0 { throw failed == files.count ? ExitCode.badData : ExitCode.someFailed }
  }
}

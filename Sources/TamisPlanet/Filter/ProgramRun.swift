import TamisLibC
import TamisSystem

/// A run of a filter program within its limits, with bytes as input and output.
package struct ProgramRun: Sendable {
  /// The error for a program without an answer, in a few lower-case words.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in words.
    package let description: String
  }

  /// The maximum size of a program's output in bytes (16 MiB).
  package static let mostOutput = 16 << 20

  private let program: Planet.FilterProgram
  private let folder: String

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - program: the program.
  ///   - folder: its working directory.
  package init(_ program: Planet.FilterProgram, in folder: String) { (self.program, self.folder) = (program, folder) }

  /// The shell script, which only sets limits and is replaced by the program; the command is passed as arguments.
  private static let script = """
    cd "$1" && ulimit -v "$2" && ulimit -t "$3" && shift 3 && exec "$@"
    """

  /// Runs the program with an input and returns its output.
  ///
  /// - Throws: ``Failure`` when it cannot be run, fails, takes too long, or writes too much.
  package func run(_ input: [UInt8]) throws(Failure) -> [UInt8] {
    let seconds = max(1, program.timeLimit.components.seconds)
    let arguments =
      ["sh", "-c", Self.script, "sh", folder, "\(max(1, program.memoryLimit >> 10))", "\(seconds + 1)"]
      + program.command
    let process: ChildProcess
    do throws(ChildProcess.Failure) {
      process = try ChildProcess("/bin/sh", arguments, keepsErrors: true)
    } catch {
      throw Failure(description: error.message)
    }
    let deadline = ContinuousClock.now + program.timeLimit
    var talk = FilterProgramIO(with: process)
    var outcome = talk.run(input, until: deadline, most: Self.mostOutput)
    // A program that has written everything may still be running, or have started others.
    if outcome == .finished, !process.hasEnded(by: deadline) { outcome = .late }
    process.kill()
    let ending = process.wait()
    switch outcome {
    case .late: throw Failure(description: "it took longer than \(program.timeLimit)")
    case .excessive: throw Failure(description: "it wrote more than \(Self.mostOutput) bytes")
    case .finished: break
    }
    let complaint = talk.complaint.isEmpty ? "" : ": \(talk.complaint)"
    guard ending == .exit(0) else { throw Failure(description: "\(ending)\(complaint)") }
    return talk.output
  }
}

/// The input and output of a program.
private struct FilterProgramIO {
  enum Outcome { case finished, late, excessive }

  private let process: ChildProcess
  private(set) var output: [UInt8] = []
  private var errors: [UInt8] = []

  init(with process: ChildProcess) { self.process = process }

  /// The last line on standard error.
  var complaint: String {
    let line = errors.split { $0 == 0x0A || $0 == 0x0D }.last ?? []
    let text = String(decoding: line.prefix(200), as: UTF8.self)
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }

  /// Writes the input and reads the output until both are done.
  mutating func run(_ bytes: [UInt8], until deadline: ContinuousClock.Instant, most: Int) -> Outcome {
    var written = 0
    while process.isOpen(.output) || process.isOpen(.errors) {
      let left = (deadline - .now) / .milliseconds(1)
      if left <= 0 { return .late }
      // A closed descriptor is negative, which poll ignores.
      var ends = [process.poll(.output), process.poll(.errors), process.poll(.input)]
      let count = unsafe poll(&ends, nfds_t(ends.count), Int32(min(left, 1000)) + 1)
      if count < 0, errno != EINTR { return .late }
      if count <= 0 { continue }
      if ends[2].revents != 0 {
        let transfer = process.send(bytes, from: &written)
        // The program may answer without having read everything.
        if case .closed = transfer { process.close(.input) }
        if written == bytes.count { process.close(.input) }
      }
      if ends[0].revents != 0, case .closed = process.receive(.output, into: &output) { process.close(.output) }
      if ends[1].revents != 0 {
        if case .closed = process.receive(.errors, into: &errors) { process.close(.errors) }
        errors = errors.suffix(1 << 16)
      }
      if output.count > most { return .excessive }
    }
    return .finished
  }
}

extension ChildProcess {
  /// Whether the process ends before the deadline.
  fileprivate func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
    var pause: UInt32 = 200
    while !hasEnded {
      if ContinuousClock.now >= deadline { return false }
      usleep(pause)
      pause = min(2 * pause, 20_000)
    }
    return true
  }
}

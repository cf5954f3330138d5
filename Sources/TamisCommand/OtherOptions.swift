import ArgumentParser
import Tamis
import TamisCheck

/// The options for checking other sanitizers.
struct OtherOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A sanitizer of any kind: lines of JSON in, lines of JSON out.", valueName: "command"))
  var command: String?

  @Option(help: ArgumentHelp("Another one to compare it with.", valueName: "command"))
  var against: String?

  @Option(help: ArgumentHelp("How long it may take for a fragment.", valueName: "seconds"))
  var timeout = 10.0

  @Flag(help: "Have it write what the cases expect, byte for byte.")
  var exact = false

  func validate() throws {
    guard timeout > 0, timeout <= 86_400 else { throw ValidationError("--timeout takes seconds, more than 0") }
    if command == nil, against != nil || exact { throw ValidationError("--against and --exact go with --command") }
    if let command, command == against { throw ValidationError("--against takes another command than --command") }
  }

  /// Returns the runner of the cases; nil when our own sanitizer runs them.
  ///
  /// - Throws: an error when a program gives no answer at all.
  func runner(policy: Policy?, checksContractOnly: Bool) throws -> OtherRunner? {
    guard let command else { return nil }
    let limit = Duration.seconds(timeout)
    let program = OtherProgram(command: command, timeout: limit)
    let other = against.map { OtherProgram(command: $0, timeout: limit) }
    do {
      try program.probe()
      try other?.probe()
    } catch {
      Terminal.error("tamis: error: \(error.message) [check.command]")
      throw ExitCode.badData
    }
    return OtherRunner(
      program: program, against: other, policy: policy, isExact: exact, checksContractOnly: checksContractOnly)
  }
}

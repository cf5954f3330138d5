import ArgumentParser
import Tamis
import TamisCheck
import TamisSystem
import TamisFoundation

extension OutputContext: ExpressibleByArgument {}
extension SuiteEntry.Level: ExpressibleByArgument {}

/// The options for checking other sanitizers.
struct OtherOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A sanitizer of any kind: lines of JSON in, lines of JSON out.", valueName: "command"))
  var command: String?

  @Option(help: ArgumentHelp("Another one to compare it with.", valueName: "command"))
  var against: String?

  @Option(help: ArgumentHelp("How long it may take for a fragment.", valueName: "seconds"))
  var timeout = 10.0

  @Option(
    name: .customLong("context"), parsing: .singleValue,
    help: ArgumentHelp(
      "A place into which each output is put, besides the one of its case: \(OutputContext.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "place"))
  var contexts: [OutputContext] = []

  @Option(
    help: ArgumentHelp(
      "The faults that it is known to have: only what changes is a failure. With --record the file is written.",
      valueName: "file"))
  var expectedFailures: String?

  @Flag(help: "Leave out the measurement of shapes that grow, which starts the program five times for each.")
  var noSlow = false

  @Flag(help: "Have it write what the cases expect, byte for byte.")
  var exact = false

  func validate() throws {
    guard timeout > 0, timeout <= 86_400 else { throw ValidationError("--timeout takes seconds, more than 0") }
    if command == nil, against != nil || exact || noSlow || !contexts.isEmpty || expectedFailures != nil {
      throw ValidationError("--against, --exact, --no-slow, --context and --expected-failures go with --command")
    }
    if expectedFailures != nil, against != nil { throw ValidationError("--expected-failures is for one program") }
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
      program: program, against: other, policy: policy, isExact: exact, checksContractOnly: checksContractOnly,
      contexts: contexts, measuresGrowth: !noSlow)
  }

  /// Reads the expected faults of the cases; nil when there are none.
  ///
  /// - Throws: an error when the file cannot be read.
  func expectations(of suite: CheckSuite) throws -> ExpectedFailures? {
    guard let file = expectedFailures else { return nil }
    guard let data = FileManager.default.contents(atPath: file) else {
      Terminal.error("\(file): error: this file cannot be read; --record writes it [read.failed]")
      throw ExitCode.badData
    }
    var expected = ExpectedFailures(String(decoding: data, as: UTF8.self), file: file)
    expected.check(against: suite.keys)
    return expected
  }
}

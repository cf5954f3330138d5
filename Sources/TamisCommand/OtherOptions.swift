import ArgumentParser
import Tamis
import TamisCheck
import TamisSystem
import TamisFoundation

extension OutputContext: ExpressibleByArgument {}
extension SuiteEntry.Level: ExpressibleByArgument {}

/// The options for checking other sanitizers.
struct OtherOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A sanitizer that answers lines of JSON.", valueName: "command"))
  var command: String?

  @Option(help: ArgumentHelp("Another one to compare it with.", valueName: "command"))
  var against: String?

  @Option(
    help: ArgumentHelp("How long a fragment may take (10s).", valueName: "time"),
    transform: { try Quantity.duration($0, from: .milliseconds(1)) })
  var timeout: Duration?

  @Option(
    name: .customLong("context"), parsing: .singleValue,
    help: ArgumentHelp("A place into which outputs are put.", valueName: "place"))
  var contexts: [OutputContext] = []

  @Option(help: ArgumentHelp("The faults that it is known to have.", valueName: "file"))
  var expectedFailures: String?

  @Flag(help: "Expect the outputs of the cases, byte for byte.")
  var exact = false

  func validate() throws {
    if command == nil, against != nil || exact || !contexts.isEmpty || expectedFailures != nil {
      throw ValidationError("--against, --exact, --context and --expected-failures go with --command")
    }
    if expectedFailures != nil, against != nil { throw ValidationError("--expected-failures is for one program") }
    if let command, command == against { throw ValidationError("--against takes another command than --command") }
  }

  /// Returns the runner of the cases; nil when our own sanitizer runs them.
  ///
  /// - Throws: an error when a program gives no answer at all.
  func runner(policy: Policy?, checksContractOnly: Bool) throws -> OtherRunner? {
    guard let command else { return nil }
    let limit = timeout ?? .seconds(10)
    let program = OtherProgram(command: command, timeout: limit)
    let other = against.map { OtherProgram(command: $0, timeout: limit) }
    do {
      try program.probe()
      try other?.probe()
    } catch {
      throw Terminal.failure("tamis: error: \(error.message) [check.command]", .badData)
    }
    return OtherRunner(
      program: program, against: other, policy: policy, isExact: exact, checksContractOnly: checksContractOnly,
      contexts: contexts)
  }

  /// Reads the expected faults of the cases; nil when there are none.
  ///
  /// - Throws: an error when the file cannot be read.
  func expectations(of suite: CheckSuite) throws -> ExpectedFailures? {
    guard let file = expectedFailures else { return nil }
    guard let data = FilePath(file).contents(upTo: FilePath.longestCases) else {
      throw Terminal.failure("\(file): error: this file cannot be read; --record writes it [read.failed]", .badData)
    }
    var expected = ExpectedFailures(String(decoding: data, as: UTF8.self), file: file)
    expected.check(against: suite.keys)
    return expected
  }
}

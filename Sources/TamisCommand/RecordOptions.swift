import ArgumentParser
import Tamis
import TamisSystem
import TamisFoundation
import TamisLibC
import TamisRecords

/// The options for answering records: lines of JSON, or the records of WARC files.
struct RecordOptions: ParsableArguments {
  @Flag(help: "Read records, and answer each by a line of JSON.")
  var jsonl = false

  @Flag(name: .customLong("guard"), help: "Work in a separate process, which may crash.")
  var isGuarded = false

  @Option(help: ArgumentHelp("The largest record that is read (16M).", valueName: "size"), transform: Quantity.size)
  var maxRecord: Int?

  @Option(
    help: ArgumentHelp("How long a record may take (10s); needs --guard.", valueName: "time"),
    transform: { try Quantity.duration($0, from: .seconds(1)) })
  var maxTime: Duration?

  @Option(
    help: ArgumentHelp("What memory a record may take (1G), on Linux.", valueName: "size"),
    transform: Quantity.size)
  var maxMemory: Int?

  @Flag(help: "Exit with code 1 when an answer is an error.")
  var strict = false

  /// The option that a guard passes to its worker process.
  @Option(help: ArgumentHelp("Answer the records of standard input from this number on.", visibility: .hidden))
  var workerFrom: Int?

  func validate() throws {
    if let maxTime, maxTime > .seconds(86_400) { throw ValidationError("--max-time takes a day at most") }
    if longestRecord < 1 << 10 { throw ValidationError("--max-record takes at least 1K") }
    if let maxMemory, maxMemory < 64 << 20 { throw ValidationError("--max-memory takes at least 64M") }
  }

  /// Whether records are to be answered: on request, or because WARC files are named.
  func areWanted(of files: [String]) throws -> Bool {
    if jsonl || workerFrom != nil { return true }
    let archives = files.count { FilePath($0).kind == .file && ArchivedPages.isOne(at: FilePath($0)) }
    if archives > 0, archives < files.count {
      throw ValidationError("some of these files are WARC and some are not; run them separately, or all with --jsonl")
    }
    if archives == 0, isGuarded || strict || maxTime != nil || maxMemory != nil {
      throw ValidationError("--guard, --max-time, --max-memory and --strict need --jsonl or WARC files")
    }
    return archives > 0
  }

  private var isWorker: Bool { workerFrom != nil }

  /// The maximum size of a record, in bytes.
  var longestRecord: Int { maxRecord ?? 16 << 20 }

  /// The maximum time for a record, in seconds.
  private var seconds: Int { Int(maxTime?.components.seconds ?? 10) }

  private var wantsGuard: Bool { !isWorker && (isGuarded || maxTime != nil || maxMemory != nil) }

  /// Answers the records of files, or of standard input when none is named.
  ///
  /// - Parameters:
  ///   - files: the files with records.
  ///   - mapper: the mapper that answers each record.
  ///   - command: the words with which the command is called.
  /// - Throws: the exit code to end with, or an error of the arguments.
  func answer(_ files: [String], by mapper: some RecordMapper, command: [String]) throws {
    // A closed reader is reported by the failure to write, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    let paths = isWorker || files.isEmpty ? [FilePath.standardInput] : files.map { FilePath($0) }
    var input = RecordInput(
      paths, longest: isWorker ? .max : longestRecord, wantsPages: mapper.wantsPages, first: workerFrom ?? 1)
    // Output that a library prints would be taken for an answer.
    let output = Terminal.outputForOneself()
    let run = RecordRun(mapper) { Terminal.write($0, to: output, goneCode: .cannotWrite) }
    if isWorker { return run.work(&input, endingAfter: 2 * seconds + 60) }
    let summary: RecordSummary
    if wantsGuard {
      do throws(LineGuard.Failure) { summary = try run.run(&input, guarding: guarding(command)) } catch {
        throw Terminal.failure(
          "tamis: error: no worker process can answer records: \(error.message) [records.guard]", .cannotWrite)
      }
    } else {
      summary = run.run(&input)
    }
    reportSummary(summary.count, summary.errors, input)
    if !input.failures.isEmpty { throw ExitCode.cannotWrite }
    if strict, summary.failed > 0 { throw ExitCode.someFailed }
  }

  private func guarding(_ command: [String]) -> LineGuard.Options {
    let environment = ProcessInfo.processInfo.environment
    let program = environment["TAMIS_WORKER"] ?? FilePath.executable?.utf8Text ?? CommandLine.arguments[0]
    var arguments = Array(Arguments.strings.dropFirst(command.count))
    // Arguments after `--` are names, even those that look like an option.
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    arguments.replaceSubrange(..<end, with: arguments[..<end].filter { $0 != "--guard" })
    return LineGuard.Options(
      program: program, command: command + ["--worker-from"], options: arguments, patience: .seconds(seconds),
      memory: maxMemory ?? 1 << 30)
  }

  private func reportSummary(_ count: Int, _ errors: [RecordError.Code: Int], _ input: RecordInput) {
    Terminal.report(input.failures + input.findings, notes: false)
    var parts: [String] = []
    if !errors.isEmpty {
      let kinds = errors.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
      parts.append(
        "\(count.counted("record")) answered, \(errors.values.reduce(0, +)) with an error: \(kinds.joined(separator: ", "))"
      )
    }
    if input.passedOver > 0 {
      parts.append("\(input.passedOver.counted("record")) skipped: they hold nothing of this kind")
    }
    if !parts.isEmpty { Terminal.error("tamis: note: \(parts.joined(separator: "; ")) [records.answered]") }
  }
}

import ArgumentParser
import Tamis
import TamisFoundation
import TamisRecords

/// The options for reading one shard of the feeds, and for its folder.
struct ShardOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read shard K of N, K from 0, into its own archive.", valueName: "k/n|n"))
  var shard: String?

  @Option(help: "The folder for the shards.")
  var to: FilePath?

  @Flag(help: "Exit with code 1 when a feed could not be read.")
  var strict = false

  /// The variables in which array schedulers give the task's index, and the lowest index.
  private static let variables: [(index: String, least: String?)] = [
    ("JOB_COMPLETION_INDEX", nil), ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN"), ("AWS_BATCH_JOB_ARRAY_INDEX", nil),
  ]

  func validate(besides archive: String?, _ report: FilePath?, _ work: WorkOptions) throws {
    guard shard != nil else {
      if to != nil { throw ValidationError("--to needs --shard K/N") }
      if strict {
        throw ValidationError("--strict needs --shard; without shards a feed that fails is always exit code 1")
      }
      return
    }
    if archive != nil {
      throw ValidationError(
        "--archive and --shard cannot be combined: each shard is an archive; join them with tamis archive merge")
    }
    if to == nil { throw ValidationError("name the folder for the parts: --to") }
    if report != nil {
      throw ValidationError("--report and --shard cannot be combined: the receipt counts what was read")
    }
    if work.check { throw ValidationError("--check and --shard cannot be combined") }
    _ = try chosen()
  }

  /// The requested shard and its folder; nil when all feeds are read.
  func chosen() throws -> (Archive.Shard, FilePath)? {
    guard let shard, let to else { return nil }
    let parts = shard.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let count = parts.last.flatMap({ Int($0) }), (1...Archive.Shard.mostShards).contains(count)
    else {
      throw ValidationError(
        "--shard takes K/N, or N alone, such as 3/8; N is a number from 1 to \(Archive.Shard.mostShards), not '\(TerminalText.beginning(of: shard))'"
      )
    }
    let (word, source) = parts.count == 2 ? (String(parts[0]), "--shard") : try Self.index(of: count)
    guard let index = Int(word), let chosen = Archive.Shard(index: index, of: count) else {
      throw ValidationError(
        "\(source): there is no part '\(TerminalText.beginning(of: word))' of \(count); K is a number from 0 to \(count - 1)"
      )
    }
    return (chosen, to)
  }

  private static func index(of count: Int) throws -> (word: String, source: String) {
    let environment = ProcessInfo.processInfo.environment
    for (name, leastName) in variables {
      guard let text = environment[name], !text.isEmpty else { continue }
      guard let leastName, let leastText = environment[leastName], !leastText.isEmpty else { return (text, name) }
      guard let index = Int(text), let least = Int(leastText),
        case (let position, false) = index.subtractingReportingOverflow(least)
      else {
        throw ValidationError(
          "\(name) and \(leastName) are '\(TerminalText.beginning(of: text))' and '\(TerminalText.beginning(of: leastText))'; they are numbers"
        )
      }
      return ("\(position)", name)
    }
    throw ValidationError(
      "--shard \(count) does not say which part: write --shard K/\(count), or run it where \(variables.map(\.index).joined(separator: ", ")) is set"
    )
  }
}

extension SiteRun {
  /// Reads a shard, and reports the result.
  func run(_ shard: Archive.Shard, into folder: FilePath, isStrict: Bool) async throws {
    if configuration.sources.crawls.contains(.standardInput) {
      throw ValidationError("standard input cannot be read in shards; name a file")
    }
    let errors = sourceFindings.filter { $0.severity == .error }
    if !errors.isEmpty {
      // A shard of incomplete sources would not match the other shards.
      Terminal.error("tamis: error: shard \(shard) is not made: some sources are missing [shard]")
      throw errors.contains { $0.code == "read.failed" } ? ExitCode.cannotWrite : ExitCode.badData
    }
    let progress = Progress(leaving: "shard \(shard) is not written yet")
    defer { progress.finish() }
    let isClocked = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"]?.isEmpty != false
    let build = ShardBuild(configuration, shard, into: folder, isClocked: isClocked)
    let outcome: ShardBuild.Outcome
    do { outcome = try await build.run { progress.update($0) } } catch {
      throw Terminal.failure("tamis: error: \(TerminalText.beginning(of: "\(error)")) [shard]", .cannotWrite)
    }
    progress.finish()
    let failed: Int
    switch outcome {
    case .wasDone(let receipt):
      failed = receipt.errors.values.reduce(0, +)
      if !work.success.quiet { Terminal.error("shard \(shard): done already, \(Self.words(receipt))") }
    case .done(let receipt, let report):
      Terminal.reportGathered(report.findings, all: work.verbose)
      failed = receipt.errors.values.reduce(0, +)
      if !work.success.quiet { Terminal.error("shard \(shard): \(Self.words(receipt))") }
    }
    if isStrict, failed > 0 { throw ExitCode.someFailed }
  }

  private static func words(_ receipt: ShardReceipt) -> String {
    let failed = receipt.errors.values.reduce(0, +)
    return "\(receipt.feeds.counted("feed")), \(receipt.posts.counted("post"))"
      + (failed > 0 ? ", \(failed) failed" : "")
  }
}

package import TamisArchive
import TamisCore
package import TamisSystem
import TamisSanitizer

/// Reads one shard of the feeds into an archive of its own, with a receipt beside it: `K-of-N.archive` and
/// `K-of-N.receipt.json`.
///
/// Each file is moved to its path by one rename when it is complete, the receipt last. A shard that exists and matches
/// its receipt is not made again. Several processes may read one shard at once: the last one to finish wins, and all
/// give the same result.
package struct ShardBuild: Sendable {
  /// The result of reading a shard.
  package enum Outcome: Sendable {
    /// The shard was read in this run.
    case done(ShardReceipt, SiteBuild.IngestReport)
    /// The shard already existed.
    case wasDone(ShardReceipt)
  }

  /// The reason why there is no shard; a retry may help.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    /// The problem and its remedy, with the file's name.
    package let description: String
  }

  private let configuration: SiteBuild.Configuration
  private let shard: Archive.Shard
  private let folder: FilePath
  private let isClocked: Bool

  /// Creates the build of a shard.
  ///
  /// - Parameters:
  ///   - configuration: the sources and settings; its archive is not used, and its sources and subscriptions are only
  ///     those of the shard.
  ///   - shard: the shard.
  ///   - folder: the folder for the shard, which is created if it does not exist.
  ///   - isClocked: whether the time of the configuration is the current time, and so differs in each run.
  package init(_ configuration: SiteBuild.Configuration, _ shard: Archive.Shard, into folder: FilePath, isClocked: Bool)
  {
    (self.configuration, self.shard, self.folder, self.isClocked) = (configuration, shard, folder, isClocked)
  }

  /// Reads the shard, unless it already exists.
  ///
  /// - Parameter progress: a function that is called with the progress.
  /// - Returns: the receipt of the shard, and whether it was read in this run.
  /// - Throws: ``Failure`` when a file cannot be read or written. Files that are not feeds are counted in the receipt.
  package func run(progress: @escaping @Sendable (SiteBuild.Progress) -> Void = { _ in }) async throws -> Outcome {
    do throws(FileFailure) { try folder.makeFolder() } catch {
      throw Failure(description: "\(folder): this folder cannot be made: \(error)")
    }
    let inputs = try inputs()
    if let receipt = ShardReceipt(of: shard, in: folder), receipt.by == by, receipt.inputs == inputs,
      (try? receipt.fits(shard.archive(in: folder))) == true
    {
      return .wasDone(receipt)
    }
    do { return try await read(inputs, progress) } catch let error as Archive.Failure where error.isDiskFull {
      throw Failure(
        description: "\(folder): the disk is full; there is no shard \(shard) in it, try again with more room")
    } catch let error as FileFailure {
      throw Failure(description: "\(folder): the shard \(shard) cannot be written: \(error)")
    }
  }

  private func read(
    _ inputs: String, _ progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) async throws -> Outcome {
    let file = shard.archive(in: folder)
    let draft = try DraftFile(of: file)
    var configuration = configuration
    (configuration.archive, configuration.shard) = (draft.path, shard)
    // Pictures are fetched when all shards are in one archive.
    configuration.site.pictures = .link
    let archive = try Archive(draft: draft.path)
    let report = try await SiteBuild(configuration).ingest(into: archive, progress)
    let posts = try archive.countPosts()
    try archive.close()
    let receipt = ShardReceipt(
      shard, by: by, inputs: inputs, feeds: report.feeds + report.failed, posts: posts,
      errors: Dictionary(
        report.findings.filter { $0.severity == .error }.map { ($0.code, 1) }, uniquingKeysWith: +),
      archive: try draft.path.checksum())
    try draft.finish()
    try shard.receipt(in: folder).write(whole: try receipt.bytes)
    return .done(receipt, report)
  }

  // MARK: - Receipt

  /// The version of tamis, and the digest of rules, options and the named sources relative to the folder of shards.
  ///
  /// Shards that differ in these are not merged, since their feeds were distributed by other names.
  var by: String {
    let others = configuration.sanitizers.sorted { $0.key < $1.key }.map {
      "\($0.key) \(SiteBuild.digest(of: $0.value))"
    }
    let time = configuration.now.map { isClocked ? "clock" : "\($0)" } ?? "none"
    let parts =
      ["\(Pipelines.version) \(ArticleFilling.version)", SiteBuild.digest(of: configuration.sanitizer)] + others
      + [
        "\(configuration.fields)\(configuration.stages.fingerprint)",
        "\(configuration.site.keys) \(configuration.site.purge)",
        "\(configuration.siteRules.checksum)", time,
      ]
      + configuration.sources.named
    return Provenance("ingest", settings: parts).description
  }

  /// Returns the digest of the documents and of the way they are read; for fetched feeds, of their addresses.
  private func inputs() throws -> String {
    let pipelines = Pipelines(configuration)
    var stream = SHA256.Stream()
    func add(_ parts: String...) { stream.add(Array((parts.joined(separator: "\u{1F}") + "\n").utf8)) }
    for file in configuration.sources.files.sorted(by: { $0.name < $1.name }) {
      add("file", file.name, file.response.facts, pipelines.reading(file.settings), try checksum(of: file.path))
    }
    for file in configuration.sources.crawls { add("crawl", try checksum(of: file)) }
    let subscriptions = configuration.subscriptions
    for feed in subscriptions.feeds.sorted(by: { $0.storedAddress < $1.storedAddress }) {
      add("feed", feed.storedAddress, pipelines.reading(feed.settings), "\(feed.settings.isOff)")
    }
    for list in subscriptions.lists { add("list", "\(list.source)") }
    for file in configuration.knownPages.sorted() { add("pages", try checksum(of: file)) }
    return stream.finish().hex
  }

  private func checksum(of file: FilePath) throws(Failure) -> String {
    do throws(FileFailure) { return try file.checksum() } catch {
      throw Failure(description: "\(file): this file cannot be read: \(error)")
    }
  }
}

public import TamisArchive
import TamisCore
import TamisDigest
public import TamisFiles
import TamisSanitizer

/// One part of the feeds into an archive of its own, with a receipt beside it: `K-of-N.archive` and `K-of-N.receipt.json`.
///
/// Both are put in their places by one rename when they are whole, the receipt last. What is there and fits its receipt is not done
/// again. Several processes may read one part at once: the last that is ready counts, and all come to the same.
public struct ShardBuild: Sendable {
  /// What came of it.
  public enum Outcome: Sendable {
    /// It was read now.
    case done(ShardReceipt, IngestReport)
    /// It was there already.
    case wasDone(ShardReceipt)
  }

  /// Why there is no shard; it may be tried again.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, with the file's name.
    public let description: String
  }

  private let configuration: SiteBuild.Configuration
  private let shard: Shard
  private let folder: FilePath
  private let isClocked: Bool

  /// - Parameters:
  ///   - configuration: what is read, and how; its archive is not used, and of its sources and subscriptions only those of the shard
  ///     are there.
  ///   - folder: where the shard is put; made when it is not there.
  ///   - isClocked: whether the time of the configuration is that of a clock, and so another in each run.
  public init(_ configuration: SiteBuild.Configuration, _ shard: Shard, into folder: FilePath, isClocked: Bool) {
    (self.configuration, self.shard, self.folder, self.isClocked) = (configuration, shard, folder, isClocked)
  }

  /// Reads the shard, if it is not there yet.
  ///
  /// - Parameter progress: told how far it is.
  /// - Throws: ``Failure`` when a file cannot be read or written. Feeds that are no feeds are counted in the receipt.
  public func run(progress: @escaping (SiteBuild.Progress) -> Void = { _ in }) async throws -> Outcome {
    do throws(FileFailure) { try folder.makeFolder() } catch {
      throw Failure(description: "\(folder): this folder cannot be made: \(error)")
    }
    let inputs = try inputs()
    if let receipt = ShardReceipt(of: shard, in: folder), receipt.by == by, receipt.inputs == inputs,
      (try? receipt.fits(shard.archive(in: folder))) == true
    {
      return .wasDone(receipt)
    }
    do { return try await read(inputs, progress) } catch let error as ArchiveError where error.isDiskFull {
      throw Failure(
        description: "\(folder): the disk is full; there is no shard \(shard) in it, try again with more room")
    } catch let error as FileFailure {
      throw Failure(description: "\(folder): the shard \(shard) cannot be written: \(error)")
    }
  }

  private func read(
    _ inputs: String, _ progress: @escaping (SiteBuild.Progress) -> Void
  ) async throws -> Outcome {
    let place = shard.archive(in: folder)
    let draft = try DraftFile(of: place)
    var configuration = configuration
    (configuration.archive, configuration.shard, configuration.ingest.isShard) = (draft.path, shard, true)
    // They are fetched when all are in one archive.
    configuration.pictures = .link
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

  // MARK: - What it is made of

  /// The version of tamis, and the digest of rules and options, and of what was named to be read as seen from the folder of shards:
  /// shards of which these differ are not merged, for feeds would have been dealt out by other names.
  var by: String {
    let policies = configuration.policies.sorted { $0.key < $1.key }.map {
      "\($0.key) \(SiteBuild.digest(of: $0.value))"
    }
    let time = configuration.now.map { isClocked ? "clock" : "\($0)" } ?? "none"
    let ingest = configuration.ingest
    let parts =
      ["\(Pipelines.version) \(ArticleFilling.version)", SiteBuild.digest(of: configuration.policy)] + policies
      + ["\(configuration.fields)", "\(ingest.keys) \(ingest.purge)", "\(configuration.siteRules.checksum)", time]
      + configuration.sources.named
    return Provenance("ingest", settings: parts).description
  }

  /// The digest of the documents and of how they are read; of what is fetched, of the addresses.
  private func inputs() throws -> String {
    let pipelines = Pipelines(configuration)
    var stream = SHA256.Stream()
    func add(_ parts: String...) { stream.add(Array((parts.joined(separator: "\u{1F}") + "\n").utf8)) }
    for file in configuration.sources.files.sorted(by: { $0.place < $1.place }) {
      add("file", file.place, file.response.facts, pipelines.reading(file.settings), try checksum(of: file.path))
    }
    for file in configuration.sources.crawls { add("crawl", try checksum(of: file)) }
    let subscriptions = configuration.subscriptions
    for feed in subscriptions.feeds.sorted(by: { $0.place < $1.place }) {
      add("feed", feed.place, pipelines.reading(feed.settings), "\(feed.settings.isOff)")
    }
    for list in subscriptions.lists { add("list", "\(list.place)") }
    for file in configuration.knownPages.sorted() { add("pages", try checksum(of: file)) }
    return stream.finish().hex
  }

  private func checksum(of file: FilePath) throws(Failure) -> String {
    do throws(FileFailure) { return try file.checksum() } catch {
      throw Failure(description: "\(file): this file cannot be read: \(error)")
    }
  }
}

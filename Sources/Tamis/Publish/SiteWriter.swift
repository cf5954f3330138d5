import TamisArchive
import TamisCore
import TamisSystem
import TamisSite

/// Makes files and writes them into the site, several at once.
///
/// The inputs are read one after the other while earlier files are made. The number of waiting jobs is bounded, and so
/// is that of the posts that they hold: memory does not depend on the total.
final class SiteWriter {
  /// A few files that are made together.
  struct Job: Sendable {
    /// The work.
    enum Work: Sendable {
      /// The job makes the files.
      case make(@Sendable () -> [SiteFile])
      /// The job links or copies a file that exists elsewhere.
      case link(LinkedFile)
    }

    /// The paths of the files in the site.
    var paths: [PagePath]
    /// The work.
    var work: Work
    /// The number of posts that the work holds.
    var posts = 1
  }

  /// The counts of files so far.
  private(set) var summary = SiteBuild.PublishingSummary()
  /// The folders in which a file was written or removed.
  private(set) var touched: Set<String> = []
  /// The folders that contain files, or did until now.
  private(set) var folders: Set<String> = []

  /// The record of the site.
  let published: PublishedSite
  private let folder: SiteFolder
  private let jobs: Int
  private let isTrusted: Bool
  private let progress: (Int) -> Void
  private var waiting: [KnownJob] = []
  /// The number of posts that the waiting jobs hold.
  private var waitingPosts = 0
  private var running: Task<[Result<[Put], Site.Failure>], Never>?
  /// The files that are in the site and not yet recorded.
  private var unstored: [(path: PagePath, file: FileMark)] = []

  private struct KnownJob: Sendable {
    var job: Job
    var known: [PagePath: FileMark]
  }

  private struct Put: Sendable {
    var path: PagePath
    /// The result; nil when there was nothing to write.
    var result: PutResult?
  }

  /// The number of jobs that are submitted at once.
  private static let batch = 64
  /// The number of posts from which on fewer jobs are submitted: a part of the search data holds hundreds.
  private static let postsInBatch = 2000
  /// The number of jobs that a task does one after the other: submitting one costs as much as a tenth of a page.
  private static let jobsOfTask = 8
  /// The number of files that are recorded at once: each commit waits for the disk, and rewrites most of the table.
  ///
  /// An interrupted run may leave files that are not recorded; the next one compares all.
  private static let filesInBatch = 4096

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - folder: the folder of the site.
  ///   - published: the record of the site.
  ///   - jobs: the number of files that are made at once.
  ///   - isTrusted: whether the recorded digests are trusted, so that files that would not change are not read.
  ///   - progress: a function that is called with the number of files that are done.
  init(
    _ folder: SiteFolder, _ published: PublishedSite, jobs: Int, isTrusted: Bool, progress: @escaping (Int) -> Void
  ) {
    (self.folder, self.published, self.jobs) = (folder, published, jobs)
    (self.isTrusted, self.progress) = (isTrusted, progress)
  }

  func add(_ job: Job) async throws {
    if Task.isCancelled {
      // Nothing is written any more when the build has ended.
      _ = await running?.value
      throw CancellationError()
    }
    var known: [PagePath: FileMark] = [:]
    for path in job.paths { known[path] = try published.file(path) }
    waiting.append(KnownJob(job: job, known: known))
    waitingPosts += job.posts
    if waiting.count >= Self.batch || waitingPosts >= Self.postsInBatch { try await flush() }
  }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file in the site.
  ///   - posts: the number of posts that `make` holds.
  ///   - make: a function that makes the file; nil when the site is to have none.
  /// - Throws: an error when an earlier file cannot be written, or the archive cannot be read or written.
  func add(_ path: PagePath, posts: Int = 1, _ make: @escaping @Sendable () -> SiteFile?) async throws {
    try await add(Job(paths: [path], work: .make { make().map { [$0] } ?? [] }, posts: posts))
  }

  /// Adds files that are already made.
  func add(_ files: [SiteFile]) async throws {
    for file in files { try await add(file.path) { file } }
  }

  func add(_ file: LinkedFile) async throws { try await add(Job(paths: [file.path], work: .link(file))) }

  private var removed: [PagePath] = []
  /// The maximum number of removed files that are still recorded.
  private static let mostRemoved = 500

  /// Waits for all jobs.
  func finish() async throws {
    try await flush()
    try await flush()
    try store()
    try forgetRemoved()
  }

  private func flush() async throws {
    var done: [Result<[Put], Site.Failure>] = []
    if let running { done = await running.value }
    running = waiting.isEmpty ? nil : Self.start(waiting, folder, jobs: jobs, isTrusted: isTrusted)
    (waiting, waitingPosts) = ([], 0)
    try keep(done)
  }

  private static func start(
    _ batch: [KnownJob], _ folder: SiteFolder, jobs: Int, isTrusted: Bool
  ) -> Task<[Result<[Put], Site.Failure>], Never> {
    Task { @concurrent in await run(batch, folder, jobs: jobs, isTrusted: isTrusted) }
  }

  private static func run(
    _ batch: [KnownJob], _ folder: SiteFolder, jobs: Int, isTrusted: Bool
  ) async -> [Result<[Put], Site.Failure>] {
    var results: [Result<[Put], Site.Failure>] = []
    let starts = Array(stride(from: 0, to: batch.count, by: jobsOfTask))
    // The work does not throw.
    try? await inOrder(
      count: starts.count, jobs: jobs,
      work: { number in
        batch[starts[number]..<min(starts[number] + jobsOfTask, batch.count)].map { job in
          Result { () throws(Site.Failure) in
            try put(job, folder, isTrusted: isTrusted)
          }
        }
      }
    ) { _, done in results += done }
    return results
  }

  private static func put(_ known: KnownJob, _ folder: SiteFolder, isTrusted: Bool) throws(Site.Failure) -> [Put] {
    var puts: [Put] = []
    switch known.job.work {
    case .make(let make):
      for file in make() {
        let result = try folder.put(file, known: known.known[file.path], isTrusted: isTrusted)
        puts.append(Put(path: file.path, result: result))
      }
    case .link(let file):
      let result = try folder.put(file, known: known.known[file.path], isTrusted: isTrusted)
      puts.append(Put(path: file.path, result: result))
    }
    return puts
  }

  private func keep(_ results: [Result<[Put], Site.Failure>]) throws {
    var failure: Site.Failure?
    for result in results {
      switch result {
      case .failure(let error): failure = failure ?? error
      case .success(let puts):
        for put in puts {
          guard let result = put.result else {
            summary.notes.append("\(put.path): the file of this picture is missing; the next build fetches it again")
            continue
          }
          unstored.append((put.path, result.mark))
          let folder = put.path.folder
          folders.insert(folder)
          if result.outcome == .written {
            summary.written += 1
            touched.insert(folder)
          } else {
            summary.unchanged += 1
          }
          if let note = result.note { summary.notes.append(note) }
        }
      }
    }
    if unstored.count >= Self.filesInBatch || failure != nil { try store() }
    progress(summary.written + summary.unchanged)
    if let failure { throw failure }
  }

  private func store() throws {
    try published.keep(unstored)
    unstored.removeAll(keepingCapacity: true)
  }

  /// Removes the numbered files beyond a number.
  ///
  /// - Parameters:
  ///   - prefix: the paths of the files up to the number.
  ///   - last: the greatest number that is kept.
  /// - Throws: ``Archive/Failure`` when the record of the site cannot be read or written.
  func removeNumbered(_ prefix: String, behind last: Int) throws {
    for path in try published.files(beginning: prefix) {
      let number = path.text.dropFirst(prefix.count).split(separator: ".").first.flatMap { Int($0) }
      if let number, number > last { try remove(path) }
    }
  }

  /// Removes a file that the site no longer contains.
  func remove(_ path: PagePath) throws {
    guard let known = try published.file(path) else { return }
    switch folder.remove(path, known: known) {
    case .removed:
      summary.removed += 1
      touched.insert(path.folder)
      folders.insert(path.folder)
    case .absent: break
    case .kept(let note): summary.notes.append(note)
    }
    removed.append(path)
    if removed.count == Self.mostRemoved { try forgetRemoved() }
  }

  /// Deletes the records of removed files, in one transaction for many.
  func forgetRemoved() throws {
    try published.forget(removed)
    removed.removeAll(keepingCapacity: true)
  }
}

extension SiteBuild {
  /// The result of publishing.
  public struct PublishingSummary: Sendable, Hashable {
    /// The number of files that were written because they were new or changed.
    public var written = 0
    /// The number of files that were made again and not written because they would not change.
    public var unchanged = 0
    /// The number of files that were removed because their contents are no longer shown.
    public var removed = 0
    /// The number of all files of the site.
    public var files = 0
    /// Notes for the owner of the site.
    package var notes: [String] = []

    /// Creates an empty summary.
    package init() {}
  }
}

extension PagePath {
  /// The folder of the path; empty for the root.
  var folder: String { text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[..<$0]) } ?? "" }
}

import GRDB
package import TamisSystem

/// Merges archives into one: a union that does not depend on their order or on how often one is named.
///
/// Each feed and each post of an archive is joined with the stored one, as a line of an export is (``Join``).
/// Decisions, such as which post is canonical, are computed once, at the end.
extension Archive {
  /// The result of merging.
  package struct MergeReport: Sendable, Hashable {
    /// The number of archives that were read.
    package var archives = 0
    /// The number of feeds after merging.
    package var feeds = 0
    /// The number of posts after merging.
    package var posts = 0
  }

  /// Merges archives into one file, which is created if it does not exist.
  ///
  /// A new file is moved to its path by one rename; an existing one is changed in one transaction.
  ///
  /// - Parameters:
  ///   - inputs: the archives.
  ///   - file: the archive into which all are merged.
  ///   - patience: the number of seconds to wait for another run that is writing it.
  ///   - progress: a function that is called with the number of archives that were read.
  /// - Returns: the counts of what was merged.
  /// - Throws: ``Archive/Failure``, of bad input when a file is not an archive or is damaged; `FileFailure` when the
  ///   folder cannot be made. The archive is unchanged then.
  package static func merge(
    _ inputs: MergeInputs, into file: FilePath, patience: Int = 30, progress: (Int) -> Void = { _ in }
  ) throws -> MergeReport {
    try file.folder.makeFolder()
    let lock = file.kind == nil ? FileLock(beside: file, seconds: patience) : nil
    // Another run may have created it while this one waited.
    let isNew = file.kind == nil
    if isNew, lock == nil {
      throw Archive.Failure("\(file): another run is writing this archive, or its folder cannot be written to")
    }
    do {
      guard isNew else {
        // An archive has what it would take from itself.
        let others = inputs.files.filter { $0.resolved != file.resolved }
        return try Archive(file: file.description, patience: patience).take(others, progress)
      }
      DraftFile.removeAbandoned(of: file)
      let draft = try DraftFile(of: file)
      let archive = try Archive(draft: draft.path)
      let report = try archive.take(inputs.files, progress)
      try archive.close()
      try draft.finish()
      return withExtendedLifetime(lock) { report }
    } catch let error as Archive.Failure where error.isDiskFull {
      throw Archive.Failure("\(file): the disk is full; nothing was merged")
    } catch {
      throw Archive.Failure(error, file: file.description, done: "written")
    }
  }

  /// Adds archives, completely or not at all.
  private func take(_ files: [FilePath], _ progress: (Int) -> Void) throws -> MergeReport {
    try write { try Self.take(files, $0, progress) }
    try settle()
    return try read { database in
      var report = MergeReport(archives: files.count)
      report.feeds = try database.count("SELECT count(*) FROM feed")
      report.posts = try database.count("SELECT count(*) FROM post")
      return report
    }
  }

  private static func take(_ files: [FilePath], _ database: Database, _ progress: (Int) -> Void) throws {
    let names = try MergedFeedNames(database)
    try names.add(MergedFeedNames.own, of: database)
    for (number, file) in files.enumerated() {
      try reading(file) { other in
        let faults = try other.faults()
        guard faults.isEmpty else {
          throw Archive.Failure(badInput: "\(file): the file has impossible values: \(faults.joined(separator: ", "))")
        }
        try other.read { try names.add(Int64(number), of: $0) }
      }
    }
    try names.decide()
    var merging = try Merging(database)
    for feed in try names.feeds(of: MergedFeedNames.own) where feed.key != feed.final {
      try Renaming(database, from: feed.key, to: feed.final).rename(feed.number)
    }
    for (number, file) in files.enumerated() {
      try reading(file) { try merging.take($0, try names.feeds(of: Int64(number))) }
      progress(number + 1)
    }
    try merging.finish()
    try names.finish()
  }

  /// Reads an archive; an error against which a retry does not help is one of bad input.
  private static func reading(_ file: FilePath, _ body: (Archive) throws -> Void) throws {
    do { try body(Archive(file: file.description, mode: .reading)) } catch let failure as Archive.Failure
      where !failure.isTransient
    {
      throw Archive.Failure(badInput: failure.description)
    }
  }
}

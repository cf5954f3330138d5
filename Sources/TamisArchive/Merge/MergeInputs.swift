package import TamisSystem

/// The archives to merge: files, and folders of shards, which have to be complete.
package struct MergeInputs: Sendable {
  /// The files, in the order of their names, without duplicates.
  package private(set) var files: [FilePath] = []
  /// The receipts of shards, by the shard's file.
  private var receipts: [FilePath: ShardReceipt] = [:]

  /// The maximum number of names in a message.
  private static let mostNames = 20

  /// Finds the archives at some paths.
  ///
  /// A folder stands for its shards `K-of-N.archive` with their receipts, all with the same N; drafts left by killed
  /// runs are ignored. A file may be named several times.
  ///
  /// - Parameters:
  ///   - paths: the paths of files and folders.
  ///   - progress: a function that is called with the number of archives that were compared with their receipts, and
  ///     with the total number.
  /// - Throws: ``Archive/Failure`` of bad input when a shard is missing, does not match its receipt, or was made by
  ///   another version or with other rules; `FileFailure` when a file cannot be read.
  package init(_ paths: [FilePath], progress: (Int, Int) -> Void = { _, _ in }) throws {
    for path in paths {
      switch path.kind {
      case .folder: try add(folder: path)
      case .file:
        if let shard = Archive.Shard(fileName: path.name), shard.archive(in: path.folder).name == path.name {
          receipts[path] = ShardReceipt(of: shard, in: path.folder)
        }
        files.append(path)
      case .special, nil: throw Archive.Failure(badInput: "\(path): \(path.absence)")
      }
    }
    var seen: Set<FilePath> = []
    files = files.sorted().filter { seen.insert($0.resolved ?? $0).inserted }
    try compareMakers()
    let checked = files.filter { receipts[$0] != nil }
    for (number, file) in checked.enumerated() {
      guard let receipt = receipts[file] else { continue }
      guard try receipt.fits(file) else {
        throw Archive.Failure(
          badInput:
            "\(file): this archive does not match its receipt; read the shard again: tamis ingest … --shard "
            + "\(receipt.shard)/\(receipt.of) --to \(file.folder)")
      }
      progress(number + 1, checked.count)
    }
  }

  private mutating func add(folder: FilePath) throws {
    var found: [Archive.Shard: FilePath] = [:]
    for name in try folder.names().sorted() {
      guard let shard = Archive.Shard(fileName: name) else { continue }
      if let other = found.first, other.key.count != shard.count {
        throw Archive.Failure(
          badInput:
            "\(folder): the shards \(other.value) and \(name) belong to different numbers of shards; keep one set in the folder"
        )
      }
      found[shard] = name
    }
    guard let count = found.keys.first?.count else {
      throw Archive.Failure(
        badInput:
          "\(folder): there are no shards in this folder; tamis ingest … --shard K/N --to FOLDER makes them")
    }
    var missing: [Int] = []
    for index in 0..<count {
      guard let shard = Archive.Shard(index: index, of: count), shard.archive(in: folder).kind == .file,
        let receipt = ShardReceipt(of: shard, in: folder)
      else {
        missing.append(index)
        continue
      }
      files.append(shard.archive(in: folder))
      receipts[shard.archive(in: folder)] = receipt
    }
    guard missing.isEmpty else {
      let names = missing.prefix(Self.mostNames).map { "\($0)" }.joined(separator: ", ")
      let more = missing.count > Self.mostNames ? " and \(missing.count - Self.mostNames) more" : ""
      throw Archive.Failure(
        badInput:
          "\(folder): of \(count) shards these are missing or have no receipt: \(names)\(more); make each with: tamis ingest … --shard "
          + "K/\(count) --to \(folder)")
    }
  }

  private func compareMakers() throws {
    let made = files.compactMap { file in receipts[file].map { (file, $0.by) } }
    guard let (first, by) = made.first, let (other, otherBy) = made.first(where: { $0.1 != by }) else { return }
    throw Archive.Failure(
      badInput:
        "\(first) and \(other) were made by different versions or rules, or from different sources, \(by) and \(otherBy); make one of them again like the other"
    )
  }
}

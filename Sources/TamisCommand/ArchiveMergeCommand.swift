import ArgumentParser
import Tamis

/// `tamis archive merge`: merges separately filled archives into one.
struct ArchiveMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge archives, or all shards in a folder, into one; the order does not matter.",
    discussion: """
      The archive that is merged into is created when it does not exist. \
      A folder stands for its shards K-of-N.archive with their receipts: all of one N have to be there, as their receipts say, made \
      by one version with the same rules. The archive is put in its place as a whole, or changed as a whole or not at all. Exit \
      codes: 0 done, 65 there is no use in trying again: a shard is missing, or another's; 74 may be tried again. Example:

        tamis archive merge --archive planet.archive shards
      """)

  @OptionGroup var archive: ArchiveCommand.File
  @OptionGroup var success: SuccessOptions
  @Argument(help: "Archives, and folders of shards; any may be named twice.")
  var inputs: [FilePath]

  func run() throws {
    let file = FilePath(try archive.file())
    let progress = Progress(leaving: "the archive is unchanged")
    let report = try ArchiveCommand.attempt {
      defer { progress.finish() }
      let inputs = try MergeInputs(inputs) {
        progress.update($0, of: $1, noun: "shard", done: "compared with its receipt")
      }
      return try Archive.merge(inputs, into: file) {
        progress.update($0, of: inputs.files.count, noun: "archive", done: "merged")
      }
    }
    if success.quiet { return }
    Terminal.error(
      "\(report.archives.counted("archive")) merged: \(report.feeds.counted("feed")), \(report.posts.counted("post"))")
  }
}

import Foundation
import Tamis
import TestSupport
import Testing

/// `tamis ingest --shard` and `tamis archive merge` as array schedulers run them.
@Suite struct ShardCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    try FileManager.default.copyItem(atPath: Fixtures.url("Feeds").path, toPath: "\(folder.path)/feeds")
  }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  /// Each script is given with its exit code and the words it prints.
  @Test(arguments: [
    ("tamis ingest feeds --shard 3/3 --to shards", 2, "there is no part '3' of 3; K is a number from 0 to 2"),
    ("tamis ingest feeds --shard -1/3 --to shards", 2, ""),
    ("tamis ingest feeds --shard x/3 --to shards", 2, "there is no part 'x' of 3"),
    ("tamis ingest feeds --shard 1/0 --to shards", 2, "N is a number from 1"),
    ("tamis ingest feeds --shard 1/2/3 --to shards", 2, "--shard takes K/N"),
    ("tamis ingest feeds --shard 3 --to shards", 2, "does not say which part"),
    (
      "JOB_COMPLETION_INDEX=3 tamis ingest feeds --shard 3 --to shards", 2, "JOB_COMPLETION_INDEX: there is no part '3'"
    ),
    ("SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=5 tamis ingest feeds --shard 3 --to shards", 2, "no part '-1'"),
    ("SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_MIN=5 tamis ingest feeds --shard 3 --to shards", 2, "they are numbers"),
    ("tamis ingest feeds --shard 0/3", 2, "name the folder for the parts: --to"),
    ("tamis ingest feeds --to shards", 2, "--shard K/N"),
    ("tamis ingest feeds --shard 0/3 --to shards --archive a", 2, "cannot be combined"),
    ("tamis ingest feeds --shard 0/3 --to shards --check", 2, "cannot be combined"),
    ("tamis ingest nothing --shard 0/3 --to shards", 65, "there is no such file or folder"),
    ("tamis ingest feeds nothing --shard 0/3 --to shards", 65, "some sources are missing"),
    ("mkdir empty; tamis ingest empty --shard 0/3 --to shards", 65, "there is no feed in this folder"),
    ("touch shards; tamis ingest feeds --shard 0/3 --to shards", 74, "this folder cannot be made"),
    ("tamis ingest feeds --shard 0/3 --to /proc/shards", 74, "this folder cannot be made"),
    ("JOB_COMPLETION_INDEX=2 tamis ingest feeds --shard 3 --to shards -q", 0, ""),
    ("SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 tamis ingest feeds --shard 3 --to shards", 0, "shard 2/3: "),
    ("SLURM_ARRAY_TASK_ID=1 tamis ingest feeds --shard 3 --to shards", 0, "shard 1/3: "),
    ("AWS_BATCH_JOB_ARRAY_INDEX=0 tamis ingest feeds --shard 3 --to shards", 0, "shard 0/3: "),
  ])
  func exitCodesTellPermanentFromTransientErrors(_ script: String, _ status: Int, _ words: String) throws {
    let run = try shell("unset JOB_COMPLETION_INDEX SLURM_ARRAY_TASK_ID AWS_BATCH_JOB_ARRAY_INDEX\n" + script)
    #expect(run.status == status && (words.isEmpty || run.errors.contains(words)), "\(run)")
    if status != 0 { #expect(FilePath("\(folder.path)/shards/0-of-3.archive").kind == nil) }
  }

  @Test func damagedFeedFailsShardOnlyInStrictMode() throws {
    let damaged = Data([0x1F, 0x8B, 8, 0, 1, 2, 3])
    try damaged.write(to: URL(filePath: "\(folder.path)/damaged.xml"))
    #expect(try shell("tamis ingest damaged.xml --shard 0/1 --to shards").status == 0)
    #expect(try shell("tamis ingest damaged.xml --shard 0/1 --to shards --strict").status == 1)
    #expect(try shell("tamis ingest damaged.xml --shard 0/1 --to other --strict").status == 1)
  }

  /// A write beyond a limit of the system fails like one on a full disk.
  @Test func fullDiskLeavesNoShardOrArchive() throws {
    let full = try shell("(ulimit -f 100; trap '' XFSZ; tamis ingest feeds --shard 0/1 --to shards --reproducible)")
    #expect(full.status == 74, "\(full)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/shards") == [])
    #expect(try shell("tamis ingest feeds --shard 0/1 --to shards --reproducible").status == 0)
    let merged = try shell("(ulimit -f 100; trap '' XFSZ; tamis archive merge --archive all.archive shards)")
    #expect(merged.status == 74, "\(merged)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("all.") } == [])
  }

  /// Shards are killed at random points, and each is read twice at once.
  @Test func killedAndConcurrentShardsGiveSameArchive() throws {
    let run = try shell(
      """
      tamis ingest feeds --archive whole.archive --reproducible -q 2> /dev/null
      tamis archive export --archive whole.archive > whole.jsonl
      for k in 0 1 2; do
        for delay in 0.02 0.06 0.1; do
          '\(Command.executable.path)' ingest feeds --shard $k/3 --to shards --reproducible -q 2> /dev/null & one=$!
          sleep $delay; kill -9 $one; wait $one
        done
        tamis ingest feeds --shard $k/3 --to shards --reproducible -q 2> /dev/null & one=$!
        tamis ingest feeds --shard $k/3 --to shards --reproducible -q 2> /dev/null & other=$!
        wait $one || exit 9; wait $other || exit 9
      done
      tamis archive merge --archive merged.archive shards || exit 8
      tamis archive export --archive merged.archive | cmp - whole.jsonl || exit 7
      tamis archive verify --archive merged.archive
      """)
    #expect(run.status == 0, "\(run)")
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/shards")
    let ours = names.filter { !$0.contains(".tmp-") }.sorted()
    #expect(ours == (0..<3).flatMap { ["\($0)-of-3.archive", "\($0)-of-3.receipt.json"] })
  }

  @Test func missingShardIsReported() throws {
    _ = try shell("for k in 0 2; do tamis ingest feeds --shard $k/3 --to shards -q; done")
    let run = try shell("tamis archive merge --archive all.archive shards")
    #expect(
      run.status == 65 && run.errors.contains("missing or have no receipt: 1; make each with: tamis ingest"), "\(run)")
    #expect(FilePath("\(folder.path)/all.archive").kind == nil)
  }

  /// Feeds are placed relative to the folder of shards, so another folder assigns them to other shards.
  @Test func shardsOfDifferentSourcesAreNotMerged() throws {
    let run = try shell(
      """
      tamis ingest feeds --shard 0/2 --to shards -q --reproducible; mkdir deep
      tamis ingest feeds --shard 1/2 --to deep/shards -q --reproducible; cp deep/shards/* shards
      tamis archive merge --archive all.archive shards
      """)
    #expect(run.status == 65 && run.errors.contains("from different sources"), "\(run)")
  }

  /// A post may have nothing but an id, a link or a title.
  @Test func postWithoutTextIsMergedAndImported() throws {
    let feed =
      "<rss><channel><item><guid>a</guid><link>https://a.example/a</link></item><item><guid>b</guid><title>B</title></item></channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/bare.xml"))
    let run = try shell(
      """
      tamis ingest bare.xml --shard 0/1 --to parts --reproducible -q && tamis archive merge --archive merged.archive parts &&
      tamis ingest bare.xml --archive one.archive --reproducible -q &&
      tamis archive export --archive one.archive > one && tamis archive export --archive merged.archive | cmp - one &&
      tamis archive import --archive copy.archive one && tamis archive export --archive copy.archive | cmp - one
      """)
    #expect(run.status == 0, "\(run)")
  }
}

package import TamisSystem
import TamisFoundation

/// The receipt of a shard's archive, the file `K-of-N.receipt.json` beside it: its inputs, the way it was made, and the
/// result.
package struct ShardReceipt: Sendable, Hashable, Codable {
  /// The version of receipts: 1.
  package var v = 1
  /// The index of the shard, from 0.
  package var shard: Int
  /// The number of shards.
  package var of: Int
  /// The version of tamis, and the digest of rules and options.
  package var by: String
  /// The digest of the inputs.
  package var inputs: String
  /// The number of feeds, including those that could not be read.
  package var feeds: Int
  /// The number of posts in the archive.
  package var posts: Int
  /// The number of feeds that could not be read, by error code.
  package var errors: [String: Int]
  /// The SHA-256 digest of the archive's file, in hexadecimal.
  package var archive: String

  /// Creates a receipt.
  package init(
    _ shard: Archive.Shard, by: String, inputs: String, feeds: Int, posts: Int, errors: [String: Int], archive: String
  ) {
    (self.shard, of, self.by, self.inputs) = (shard.index, shard.count, by, inputs)
    (self.feeds, self.posts, self.errors, self.archive) = (feeds, posts, errors, archive)
  }

  /// The maximum size in bytes of a receipt that is read (1 MiB).
  private static let mostBytes = 1 << 20

  /// Reads a receipt; nil when there is none, or when it belongs to another shard or a later version.
  package init?(of shard: Archive.Shard, in folder: FilePath) {
    guard let bytes = try? FileSource(shard.receipt(in: folder)).beginning(Self.mostBytes),
      let receipt = try? JSONDecoder().decode(ShardReceipt.self, from: Data(bytes)), receipt.v == 1,
      receipt.shard == shard.index, receipt.of == shard.count
    else { return nil }
    self = receipt
  }

  /// The contents of the receipt's file: one line of JSON, with the members sorted by name.
  package var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  /// Whether a file is the archive of this receipt.
  package func fits(_ file: FilePath) throws(FileFailure) -> Bool { try file.checksum() == archive }
}

extension FilePath {
  /// Returns the SHA-256 digest of a file's bytes, in hexadecimal.
  ///
  /// - Throws: `FileFailure` when the file cannot be read.
  package func checksum() throws(FileFailure) -> String {
    var stream = SHA256.Stream()
    try readPieces { stream.add($0) }
    return stream.finish().hex
  }
}

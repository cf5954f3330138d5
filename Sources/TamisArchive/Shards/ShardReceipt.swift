import Foundation
public import TamisFiles

/// The receipt of a shard's archive, the file `K-of-N.receipt.json` beside it: what it was made of, how, and with which result.
package struct ShardReceipt: Sendable, Hashable, Codable {
  /// The version of receipts: 1.
  package var v = 1
  /// Which shard it is, from 0.
  package var shard: Int
  /// The number of shards.
  package var of: Int
  /// What it was made with: the version of tamis, and the digest of rules and options.
  package var by: String
  /// The digest of the inputs.
  package var inputs: String
  /// The number of feeds, including those that could not be read.
  package var feeds: Int
  /// How many posts the archive has.
  package var posts: Int
  /// How many feeds could not be read, by the code of the error.
  package var errors: [String: Int]
  /// The SHA-256 digest of the archive's file, in hexadecimal.
  package var archive: String

  /// Makes a receipt.
  package init(
    _ shard: Shard, by: String, inputs: String, feeds: Int, posts: Int, errors: [String: Int], archive: String
  ) {
    (self.shard, of, self.by, self.inputs) = (shard.index, shard.count, by, inputs)
    (self.feeds, self.posts, self.errors, self.archive) = (feeds, posts, errors, archive)
  }

  /// The largest receipt that is read, in bytes (1 MiB).
  private static let mostBytes = 1 << 20

  /// Reads a receipt; nil when there is none, or it is that of another shard, or of a later version.
  package init?(of shard: Shard, in folder: FilePath) {
    guard let bytes = try? FileSource(shard.receipt(in: folder)).beginning(Self.mostBytes),
      let receipt = try? JSONDecoder().decode(ShardReceipt.self, from: Data(bytes)), receipt.v == 1,
      receipt.shard == shard.index, receipt.of == shard.count
    else { return nil }
    self = receipt
  }

  /// The receipt as the bytes of its file: one line of JSON, the members in the order of their names.
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
  /// The SHA-256 digest of a file's bytes, in hexadecimal.
  public func checksum() throws(FileFailure) -> String {
    var stream = SHA256.Stream()
    try readPieces { stream.add($0) }
    return stream.finish().hex
  }
}

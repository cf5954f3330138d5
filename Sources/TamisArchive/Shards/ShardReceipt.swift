import Foundation
public import TamisFiles
import TamisDigest

/// What is said of a shard's archive by the file beside it, `K-of-N.receipt.json`: of what it was made, how, and what came of it.
public struct ShardReceipt: Sendable, Hashable, Codable {
  /// The version of receipts: 1.
  public var v = 1
  /// Which shard it is, from 0.
  public var shard: Int
  /// Of how many.
  public var of: Int
  /// By what it was made: the version of tamis, and the digest of rules and options.
  public var by: String
  /// The digest of what was read.
  public var inputs: String
  /// How many feeds there were, those among them that could not be read.
  public var feeds: Int
  /// How many posts the archive has.
  public var posts: Int
  /// How many feeds could not be read, by the code of what was wrong.
  public var errors: [String: Int]
  /// The SHA-256 digest of the archive's file, in hexadecimal.
  public var archive: String

  /// Makes a receipt.
  public init(
    _ shard: Shard, by: String, inputs: String, feeds: Int, posts: Int, errors: [String: Int], archive: String
  ) {
    (self.shard, of, self.by, self.inputs) = (shard.index, shard.count, by, inputs)
    (self.feeds, self.posts, self.errors, self.archive) = (feeds, posts, errors, archive)
  }

  /// The most bytes of a file that is taken for a receipt (1 MiB).
  private static let mostBytes = 1 << 20

  /// Reads one; nil when there is none, or it is that of another shard, or of a later version.
  public init?(of shard: Shard, in folder: FilePath) {
    guard let bytes = try? FileSource(shard.receipt(in: folder)).beginning(Self.mostBytes),
      let receipt = try? JSONDecoder().decode(ShardReceipt.self, from: Data(bytes)), receipt.v == 1,
      receipt.shard == shard.index, receipt.of == shard.count
    else { return nil }
    self = receipt
  }

  /// The receipt as the bytes of its file: one line of JSON, the members in the order of their names.
  public var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  /// Whether a file is the archive that the receipt is of.
  public func fits(_ file: FilePath) throws(FileFailure) -> Bool { try file.checksum() == archive }
}

extension FilePath {
  /// The SHA-256 digest of a file's bytes as they lie there, in hexadecimal.
  public func checksum() throws(FileFailure) -> String {
    var stream = SHA256.Stream()
    try readPieces { stream.add($0) }
    return stream.finish().hex
  }
}

import TamisCore
package import TamisSystem

extension Archive {
  /// One of several parts among which feeds are distributed, so that each part can be read independently.
  ///
  /// The shard of a feed depends only on its name: with twice as many shards, each is half of one before.
  package struct Shard: Sendable, Hashable, CustomStringConvertible {
    /// The index, from 0.
    package let index: Int
    /// The number of shards, from 1.
    package let count: Int

    /// The maximum number of shards (1,000,000).
    package static let mostShards = 1_000_000

    /// Creates a shard; nil when the index or the count is out of range.
    ///
    /// - Parameters:
    ///   - index: the index, from 0.
    ///   - count: the number of shards, from 1.
    package init?(index: Int, of count: Int) {
      guard (1...Self.mostShards).contains(count), (0..<count).contains(index) else { return nil }
      (self.index, self.count) = (index, count)
    }

    /// The shard as `K/N`, as in commands.
    package var description: String { "\(index)/\(count)" }

    /// Whether a feed is in this shard.
    ///
    /// - Parameter name: the name that identifies the feed before it is read: its URL, otherwise the path of its file.
    /// - Returns: whether the feed is in this shard; it is in exactly one.
    package func holds(feedNamed name: String) -> Bool {
      let hash = UInt64(bitPattern: Digest.of(name, kind: "shard"))
      return hash.multipliedFullWidth(by: UInt64(count)).high == UInt64(index)
    }

    // MARK: - Files

    /// Returns the file of the shard's archive in a folder.
    package func archive(in folder: FilePath) -> FilePath { folder.appending(FilePath("\(stem).archive")) }

    /// Returns the file of the shard's receipt in a folder.
    package func receipt(in folder: FilePath) -> FilePath { folder.appending(FilePath("\(stem).receipt.json")) }

    private var stem: String { "\(index)-of-\(count)" }

    /// Creates the shard from the name of its archive or receipt; nil when the name is of neither.
    init?(fileName name: FilePath) {
      guard let text = name.utf8Text,
        let stem = [".archive", ".receipt.json"].first(where: text.hasSuffix).map({ text.dropLast($0.count) })
      else { return nil }
      let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1] == "of", let index = Int(parts[0]), let count = Int(parts[2]) else { return nil }
      self.init(index: index, of: count)
      // Other spellings, such as 007-of-08, are refused.
      if self.stem != stem { return nil }
    }
  }
}

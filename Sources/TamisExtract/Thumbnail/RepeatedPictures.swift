package import TamisCore

/// The pictures that at least three of a feed's posts have, which belong to the site's design.
///
/// Pictures are known by hashes of their URLs, so that a feed of any length takes a few bytes for each.
package struct RepeatedPictures: Sendable {
  private static let fewest: UInt8 = 3

  /// The number of posts with a picture, up to ``fewest``, by the hash of its URL.
  private var counts: [UInt64: UInt8] = [:]

  package init() {}

  /// Adds the pictures of a post.
  package mutating func add(_ post: SanitizedHTML.Facts) {
    for hash in Set(post.images.map { Self.hash($0.source) }) {
      let count = counts[hash] ?? 0
      if count < Self.fewest { counts[hash] = count + 1 }
    }
  }

  /// Returns whether several posts have a picture, by its URL.
  func contains(_ url: String) -> Bool { counts[Self.hash(url)] ?? 0 >= Self.fewest }

  private static func hash(_ url: String) -> UInt64 {
    url.utf8.reduce(NameHash.empty) { NameHash.adding($1, to: $0) }
  }
}

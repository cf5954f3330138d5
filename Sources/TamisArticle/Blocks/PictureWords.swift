import TamisCore

/// Words of URLs, classes and alternative texts that identify pictures that are not part of an article.
struct PictureWords {
  private let digests: Set<UInt64>

  static let decoration = PictureWords([
    "avatar", "avatars", "gravatar", "badge", "badges", "emoji", "smiley", "smilies", "sprite", "sprites",
  ])
  static let sounds = PictureWords([
    "icon", "icons", "logo", "logos", "share", "sharing", "rating", "stars", "button", "buttons", "banner", "ad", "ads",
    "facebook", "twitter", "linkedin", "pinterest", "whatsapp", "headshot", "byline",
  ])

  private init(_ words: [String]) { digests = Set(words.map { $0.utf8.reduce(Self.seed, Self.mix) }) }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func mix(_ digest: UInt64, _ byte: UInt8) -> UInt64 {
    (digest ^ UInt64(byte.asciiLowercased)) &* 0x100_0000_01B3
  }

  /// Whether a text, or a URL without its query, contains one of the words.
  func areIn(_ text: some Collection<UInt8>) -> Bool {
    var digest = Self.seed
    for byte in text {
      if byte.isASCIILetter {
        digest = Self.mix(digest, byte)
      } else if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        break
      } else {
        if digests.contains(digest) { return true }
        digest = Self.seed
      }
    }
    return digests.contains(digest)
  }

  /// Whether the folders of a URL contain one of the words; a file so named may be a picture of that thing.
  func areInFolder(of address: some BidirectionalCollection<UInt8>) -> Bool {
    let path = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return path.lastIndex(of: UInt8(ascii: "/")).map { areIn(path[..<$0]) } ?? false
  }
}

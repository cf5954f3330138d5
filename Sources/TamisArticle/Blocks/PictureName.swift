import TamisCore

/// The name of an image file, which identifies URLs of the same picture.
///
/// For example, `ship-800x600.jpg` and `ship.webp` are equal.
struct PictureName: Hashable {
  private let digest: UInt64?

  /// Creates the name of the file at a URL.
  ///
  /// - Parameter address: the URL; where a program serves the picture, the name is the file in the query, else the
  ///   query.
  init(_ address: some BidirectionalCollection<UInt8>) {
    let address = address.map(\.asciiLowercased)
    let path = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
    if path.count < address.count, address[path.count] == UInt8(ascii: "?"), !Self.isPicture(path) {
      let query = address[(path.count + 1)...]
      name = query
      for word in query.split(whereSeparator: { "/=&%".utf8.contains($0) }) where Self.isPicture(word) { name = word }
    }
    let stem = Self.withoutSize(name.prefix { $0 != UInt8(ascii: ".") })
    digest = stem.isEmpty ? nil : stem.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Whether there is a name.
  var isNamed: Bool { digest != nil }

  private static let endings = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg"].map { Array($0.utf8) }

  /// Whether a path ends like that of an image file.
  static func isPicture(_ path: some BidirectionalCollection<UInt8>) -> Bool {
    endings.contains { ending in path.suffix(ending.count).lazy.map(\.asciiLowercased).elementsEqual(ending) }
  }

  private static func withoutSize(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let dash = stem.lastIndex(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return stem }
    let size = stem[(dash + 1)...]
    let isSize =
      size.contains(UInt8(ascii: "x")) && size.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "x") }
    return isSize || size.elementsEqual("scaled".utf8) ? stem[..<dash] : stem
  }
}

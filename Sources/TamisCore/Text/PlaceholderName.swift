/// Recognizes placeholder pictures, which a script replaces, by their file names.
package enum PlaceholderName {
  /// Words of which one is enough, if all others are of the second list.
  private static let telling: Set = [
    "blank", "spacer", "transparent", "trans", "placeholder", "lazyload", "lazy", "loading", "spinner",
  ]
  private static let usual: Set = [
    "image", "img", "pic", "picture", "photo", "grey", "gray", "white", "black", "pixel", "default", "loader", "empty",
    "thumb", "thumbnail", "bg", "small", "large", "dot", "gif", "px", "preload", "icon", "ajax", "min",
  ]

  /// Whether an address ends in such a name: `blank.gif`, `lazy_placeholder-300x200.png`, but not
  /// `css-placeholder-demo.png`, and nothing in a query counts.
  package static func isIn(_ address: some Collection<UInt8>) -> Bool {
    var start = address.startIndex
    var end = address.startIndex
    var length = 0
    for byte in address {
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
      address.formIndex(after: &end)
      length += 1
      if byte == UInt8(ascii: "/") { (start, length) = (end, 0) }
    }
    // Longer names are not placeholders.
    guard length < 60 else { return false }
    let name = address[start..<end].map(\.asciiLowercased)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    var hasTelling = false
    for word in name[..<dot].split(whereSeparator: { !$0.isASCIIAlphanumeric }) {
      if word.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "x") }) { continue }
      let text = String(decoding: word, as: UTF8.self)
      if telling.contains(text) { hasTelling = true } else if !usual.contains(text) { return false }
    }
    return hasTelling
  }
}

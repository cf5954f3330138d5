/// Recognizes placeholder pictures, which a script replaces, by their file names.
package enum PlaceholderName {
  /// Words of which a placeholder's name contains at least one; all others must be of the second list.
  private static let telling: Set = [
    "blank", "spacer", "transparent", "trans", "placeholder", "lazyload", "lazy", "loading", "spinner",
  ]
  private static let usual: Set = [
    "image", "img", "pic", "picture", "photo", "grey", "gray", "white", "black", "pixel", "default", "loader", "empty",
    "thumb", "thumbnail", "bg", "small", "large", "dot", "gif", "px", "preload", "icon", "ajax", "min",
  ]

  /// Returns whether a URL ends in such a name, without its query and fragment.
  ///
  /// `blank.gif` and `lazy_placeholder-300x200.png` are such names; `css-placeholder-demo.png` is not.
  package static func isIn(_ address: borrowing Span<UInt8>) -> Bool {
    var (start, end) = (0, 0)
    while end < address.count, address[end] != UInt8(ascii: "?"), address[end] != UInt8(ascii: "#") {
      end += 1
      if address[end - 1] == UInt8(ascii: "/") { start = end }
    }
    // Longer names are not placeholders.
    guard end - start < 60 else { return false }
    while end > start, address[end - 1] != UInt8(ascii: ".") { end -= 1 }
    var hasTelling = false
    var index = start
    while index < end - 1 {
      let first = index
      var isSize = true
      while index < end - 1, address[index].isASCIIAlphanumeric {
        if !address[index].isASCIIDigit, address[index].asciiLowercased != UInt8(ascii: "x") { isSize = false }
        index += 1
      }
      if !isSize {
        let word = String(decoding: (first..<index).map { address[$0].asciiLowercased }, as: UTF8.self)
        if telling.contains(word) { hasTelling = true } else if !usual.contains(word) { return false }
      }
      index += 1
    }
    return hasTelling
  }
}

import Foundation
package import TamisCore
import TamisFiles
import TamisUnicode

/// Names of pages, made of titles.
package enum Slug {
  /// Longest slug, in bytes of UTF-8.
  private static let maximumLength = 60

  /// Letters and digits of any script in lower case and composed (NFC), hyphens between them; `fallback` when there are none.
  ///
  /// Never empty, never `.` or `..`, without anything that means something to a file system or a URL.
  package static func of(_ text: String, fallback: String) -> String {
    // Dashes, quotation marks, daggers and bullets are no letters in any form.
    let isPlain = text.unicodeScalars.allSatisfy { $0.isASCII || (0x2010...0x2023).contains($0.value) }
    let text = isPlain ? text : UnicodeText.lowercased(text)
    var slug: [UInt8] = []
    var needsHyphen = false
    for scalar in text.unicodeScalars {
      guard belongs(scalar, inWord: !slug.isEmpty && !needsHyphen) else {
        needsHyphen = !slug.isEmpty
        continue
      }
      if slug.count + UTF8.width(scalar) + (needsHyphen ? 1 : 0) > maximumLength { break }
      if needsHyphen { slug.append(UInt8(ascii: "-")) }
      if scalar.isASCII {
        slug.append(UInt8(scalar.value).asciiLowercased)
      } else {
        slug += String(scalar).utf8
      }
      needsHyphen = false
    }
    return slug.isEmpty ? fallback : String(decoding: slug, as: UTF8.self)
  }

  /// The words by which a post's page is named: those of its title, else those of its text.
  ///
  /// - Parameter title: empty when it has none.
  package static func ofPost(title: String, excerpt: String) -> String {
    of(title.isEmpty ? excerpt : title, fallback: "post")
  }

  /// The name of a tag's page.
  ///
  /// Where signs were left out or the end was cut off, a digest tells tags apart: `C`, `C++` and `C#` are three.
  package static func ofTag(_ tag: String) -> String {
    let slug = of(tag, fallback: "tag")
    // Most tags are a word.
    if tag.utf8.allSatisfy(\.isASCIIAlphanumeric), tag.utf8.count == slug.utf8.count { return slug }
    let words = UnicodeText.lowercased(tag)
      .split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: "-")
    return Array(words.utf8) == Array(slug.utf8) ? slug : "\(slug)-\(SHA256(words).hex.prefix(8))"
  }

  /// The name of a feed's pages: of its address without what all addresses of feeds have in common, or of its file without the
  /// endings that feeds have.
  ///
  /// Parameters of an address, in which there may be a key to it, and the path of a file stand in it as a digest. Two feeds may
  /// have one.
  package static func ofFeed(_ key: FeedKey) -> String {
    guard let address = key.addressForm else {
      return of(withoutEndings(key.publicName), fallback: "feed")
    }
    var parts = key.publicName.split(separator: "/").map(String.init)
    if let last = parts.popLast() { parts.append(parts.isEmpty ? last : withoutEndings(last)) }
    parts = parts.prefix(1) + parts.dropFirst().filter { !commonNames.contains($0.asciiLowercased()) }
    let slug = of(parts.joined(separator: "-"), fallback: "feed")
    if key.path == nil, !address.contains("?") { return slug }
    return "\(slug)-\(SHA256(key.text).hex.prefix(8))"
  }

  /// Usual file names of feeds in URLs, which distinguish nothing.
  private static let commonNames: Set = ["feed", "feeds", "rss", "rss2", "atom", "index", "xml"]

  private static func withoutEndings(_ name: String) -> String {
    var name = name[...]
    while let dot = name.lastIndex(of: "."), dot > name.startIndex,
      [".xml", ".rss", ".atom", ".rdf", ".json", ".gz"].contains(String(name[dot...]).asciiLowercased())
    {
      name = name[..<dot]
    }
    return String(name)
  }

  /// Whether a character is part of a word; a combining mark is only after a letter: otherwise it would combine with the
  /// slash or hyphen before it.
  private static func belongs(_ scalar: Unicode.Scalar, inWord: Bool) -> Bool {
    if scalar.isASCII {
      switch UInt8(scalar.value) {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        return true
      default: return false
      }
    }
    if UnicodeText.isMark(scalar) { return inWord }
    return UnicodeText.isAlphabetic(scalar) || UnicodeText.isNumeric(scalar)
  }
}

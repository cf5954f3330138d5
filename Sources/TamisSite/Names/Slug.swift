package import TamisCore
import TamisSystem

/// Names of pages, derived from titles.
package enum Slug {
  /// The maximum length of a slug, in bytes of UTF-8.
  private static let maximumLength = 60

  /// Returns the letters and digits of any script in lower case and composed (NFC), with hyphens between words.
  ///
  /// The result is `fallback` when there are none. It is never empty, `.` or `..`, and has no characters that are
  /// special to a file system or a URL.
  package static func of(_ text: String, fallback: String) -> String {
    // Dashes, quotation marks, daggers and bullets are not letters in any form.
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

  /// Returns the name of a post's page: the words of its title, else those of its text.
  ///
  /// - Parameters:
  ///   - title: the title, empty when there is none.
  ///   - excerpt: the beginning of the text.
  /// - Returns: the name; `post` when there are no words.
  package static func ofPost(title: String, excerpt: String) -> String {
    of(title.isEmpty ? excerpt : title, fallback: "post")
  }

  /// Returns the name of a tag's page.
  ///
  /// When characters were left out or the end was cut off, a digest distinguishes tags: `C`, `C++` and `C#` are three.
  package static func ofTag(_ tag: String) -> String {
    let slug = of(tag, fallback: "tag")
    // Most tags are a single word.
    if tag.utf8.allSatisfy(\.isASCIIAlphanumeric), tag.utf8.count == slug.utf8.count { return slug }
    let words = UnicodeText.lowercased(tag)
      .split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: "-")
    return Array(words.utf8) == Array(slug.utf8) ? slug : "\(slug)-\(SHA256(words).hex.prefix(8))"
  }

  /// Returns the name of a feed's pages, from its URL without the parts common to all feeds, or from its file name
  /// without extension.
  ///
  /// The parameters of a URL, which may contain an access key, and the path of a file are only represented as a digest.
  /// Two feeds may have the same name.
  package static func ofFeed(_ key: Feed.Key) -> String {
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

  /// The usual file names of feeds in URLs, which distinguish nothing.
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

  /// Whether a character is part of a word.
  ///
  /// A combining mark only counts after a letter, or it would combine with the slash or hyphen before it.
  private static func belongs(_ scalar: Unicode.Scalar, inWord: Bool) -> Bool {
    if scalar.isASCII { return UInt8(scalar.value).isASCIIAlphanumeric }
    if UnicodeText.isMark(scalar) { return inWord }
    return UnicodeText.isAlphabetic(scalar) || UnicodeText.isNumeric(scalar)
  }
}

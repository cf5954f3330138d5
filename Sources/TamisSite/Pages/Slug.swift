/// Names of pages, made of titles.
public enum Slug {
  /// Longest slug, in bytes of UTF-8.
  private static let maximumLength = 60

  /// Letters and digits of any script in lower case, hyphens between them; `fallback` when there are none.
  ///
  /// Never empty, never `.` or `..`, without anything that means something to a file system or a URL.
  public static func of(_ text: String, fallback: String) -> String {
    var slug = ""
    var needsHyphen = false
    for scalar in text.lowercased().unicodeScalars {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark(scalar) else {
        needsHyphen = !slug.isEmpty
        continue
      }
      let piece = (needsHyphen ? "-" : "") + String(scalar)
      if slug.utf8.count + piece.utf8.count > maximumLength { break }
      slug += piece
      needsHyphen = false
    }
    return slug.isEmpty ? fallback : slug
  }

  /// Combining marks belong to the letter before them.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: false
    }
  }
}

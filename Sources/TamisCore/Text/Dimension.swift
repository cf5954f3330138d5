/// Parses widths and heights as markup and feeds declare them.
package enum Dimension {
  /// The largest size; larger values are ignored.
  private static let largest = 100_000

  /// Returns the number of pixels that a text declares; nil when there is no plausible number.
  ///
  /// The number is the leading digits: `100px` and `100.5` declare 100, and `100%` declares none.
  package static func pixels(_ text: String) -> Int? {
    let trimmed = text.trimmed()
    let digits = trimmed.utf8.prefix { $0.isASCIIDigit }
    guard !trimmed.hasSuffix("%"), let number = Int(String(decoding: digits, as: UTF8.self)), number <= largest else {
      return nil
    }
    return number
  }
}

import TamisCore
import TamisPlanet

/// Decides which entries want their pages.
package enum Teaser {
  /// The number of words below which a text is a teaser, however it ends.
  static let fewWords = 60

  /// The endings of texts that are continued elsewhere, in lower case.
  private static let endings = [
    "…", "...", "[…]", "[...]", "(…)", "(...)", "[&hellip;]", "read more", "read more.", "read more »", "read more →",
    "continue reading", "continue reading →", "continue reading »", "keep reading", "read on", "full story",
    "read the full story", "read the rest", "more »", "more →", "weiterlesen", "weiterlesen →", "weiterlesen »",
    "mehr »",
    "mehr lesen", "lire la suite", "lire plus", "leer más", "seguir leyendo", "sigue leyendo", "leggi tutto",
    "continua a leggere", "leia mais", "lees verder", "läs mer", "les mer", "læs mere", "читать далее", "czytaj dalej",
    "続きを読む", "全文を読む", "阅读全文", "閱讀全文", "继续阅读", "اقرأ المزيد",
  ]

  /// Whether the page of an entry is wanted.
  ///
  /// - Parameters:
  ///   - text: the entry's text, with white space collapsed.
  ///   - title: the entry's title.
  ///   - setting: the setting of the feed.
  /// - Returns: whether the page is wanted.
  static func wantsPage(_ text: String, under title: String, _ setting: Planet.FullText) -> Bool {
    switch setting {
    case .no: false
    case .yes: true
    case .whenShort: isTeaser(text, under: title)
    }
  }

  /// Whether a text breaks off before its title is repeated at its end, as in WordPress.
  ///
  /// Examples are `the harbour […] The post Fog appeared first on Mix.` and `the harbour… Continue reading Fog`.
  private static func breaksOff(_ text: String, before title: String) -> Bool {
    let end = text.suffix(400)
    guard !title.isEmpty, let repeated = end.ranges(of: title).last,
      end[repeated.upperBound...].count < 120
    else { return false }
    let before = end[..<repeated.lowerBound].suffix(40)
    return before.contains("…") || before.contains("...")
  }

  /// Whether a text is short, or ends like texts that are continued elsewhere.
  package static func isTeaser(_ text: String, under title: String = "") -> Bool {
    let end = String(text.suffix(60)).trimmed().lowercased()
    if endings.contains(where: end.hasSuffix) || breaksOff(text, before: title) { return true }
    // A long text need not be counted.
    return text.utf8.count < fewWords * 100 && TextRuns(text).count < fewWords
  }
}

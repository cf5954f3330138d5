package import TamisCore

/// Chooses the body of an entry among its texts: the richest one, whatever its element is called and wherever it stands.
///
/// Feeds repeat a body: HTML beside its plain text, a whole text beside its beginning, and the shorter form often stands where
/// the longer one is expected. Each text is weighed by its letters, its links and its pictures:
///
/// - Of two texts with the same letters, the one with more markup is richer.
/// - A text that goes on where the other one ends is richer than that one, which is only its beginning.
/// - Of two different texts, the one of more weight is richer; of equal ones the first.
///
/// A text of Media RSS is the body only when it continues the body, since it may be the caption of a picture.
package enum BodyChoice {
  /// The richest text of an entry; nil when it has none.
  package static func body(of entry: FeedEntry) -> Markup? {
    let own = entry.content + (entry.summary.map { [$0] } ?? []) + entry.otherTexts
    guard var best = own.first else { return entry.mediaText }
    if own.count == 1, entry.mediaText == nil { return best }
    var weight = TextWeight(best)
    for text in own.dropFirst() where text != best {
      let other = TextWeight(text)
      if other.isRicher(than: weight) { (best, weight) = (text, other) }
    }
    if let media = entry.mediaText {
      let other = TextWeight(media)
      if other.covers(weight), other.isRicher(than: weight) { best = media }
    }
    return best
  }
}

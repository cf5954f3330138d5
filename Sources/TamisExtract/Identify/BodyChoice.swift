package import TamisCore

/// Chooses the body of an entry among its texts: the richest one, regardless of its element and position.
///
/// Feeds repeat a body: HTML beside its plain text, a whole text beside its beginning, and the shorter form is often
/// where the longer one is expected. Each text is weighed by its letters, its links and its pictures:
///
/// - Of two texts with the same letters, the one with more markup is richer.
/// - Of two other texts, the one of more weight is richer; of equal ones the first. A full text therefore beats its own
///   beginning, unless the beginning has pictures and links which the full text lacks.
/// - A text of pictures or videos alone is followed by the richest of the other texts.
/// - A text that is not in a content element is followed by those of content elements (RFC 4287, 4.1.3), and a text
///   without links and pictures by others that have some, as far as it lacks them.
///
/// A Media RSS text, which may be the caption of a picture, and a long text of an element that no format knows are the
/// body only if they cover the chosen text, or if there is no other.
package enum BodyChoice {
  /// The richest text of an entry, followed by those that it does not replace; empty without texts.
  package static func bodies(of entry: Feed.Entry) -> [Feed.Markup] {
    guard let body = body(of: entry) else { return [] }
    let weight = TextWeight(body)
    if !weight.hasLetters { return [body] + texts(of: entry, besides: body) }
    if entry.content.contains(body), weight.hasLinks { return [body] }
    return [body] + ofOtherElements(entry, besides: body, weight)
  }

  /// Returns the content, and other texts with links or pictures, that a body from another element lacks.
  private static func ofOtherElements(_ entry: Feed.Entry, besides body: Feed.Markup, _ weight: TextWeight) -> [Feed
    .Markup]
  {
    var shown = [weight]
    var others: [Feed.Markup] = []
    let isOfContent = entry.content.contains(body)
    let summaries = (entry.summary.map { [$0] } ?? []) + entry.otherTexts
    for (index, text) in (entry.content + summaries).enumerated() where text != body {
      let other = TextWeight(text)
      let isContent = index < entry.content.count && !isOfContent
      guard isContent ? other.hasContent : other.hasLinks, !shown.contains(where: { $0.covers(other) }) else {
        continue
      }
      others.append(text)
      shown.append(other)
    }
    return others
  }

  /// Returns the richest text of an entry besides a body without letters.
  private static func texts(of entry: Feed.Entry, besides body: Feed.Markup) -> [Feed.Markup] {
    var others = entry
    others.content.removeAll { $0 == body }
    others.otherTexts.removeAll { $0 == body }
    if others.summary == body { others.summary = nil }
    if others.mediaText == body { others.mediaText = nil }
    return self.body(of: others).map { TextWeight($0).hasLetters ? [$0] : [] } ?? []
  }

  /// Whether an entry has a text, besides its summary, that differs from its bodies and is therefore not shown.
  package static func hasOtherText(_ entry: Feed.Entry, besides bodies: [Feed.Markup]) -> Bool {
    let others = (entry.content + entry.otherTexts).filter { !bodies.contains($0) }
    if others.isEmpty { return false }
    let shown = bodies.map { TextWeight($0) }
    return others.contains { text in
      let weight = TextWeight(text)
      return weight.isSentence && !shown.contains { $0.covers(weight) }
    }
  }

  /// The richest text of an entry; nil when it has none.
  package static func body(of entry: Feed.Entry) -> Feed.Markup? {
    let own = entry.content + (entry.summary.map { [$0] } ?? []) + entry.otherTexts
    guard var best = own.first else {
      return entry.mediaText ?? ofUnknownElements(entry).max { $0.value.utf8.count < $1.value.utf8.count }
    }
    if own.count == 1, entry.mediaText == nil, entry.extensions.isEmpty { return best }
    var weight = TextWeight(best)
    for text in own.dropFirst() where text != best {
      let other = TextWeight(text)
      if other.isRicher(than: weight) { (best, weight) = (text, other) }
    }
    for text in [entry.mediaText].compactMap(\.self) + ofUnknownElements(entry) {
      let other = TextWeight(text)
      if other.covers(weight), other.isRicher(than: weight) { (best, weight) = (text, other) }
    }
    return best
  }

  /// The minimum number of bytes of a text that may be a body although its element is not known.
  private static let shortestOfUnknown = 200

  /// Returns the long texts of elements that no format of feeds knows, such as `fulltext`.
  ///
  /// They may be anything: they are the body only when they continue it, or when there is no other text.
  private static func ofUnknownElements(_ entry: Feed.Entry) -> [Feed.Markup] {
    entry.extensions.lazy.filter { $0.text.utf8.count >= shortestOfUnknown }.map {
      Feed.Markup($0.text, kind: .html, base: nil, language: nil)
    }
  }
}

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
    let texts = texts(of: entry)
    guard let body = richest(of: texts) else { return [] }
    let others = texts.filter { $0.text != body.text }
    if others.isEmpty { return [body.text] }
    if !body.weight.hasLetters {
      guard let other = richest(of: others), other.weight.hasLetters else { return [body.text] }
      return [body.text, other.text]
    }
    let isOfContent = entry.content.contains(body.text)
    if isOfContent, body.weight.hasLinks { return [body.text] }
    return [body.text] + added(to: body, others, contentCounts: !isOfContent)
  }

  /// Returns the content, and other texts with links or pictures, that a body from another element lacks.
  private static func added(to body: WeighedText, _ others: [WeighedText], contentCounts: Bool) -> [Feed.Markup] {
    var shown = [body]
    for other in others where other.isOwn {
      let isContent = contentCounts && other.element == .content
      guard isContent ? other.weight.hasContent : other.weight.hasLinks,
        !shown.contains(where: { $0.weight.covers(other.weight) })
      else { continue }
      shown.append(other)
    }
    return shown.dropFirst().map(\.text)
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
  package static func body(of entry: Feed.Entry) -> Feed.Markup? { richest(of: texts(of: entry))?.text }

  /// Returns the richest of an entry's texts, or of some of them.
  private static func richest(of texts: [WeighedText]) -> WeighedText? {
    let own = texts.filter(\.isOwn)
    guard var best = own.first else {
      return texts.first { $0.element == .media } ?? texts.max { $0.text.value.utf8.count < $1.text.value.utf8.count }
    }
    for other in own.dropFirst() where other.text != best.text && other.weight.isRicher(than: best.weight) {
      best = other
    }
    for other in texts where !other.isOwn {
      if other.weight.covers(best.weight), other.weight.isRicher(than: best.weight) { best = other }
    }
    return best
  }

  // MARK: - Texts

  /// A text of an entry, weighed when the weight is asked for, and once.
  private final class WeighedText {
    /// The kind of element that the text is from.
    enum Element { case content, other, media, unknown }

    let text: Feed.Markup
    let element: Element
    private(set) lazy var weight = TextWeight(text)
    /// Whether the element is one of the entry's own texts.
    var isOwn: Bool { element == .content || element == .other }

    init(_ text: Feed.Markup, _ element: Element) { (self.text, self.element) = (text, element) }
  }

  /// Returns the texts of an entry, those of content elements first.
  private static func texts(of entry: Feed.Entry) -> [WeighedText] {
    var texts = entry.content.map { WeighedText($0, .content) }
    if let summary = entry.summary { texts.append(WeighedText(summary, .other)) }
    texts += entry.otherTexts.map { WeighedText($0, .other) }
    if let media = entry.mediaText { texts.append(WeighedText(media, .media)) }
    // The long texts of elements that no format of feeds knows, such as `fulltext`, may be anything: they are the body
    // only when they continue it, or when there is no other text.
    for element in entry.extensions
    where element.text.utf8.count >= shortestOfUnknown && element.name != "source_markdown" {
      texts.append(WeighedText(Feed.Markup(element.text, kind: .html, base: nil, language: nil), .unknown))
    }
    return texts
  }

  /// The minimum number of bytes of a text that may be a body although its element is not known.
  private static let shortestOfUnknown = 200
}

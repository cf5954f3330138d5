import TamisCore

/// How a source is read; the defaults are those of a browser without scripts.
package struct HTMLOptions: Sendable {
  /// Whether scripts run: then `noscript` holds text.
  package var hasScripting = false
  /// Whether the text in a `noscript` or an `iframe` is read as a fragment of its own, whose nodes take its place.
  package var readsFallback = false
  /// Whether references stand only for characters that ``HTMLInput`` lets pass.
  package var cleansReferences = false
  /// The most attributes of a tag that are kept; the others are left out.
  package var mostAttributes = Int.max
  /// The most formatting elements that are opened again in each paragraph or cell; the first are forgotten.
  ///
  /// Browsers open all of them again: a thousand of them and a thousand paragraphs are a million elements. With a bound, no more than
  /// 10,000 of all, and four more for each tag, are opened again.
  package var mostFormatting = Int.max

  /// The defaults.
  package init(hasScripting: Bool = false) { self.hasScripting = hasScripting }

  /// Those for sources of others.
  init(_ limits: Limits) {
    (hasScripting, readsFallback, cleansReferences) = (true, true, true)
    (mostAttributes, mostFormatting) = (limits.attributes, limits.openFormatting)
  }
}

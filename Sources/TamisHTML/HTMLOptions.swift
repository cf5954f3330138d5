import TamisCore

/// The options for reading a source; the defaults are those of a browser without scripting.
package struct HTMLOptions: Sendable {
  /// Whether scripting is enabled, so that `noscript` holds text.
  package var hasScripting = false
  /// Whether the text in a `noscript` or an `iframe` is read as a fragment of its own, whose nodes replace it.
  package var readsFallback = false
  /// Whether references are limited to characters that ``HTMLInput`` lets pass.
  package var cleansReferences = false
  /// Whether CDATA sections are read in elements of SVG and MathML that hold HTML: in all browsers but WebKit.
  package var readsSectionsBesideHTML = true
  /// Whether the first difference between the source and the tree is looked for (``NestingFault``).
  package var notesFaults = false
  /// The maximum number of attributes of a tag that are kept; further ones are dropped.
  package var mostAttributes = Int.max
  /// The maximum number of formatting elements that are reopened in each paragraph or cell; the first are dropped.
  ///
  /// Browsers reopen all of them: a thousand of them and a thousand paragraphs make a million elements. With a limit,
  /// no more than 10,000 in all, and four more for each tag, are reopened.
  package var mostFormatting = Int.max
  /// The maximum number of open elements; a deeper one ends the one around it and becomes its sibling.
  ///
  /// Chromium has 513, counted with `html` and, in a page, with `body`: 512 in a fragment, 511 in the body of a
  /// page. The default leaves room for both.
  package var deepest = 512

  /// Creates options with the defaults.
  package init(hasScripting: Bool = false) { self.hasScripting = hasScripting }

  /// Creates the options for untrusted sources.
  init(_ limits: Limits) {
    (hasScripting, readsFallback, cleansReferences) = (true, true, true)
    (mostAttributes, mostFormatting) = (limits.attributes, limits.openFormatting)
  }
}

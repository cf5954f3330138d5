/// The names of values in templates; a template with any other name is rejected.
///
/// A template writes a name with underscores between its words: `newer_in_feed` for ``newerInFeed``.
///
/// A name is looked up in its group (a post, a card, a link), then in the enclosing groups. Names that begin with
/// `has_` and `is_`, and `untitled`, `audio` and `video`, are conditions. A name without a value counts as empty.
package enum TemplateName: UInt8, CaseIterable, Sendable {
  // Every page: its language and direction, its policy, the name of its style sheet, its title, and the relative path
  // to the site's root.
  case lang, dir, csp, style, description, root, generator, pageTitle, isUnlisted
  // The texts of the interface, as in `words.newer`; the names are those of a words file.
  case words, credit, siteTitle

  // Pages with feeds of their own, and the beginning of those feeds' URLs.
  case hasFeed, feedBase, hasAllFeeds

  // The groups of pages: one post; a list of posts with their cards; feeds; lists of links under headings, with a note.
  case post, list, cards, groups, heading, feeds, tags, items, posts, note, feedText, postText, hereText, moreFeeds,
    shelves, search, action, script, isBrief, isCloud, isSmall, moreText, moreURL, hasTags, hasItems, hasPosts

  // Links, pictures and attached files.
  case title, url, count, alt, width, height, name, type, size, audio, video

  // Links from a page to its neighbours.
  case first, newer, older, newerInFeed, olderInFeed, newerText, olderText, pageNumber, pageText

  // A post, on its page and on its card; `fields` are additional values by the names that the feed uses, and `record`
  // has the values of the post as they are stored, such as `record.published` in seconds.
  case untitled, excerpt, content, reading, thumbnail, face, lead, picture, authors, enclosures, chapters, start,
    comments, rights, copies, original, fields, record, feedTitle, feedURL, dateISO, dateText, isAhead, updatedISO,
    updatedText, originalHost, originalText, hasChapters, hasTranscripts, sections, isDeep, hasSections
  // Audio and video: duration, episode, cover, URL.
  case length, episode, cover, film, poster, transcripts, people, pictures, references, caption, hasCopies, copyCount,
    copyText, postTitle

  // A list, a feed, and the result of reading it.
  case subtitle, link, image, source, failure, entries, problems, removals, isFeed, isCategory, isEmpty, hasProblems,
    hasRemovals

  // The result of fetching a feed, in sentences, with charts: the data of a path in a box of a width and 20 units in
  // height.
  case categories, fetching, asked, fetched, next, since, moved, weeks, times, path, label, hasCategories, isGone,
    isPartial

  // Notices, the page about the site, the contact sheet and the sheet of an article's page.
  case target, location, origin, address, reason, others, sheet, isMissing, isOffline, isKept, postCount, picturedCount

  /// The name as templates write it.
  package var text: String { Self.texts[Int(rawValue)] }

  /// Creates a name from its text in a template; nil for one that no page has.
  package init?(_ text: some StringProtocol) {
    guard let name = Self.names[String(text)] else { return nil }
    self = name
  }

  private static let texts = allCases.map { inTemplates("\($0)") }
  private static let names = Dictionary(uniqueKeysWithValues: zip(texts, allCases))

  /// Returns the name of a case with its words in lower case, separated by underscores.
  private static func inTemplates(_ name: String) -> String {
    var text = ""
    var isInWord = false
    for letter in name {
      if letter.isUppercase, isInWord { text.append("_") }
      isInWord = letter.isLowercase
      text += letter.lowercased()
    }
    return text
  }
}

/// The names by which templates ask for values; a template with any other name is refused.
///
/// A name is looked for in the group that it stands in (a post, a card, a link), then in those around that. Those that begin
/// with `has_` and `is_`, and `untitled`, `audio` and `video`, are conditions. A name without a value counts as empty.
enum PageName: String, Sendable {
  // Every page: its language and direction, its policy and sheet, what it is called, and the way to the site's root.
  case lang, dir, csp, style, description, root, generator
  case pageTitle = "page_title"
  case siteTitle = "site_title"
  case postText = "post_text"
  case feedText = "feed_text"

  // Pages with feeds of their own, and the beginning of those feeds' addresses.
  case hasFeed = "has_feed"
  case feedBase = "feed_base"

  // The groups of pages: one post; a list of posts with their cards, printed or as groups; feeds; the archive.
  case post, list, cards, groups, heading, feeds, years, year, months, tags, pages, items
  case ownCards = "own_cards"
  case hasTags = "has_tags"
  case hasPages = "has_pages"

  // Links, pictures and attached files.
  case title, url, count, alt, width, height, name, type, size, audio, video

  // Links from a page to its neighbours.
  case first, newer, older
  case newerInFeed = "newer_in_feed"
  case olderInFeed = "older_in_feed"
  case pageNumber = "page_number"

  // A post, on its page and on its card; `fields` are what its feed says besides, by the names that the feed has for it.
  case untitled, excerpt, content, reading, thumbnail, lead, picture, authors, enclosures, chapters, start, comments
  case rights, copies, original, fields
  case feedTitle = "feed_title"
  case feedURL = "feed_url"
  case dateISO = "date_iso"
  case dateText = "date_text"
  case isAhead = "is_ahead"
  case updatedISO = "updated_iso"
  case updatedText = "updated_text"
  case originalHost = "original_host"
  case hasChapters = "has_chapters"
  case hasCopies = "has_copies"
  case copyCount = "copy_count"
  case postTitle = "post_title"

  // A list, a feed, and how reading it went.
  case subtitle, link, image, source, failure, entries, problems, removals
  case isFeed = "is_feed"
  case isEmpty = "is_empty"
  case hasProblems = "has_problems"
  case hasRemovals = "has_removals"

  // Notices, the page about the site, and the contact sheet.
  case target, place, address, reason, others
  case isMissing = "is_missing"
  case isGone = "is_gone"
  case isOffline = "is_offline"
  case postCount = "post_count"
  case picturedCount = "pictured_count"
}

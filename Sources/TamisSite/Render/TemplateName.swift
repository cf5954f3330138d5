/// The names of values in templates; a template with any other name is rejected.
///
/// A name is looked up in its group (a post, a card, a link), then in the enclosing groups. Names that begin with
/// `has_` and `is_`, and `untitled`, `audio` and `video`, are conditions. A name without a value counts as empty.
package enum TemplateName: String, Sendable {
  // Every page: its language and direction, its policy, the name of its style sheet, its title, and the relative path
  // to the site's root.
  case lang, dir, csp, style, description, root, generator
  case pageTitle = "page_title"
  case isUnlisted = "is_unlisted"
  // The texts of the interface, as in `words.newer`; the names are those of a words file.
  case words, credit
  case siteTitle = "site_title"

  // Pages with feeds of their own, and the beginning of those feeds' URLs.
  case hasFeed = "has_feed"
  case feedBase = "feed_base"
  case hasAllFeeds = "has_all_feeds"

  // The groups of pages: one post; a list of posts with their cards; feeds; lists of links under headings, with a note.
  case post, list, cards, groups, heading, feeds, tags, items, posts, note
  case feedText = "feed_text"
  case postText = "post_text"
  case hereText = "here_text"
  case moreFeeds = "more_feeds"
  case shelves, search, action, script
  case isBrief = "is_brief"
  case isCloud = "is_cloud"
  case isSmall = "is_small"
  case moreText = "more_text"
  case moreURL = "more_url"
  case hasTags = "has_tags"
  case hasItems = "has_items"
  case hasPosts = "has_posts"

  // Links, pictures and attached files.
  case title, url, count, alt, width, height, name, type, size, audio, video

  // Links from a page to its neighbours.
  case first, newer, older
  case newerInFeed = "newer_in_feed"
  case olderInFeed = "older_in_feed"
  case newerText = "newer_text"
  case olderText = "older_text"
  case pageNumber = "page_number"
  case pageText = "page_text"

  // A post, on its page and on its card; `fields` are additional values by the names that the feed uses, and `record`
  // has the values of the post as they are stored, such as `record.published` in seconds.
  case untitled, excerpt, content, reading, thumbnail, face, lead, picture, authors, enclosures, chapters, start,
    comments
  case rights, copies, original, fields, record
  case feedTitle = "feed_title"
  case feedURL = "feed_url"
  case dateISO = "date_iso"
  case dateText = "date_text"
  case isAhead = "is_ahead"
  case updatedISO = "updated_iso"
  case updatedText = "updated_text"
  case originalHost = "original_host"
  case originalText = "original_text"
  case hasChapters = "has_chapters"
  case hasTranscripts = "has_transcripts"
  // Audio and video: duration, episode, cover, URL.
  case length, episode, cover, film, poster, transcripts, people, pictures, references, caption
  case hasCopies = "has_copies"
  case copyCount = "copy_count"
  case copyText = "copy_text"
  case postTitle = "post_title"

  // A list, a feed, and the result of reading it.
  case subtitle, link, image, source, failure, entries, problems, removals
  case isFeed = "is_feed"
  case isCategory = "is_category"
  case isEmpty = "is_empty"
  case hasProblems = "has_problems"
  case hasRemovals = "has_removals"

  // The result of fetching a feed, in sentences, with charts: the data of a path in a box of a width and 20 units in
  // height.
  case categories, fetching, asked, fetched, next, since, moved, weeks, times, path, label
  case hasCategories = "has_categories"
  case isGone = "is_gone"
  case isPartial = "is_partial"

  // Notices, the page about the site, the contact sheet and the sheet of an article's page.
  case target, location, origin, address, reason, others, sheet
  case isMissing = "is_missing"
  case isOffline = "is_offline"
  case isKept = "is_kept"
  case postCount = "post_count"
  case picturedCount = "pictured_count"
}

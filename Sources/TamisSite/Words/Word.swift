/// The texts of the interface: the keys of a words file, see `Languages/en.words`.
///
/// A template can print those without placeholders: `{{words.newer}}`.
enum Word: String, Sendable, CaseIterable {
  // Navigation within a page and the site.
  case skipToText = "skip_to_text"
  case skipToPosts = "skip_to_posts"
  case skipToLists = "skip_to_lists"
  case skipToFeeds = "skip_to_feeds"
  case sitePages = "site_pages"
  case aboutThisSite = "about_this_site"
  case turnPages = "turn_pages"
  case newest, archive, feeds, about, changed, status
  case categories
  case madeBy = "made_by"
  case madeWithScript = "made_with_script"
  case search
  case searchLede = "search_lede"
  case searchWith = "search_with"
  case searchWords = "search_words"
  case searchLeaves = "search_leaves"
  case searchOtherwise = "search_otherwise"
  case searchData = "search_data"
  case searchHere = "search_here"
  case searchNeedsScript = "search_needs_script"
  case searchReads = "search_reads"
  case searchFound = "search_found"
  case searchNone = "search_none"
  case searchMore = "search_more"
  case searchFailed = "search_failed"
  case keys
  case keysNote = "keys_note"
  case mostTags = "most_tags"
  case otherPosts = "other_posts"

  // Lists of posts.
  case postsHeading = "posts_heading"
  case allPosts = "all_posts"
  case newestPosts = "newest_posts"
  case updatedPosts = "updated_posts"
  case olderPosts = "older_posts"
  case allPostsByPage = "all_posts_by_page"
  case byMonthAndTag = "by_month_and_tag"
  case postsFromFeeds = "posts_from_feeds"
  case nothingYet = "nothing_yet"
  case contents
  case visitSite = "visit_site"
  case updatedOn = "updated_on"
  case undated, subscribe, page, newer, older

  // A post.
  case newerIn = "newer_in"
  case olderIn = "older_in"
  case newerAndOlder = "newer_and_older"
  case notYet = "not_yet"
  case readAt = "read_at"
  case watchAt = "watch_at"
  case listenAt = "listen_at"
  case season, episode, transcript, via
  case aboutPage = "about_page"
  case withPeople = "with_people"
  case audio, video, chapters, chapter, attached, tags, comments, untitled

  // Texts for missing names in posts.
  case code, table, picture, link, sound, film

  // The archive.
  case byYear = "by_year"
  case byMonth = "by_month"
  case byTag = "by_tag"
  case byPage = "by_page"
  case byBeginning = "by_beginning"
  case tagsByBeginning = "tags_by_beginning"
  case allTags = "all_tags"
  case noDates = "no_dates"
  case undatedNote = "undated_note"

  // The pages about the site.
  case aboutSite = "about_site"
  case aboutLede = "about_lede"
  case feedsAsOPML = "feeds_as_opml"
  case wordsOfPosts = "words_of_posts"
  case howFeedsAre = "how_feeds_are"
  case whatPagesDo = "what_pages_do"
  case pagesOnline = "pages_online"
  case pagesOffline = "pages_offline"
  case statusLede = "status_lede"
  case feedsFailing = "feeds_failing"
  case feedsQuiet = "feeds_quiet"
  case feedsLively = "feeds_lively"
  case feedsEmpty = "feeds_empty"
  case lastPost = "last_post"
  case quietSince = "quiet_since"
  case upkeep
  case removedHere = "removed_here"
  // The sanitizer's reasons for removals, by name.
  case ruleContent = "rule_content"
  case ruleElement = "rule_element"
  case ruleAttribute = "rule_attribute"
  case ruleValue = "rule_value"
  case ruleStructure = "rule_structure"
  case ruleTracking = "rule_tracking"
  case ruleHidden = "rule_hidden"
  case ruleSelector = "rule_selector"
  case ruleInvisible = "rule_invisible"
  case ruleDuplicate = "rule_duplicate"
  case rulePlaceholder = "rule_placeholder"
  case ruleEmpty = "rule_empty"
  case ruleControl = "rule_control"
  case ruleLimit = "rule_limit"
  case ruleRelative = "rule_relative"
  case ruleMoved = "rule_moved"
  case ruleUnfinished = "rule_unfinished"
  case ruleHook = "rule_hook"
  case couldNotRead = "could_not_read"
  case cutOff = "cut_off"
  case failingSince = "failing_since"
  case movedTo = "moved_to"
  case hasMovedTo = "has_moved_to"
  case heldBack = "held_back"
  case whatWasOdd = "what_was_odd"
  case postsInWeeks = "posts_in_weeks"
  case answersTook = "answers_took"
  case answerTook = "answer_took"
  case gone, fetched, asked, next

  // Notices.
  case postMoved = "post_moved"
  case newAddress = "new_address"
  case notFound = "not_found"
  case noSuchPage = "no_such_page"
  case noSuchPageNote = "no_such_page_note"
  case seeArchive = "see_archive"
  case moved

  // Numbers, lists and dates.
  case list, kilobytes, megabytes
  case decimalMark = "decimal_mark"
  case dateLong = "date_long"
  case dateShort = "date_short"
  case dateTime = "date_time"
  case firstDay = "first_day"
  case monthOfYear = "month_of_year"
  case dateRange = "date_range"
  case january, february, march, april, may, june, july, august, september, october, november, december

  /// The names of the months in their order.
  static let months: [Word] = [
    .january, .february, .march, .april, .may, .june, .july, .august, .september, .october, .november, .december,
  ]

  /// Whether the text is a date pattern, for which each language chooses its own parts.
  var isDate: Bool { self == .dateLong || self == .dateShort }
}

/// The counted texts, with a form for each of the language's plural categories, `posts[one] = {count} post`.
enum CountedWord: String, Sendable, CaseIterable {
  case posts, feeds, entries, times, weeks, minutes, copies
  case postsHere = "posts_here"
  case allFeeds = "all_feeds"
  case moreOfFeed = "more_of_feed"
}

/// A placeholder in a text, `{title}`.
enum Placeholder: String, Sendable, CaseIterable {
  case count, number, least, most, title, host, address, date, time, zone, generator, first, next
  /// Texts composed of other words.
  case posts, feeds, weeks, times
  /// The parts of a date.
  case day, month, year
  case paddedDay = "padded_day"
  case monthNumber = "month_number"
  case paddedMonth = "padded_month"

  /// Whether the value may have another direction than the surrounding text.
  var isForeign: Bool {
    switch self {
    case .title, .host, .address, .date, .zone, .first, .next: true
    default: false
    }
  }
}

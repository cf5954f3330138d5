package import TamisCore

/// The pages about the site, split into parts of bounded size.
extension Site {
  /// Returns a page about the site and its feeds (`about.html`, `about.2.html`, …).
  ///
  /// - Parameters:
  ///   - number: the number of the part, counted from 1.
  ///   - count: the number of parts.
  ///   - feeds: the feeds of the part, at most ``feedsPerPage``.
  ///   - feedCount: the number of feeds of the site.
  /// - Returns: the page, with its path in the site.
  package func aboutPage(number: Int, of count: Int, feeds: [FeedItem], feedCount: Int) -> SiteFile {
    let path = Self.path(ofAbout: number)
    var page = context(path, title: title(.about, number))
    let feedText = words.counted(.feeds, feedCount)
    page.set(.feedText, feedText)
    page.set(.heading, words.text(.aboutSite, [.title: settings.title]))
    page.set(.note, words.text(.aboutLede, [.feeds: feedText, .generator: "Tamis"]))
    page.set(
      .feeds,
      feeds.map { item in
        var context = feedItem(item, path.root)
        context.set(.subtitle, item.feed.subtitle)
        context.set(.link, address: item.feed.link)
        return context
      })
    page.set(.hasFeed, true)
    page.set(.hasAllFeeds, true)
    page.set(.feedBase, "")
    page.set(.isOffline, settings.isOffline)
    setParts(&page, root: path.root, number: number, of: count, Self.path(ofAbout:))
    return self.page("about", at: path, page, items: feeds.count / 2)
  }

  /// Returns the title of a part of a page.
  func title(_ word: Word, _ number: Int) -> String {
    number > 1 ? "\(words.text(word)) · \(pageText(number))" : words.text(word)
  }

  func setParts(_ page: inout PageContext, root: String, number: Int, of count: Int, _ path: (Int) -> PagePath) {
    page.set(.pageNumber, count > 1 ? number : nil)
    page.set(.pageText, count > 1 ? pageText(number) : nil)
    page.set(.older, number > 1 ? link(pageText(number - 1), from: root, to: path(number - 1)) : nil)
    page.set(.newer, number < count ? link(pageText(number + 1), from: root, to: path(number + 1)) : nil)
  }
}

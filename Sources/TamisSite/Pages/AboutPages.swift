import TamisCore
/// The pages about the site.
extension PageMaker {
  /// Years and months, tags from A to Z, and all numbered pages.
  func archivePage() -> [UInt8] {
    var page = common(root: "", title: "Archive · \(options.title)")
    var years: [(year: String, months: [PageContext])] = []
    for month in listings.months {
      let year = month.title.split(separator: " ").last.map(String.init) ?? ""
      if years.last?.year != year { years.append((year, [])) }
      years[years.count - 1].months.append(
        link(String(month.title.dropLast(year.count + 1)), month.path, count: month.posts.count))
    }
    page.set(
      .years,
      years.map { year in
        var context = PageContext()
        context.set(.year, year.year)
        context.set(.months, year.months)
        return context
      })
    let tags = listings.tags.sorted { ($0.title.lowercased(), $0.base) < ($1.title.lowercased(), $1.base) }
    page.set(.tags, tags.map { link($0.title, $0.path, count: $0.posts.count) })
    page.set(.hasTags, !tags.isEmpty)
    page.set(.pages, listings.pages.map { link("\($0.number)", "page/\($0.number).html") })
    page.set(.hasPages, !listings.pages.isEmpty)
    return options.theme.render("archive", page)
  }

  /// How reading each feed went.
  func statusPage() -> [UInt8] {
    var page = common(root: "", title: "Status · \(options.title)")
    page.set(
      .feeds,
      zip(manifest.feeds, listings.feeds).map { feed, listing in
        var item = feedItem(feed, root: "", count: listing.posts.count)
        let status = feed.status ?? FeedStatus()
        item.set(.source, feed.key.publicName)
        item.set(.failure, status.failure)
        item.set(.entries, status.entries.counted("entry", "entries"))
        item.set(.problems, status.problems)
        item.set(.hasProblems, !status.problems.isEmpty)
        item.set(.removals, status.removals.map { link($0.rule, "", count: $0.count) })
        item.set(.hasRemovals, !status.removals.isEmpty)
        return item
      })
    return options.theme.render("status", page)
  }

  /// What the site is, and the feeds that it is made of.
  func aboutPage() -> [UInt8] {
    var page = common(root: "", title: "About · \(options.title)")
    page.set(
      .feeds,
      zip(manifest.feeds, listings.feeds).map { feed, listing in
        var item = feedItem(feed, root: "", count: listing.posts.count)
        item.set(.subtitle, feed.subtitle)
        item.set(.link, feed.link)
        return item
      })
    page.set(.hasFeed, true)
    page.set(.feedBase, "")
    page.set(.isOffline, options.isOffline)
    return options.theme.render("about", page)
  }

  /// For a server to show when there is no such page.
  ///
  /// It may stand at any address, so its links begin at the root.
  func missingPage() -> [UInt8] {
    var page = common(root: options.address ?? "/", title: "Not found · \(options.title)")
    page.set(.isMissing, true)
    return options.theme.render("notice", page)
  }

  /// A page where something was before that is gone, for those pages that still lead there.
  func gonePage(at path: String) -> [UInt8] {
    var page = common(root: Self.root(of: path), title: "Gone · \(options.title)")
    page.set(.isGone, true)
    return options.theme.render("notice", page)
  }

  private static func root(of path: String) -> String {
    String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") })
  }

  /// A page where a post was before.
  func redirectPage(from path: String, to target: String) -> [UInt8] {
    let root = Self.root(of: path)
    var page = common(root: root, title: "Moved · \(options.title)")
    page.set(.target, root + target)
    return options.theme.render("notice", page)
  }
}

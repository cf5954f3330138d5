import TamisCore

/// The status of the feeds: for readers how lively each is, folded for the owner of the site the rest.
extension Site {
  /// The number of weeks in the chart of a feed's posts: half a year.
  package static let weeksOfChart = 26
  /// The number of last weeks without a post after which a feed is quiet: a quarter of a year.
  package static let weeksOfQuiet = 13

  /// Returns the page with the status of feeds (`status.html`, `status.2.html`, …).
  ///
  /// - Parameters:
  ///   - number: the number of the part, counted from 1.
  ///   - count: the number of parts.
  ///   - feeds: the feeds of the part, at most ``feedsPerPage``.
  /// - Returns: the page, with its path in the site.
  package func statusPage(number: Int, of count: Int, feeds: [StatusItem]) -> SiteFile {
    let path = Self.path(ofStatus: number)
    var page = context(path, title: title(.status, number))
    let groups = Dictionary(grouping: feeds.map(\.published), by: Liveliness.init)
    page.set(
      .groups,
      Liveliness.allCases.compactMap { liveliness -> PageContext? in
        guard let feeds = groups[liveliness] else { return nil }
        var group = PageContext(capacity: 2)
        group.set(.heading, words.text(liveliness.heading))
        group.set(.feeds, feeds.map { pulse(of: $0, path.root) })
        return group
      })
    setParts(&page, root: path.root, number: number, of: count, Self.path(ofStatus:))
    return self.page("status", at: path, page, items: feeds.count)
  }

  /// The status of a feed for readers.
  private enum Liveliness: CaseIterable {
    case failing, lively, quiet, empty

    init(_ status: StatusItem) {
      switch status.state {
      case .failed, .gone: self = .failing
      case .ok, .partial, .file: self = status.item.count == 0 ? .empty : status.isQuiet ? .quiet : .lively
      }
    }

    var heading: Word {
      switch self {
      case .failing: .feedsFailing
      case .lively: .feedsLively
      case .quiet: .feedsQuiet
      case .empty: .feedsEmpty
      }
    }
  }

  private func pulse(of status: StatusItem, _ root: String) -> PageContext {
    var context = feedItem(status.item, root)
    context.set(.hereText, words.counted(.postsHere, status.item.count))
    context.set(.dateText, status.newest.map { words.text(.lastPost, [.date: times.day($0)]) })
    context.set(.isGone, status.fetching?.isGone == true)
    // Without a clock there is no time to show.
    let since = (status.fetching?.failure?.since).flatMap { $0 > 0 ? times.day($0) : nil }
    context.set(.since, since.map { words.text(.quietSince, [.date: $0]) })
    let posts = words.counted(.posts, status.weeks.reduce(0, +))
    let weeks = words.counted(.weeks, status.weeks.count)
    setUpkeep(&context, of: status)
    context.set(.weeks, Self.chart(status.weeks, words.text(.postsInWeeks, [.posts: posts, .weeks: weeks])))
    return context
  }

  // MARK: - Charts

  /// Returns a bar chart as the data of an SVG path in a box of 4 units per bar and 20 units in height, or nil without
  /// values.
  static func chart(_ values: [Int], _ label: String) -> PageContext? {
    guard let most = values.max(), most > 0 else { return nil }
    var path = ""
    for (index, value) in values.enumerated() where value > 0 {
      // Any value above 0 is visible.
      let height = max(1, (value * 20 + most - 1) / most)
      path += "M\(index * 4) 20v-\(height)h3v\(height)z"
    }
    var context = PageContext(capacity: 3)
    context.set(.path, path)
    context.set(.label, label)
    context.set(.width, values.count * 4)
    return context
  }
}

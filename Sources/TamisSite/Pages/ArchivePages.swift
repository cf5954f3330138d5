package import TamisCore

/// The pages that lead to every post: years, months, tags and numbered pages.
///
/// Only the page of the current year, which is short, changes with every post.
extension Site {
  /// A list of links under a heading.
  private struct LinkGroup {
    var heading: String
    var note = ""
    var isCloud = false
    var items: [PageContext]

    var context: PageContext {
      var context = PageContext(capacity: 5)
      context.set(.isCloud, isCloud)
      context.set(.heading, heading)
      context.set(.hasItems, !items.isEmpty)
      context.set(.note, note)
      context.set(.items, items)
      return context
    }
  }

  private static let archive = PagePath("archive.html")
  private static let tagIndex = PagePath("archive/tags.html")

  /// Returns the page with the years, the tags, and the ends of the numbered pages (`archive.html`).
  ///
  /// - Parameters:
  ///   - years: the years with posts, in display order.
  ///   - hasUndated: whether there are posts without a year.
  ///   - hasTags: whether posts have tags.
  ///   - pageCount: the number of numbered pages of all posts.
  /// - Returns: the page, with its path in the site.
  package func archivePage(years: [Int], hasUndated: Bool, hasTags: Bool, pageCount: Int) -> SiteFile {
    let root = Self.archive.root
    var groups: [LinkGroup] = [
      LinkGroup(
        heading: words.text(.byYear),
        note: years.isEmpty ? words.text(.noDates) : hasUndated ? words.text(.undatedNote) : "",
        items: years.map { link("\($0)", from: root, to: Self.path(ofYear: $0)) })
    ]
    if hasTags {
      groups.append(
        LinkGroup(heading: words.text(.byTag), items: [link(words.text(.allTags), from: root, to: Self.tagIndex)]))
    }
    if pageCount > 0 {
      let ends = pageCount == 1 ? [1] : [1, pageCount]
      let links = ends.map { link(pageText($0), from: root, to: PostList.all.path(ofPage: $0)) }
      groups.append(LinkGroup(heading: words.text(.byPage), items: links))
    }
    return page(Self.archive, heading: words.text(.archive), groups, back: nil)
  }

  /// Returns the page with the months of a year (`archive/2026.html`).
  ///
  /// - Parameters:
  ///   - year: the year.
  ///   - months: the months with posts, in display order.
  /// - Returns: the page, with its path in the site.
  package func yearPage(year: Int, months: [MonthItem]) -> SiteFile {
    let path = Self.path(ofYear: year)
    let links = months.map { item in
      let name = times.nameOfMonth(item.month)
      return item.count < Self.monthThreshold
        ? shelf(name, posts: item.posts, root: path.root)
        : link(name, from: path.root, to: PostList.month(year: year, month: item.month).path, count: item.count)
    }
    return page(
      path, heading: "\(year)", [LinkGroup(heading: words.text(.byMonth), items: links)], back: archiveLink(path))
  }

  /// Returns the page with the parts of the list of all tags (`archive/tags.html`).
  ///
  /// - Parameters:
  ///   - parts: the prefixes of the slugs in each part; one empty text when all tags are in one part.
  ///   - cloud: the most frequent tags with pages, at most ``cloudSize``, in display order.
  /// - Returns: the page, with its path in the site.
  package func tagIndexPage(parts: [String], cloud: [TagItem] = []) -> SiteFile {
    let path = Self.tagIndex
    let links = parts.map {
      link($0.isEmpty ? words.text(.allTags) : "\($0)…", from: path.root, to: Self.path(ofTagPart: $0))
    }
    var groups = [LinkGroup(heading: words.text(.byBeginning), items: links)]
    if !cloud.isEmpty {
      let most = cloud.map(\.count).max() ?? 1
      let items = cloud.map { tag in
        var item = link(
          tag.name, from: path.root, to: PostList.tag(slug: tag.slug, name: tag.name).path, count: tag.count)
        item.set(.size, Self.size(of: tag.count, most: most))
        return item
      }
      groups.insert(LinkGroup(heading: words.text(.mostTags), isCloud: true, items: items), at: 0)
    }
    return page(path, heading: words.text(.tags), groups, back: archiveLink(path))
  }

  /// Returns the class of a tag in the cloud; each class has about half as many posts as the next larger one.
  private static func size(of count: Int, most: Int) -> String? {
    let halvings = most.bitWidth - count.leadingZeroBitCount - (most.bitWidth - most.leadingZeroBitCount)
    switch halvings {
    case 0: return "most"
    case -1: return "more"
    case -2: return "some"
    default: return nil
    }
  }

  /// Returns a tag or month without a page of its own, with its posts.
  private func shelf(_ title: String, posts: [Neighbour], root: String) -> PageContext {
    var item = PageContext(capacity: 5)
    item.set(.title, title)
    item.set(.url, nil as String?)
    item.set(.count, nil as Int?)
    item.set(.hasPosts, !posts.isEmpty)
    item.set(.posts, posts.map { link($0, from: root) })
    return item
  }

  /// Returns a part of the list of all tags (`archive/tags/….html`).
  ///
  /// - Parameters:
  ///   - prefix: the prefix of the slugs of its tags; empty when it has all.
  ///   - tags: its tags in display order.
  /// - Returns: the page, with its path in the site.
  package func tagPartPage(prefix: String, tags: [TagItem]) -> SiteFile {
    let path = Self.path(ofTagPart: prefix)
    let items = tags.map { tag in
      guard tag.count < settings.tagThreshold else {
        return link(tag.name, from: path.root, to: PostList.tag(slug: tag.slug, name: tag.name).path, count: tag.count)
      }
      return shelf(tag.name, posts: tag.posts, root: path.root)
    }
    return page(
      path, heading: prefix.isEmpty ? words.text(.allTags) : "\(prefix)…",
      [LinkGroup(heading: words.text(.tags), items: items)],
      back: link(words.text(.tagsByBeginning), from: path.root, to: Self.tagIndex))
  }

  /// Returns the path of a part of the list of all tags.
  ///
  /// Different prefixes have different pages, and none has a name reserved for a device on some systems, since a hyphen
  /// follows each.
  ///
  /// - Parameter prefix: the prefix of the slugs of its tags.
  /// - Returns: the path, relative to the site's root.
  package static func path(ofTagPart prefix: String) -> PagePath {
    if prefix.isEmpty { return PagePath("archive/tags/all.html") }
    let digits = Array("0123456789ABCDEF".utf8)
    var name: [UInt8] = []
    for byte in prefix.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), 0x80...:
        name.append(byte)
      default: name += [UInt8(ascii: "_"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return PagePath("archive/tags/\(String(decoding: name, as: UTF8.self))-.html")
  }

  private func archiveLink(_ path: PagePath) -> PageContext {
    link(words.text(.archive), from: path.root, to: Self.archive)
  }

  private func page(_ path: PagePath, heading: String, _ groups: [LinkGroup], back: PageContext?) -> SiteFile {
    var page = context(path, title: heading)
    page.set(.heading, heading)
    page.set(.groups, groups.map(\.context))
    page.set(.first, back)
    return self.page("archive", at: path, page, items: groups.reduce(0) { $0 + $1.items.count } / 8)
  }
}

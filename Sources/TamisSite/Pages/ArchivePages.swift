package import TamisCore

/// The pages by which every post is found: years, months, tags and numbered pages.
///
/// None of them changes with every post but the one of the year, which is short.
extension Site {
  /// A list of links under a heading.
  private struct PostQuery {
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

  /// Years, tags, and the ends of the numbered pages (`archive.html`).
  ///
  /// - Parameters:
  ///   - years: those in which posts stand, in the order in which they are to be read.
  ///   - hasUndated: whether posts stand in no year.
  ///   - hasTags: whether posts have tags.
  ///   - pageCount: how many numbered pages of all posts there are.
  package func archivePage(years: [Int], hasUndated: Bool, hasTags: Bool, pageCount: Int) -> SiteFile {
    let root = Self.archive.root
    var postReader: [PostQuery] = [
      PostQuery(
        heading: words.text(.byYear),
        note: years.isEmpty ? words.text(.noDates) : hasUndated ? words.text(.undatedNote) : "",
        items: years.map { link("\($0)", from: root, to: Self.path(ofYear: $0)) })
    ]
    if hasTags {
      postReader.append(
        PostQuery(heading: words.text(.byTag), items: [link(words.text(.allTags), from: root, to: Self.tagIndex)]))
    }
    if pageCount > 0 {
      let ends = pageCount == 1 ? [1] : [1, pageCount]
      let links = ends.map { link(pageText($0), from: root, to: PostList.all.path(ofPage: $0)) }
      postReader.append(PostQuery(heading: words.text(.byPage), items: links))
    }
    return page(Self.archive, heading: words.text(.archive), postReader, back: nil)
  }

  /// The months of a year (`archive/2026.html`).
  ///
  /// - Parameter months: those in which posts stand, in the order in which they are to be read.
  package func yearPage(year: Int, months: [MonthItem]) -> SiteFile {
    let path = Self.path(ofYear: year)
    let links = months.map { item in
      let name = times.nameOfMonth(item.month)
      return item.count < Self.monthThreshold
        ? shelf(name, posts: item.posts, root: path.root)
        : link(name, from: path.root, to: PostList.month(year: year, month: item.month).path, count: item.count)
    }
    return page(
      path, heading: "\(year)", [PostQuery(heading: words.text(.byMonth), items: links)], back: archiveLink(path))
  }

  /// The parts of the list of all tags (`archive/tags.html`).
  ///
  /// - Parameters:
  ///   - parts: what the slugs of a part's tags begin with; one empty text when all tags are in one part.
  ///   - cloud: the tags that most posts have, at most ``cloudSize``, in the order in which they are to be read; those with pages only.
  package func tagIndexPage(parts: [String], cloud: [TagItem] = []) -> SiteFile {
    let path = Self.tagIndex
    let links = parts.map {
      link($0.isEmpty ? words.text(.allTags) : "\($0)…", from: path.root, to: Self.path(ofTagPart: $0))
    }
    var postReader = [PostQuery(heading: words.text(.byBeginning), items: links)]
    if !cloud.isEmpty {
      let most = cloud.map(\.count).max() ?? 1
      let items = cloud.map { tag in
        var item = link(
          tag.name, from: path.root, to: PostList.tag(slug: tag.slug, name: tag.name).path, count: tag.count)
        item.set(.size, Self.size(of: tag.count, most: most))
        return item
      }
      postReader.insert(PostQuery(heading: words.text(.mostTags), isCloud: true, items: items), at: 0)
    }
    return page(path, heading: words.text(.tags), postReader, back: archiveLink(path))
  }

  /// The class of a tag in the cloud: each has about half as many posts as the next larger one.
  private static func size(of count: Int, most: Int) -> String? {
    let halvings = most.bitWidth - count.leadingZeroBitCount - (most.bitWidth - most.leadingZeroBitCount)
    switch halvings {
    case 0: return "most"
    case -1: return "more"
    case -2: return "some"
    default: return nil
    }
  }

  /// A tag or month without a page of its own, with its posts.
  private func shelf(_ title: String, posts: [Neighbour], root: String) -> PageContext {
    var item = PageContext(capacity: 5)
    item.set(.title, title)
    item.set(.url, nil as String?)
    item.set(.count, nil as Int?)
    item.set(.hasPosts, !posts.isEmpty)
    item.set(.posts, posts.map { link($0, from: root) })
    return item
  }

  /// A part of the list of all tags (`archive/tags/….html`).
  ///
  /// - Parameters:
  ///   - prefix: what the slugs of its tags begin with; empty when it has all.
  ///   - tags: its tags in the order in which they are to be read.
  package func tagPartPage(prefix: String, tags: [TagItem]) -> SiteFile {
    let path = Self.path(ofTagPart: prefix)
    let items = tags.map { tag in
      guard tag.count < options.tagThreshold else {
        return link(tag.name, from: path.root, to: PostList.tag(slug: tag.slug, name: tag.name).path, count: tag.count)
      }
      return shelf(tag.name, posts: tag.posts, root: path.root)
    }
    return page(
      path, heading: prefix.isEmpty ? words.text(.allTags) : "\(prefix)…",
      [PostQuery(heading: words.text(.tags), items: items)],
      back: link(words.text(.tagsByBeginning), from: path.root, to: Self.tagIndex))
  }

  /// The page of a part of the list of all tags.
  ///
  /// No two beginnings have one page, and none is called as a device is on some systems: a hyphen stands behind each.
  ///
  /// - Parameter prefix: what the slugs of its tags begin with.
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

  private func page(_ path: PagePath, heading: String, _ postReader: [PostQuery], back: PageContext?) -> SiteFile {
    var page = context(path, title: heading)
    page.set(.heading, heading)
    page.set(.groups, postReader.map(\.context))
    page.set(.first, back)
    return self.page("archive", at: path, page, items: postReader.reduce(0) { $0 + $1.items.count } / 8)
  }
}

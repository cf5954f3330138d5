import TamisCore

/// The page of a post.
extension PageMaker {
  /// - Parameters:
  ///   - content: the body as it stands in a page.
  ///   - rights: what the feed says may be done with its texts.
  func postPage(_ post: Post, _ own: PostCard, content: SanitizedHTML, rights: String) -> [UInt8] {
    let root = "../../"
    let feed = feed(of: own)
    var page = common(root: root, title: "\(own.title) · \(feed?.title ?? options.title)", description: post.excerpt)
    var context = PageContext(capacity: 32)
    context.set(.title, own.title)
    context.set(.untitled, own.isUntitled)
    context.set(.content, content)
    context.set(.lang, post.language)
    context.set(.dir, own.direction)
    context.set(.feedTitle, feed?.title)
    context.set(.feedURL, feed.map { root + $0.path })
    context.set(.original, post.permalink?.url)
    context.set(.originalHost, post.permalink.map { Self.host(of: $0.url) })
    Self.setDates(&context, own)
    context.set(.authors, post.authors.joined(separator: ", "))
    context.set(.reading, post.readingMinutes.map { "\($0) min" })
    context.set(
      .tags,
      post.categories.map { tag in
        link(tag, tagSlugs[tag].map { "\(root)\(Listings.tagBase($0)).html" } ?? "")
      })
    context.set(.hasTags, !post.categories.isEmpty)
    context.set(
      .lead,
      post.thumbnail?.isInBody == false
        ? own.thumbnail.flatMap { Self.picture($0, isOffline: options.isOffline) } : nil)
    // For those who show what a link leads to; the page itself does not ask for it.
    context.set(.picture, own.thumbnail.flatMap { $0.url.isWebAddress && !options.isOffline ? $0.url : nil })
    context.set(.enclosures, post.enclosures.map(enclosure))
    context.set(.chapters, post.chapters.map(chapter))
    context.set(.hasChapters, !post.chapters.isEmpty)
    context.set(.comments, post.comments)
    context.set(.rights, post.rights.isEmpty ? rights : post.rights)
    let copies = copies(of: own)
    context.set(.hasCopies, !copies.isEmpty)
    context.set(.copyCount, copies.count)
    context.set(.copies, copies.map { copy(of: $0, root) })
    // For templates that know its names: `{{post.fields.dz_voteupcount}}`.
    context.set(.fields, post.fields)
    page.set(.post, context)
    setTurns(&page, own, root)
    return options.theme.render("post", page, length: content.string.utf8.count + 8192)
  }

  private func setTurns(_ page: inout PageContext, _ own: PostCard, _ root: String) {
    func turn(_ place: Int?) -> PageContext? {
      place.map { link(manifest.posts[$0].title, root + manifest.posts[$0].page) }
    }
    let (newerInFeed, olderInFeed) = neighboursInFeed(own)
    page.set(.newerInFeed, turn(newerInFeed))
    page.set(.olderInFeed, turn(olderInFeed))
    let (newer, older) = neighboursInTime(own)
    page.set(.newer, turn(newer))
    page.set(.older, turn(older))
  }

  /// Another feed that has the post too.
  private func copy(of post: PostCard, _ root: String) -> PageContext {
    let feed = feed(of: post)
    var context = PageContext()
    context.set(.title, feed?.title ?? post.feed.publicName)
    context.set(.url, feed.map { root + $0.path })
    context.set(.original, post.original)
    context.set(.postTitle, post.title)
    return context
  }

  private func enclosure(_ enclosure: Enclosure) -> PageContext {
    var item = PageContext()
    let type = enclosure.type?.lowercased() ?? ""
    item.set(.url, enclosure.url)
    item.set(.type, type)
    item.set(.name, Self.fileName(of: enclosure.url))
    item.set(.size, enclosure.length.flatMap(Self.size))
    // A page that asks nobody for anything has links only.
    item.set(.audio, type.hasPrefix("audio/") && !options.isOffline)
    item.set(.video, type.hasPrefix("video/") && !options.isOffline)
    return item
  }

  private func chapter(_ chapter: Chapter) -> PageContext {
    var item = PageContext()
    item.set(.start, chapter.seconds.map(Self.time) ?? chapter.start)
    item.set(.title, chapter.title ?? "Chapter")
    item.set(.url, chapter.link.flatMap { $0.isWebAddress ? $0 : nil })
    return item
  }

  /// `1:02:03`.
  private static func time(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e6))
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let short = "\(whole / 60 % 60):\(padded(whole % 60))"
    return whole < 3600 ? short : "\(whole / 3600):\(padded(whole / 60 % 60)):\(padded(whole % 60))"
  }

  static func host(of url: String) -> String {
    let rest = url.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2)
    let host = rest.count > 1 ? String(Substring(rest[1])) : url
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }

  private static func fileName(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").last.map(String.init) ?? url
  }

  /// Megabytes with one digit, kilobytes below; nil for what cannot be true.
  private static func size(_ bytes: Int) -> String? {
    guard bytes >= 1000 else { return nil }
    if bytes < 1_000_000 { return "\(bytes / 1000) kB" }
    let tenths = bytes / 100_000
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}

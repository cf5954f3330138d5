package import TamisCore

/// The page of a post, and the page at the path of one that has moved.
extension Site {
  /// Returns the page of a post.
  package func postPage(_ view: PostView) -> SiteFile {
    let item = view.item
    let root = item.page.root
    var page = context(
      root: root, title: "\(named(item.card.heading, at: item.sortDate)) · \(item.feed.title)",
      description: item.card.excerpt)
    page.set(.post, post(view, root))
    setTurns(&page, view, root)
    return SiteFile(path: item.page, bytes: theme.render("post", page, length: view.body.bytes.count + 8192))
  }

  /// Sets the links to the neighbors of a post, each once: one of the same feed may be the next of all, or merged into
  /// the post.
  private func setTurns(_ page: inout PageContext, _ view: PostView, _ root: String) {
    // Five pages at most are compared faster than hashed.
    var shown = [view.item.page]
    let next = view.neighbours
    let around = [next.newer, next.older, next.newerInFeed, next.olderInFeed].map { neighbour -> Neighbour? in
      guard let neighbour, !shown.contains(neighbour.page) else { return nil }
      shown.append(neighbour.page)
      return neighbour
    }
    let links = around.map { neighbour -> PageContext? in
      guard var neighbour else { return nil }
      // The day distinguishes neighbors with the same title.
      let isClear =
        around.count { $0?.title == neighbour.title } == 1 && neighbour.title != view.item.card.heading
      if isClear, !neighbour.title.isEmpty { neighbour.sortDate = nil }
      return link(neighbour, from: root)
    }
    func inFeed(_ link: PageContext?, _ name: TemplateName, _ word: Word) -> PageContext? {
      guard var link else { return nil }
      link.set(name, words.text(word, [.title: view.item.feed.title]))
      return link
    }
    page.set(.newer, links[0])
    page.set(.older, links[1])
    page.set(.newerInFeed, inFeed(links[2], .newerText, .newerIn))
    page.set(.olderInFeed, inFeed(links[3], .olderText, .olderIn))
  }

  private func post(_ view: PostView, _ root: String) -> PageContext {
    let (card, feed, details) = (view.item.card, view.item.feed, view.details)
    var post = PageContext(capacity: 40)
    post.set(.title, named(card.heading, at: view.item.sortDate))
    post.set(.untitled, card.isUntitled)
    post.set(.excerpt, card.excerpt)
    let contents = PageContents(view.body)
    post.set(.content, PageNotes(contents.body).body)
    post.set(.hasSections, !contents.sections.isEmpty)
    post.set(.sections, contents.sections.map(section))
    post.set(.lang, card.language ?? "")
    post.set(.dir, card.direction.rawValue)
    post.set(.feedTitle, feed.title)
    post.set(.feedURL, Self.link(from: root, to: Site.path(ofFeed: feed.slug)))
    post.set(.face, face(of: feed, root))
    let original = card.permalink?.url
    post.set(.original, address: original)
    let host = original.ifHTTP.map(Self.host)
    post.set(.originalHost, host)
    post.set(.originalText, host.map { words.text(Self.invitation(to: card.kind), [.host: $0]) })
    setDates(&post, view.item)
    post.set(.authors, words.joined(card.authors))
    post.set(.reading, card.readingMinutes.map { words.counted(.minutes, $0) })
    post.set(.tags, card.tags.map { tag($0, linked: view.linkedTags, root: root) })
    post.set(.hasTags, !card.tags.isEmpty)
    setPlaying(&post, card)
    setMedia(&post, view, root)
    // For programs that preview links; the page itself does not load it.
    post.set(.picture, address: pictureAddress(of: view.item))
    post.set(.comments, address: details.comments)
    post.set(.references, details.references.filter(\.url.beginsAsHTTP).map(reference))
    let people = words.joined(details.people)
    post.set(.people, people.isEmpty ? nil : words.text(.withPeople, [.title: people]))
    post.set(.rights, details.rights.isEmpty ? feed.rights : details.rights)
    post.set(.hasCopies, !view.copies.isEmpty)
    post.set(.copyCount, view.copies.count)
    post.set(.copyText, words.counted(.copies, view.copies.count))
    post.set(.copies, view.copies.map { copy($0, without: details.files, root) })
    let removals = settings.showsRemovals ? details.removals : []
    post.set(.hasRemovals, !removals.isEmpty)
    post.set(.removals, removals.map(removal))
    // For templates that know the names: `{{post.fields.dz_voteupcount}}`.
    post.set(.fields, details.fields)
    post.set(.record, view.item.$card)
    return post
  }

  /// Returns the absolute URL of a post's thumbnail, or nil when there is none or an external one must not be loaded.
  private func pictureAddress(of item: CardItem) -> String? {
    guard let picture = item.card.thumbnail else { return nil }
    if let kept = item.keptThumbnail, let site = settings.link { return kept.path.url(at: site) }
    return settings.isOffline ? nil : picture.url
  }

  private func tag(_ name: String, linked: Set<String>, root: String) -> PageContext {
    let slug = linked.isEmpty ? "" : Slug.ofTag(name)
    var tag = PageContext(capacity: 2)
    tag.set(.title, name)
    let page = linked.contains(slug) ? PostList.tag(slug: slug, name: name).path : nil
    tag.set(.url, page.map { Self.link(from: root, to: $0) })
    return tag
  }

  private func section(_ section: PageContents.Section) -> PageContext {
    var context = PageContext(capacity: 3)
    context.set(.title, section.title)
    context.set(.url, "#" + section.id)
    context.set(.isDeep, section.isDeep)
    return context
  }

  /// Returns the link to another feed that also has the post.
  private func copy(_ copy: PostView.Copy, without own: [Post.File], _ root: String) -> PageContext {
    let item = copy.item
    var context = link(item.feed.title, from: root, to: Site.path(ofFeed: item.feed.slug))
    context.set(.original, address: item.card.permalink?.url)
    context.set(.postTitle, named(item.card.heading))
    let files = copy.files.filter { file in file.url.beginsAsHTTP && !own.contains { $0.url == file.url } }
    context.set(.enclosures, files.map { enclosure($0, isPlayed: false) })
    return context
  }

  /// Returns a link to an external page that the post refers to.
  private func reference(_ reference: Post.Reference) -> PageContext {
    let title = reference.title ?? Self.host(of: reference.url)
    var item = PageContext(capacity: 2)
    item.set(.title, words.text(reference.kind == .via ? .via : .aboutPage, [.title: title]))
    item.set(.url, reference.url)
    return item
  }

  /// Returns the text of the link to the original post.
  static func invitation(to kind: Post.Kind) -> Word {
    switch kind {
    case .podcast: .listenAt
    case .video: .watchAt
    case .article, .link, .photo: .readAt
    }
  }

  static func host(of url: String) -> String {
    let rest = url.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2)
    let address = rest.count > 1 ? String(Substring(rest[1])) : url
    // User name and password are not shown, since they can imitate a host.
    let isPlain = !address.utf8.contains(UInt8(ascii: "@"))
    let host = isPlain ? address : address.split(separator: "@").last.map(String.init) ?? address
    return host.withoutWWW
  }

  // MARK: - Notices

  /// Returns a page at the old path of a post, which redirects.
  package func redirectPage(from path: PagePath, to target: PagePath) -> SiteFile {
    var page = context(path, title: words.text(.moved))
    page.set(.target, Self.link(from: path.root, to: target))
    return self.page("notice", at: path, page)
  }

  /// Returns the page for a server to show when there is no such page (`404.html`).
  ///
  /// The page may be served at any URL, so its links begin at the root of the server.
  package func missingPage() -> SiteFile {
    var page = context(root: settings.link.map(Self.path) ?? "/", title: "\(words.text(.notFound)) · \(settings.title)")
    page.set(.isMissing, true)
    return self.page("notice", at: PagePath("404.html"), page)
  }

  /// Returns the path of a URL: `/planet/` of `https://a.example/planet/`.
  private static func path(of address: String) -> String {
    let parts = address.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/" + String(decoding: parts[3], as: UTF8.self) : "/"
  }
}

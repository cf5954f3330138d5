import TamisCore

/// The lines about a post in a book or a mail, besides its text.
struct PostLines {
  /// The title, never empty.
  let title: String
  /// The feed, the day, the authors and the length.
  let byline: [String]
  /// The links: title and URL.
  var links: [(text: String, address: String)] = []
  /// The chapters of the audio or video.
  let chapters: [String]
  /// The copyright notice; empty when there is none.
  let rights: String

  /// Gathers the lines about a post.
  ///
  /// - Parameters:
  ///   - view: the post.
  ///   - site: the site, whose words and times are used.
  ///   - isIllustrated: whether the pictures that the body does not show are shown elsewhere rather than linked here.
  init(_ view: PostView, _ site: Site, isIllustrated: Bool) {
    let (card, details, words) = (view.item.card, view.details, site.words)
    title = site.named(card.heading, at: view.item.sortDate)
    rights = details.rights.isEmpty ? view.item.feed.rights : details.rights
    byline = Self.byline(view, site).filter { !$0.isEmpty }
    chapters = details.chapters.map { chapter in
      [chapter.seconds.map(PlayingText.mark) ?? chapter.start, chapter.title ?? words.text(.chapter)]
        .joined(separator: " ")
    }
    func add(_ text: String, leadingTo address: String?) {
      if let address = address.ifHTTP { links.append((text, address)) }
    }
    if let original = card.permalink?.url {
      add(words.text(Site.invitation(to: card.kind), [.host: Site.host(of: original)]), leadingTo: original)
    }
    add(words.text(.film), leadingTo: details.videoPage)
    for file in details.files { add(Self.text(of: file, site), leadingTo: file.url) }
    for picture in isIllustrated ? [] : Self.pictures(view) {
      add(
        "\(words.text(.picture)): \(picture.caption.isEmpty ? Site.fileName(of: picture.url) : picture.caption)",
        leadingTo: picture.url)
    }
    for file in details.transcripts {
      add("\(words.text(.transcript)): \(Site.name(of: file))", leadingTo: file.url)
    }
    for reference in details.references {
      let title = reference.title ?? Site.host(of: reference.url)
      add(words.text(reference.kind == .via ? .via : .aboutPage, [.title: title]), leadingTo: reference.url)
    }
    add(words.text(.comments), leadingTo: details.comments)
  }

  /// The pictures that the body does not show.
  private static func pictures(_ view: PostView) -> [Post.Picture] {
    guard let lead = view.item.lead else { return view.details.pictures }
    let caption = view.details.thumbnailCaption
    return [
      Post.Picture(
        url: lead.url, caption: caption.isEmpty ? lead.alternative : caption, width: lead.width, height: lead.height)
    ] + view.details.pictures
  }

  private static func byline(_ view: PostView, _ site: Site) -> [String] {
    let (card, words) = (view.item.card, site.words)
    let people = words.joined(view.details.people)
    return [
      view.item.feed.title, view.item.sortDate.map { site.times.day($0) } ?? words.text(.undated),
      words.joined(card.authors),
      people.isEmpty ? "" : words.text(.withPeople, [.title: people]),
      card.season.map { words.text(.season, [.number: "\($0)"]) } ?? "",
      card.episode.map { words.text(.episode, [.number: "\($0)"]) } ?? "",
      card.playingSeconds.flatMap(PlayingText.clock) ?? "",
      card.readingMinutes.map { words.counted(.minutes, $0) } ?? "",
    ]
  }

  private static func text(of file: Post.File, _ site: Site) -> String {
    let kind: Word =
      switch Site.family(of: file) {
      case .audio: .audio
      case .video: .video
      case .other: .attached
      }
    let facts = [file.type ?? "", file.length.flatMap(site.size) ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(site.words.text(kind)): \(Site.name(of: file))\(facts.isEmpty ? "" : " (\(facts))")"
  }
}

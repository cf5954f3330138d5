import TamisCore
import TamisURL

/// Puts what an element said into the field it belongs to.
extension FeedReading {
  /// Chooses by what is being read: the feed, an entry, or one of their parts.
  func assign(_ frame: Frame) {
    switch scope {
    case .image: assignImage(frame)
    case .textInput: break
    case .person: assignPerson(frame)
    case .source: assignSource(frame)
    case .feed: assignFeed(frame)
    case .entry: assignEntry(frame)
    }
  }

  private func assignImage(_ frame: Frame) {
    guard frame.element == .url, let url = resolve(frame.content, frame.base) else { return }
    if entry == nil {
      feed.image = feed.image ?? url
    } else {
      entry?.media.append(MediaObject(url: url, source: .thumbnail))
    }
  }

  private func assignPerson(_ frame: Frame) {
    switch frame.element {
    case .personName: person?.value.name = frame.content.collapsingSpace().trimmedOrNil()
    case .personEmail: person?.value.email = frame.content.trimmedOrNil()
    case .personURL, .url: person?.value.url = resolve(frame.content, frame.base)
    default: break
    }
  }

  private func assignSource(_ frame: Frame) {
    switch frame.element {
    case .text(.title): source.title = markup(of: frame)
    case .link: source.link = resolve(frame.attribute("href") ?? frame.content, frame.base) ?? source.link
    case .id, .guid: source.id = frame.content.trimmedOrNil()
    default: break
    }
  }

  private func assignFeed(_ frame: Frame) {
    switch frame.element {
    case .text(let field):
      let text = markup(of: frame)
      switch field {
      case .title, .mediaTitle: feed.title = feed.title ?? text
      case .subtitle, .description, .summary, .mediaDescription: feed.subtitle = feed.subtitle ?? text
      case .rights: feed.rights = feed.rights ?? text
      case .content: break
      }
    case .link: addLink(frame, to: \.links, link: \.link)
    case .guid, .id: feed.id = feed.id ?? frame.content.trimmedOrNil()
    case .language: feed.language = frame.content.trimmedOrNil() ?? feed.language
    case .date(let field):
      guard let date = date(of: frame) else { return }
      switch field {
      case .published: feed.published = date
      case .updated: feed.updated = date
      case .created: break
      }
    case .category: feed.categories += categories(of: frame)
    case .keywords(let scheme): feed.categories += keywords(of: frame, scheme)
    case .generator: feed.generator = frame.content.trimmedOrNil()
    case .personText(let role): add(PersonText.parse(frame.content), role)
    case .logo: feed.image = feed.image ?? resolve(frame.content, frame.base)
    case .icon: feed.icon = resolve(frame.content, frame.base)
    case .itunesImage: feed.image = feed.image ?? imageAddress(frame)
    case .channel, .root, .mediaGroup: break
    default: feed.extensions.append(extensionElement(frame))
    }
  }

  private func assignEntry(_ frame: Frame) {
    switch frame.element {
    case .text(let field): assignText(markup(of: frame), field)
    case .link: addLink(frame)
    case .guid:
      guard let id = frame.content.trimmedOrNil() else { return }
      entry?.id = id
      entry?.idIsPermalink = frame.attribute("ispermalink")?.asciiLowercased() != "false"
      if entry?.idIsPermalink == true, entry?.link == nil, let url = WebURL(id), ["http", "https"].contains(url.scheme)
      {
        entry?.link = id
      }
    case .id: if let id = frame.content.trimmedOrNil() { entry?.id = id }
    case .date(let field):
      guard let date = date(of: frame) else { return }
      switch field {
      case .published: entry?.published = date
      case .updated: entry?.updated = date
      case .created: entry?.created = date
      }
    case .category: entry?.categories += categories(of: frame)
    case .keywords(let scheme): entry?.categories += keywords(of: frame, scheme)
    case .enclosure:
      guard let url = resolve(frame.attribute("url") ?? frame.attribute("href") ?? "", frame.base) else {
        note(.warning, "parse.enclosure", "the enclosure has no url; it is left out", at: frame.location)
        return
      }
      let enclosure = Enclosure(url: url, type: frame.attribute("type"), length: length(of: frame))
      entry?.enclosures.append(enclosure)
    case .comments: entry?.comments = resolve(frame.content, frame.base)
    case .personText(let role): add(PersonText.parse(frame.content), role)
    case .mediaContent, .mediaThumbnail: addMedia(frame)
    case .itunesImage:
      if let url = imageAddress(frame) { entry?.media.append(MediaObject(url: url, source: .itunesImage)) }
    case .mediaGroup: break
    default: entry?.extensions.append(extensionElement(frame))
    }
  }

  private func assignText(_ text: Markup?, _ field: FeedElement.TextField) {
    guard let text else { return }
    switch field {
    case .title, .mediaTitle: if entry?.title == nil { entry?.title = text }
    case .summary, .subtitle, .description:
      if entry?.summary == nil { entry?.summary = text } else if field == .description { entry?.content.append(text) }
    case .mediaDescription: if entry?.summary == nil, entry?.content.isEmpty == true { entry?.summary = text }
    case .content: entry?.content.append(text)
    case .rights: entry?.rights = text
    }
  }

  /// Adds a person.
  ///
  /// The same one is often named twice in a row, in two vocabularies, and counts once then.
  func add(_ person: Person, _ role: FeedElement.PersonRole) {
    guard !person.isEmpty else { return }
    switch (role, entry == nil) {
    case (.author, false):
      if let entry, !entry.authors.suffix(8).contains(person) { self.entry?.authors.append(person) }
    case (.contributor, false): entry?.contributors.append(person)
    case (.author, true): if !feed.authors.suffix(8).contains(person) { feed.authors.append(person) }
    case (.publisher, true): feed.publisher = person
    default: break
    }
  }

  private func addLink(_ frame: Frame) {
    guard let link = link(of: frame) else { return }
    if link.rel == "enclosure" {
      entry?.enclosures.append(Enclosure(url: link.href, type: link.type, length: link.length))
      return
    }
    entry?.links.append(link)
    if link.isPage { entry?.link = link.href }
  }

  private func addLink(_ frame: Frame, to links: WritableKeyPath<Feed, [Link]>, link: WritableKeyPath<Feed, String?>) {
    guard let found = self.link(of: frame) else { return }
    feed[keyPath: links].append(found)
    if found.isPage { feed[keyPath: link] = found.href }
  }

  private func addMedia(_ frame: Frame) {
    let text = frame.element == .mediaThumbnail ? frame.content : ""
    guard let url = resolve(frame.attribute("url") ?? text, frame.base) else { return }
    entry?.media.append(
      MediaObject(
        url: url, source: frame.element == .mediaThumbnail ? .thumbnail : .content, type: frame.attribute("type"),
        medium: frame.attribute("medium"), width: frame.attribute("width").flatMap { Int($0.trimmed()) },
        height: frame.attribute("height").flatMap { Int($0.trimmed()) }))
  }

  private func imageAddress(_ frame: Frame) -> String? {
    resolve(frame.attribute("href") ?? frame.attribute("url") ?? frame.content, frame.base)
  }

  private func extensionElement(_ frame: Frame) -> ExtensionElement {
    ExtensionElement(name: frame.name, text: frame.content, attributes: frame.attributes)
  }
}

import TamisCore
import TamisURL

/// Assigns the content of an ended element to its field.
extension FeedBuilder {
  /// Assigns an ended element to the feed, the entry, or the part being read.
  mutating func assign(_ frame: Frame) {
    // Elements inside a foreign element are kept as extensions, unless they have the name of a field.
    if frame.isForeign, frame.element != .other { return }
    guard admitsElement(frame) else { return }
    switch scope {
    case .image, .textInput: assignImage(frame)
    case .person: assignPerson(frame)
    case .source: assignFeed(frame, \.source)
    case .feed: assignFeed(frame, \.feed)
    case .entry: assignEntry(frame)
    }
  }

  /// Whether an element is among those that are read of its entry, or of the feed.
  private mutating func admitsElement(_ frame: Frame) -> Bool {
    let index = isInEntry ? 1 : 0
    elementCount[index] += 1
    let count = elementCount[index]
    if count == limits.elements + 1 {
      let message = "there are more than \(limits.elements) elements in here; the others are left out"
      note(.warning, "parse.many-elements", message, at: location(of: frame))
    }
    return count <= limits.elements
  }

  private mutating func assignImage(_ frame: Frame) {
    switch frame.element {
    case .url: image.url = resolve(frame.content, against: frame.base)
    case .text(.title): image.title = markup(of: frame)
    case .text(.otherTitle): if image.title == nil { image.title = markup(of: frame) }
    case .text: image.description = markup(of: frame)
    case .link: image.link = resolve(frame.content, against: frame.base)
    case .width: image.width = Dimension.pixels(frame.content) ?? 0
    case .height: image.height = Dimension.pixels(frame.content) ?? 0
    case .personName: image.name = frame.content.trimmedOrNil()
    default: break
    }
  }

  private mutating func assignPerson(_ frame: Frame) {
    let url = resolve(frame.content, against: frame.base)
    switch frame.element {
    case .personName: person?.value.name = frame.content.collapsingSpace().trimmedOrNil()
    case .personEmail: person?.value.email = frame.content.trimmedOrNil()
    case .personURL, .url: person?.value.url = url
    default: break
    }
  }

  // MARK: - The feed

  private mutating func assignFeed(_ frame: Frame, _ path: WritableKeyPath<FeedBuilder, Feed>) {
    switch frame.element {
    case .text(.fullText): addExtension(frame, path)
    case .text(let field):
      assignText(markup(of: frame), field, path)
      if frame.name == "itunes_title" { addExtension(frame, path) }
    case .link:
      guard let link = link(of: frame) else { return }
      self[keyPath: path].links.append(link)
      if link.isPage { self[keyPath: path].link = link.href }
    case .guid, .id: if let id = resolvedID(frame) { self[keyPath: path].id = id }
    case .language: if let language = frame.content.trimmedOrNil() { self[keyPath: path].language = language }
    case .date(let field):
      guard let date = date(of: frame, field) else { return }
      switch field {
      case .published: self[keyPath: path].published = date
      case .updated: self[keyPath: path].updated = date
      case .created: self[keyPath: path].created = date
      case .expired: self[keyPath: path].expired = date
      case .validity: addExtension(frame, path)
      }
    case .category: add(categories(of: frame), path)
    case .keywords(let scheme): add(keywords(of: frame, scheme), path)
    case .generator: self[keyPath: path].generator = generator(of: frame)
    case .personText(let role): add(PersonText.parse(frame.content, role), role)
    case .logo: self[keyPath: path].logo = resolve(frame.attribute("href") ?? frame.content, against: frame.base)
    case .icon: self[keyPath: path].icon = resolve(frame.content, against: frame.base)
    case .place, .geometry, .coordinates: assignPlace(frame)
    case .itunesImage:
      guard let url = imageAddress(frame) else { return }
      if self[keyPath: path].image == nil { self[keyPath: path].image = Feed.Image() }
      self[keyPath: path].image?.url = url
    case .mediaContent, .mediaThumbnail: if let media = media(of: frame) { self[keyPath: path].media.append(media) }
    case .license: if let link = license(of: frame) { self[keyPath: path].links.append(link) }
    case .channel, .root, .mediaGroup, .wrapper: break
    default: addExtension(frame, path)
    }
  }

  private mutating func assignText(
    _ text: Feed.Markup?, _ field: FeedElement.TextField, _ path: WritableKeyPath<FeedBuilder, Feed>
  ) {
    guard let text else { return }
    switch field {
    case .title:
      if self[keyPath: path].title == nil || titlesOfOthers.contains(path) { self[keyPath: path].title = text }
      titlesOfOthers.remove(path)
    case .otherTitle:
      if self[keyPath: path].title == nil {
        self[keyPath: path].title = text
        titlesOfOthers.insert(path)
      }
    case .subtitle, .description, .mediaDescription:
      if self[keyPath: path].subtitle == nil { self[keyPath: path].subtitle = text }
    case .summary: if self[keyPath: path].summary == nil { self[keyPath: path].summary = text }
    case .rights: self[keyPath: path].rights = text
    case .info: self[keyPath: path].info = text
    case .content, .fullText: break
    }
  }

  private mutating func add(_ categories: [Feed.Category], _ path: WritableKeyPath<FeedBuilder, Feed>) {
    self[keyPath: path].categories.addDistinct(categories)
  }

  private mutating func addExtension(_ frame: Frame, _ path: WritableKeyPath<FeedBuilder, Feed>) {
    let element = extensionElement(frame)
    self[keyPath: path].extensions.append(element)
  }

  // MARK: - The entry

  private mutating func assignEntry(_ frame: Frame) {
    switch frame.element {
    case .text(let field):
      assignText(markup(of: frame), field)
      if field == .fullText || frame.name == "itunes_title" { addExtension(frame) }
    case .link:
      if frame.content.isEmpty, frame.attributes.isEmpty { bareLink = texts.count }
      addLink(frame)
    case .guid: assignGUID(frame)
    case .id: if let id = resolvedID(frame) { entry?.id = id }
    case .date(let field):
      guard let date = date(of: frame, field) else { return }
      switch field {
      case .published: entry?.published = date
      case .updated: entry?.updated = date
      case .created: entry?.created = date
      case .expired: entry?.expired = date
      case .validity: addExtension(frame)
      }
    case .category:
      let found = categories(of: frame)
      entry?.categories.addDistinct(found)
    case .keywords(let scheme):
      let found = keywords(of: frame, scheme)
      entry?.categories.addDistinct(found)
    case .enclosure: addEnclosure(frame)
    case .comments:
      let url = resolve(frame.content, against: frame.base)
      entry?.comments = url
    case .personText(let role): add(PersonText.parse(frame.content, role), role)
    case .mediaContent, .mediaThumbnail: addMedia(frame)
    case .license: if let link = license(of: frame) { entry?.links.append(link) }
    case .language: entry?.extensions.append(Feed.ExtensionElement(name: "language", text: frame.content))
    case .place, .geometry, .coordinates: assignPlace(frame)
    case .chapter: addChapter(frame)
    case .chapters:
      if entry?.chapters == nil { entry?.chapters = chapters }
      if entry?.chaptersVersion == nil { entry?.chaptersVersion = frame.attribute("version") }
      if entry?.chaptersURL == nil {
        let url = frame.attribute("href").flatMap { resolve($0, against: frame.base) }
        entry?.chaptersURL = url
      }
      chapters = []
    case .itunesImage:
      if let url = imageAddress(frame) { entry?.media.append(Feed.MediaObject(url: url, source: .itunesImage)) }
    case .mediaGroup: mediaGroups += 1
    case .wrapper: break
    default:
      if frame.name == "media_credit", isInMediaContent { mediaCredit = frame.content.trimmedOrNil() }
      addExtension(frame)
    }
  }

  /// Whether the ended element is in a `media:content`.
  private var isInMediaContent: Bool { frames.suffix(2).contains { $0.element == .mediaContent } }

  private mutating func addMedia(_ frame: Frame) {
    guard var media = media(of: frame) else { return }
    if frames.suffix(2).contains(where: { $0.name == "media_group" }) { media.group = mediaGroups }
    if frame.element == .mediaContent {
      (media.title, media.description, media.credit) = (mediaTitle, mediaDescription, mediaCredit)
      (mediaTitle, mediaDescription, mediaCredit) = (nil, nil, nil)
    }
    entry?.media.append(media)
  }

  private mutating func addExtension(_ frame: Frame) {
    let element = extensionElement(frame)
    entry?.extensions.append(element)
  }

  private mutating func assignGUID(_ frame: Frame) {
    guard let text = frame.content.trimmedOrNil() else { return }
    let isPermalink = frame.attribute("ispermalink").map { $0.asciiLowercased() == "true" } ?? true
    let address = isPermalink ? resolve(text, against: frame.base) ?? text : text
    // Posts are recognized by their ids, which have always been resolved against the document.
    let id = isPermalink ? resolve(text, against: frame.base ?? documentBase) ?? text : text
    entry?.id = id
    entry?.idIsPermalink = isPermalink
    guard isPermalink, entry?.link == nil else { return }
    if WebURL(address)?.isHTTP == true || address.hasPrefix("/") { entry?.link = address }
  }

  /// Returns the id with a relative URL resolved; any other id is unchanged.
  private mutating func resolvedID(_ frame: Frame) -> String? {
    resolve(frame.content, against: frame.base ?? documentBase)
  }

  private mutating func assignText(_ text: Feed.Markup?, _ field: FeedElement.TextField) {
    guard let text else { return }
    switch field {
    case .title:
      // The first one counts.
      if entry?.title == nil || hasTitleOfOther { entry?.title = text }
      hasTitleOfOther = false
    case .otherTitle:
      if isInMediaContent {
        mediaTitle = text
      } else if entry?.title == nil {
        entry?.title = text
        hasTitleOfOther = true
      }
    case .subtitle: if entry?.subtitle == nil { entry?.subtitle = text }
    case .summary, .description:
      // A second description is the content when there is none.
      if entry?.summary == nil || hasSummaryOfMedia || entry?.content.isEmpty == false {
        keepReplacedSummary()
        entry?.summary = text
      } else {
        entry?.content.append(text)
      }
    case .mediaDescription:
      if isInMediaContent { mediaDescription = text }
      if entry?.summary == nil, entry?.content.isEmpty == true {
        entry?.summary = text
        (hasSummaryOfMedia, isSummaryOfFile) = (true, isInMediaContent)
      } else if !isInMediaContent {
        entry?.mediaText = text
      }
    case .content:
      entry?.content.append(text)
      // The description of Media RSS is about a picture then, in whatever order they come.
      if hasSummaryOfMedia {
        keepReplacedSummary()
        entry?.summary = nil
      }
    case .fullText: entry?.otherTexts.append(text)
    case .rights: entry?.rights = text
    case .info: entry?.info = text
    }
  }

  /// Keeps the summary being replaced, since it may be the richest text of the entry.
  ///
  /// The description of a single Media RSS file is only a caption, and stays with its file.
  private mutating func keepReplacedSummary() {
    defer { (hasSummaryOfMedia, isSummaryOfFile) = (false, false) }
    guard let summary = entry?.summary, !isSummaryOfFile else { return }
    if hasSummaryOfMedia { entry?.mediaText = summary } else { entry?.otherTexts.append(summary) }
  }

  /// Adds a person.
  ///
  /// A person named twice in a row, often in two vocabularies, counts once.
  mutating func add(_ person: Feed.Person, _ role: FeedElement.PersonRole) {
    guard !person.isEmpty else { return }
    switch (owner, role) {
    case (.entry, .author): if entry?.authors.suffix(8).contains(person) == false { entry?.authors.append(person) }
    case (.entry, .contributor): entry?.contributors.append(person)
    case (.entry, .publisher): entry?.publisher = person
    case (.source, _): Self.add(person, role, to: &source)
    default: Self.add(person, role, to: &feed)
    }
  }

  private static func add(_ person: Feed.Person, _ role: FeedElement.PersonRole, to feed: inout Feed) {
    switch role {
    case .author: if !feed.authors.suffix(8).contains(person) { feed.authors.append(person) }
    case .contributor: feed.contributors.append(person)
    case .publisher: feed.publisher = person
    }
  }

  private mutating func addLink(_ frame: Frame) {
    guard let link = link(of: frame) else { return }
    if link.rel == "enclosure" {
      let linksBefore = entry?.links.count ?? 0
      entry?.enclosures.append(
        Feed.Enclosure(
          url: link.href, type: link.type, length: link.length, title: link.title, attributes: link.attributes,
          linksBefore: linksBefore))
      return
    }
    entry?.links.append(link)
    if link.isPage { entry?.link = link.href }
  }

  private mutating func addEnclosure(_ frame: Frame) {
    guard let url = resolve(frame.attribute("url") ?? frame.attribute("href") ?? "", against: frame.base) else {
      note(.warning, "parse.enclosure", "the enclosure has no url; it is left out", at: location(of: frame))
      return
    }
    let enclosure = Feed.Enclosure(
      url: url, type: mediaType(of: frame), length: length(of: frame),
      attributes: frame.attributes(except: ["url", "href", "type", "length"]),
      linksBefore: entry?.links.count ?? 0)
    entry?.enclosures.append(enclosure)
  }

  /// Assigns a category at its start tag: iTunes nests its categories, and the outer one comes first.
  mutating func assignCategoryAtStart(_ frame: Frame) {
    let found = categories(of: frame)
    switch owner {
    case .entry: entry?.categories.addDistinct(found)
    case .source: source.categories.addDistinct(found)
    default: feed.categories.addDistinct(found)
    }
  }

  private mutating func addChapter(_ frame: Frame) {
    guard let start = frame.attribute("start") else { return }
    chapters.append(
      Feed.Chapter(
        start: start, seconds: PlaceText.seconds(start), title: frame.attribute("title"),
        link: frame.attribute("href").flatMap { resolve($0, against: frame.base) }, image: frame.attribute("image")))
  }

  // MARK: - Both

  /// Assigns a place; GML's coordinates end before the shape around them does.
  private mutating func assignPlace(_ frame: Frame) {
    let place: Feed.Place
    switch frame.element {
    case .place(let shape): place = PlaceText.parse(frame.content, shape)
    case .geometry(let shape):
      place = PlaceText.parse(
        coordinates, shape, dimension: frame.attribute("srsdimension").flatMap { Int($0) } ?? 2,
        system: frame.attribute("srsname"))
      coordinates = ""
    default:
      coordinates = frame.content
      return
    }
    switch owner {
    case .entry: entry?.place = place
    case .source: source.place = place
    default: feed.place = place
    }
  }

  private mutating func imageAddress(_ frame: Frame) -> String? {
    resolve(frame.attribute("href") ?? frame.attribute("url") ?? frame.content, against: frame.base)
  }

  private mutating func generator(of frame: Frame) -> Feed.Generator? {
    let url = frame.attribute("uri") ?? frame.attribute("url") ?? frame.attribute("rdf:resource")
    let resolved = url.flatMap { resolve($0, against: frame.base) }
    let name = frame.content.trimmedOrNil() ?? frame.attribute("rdf:resource")
    guard name != nil || resolved != nil else { return nil }
    return Feed.Generator(name: name, url: resolved, version: frame.attribute("version"))
  }

  /// Returns an element under its own name, resolving a text that is a URL.
  private mutating func extensionElement(_ frame: Frame) -> Feed.ExtensionElement {
    let text = frame.element == .address ? resolve(frame.content, against: frame.base) ?? "" : frame.content
    return Feed.ExtensionElement(name: frame.name, text: text, attributes: frame.attributes)
  }
}

extension [Feed.Category] {
  /// Adds the categories that are missing; very long lists keep repetitions.
  fileprivate mutating func addDistinct(_ categories: [Feed.Category]) {
    for category in categories where count > 200 || !contains(category) { append(category) }
  }
}

extension Feed.Link {
  /// Whether the link leads to the page that the feed or entry is about.
  var isPage: Bool {
    rel == "alternate" && (type == nil || type == "text/html" || type == "application/xhtml+xml")
  }
}

import TamisCore
import TamisURL
import TamisXML

/// Begins and ends what fields belong to: entries, people, pictures, the feed that an entry was taken from.
extension FeedBuilder {
  /// CDF keeps the channel's page and date in attributes.
  mutating func readChannelAttributes(_ frame: Frame) {
    if let href = frame.attribute("href").flatMap({ resolve($0, against: frame.base) }) {
      feed.links.append(FeedLink(href: href))
      feed.link = href
    }
    if let date = frame.attribute("lastmod") { feed.updated = FeedDate(reading: date) }
  }

  /// CDF keeps an item's page and date in attributes, too.
  private mutating func readEntryAttributes(_ frame: Frame) {
    if let href = frame.attribute("href").flatMap({ resolve($0, against: frame.base) }) {
      entry?.links.append(FeedLink(href: href))
      entry?.link = href
    }
    if let date = frame.attribute("lastmod")?.trimmedOrNil() { entry?.updated = FeedDate(reading: date) }
  }

  /// Whether an element cannot be in a picture or a search box, which was never ended then.
  mutating func endsImage(_ name: ElementName) -> Bool {
    guard scope == .image || scope == .textInput, !isAnyAtom else { return false }
    switch name.element {
    case .text, .link, .url, .width, .height, .personName: return false
    case .other: return name.name.prefix.isEmpty
    case .mediaContent, .mediaThumbnail, .mediaGroup, .wrapper, .address, .itunesImage: return false
    default: return true
    }
  }

  /// Begins what an element is the scope of.
  ///
  /// - Parameter depth: how many elements are open around it.
  mutating func enterScope(of frame: Frame, depth: Int) {
    guard !frame.isForeign else { return }
    let scope: Scope
    switch frame.element {
    case .entry:
      scope = .entry
      entry = FeedEntry(at: location(of: frame))
      (hasTitleOfOther, hasSummaryOfMedia) = (false, false)
      (mediaTitle, mediaDescription, mediaCredit, mediaGroups) = (nil, nil, nil, 0)
      readEntryAttributes(frame)
      if let about = frame.attribute("rdf:about")?.trimmedOrNil() { entry?.id = about }
    case .image, .textInput:
      scope = frame.element == .image ? .image : .textInput
      image = FeedImage()
    case .source where entry != nil:
      scope = .source
      source = Feed()
      titlesOfOthers.remove(\.source)
    case .person(let role):
      scope = .person
      person = (FeedPerson(), role)
    default: return
    }
    scopes.append((scope, depth))
  }

  mutating func finish(_ frame: Frame, _ ended: Scope?) {
    switch ended {
    case .entry:
      finished = entry.take()
      hasFinishedEntry = finished != nil
      entriesEnded += 1
    case .person: finishPerson(frame)
    case .source: finishSource(frame)
    case .image: finishImage(frame)
    case .textInput: if owner == .feed { feed.textInput = image }
    case .feed: break
    case nil: assign(frame)
    }
  }

  private mutating func finishPerson(_ frame: Frame) {
    guard let (value, role) = person else { return }
    person = nil
    let whole = value.isEmpty ? PersonText.parse(frame.content, role) : value
    if !whole.isEmpty { add(whole, role) }
  }

  private mutating func finishSource(_ frame: Frame) {
    // RSS's source is an element with a text and a url.
    if let url = frame.attribute("url") { source.link = resolve(url, against: frame.base) }
    if source.title == nil, !frame.content.isEmpty {
      source.title = Markup(frame.content, kind: .text, language: frame.language)
    }
    entry?.source = source
  }

  private mutating func finishImage(_ frame: Frame) {
    // RSS 1.0's channel only points to its image.
    if image.url == nil {
      image.url = resolve(frame.attribute("rdf:resource") ?? frame.attribute("url") ?? "", against: frame.base)
    }
    if image.url == nil, let href = frame.attribute("href") { image.url = resolve(href, against: frame.base) }
    if image.url == nil, owner == .entry, WebURL(frame.content) != nil { image.url = frame.content }
    switch owner {
    case .entry:
      entry?.image = image
      if let url = image.url { entry?.media.append(MediaObject(url: url, source: .thumbnail)) }
    case .source: source.image = image
    default:
      if let url = feed.image?.url { image.url = url }
      feed.image = image
    }
  }
}

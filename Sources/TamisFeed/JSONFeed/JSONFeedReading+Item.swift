import TamisCore

/// Turns an item into an entry.
extension JSONFeedReading {
  /// The entry that an item is.
  func entry(of members: [JSONMember], at location: SourceLocation) -> FeedEntry {
    var item = JSONItem(entry: FeedEntry(at: location), language: feed.language)
    subject = Self.subject(of: members)
    defer { subject = nil }
    var seen: Set<String> = []
    for member in members where Self.itemMembers.contains(member.name) {
      noteRepetition(of: member.name, at: member.value.location, in: &seen)
    }
    // The language has to be known before the texts.
    for member in members where member.name == "language" {
      if let language = language(of: member) { item.language = language }
    }
    for member in members { assign(member, to: &item) }
    if item.entry.id == nil {
      note(.note, "parse.json-id", "this item has no id; give each one that does not change", at: location)
    }
    return item.finished()
  }

  private static let itemMembers: Set = [
    "id", "url", "external_url", "title", "content_html", "content_text", "summary", "image", "banner_image",
    "date_published", "date_modified", "author", "authors", "tags", "language", "attachments",
  ]

  /// What findings call the item: its id or its title.
  private static func subject(of members: [JSONMember]) -> String? {
    for name in ["id", "title"] {
      for member in members where member.name == name {
        if let text = member.value.scalarText?.trimmedOrNil() { return String(text.prefix(80)) }
      }
    }
    return nil
  }

  private func assign(_ member: JSONMember, to item: inout JSONItem) {
    switch member.name {
    case "id": item.entry.id = text(of: member) ?? item.entry.id
    case "url": if let url = url(of: member) { item.setLink(url) }
    case "external_url":
      guard let url = url(of: member) else { return }
      item.entry.links.append(FeedLink(href: url, rel: "related"))
      item.entry.extensions.append(ExtensionElement(name: member.name, text: url))
    case "title": item.entry.title = markup(of: member, .text, item.language) ?? item.entry.title
    case "summary": item.entry.summary = markup(of: member, .text, item.language) ?? item.entry.summary
    case "content_html": item.html = markup(of: member, .html, item.language) ?? item.html
    case "content_text": item.text = markup(of: member, .text, item.language) ?? item.text
    case "image": item.image = url(of: member) ?? item.image
    case "banner_image": item.banner = url(of: member) ?? item.banner
    case "date_published": item.entry.published = date(of: member) ?? item.entry.published
    case "date_modified": item.entry.updated = date(of: member) ?? item.entry.updated
    case "author", "authors":
      var parts = JSONPeople(people: item.entry.authors)
      read(member, into: &parts)
      item.entry.authors = parts.people
      item.entry.extensions += parts.extensions
    case "tags": addTags(member, to: &item.entry)
    case "attachments": for node in elements(of: member) { addAttachment(node, of: member, to: &item.entry) }
    case "language": break
    default: item.entry.extensions += extensions(of: member)
    }
  }

  private func addTags(_ member: JSONMember, to entry: inout FeedEntry) {
    for node in elements(of: member) {
      guard let tag = text(of: JSONMember(name: member.name, value: node)) else { continue }
      let category = FeedCategory(term: tag.collapsingSpace())
      // Of very many, repetitions stay.
      if entry.categories.count > 200 || !entry.categories.contains(category) { entry.categories.append(category) }
    }
  }

  private func addAttachment(_ node: JSONNode, of member: JSONMember, to entry: inout FeedEntry) {
    guard let members = object(node, of: member) else { return }
    var enclosure: Enclosure?
    for part in members where part.name == "url" {
      if let url = url(of: part) { enclosure = Enclosure(url: url) }
    }
    guard var enclosure else {
      note(.warning, "parse.json-attachment", "this attachment has no url; it is left out", at: node.location)
      return
    }
    let address = ExtensionElement.Attribute(name: "url", value: enclosure.url)
    var others: [ExtensionElement] = []
    for part in members {
      switch part.name {
      case "url": break
      case "mime_type": enclosure.type = text(of: part) ?? enclosure.type
      case "size_in_bytes": enclosure.length = size(of: part) ?? enclosure.length
      case "title": enclosure.title = text(of: part) ?? enclosure.title
      default:
        others += extensions(of: part, under: "attachment").map { element in
          ExtensionElement(name: element.name, text: element.text, attributes: [address])
        }
      }
    }
    entry.enclosures.append(enclosure)
    entry.extensions += others
  }
}

/// An item whose members are being read.
private struct JSONItem {
  var entry: FeedEntry
  var language: String?
  var html: Markup?
  var text: Markup?
  var image: String?
  var banner: String?

  init(entry: FeedEntry, language: String?) {
    self.entry = entry
    self.language = language
  }

  mutating func setLink(_ url: String) {
    entry.link = url
    entry.links.append(FeedLink(href: url))
  }

  /// The finished entry, with members in the model's order.
  func finished() -> FeedEntry {
    var entry = entry
    entry.content = [html, text].compactMap { $0 }
    entry.media = [image, banner].compactMap { $0 }.map { MediaObject(url: $0, source: .thumbnail) }
    if let url = image ?? banner {
      var picture = FeedImage()
      picture.url = url
      entry.image = picture
    }
    return entry
  }
}

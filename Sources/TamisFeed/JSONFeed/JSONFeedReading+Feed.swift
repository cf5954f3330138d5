import TamisCore

/// Assigns the members of the feed object to the model.
extension JSONFeedReading {
  /// A member of the feed, any but the array of items.
  func assignFeed(_ member: JSONMember) {
    if Self.feedMembers.contains(member.name) { noteRepetition(of: member.name, at: member.value.location, in: &seen) }
    switch member.name {
    case "version": assignVersion(member)
    case "items": lose(member, "an array")
    case "title": if let title = markup(of: member, .text, feed.language) { feed.title = title }
    case "description": if let text = markup(of: member, .text, feed.language) { feed.subtitle = text }
    case "home_page_url": if let url = url(of: member) { assignLink(url) }
    case "feed_url": if let url = url(of: member) { feed.links.append(FeedLink(href: url, rel: "self")) }
    case "icon": if let url = url(of: member) { assignIcon(url) }
    case "favicon": if let url = url(of: member) { feed.icon = url }
    case "language": if let language = language(of: member) { feed.language = language }
    case "author", "authors":
      var parts = JSONPeople(people: feed.authors)
      read(member, into: &parts)
      feed.authors = parts.people
      feed.extensions += parts.extensions
    case "user_comment": if let comment = text(of: member) { setExtension(member.name, comment) }
    case "next_url":
      if let url = url(of: member) { setExtension(member.name, url) }
    case "expired":
      if let expired = bool(of: member) { setExtension(member.name, expired ? "true" : "false") }
    case "hubs":
      let hubs = hubs(of: member)
      feed.extensions += hubs
    default:
      let others = extensions(of: member)
      feed.extensions += others
    }
  }

  private static let feedMembers: Set = [
    "version", "title", "description", "home_page_url", "feed_url", "icon", "favicon", "language", "author", "authors",
    "next_url", "expired", "hubs", "user_comment",
  ]

  private func assignVersion(_ member: JSONMember) {
    guard let text = text(of: member) else { return }
    guard let version = JSONFeedVersion.of(text) else {
      note(
        .warning, "parse.json-version", "'\(text.prefix(60))' is not a version of JSON Feed", at: member.value.location)
      return
    }
    feed.version = version
    isFeed = true
    if version == "json" {
      note(
        .note, "parse.json-version", "version '\(text.prefix(60))' is not known; it is read as 1.1",
        at: member.value.location)
    }
  }

  private func setExtension(_ name: String, _ text: String) {
    feed.extensions.removeAll { $0.name == name }
    feed.extensions.append(ExtensionElement(name: name, text: text))
  }

  private func assignLink(_ url: String) {
    feed.link = url
    feed.links.append(FeedLink(href: url))
  }

  private func assignIcon(_ url: String) {
    var image = FeedImage()
    image.url = url
    feed.image = image
  }

  /// Each hub as an element: its address, and its type as an attribute.
  private func hubs(of member: JSONMember) -> [ExtensionElement] {
    elements(of: member).compactMap { hub in
      guard let members = object(hub, of: member) else { return nil }
      var element = ExtensionElement(name: member.name, text: "")
      for part in members {
        if part.name == "url" {
          element.text = url(of: part) ?? ""
        } else if let value = part.value.scalarText {
          element.attributes.append(.init(name: part.name.asciiLowercased(), value: value))
        }
      }
      if element.text.isEmpty { note(.warning, "parse.json-hub", "this hub has no url", at: hub.location) }
      return element.text.isEmpty ? nil : element
    }
  }
}

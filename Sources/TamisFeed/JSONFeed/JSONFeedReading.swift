package import TamisCore

/// A reader of one JSON Feed that turns the events of a JSON reader into fields of the feed and of its items.
///
/// Versions 1.0 and 1.1, <https://www.jsonfeed.org/version/1.1/>. An item is a tree until it ends, then an entry that
/// is passed on, so that memory use depends on the largest item. A value of a wrong type affects only its own field; a
/// syntax error ends the reading.
package final class JSONFeedReading: JSONHandler {
  /// The feed's metadata so far.
  package var feed = Feed()
  /// The findings.
  package var findings: [Finding] { log.findings }
  private var log: FindingLog
  /// The state in which the document ended, as far as it was read.
  package private(set) var ending = Feed.Ending.complete
  /// Whether the document is known to be a JSON Feed, by its `version` or by an array of `items`.
  package internal(set) var isFeed = false
  /// The kind of the root value, for the message that the document is not a feed.
  package private(set) var rootDescription = "missing"

  /// The part of the document that the next value belongs to.
  private enum State {
    case document
    case feed
    case items
    case end
  }

  /// The maximum number of values in a member of the feed, or in an item; the rest is left out.
  package static let mostNodes = 100_000

  let limits: Limits
  private let name: String
  private let onEntry: (Feed, Feed.Entry) -> FeedParser.Continuation
  private var reader: JSONReader?
  private var state = State.document
  private var member = ""
  private var tree = JSONTree(mostNodes: JSONFeedReading.mostNodes)
  private var isStopped = false
  /// The members of the feed that were read.
  var seen: Set<String> = []
  /// The item being turned into an entry, for findings.
  var subject: String?

  /// Creates a reader of a document whose bytes are passed to ``read(_:)`` as UTF-8.
  package init(document: FeedDocument, limits: Limits, onEntry: @escaping (Feed, Feed.Entry) -> FeedParser.Continuation)
  {
    name = document.name
    self.limits = limits
    log = FindingLog(limits: limits)
    self.onEntry = onEntry
    feed.language = document.header("Content-Language")
    reader = JSONReader(handler: self, limits: limits, mends: true)
    if let base = document.base, base.utf8.count > limits.baseBytes {
      note(
        .warning, "parse.base-too-long",
        "the document's URL has more than \(limits.baseBytes) bytes; addresses are not resolved against it",
        at: Finding.Location(file: name, line: 1, column: 1))
    }
  }

  /// Reads the next part of the document.
  ///
  /// - Returns: whether to continue reading.
  package func read(_ chunk: borrowing Span<UInt8>) -> Bool {
    reader?.read(chunk) ?? false
  }

  /// Ends reading, at the end of the document or before.
  ///
  /// - Parameter failure: the reason why the rest could not be read, if that is so.
  package func finish(failure: ReadFailure? = nil) {
    if let failure {
      note(.error, "read.failed", "reading failed here: \(failure.message); what came before is kept", at: location)
    }
    if isStopped, isFeed { ending = .betweenEntries } else { reader?.finish() }
    if isFeed, feed.version.isEmpty {
      feed.version = "json"
      if feed.fault == nil, !isStopped {
        let start = Finding.Location(file: name, line: 1, column: 1)
        note(
          .note, "parse.json-version", "there is no version; it should be https://jsonfeed.org/version/1.1", at: start)
      }
    }
    let fault = feed.fault?.location
    if let repaired = reader?.mended, fault.map({ (repaired.line, repaired.column) < ($0.line, $0.column) }) ?? true {
      let location = Finding.Location(file: name, line: repaired.line, column: repaired.column)
      feed.fault = Finding(
        .warning, "parse.ill-formed", "this is not well-formed JSON: \(repaired.message)", at: location)
    }
    // The language may come after the texts.
    let language = feed.language
    if feed.title?.language == nil { feed.title?.language = language }
    if feed.subtitle?.language == nil { feed.subtitle?.language = language }
  }

  private var location: Finding.Location {
    Finding.Location(file: name, line: reader?.line ?? 0, column: reader?.column ?? 0)
  }

  func note(_ severity: Finding.Severity, _ code: String, _ message: String, at location: Finding.Location) {
    log.add(Finding(severity, code, message, at: location, entry: subject))
  }

  // MARK: - Events

  package func null() { take(.null) }

  package func bool(_ value: Bool) { take(.bool(value)) }

  package func number(_ text: borrowing Span<UInt8>) { take(.number(string(of: text))) }

  package func string(_ text: borrowing Span<UInt8>) {
    if reader?.isCut == true {
      note(
        .warning, "parse.json-too-long", "this string has more than \(limits.fieldBytes) bytes; its end is left out",
        at: location)
    }
    take(.string(string(of: text)))
  }

  package func key(_ name: borrowing Span<UInt8>) {
    if tree.isOpen { tree.key(string(of: name)) } else { member = string(of: name) }
  }

  package func startObject() {
    if !tree.isOpen, state == .document {
      state = .feed
      rootDescription = "a JSON object without items"
    } else {
      tree.begin(isObject: true, at: location)
    }
  }

  package func endObject() {
    if tree.isOpen { endTree() } else { state = .end }
  }

  package func startArray() {
    if !tree.isOpen, state == .feed, member == "items" {
      state = .items
      isFeed = true
      noteRepetition(of: "items", at: location, in: &seen)
    } else if state == .document {
      refuse("a JSON array")
    } else {
      tree.begin(isObject: false, at: location)
    }
  }

  package func endArray() {
    if tree.isOpen { endTree() } else { state = .feed }
  }

  package func fault(_ fault: JSONFault) {
    feed.fault = Finding(
      .warning, "parse.ill-formed", "this is not well-formed JSON: \(fault.message); what comes after it is not read",
      at: Finding.Location(file: name, line: fault.line, column: fault.column))
    if state == .items, let start = tree.start {
      ending = .insideLostEntry
      note(.warning, "parse.cut-off", "the end of this item is missing; the item is left out", at: start)
    } else if state != .end {
      ending = .betweenEntries
    }
    tree.discard()
  }

  // MARK: - Values

  /// Returns the text with NUL replaced by U+FFFD, as in HTML.
  private func string(of bytes: borrowing Span<UInt8>) -> String {
    let text = String(bytes, 0..<bytes.count)
    guard text.utf8.contains(0) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
  }

  private func take(_ value: JSONNode.Value) {
    let node = JSONNode(value: value, location: location)
    if tree.isOpen { tree.add(node) } else { finish(node) }
  }

  private func endTree() {
    guard let whole = tree.end() else { return }
    if tree.isCut {
      note(
        .warning, "parse.json-many", "there are more than \(Self.mostNodes) values in here; the rest is left out",
        at: whole.location)
    }
    finish(whole)
  }

  /// Assigns a complete value.
  private func finish(_ node: JSONNode) {
    switch state {
    case .document: refuse(node.kind)
    case .feed: assignFeed(JSONMember(name: member, value: node))
    case .items: finishItem(node)
    case .end: break
    }
  }

  private func finishItem(_ node: JSONNode) {
    guard case .object(let members) = node.value else {
      note(.warning, "parse.json-item", "this item is \(node.kind), not an object; it is left out", at: node.location)
      return
    }
    let entry = entry(of: members, at: node.location)
    if onEntry(feed, entry) == .stop {
      isStopped = true
      reader?.stop()
    }
  }

  private func refuse(_ description: String) {
    rootDescription = description
    state = .end
    isStopped = true
    reader?.stop()
  }
}

/// Assigns the members of the feed object to the model.
extension JSONFeedReading {
  /// Assigns a member of the feed other than the array of items.
  func assignFeed(_ member: JSONMember) {
    if Self.feedMembers.contains(member.name) { noteRepetition(of: member.name, at: member.value.location, in: &seen) }
    switch member.name {
    case "version": assignVersion(member)
    case "items": lose(member, "an array")
    case "title": if let title = markup(of: member, .text, feed.language) { feed.title = title }
    case "description": if let text = markup(of: member, .text, feed.language) { feed.subtitle = text }
    case "home_page_url": if let url = text(of: member) { assignLink(url) }
    case "feed_url":
      if let url = text(of: member) {
        feed.links.append(Feed.Link(href: url, rel: "self", type: "application/feed+json"))
      }
    case "icon": if let url = text(of: member) { assignIcon(url) }
    case "favicon": if let url = text(of: member) { feed.icon = url }
    case "language": if let language = language(of: member) { feed.language = language }
    case "author", "authors":
      var parts = JSONPeople(people: feed.authors)
      read(member, into: &parts)
      feed.authors = parts.people
      feed.extensions += parts.extensions
    case "user_comment", "next_url": if let text = text(of: member) { setExtension(member.name, text) }
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
    feed.extensions.append(Feed.ExtensionElement(name: name, text: text))
  }

  private func assignLink(_ url: String) {
    feed.link = url
    feed.links.append(Feed.Link(href: url))
  }

  private func assignIcon(_ url: String) {
    var image = Feed.Image()
    image.url = url
    feed.image = image
  }

  /// Returns each hub as an element with the URL as its text and the type as an attribute.
  private func hubs(of member: JSONMember) -> [Feed.ExtensionElement] {
    elements(of: member).compactMap { hub in
      guard let members = object(hub, of: member) else { return nil }
      var element = Feed.ExtensionElement(name: member.name, text: "")
      for part in members {
        if part.name == "url" {
          element.text = text(of: part) ?? ""
        } else if let value = part.value.scalarText {
          element.attributes.append(.init(name: part.name.asciiLowercased(), value: value))
        }
      }
      if element.text.isEmpty { note(.warning, "parse.json-hub", "this hub has no url", at: hub.location) }
      return element.text.isEmpty ? nil : element
    }
  }
}

/// Turns an item into an entry.
extension JSONFeedReading {
  /// Returns the entry for an item.
  func entry(of members: [JSONMember], at location: Finding.Location) -> Feed.Entry {
    var item = JSONItem(entry: Feed.Entry(at: location), language: feed.language)
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

  /// Returns the name of the item in findings: its id or its title.
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
    case "url": if let url = text(of: member) { item.setLink(url) }
    case "external_url":
      guard let url = text(of: member) else { return }
      item.entry.links.append(Feed.Link(href: url, rel: "related"))
      item.entry.extensions.append(Feed.ExtensionElement(name: member.name, text: url))
    case "title": item.entry.title = markup(of: member, .text, item.language) ?? item.entry.title
    case "summary": item.entry.summary = markup(of: member, .text, item.language) ?? item.entry.summary
    case "content_html": item.html = markup(of: member, .html, item.language) ?? item.html
    case "content_text": item.text = markup(of: member, .text, item.language) ?? item.text
    case "image": item.image = text(of: member) ?? item.image
    case "banner_image": item.banner = text(of: member) ?? item.banner
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

  private func addTags(_ member: JSONMember, to entry: inout Feed.Entry) {
    for node in elements(of: member) {
      guard let tag = text(of: JSONMember(name: member.name, value: node)) else { continue }
      let category = Feed.Category(term: tag.collapsingSpace())
      // Very long lists keep repetitions.
      if entry.categories.count > 200 || !entry.categories.contains(category) { entry.categories.append(category) }
    }
  }

  private func addAttachment(_ node: JSONNode, of member: JSONMember, to entry: inout Feed.Entry) {
    guard let members = object(node, of: member) else { return }
    var enclosure: Feed.Enclosure?
    for part in members where part.name == "url" {
      if let url = text(of: part) { enclosure = Feed.Enclosure(url: url) }
    }
    guard var enclosure else {
      note(.warning, "parse.json-attachment", "this attachment has no url; it is left out", at: node.location)
      return
    }
    let address = Feed.ExtensionElement.Attribute(name: "url", value: enclosure.url)
    var others: [Feed.ExtensionElement] = []
    for part in members {
      switch part.name {
      case "url": break
      case "mime_type": enclosure.type = text(of: part) ?? enclosure.type
      case "size_in_bytes": enclosure.length = size(of: part) ?? enclosure.length
      case "title": enclosure.title = text(of: part) ?? enclosure.title
      default:
        others += extensions(of: part, under: "attachment").map { element in
          Feed.ExtensionElement(name: element.name, text: element.text, attributes: [address])
        }
      }
    }
    entry.enclosures.append(enclosure)
    entry.extensions += others
  }
}

/// An item whose members are being read.
private struct JSONItem {
  var entry: Feed.Entry
  var language: String?
  var html: Feed.Markup?
  var text: Feed.Markup?
  var image: String?
  fileprivate var banner: String?

  fileprivate mutating func setLink(_ url: String) {
    entry.link = url
    entry.links.append(Feed.Link(href: url))
  }

  /// Returns the finished entry, with members in the model's order.
  func finished() -> Feed.Entry {
    var entry = entry
    entry.content = [html, text].compactMap { $0 }
    entry.media = [image, banner].compactMap { $0 }.map { Feed.MediaObject(url: $0, source: .thumbnail) }
    if let url = image ?? banner {
      var picture = Feed.Image()
      picture.url = url
      entry.image = picture
    }
    return entry
  }
}

/// People, and the extensions that describe them.
struct JSONPeople {
  var people: [Feed.Person]
  var extensions: [Feed.ExtensionElement] = []
}

/// Keeps the members that the model has no field for.
extension JSONFeedReading {
  /// The deepest nesting of an extension, and the longest name of an element made from one.
  private static let deepest = 16
  private static let longestName = 256

  /// Reads `authors`, or 1.0's `author`; a person named in both counts once.
  func read(_ member: JSONMember, into parts: inout JSONPeople) {
    let isOne = member.name == "author"
    if case .object = member.value.value, isOne {
      addPerson(member.value, of: member, to: &parts)
    } else if case .string = member.value.value, isOne {
      addPerson(member.value, of: member, to: &parts)
    } else {
      for node in elements(of: member) { addPerson(node, of: member, to: &parts) }
    }
  }

  private func addPerson(_ node: JSONNode, of member: JSONMember, to parts: inout JSONPeople) {
    var person = Feed.Person()
    var others: [Feed.ExtensionElement] = []
    if case .string(let name) = node.value {
      note(
        .note, "parse.json-type", "the author is a string; it is read as the name, write {\"name\": …}",
        at: node.location)
      person.name = name.collapsingSpace().trimmedOrNil()
    } else if let members = object(node, of: member) {
      for part in members {
        switch part.name {
        case "name": person.name = text(of: part)?.collapsingSpace() ?? person.name
        case "url": assignAddress(part, to: &person)
        case "avatar":
          if let url = text(of: part) { others.append(Feed.ExtensionElement(name: "author_avatar", text: url)) }
        default: others += extensions(of: part, under: "author")
        }
      }
    }
    // The person whom the extensions describe.
    let owner = (person.name ?? person.url).map { [Feed.ExtensionElement.Attribute(name: "name", value: $0)] } ?? []
    parts.extensions += others.map { Feed.ExtensionElement(name: $0.name, text: $0.text, attributes: owner) }
    if !person.isEmpty, !parts.people.suffix(8).contains(person) { parts.people.append(person) }
  }

  /// Assigns a person's `url`, which may be a mail address.
  private func assignAddress(_ member: JSONMember, to person: inout Feed.Person) {
    guard let url = text(of: member) else { return }
    if url.asciiLowercased().hasPrefix("mailto:") {
      person.email = String(url.dropFirst("mailto:".count))
    } else {
      person.url = url
    }
  }

  /// Returns a member as elements, with its name in lower case and without the leading underscore of extensions.
  ///
  /// An object becomes one element for each of its members, named with both names joined by an underscore; an array
  /// becomes one element with its values separated by commas.
  func extensions(of member: JSONMember, under prefix: String? = nil) -> [Feed.ExtensionElement] {
    var elements: [Feed.ExtensionElement] = []
    flatten(member, under: prefix, depth: 1, into: &elements)
    return elements
  }

  private func flatten(
    _ member: JSONMember, under prefix: String?, depth: Int, into elements: inout [Feed.ExtensionElement]
  ) {
    if let name = Self.name(of: member, under: prefix) {
      flatten(member.value, name: name, depth: depth, into: &elements)
    } else {
      loseExtension(member.value, "it has no name, or one that is too long")
    }
  }

  private func flatten(_ node: JSONNode, name: String, depth: Int, into elements: inout [Feed.ExtensionElement]) {
    guard depth <= Self.deepest else { return loseExtension(node, "it is nested too deep") }
    switch node.value {
    case .null: break
    case .bool, .number, .string:
      elements.append(Feed.ExtensionElement(name: name, text: node.scalarText?.trimmed() ?? ""))
    case .array(let nodes):
      let texts = nodes.compactMap(\.scalarText)
      if !texts.isEmpty {
        elements.append(Feed.ExtensionElement(name: name, text: texts.joined(separator: ", ").trimmed()))
      }
      for each in nodes where each.scalarText == nil { flatten(each, name: name, depth: depth + 1, into: &elements) }
    case .object(let members):
      for each in members { flatten(each, under: name, depth: depth + 1, into: &elements) }
    }
  }

  private func loseExtension(_ node: JSONNode, _ reason: String) {
    note(.warning, "parse.json-extension", "this extension is left out: \(reason)", at: node.location)
  }

  /// Returns the name of the element for a member, or nil when it is empty or too long to be repeated by many.
  private static func name(of member: JSONMember, under prefix: String?) -> String? {
    let own = member.name.hasPrefix("_") ? member.name.dropFirst() : member.name[...]
    guard !own.isEmpty, own.utf8.count + (prefix?.utf8.count ?? 0) < longestName else { return nil }
    let name = own.asciiLowercased()
    return prefix.map { "\($0)_\(name)" } ?? name
  }
}

/// Reads single values, and reports values of a wrong type.
extension JSONFeedReading {
  /// Returns trimmed text, or nil when there is none.
  ///
  /// A number is used as written, which JSON Feed requires for an id.
  func text(of member: JSONMember) -> String? {
    switch member.value.value {
    case .string(let text): return text.trimmedOrNil()
    case .number(let text):
      note(
        .note, "parse.json-type", "'\(member.shortName)' is a number; it is read as text, write it in quotes",
        at: member.value.location)
      return text
    default:
      lose(member, "a string")
      return nil
    }
  }

  /// Returns text with its kind and language, or nil when there is none.
  func markup(of member: JSONMember, _ kind: Feed.Markup.Kind, _ language: String?) -> Feed.Markup? {
    text(of: member).map {
      Feed.Markup(EscapedSections.undone($0, isHTML: kind == .html), kind: kind, language: language)
    }
  }

  /// Returns a language tag (BCP 47) with hyphens.
  func language(of member: JSONMember) -> String? {
    guard let text = text(of: member) else { return nil }
    if text.utf8.count <= FeedParser.longestLanguage { return String(text.map { $0 == "_" ? "-" : $0 }) }
    let message = "this language has more than \(FeedParser.longestLanguage) bytes; it is ignored"
    note(.warning, "parse.language", message, at: member.value.location)
    return nil
  }

  /// Returns a date, which keeps its text even when it cannot be read.
  func date(of member: JSONMember) -> Feed.Timestamp? {
    guard let text = text(of: member) else { return nil }
    let date = Feed.Timestamp(reading: text)
    if date.seconds == nil {
      note(
        .warning, "parse.date", "'\(text.prefix(60))' is not a date that can be read; write 2026-11-21T09:30:00Z",
        at: member.value.location)
    }
    return date
  }

  /// Returns `true` or `false`, also from a string that says so.
  func bool(of member: JSONMember) -> Bool? {
    switch member.value.value {
    case .bool(let value): return value
    case .string("true"), .string("false"):
      note(
        .note, "parse.json-type", "'\(member.shortName)' is a string; write it without quotes",
        at: member.value.location)
      return member.value.scalarText == "true"
    default:
      lose(member, "true or false")
      return nil
    }
  }

  /// Returns a number of bytes.
  func size(of member: JSONMember) -> Int? {
    switch member.value.value {
    case .number(let text):
      if let size = Self.size(text) { return size }
      note(
        .warning, "parse.json-size", "\(text.prefix(40)) is not a number of bytes; it is left out",
        at: member.value.location)
      return nil
    case .string(let text) where Self.size(text) != nil:
      note(
        .note, "parse.json-type", "'\(member.shortName)' is a string; it is read as a number, write it without quotes",
        at: member.value.location)
      return Self.size(text)
    default:
      lose(member, "a number")
      return nil
    }
  }

  private static func size(_ text: String) -> Int? {
    let size = Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    return size.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Returns the elements of an array; any other value counts as an array of one.
  func elements(of member: JSONMember) -> [JSONNode] {
    switch member.value.value {
    case .array(let elements): return elements
    case .null:
      lose(member, "an array")
      return []
    default:
      note(
        .note, "parse.json-type", "'\(member.shortName)' is \(member.value.kind); it is read as an array of one",
        at: member.value.location)
      return [member.value]
    }
  }

  /// Returns the members of an object in an array.
  func object(_ node: JSONNode, of member: JSONMember) -> [JSONMember]? {
    if case .object(let members) = node.value { return members }
    lose(JSONMember(name: member.name, value: node), "an object")
    return nil
  }

  /// Reports that a value of the wrong type is left out.
  private func lose(_ member: JSONMember, _ wanted: String) {
    if case .null = member.value.value {
      note(.note, "parse.json-null", "'\(member.shortName)' is null; leave it out instead", at: member.value.location)
      return
    }
    note(
      .warning, "parse.json-type",
      "'\(member.shortName)' is \(member.value.kind), not \(wanted); it is left out", at: member.value.location)
  }

  /// Reports a repeated member, whose meaning JSON does not define.
  private func noteRepetition(of name: String, at location: Finding.Location, in seen: inout Set<String>) {
    if seen.insert(name).inserted { return }
    let isList = ["items", "authors", "author", "tags", "attachments", "hubs"].contains(name)
    note(
      isList ? .note : .warning, "parse.json-duplicate",
      "'\(name)' is given twice; \(isList ? "both count" : "the last that can be read counts")", at: location)
  }
}

extension JSONMember {
  /// The name as findings show it.
  fileprivate var shortName: Substring { name.prefix(40) }
}

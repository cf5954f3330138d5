public import TamisCore
public import TamisFeed
public import TamisSanitizer
import TamisURL

/// A feed as JSON in Universal Feed Parser's data model, the form in which `tamis parse` prints it.
///
/// Keys that a feed has nothing for are left out. Markup is sanitized; text is not escaped, as there.
public struct FeedJSON: Sendable {
  private let sanitizer: Sanitizer

  /// Makes a writer whose markup obeys a policy.
  public init(policy: Policy) {
    sanitizer = Sanitizer(policy: policy)
  }

  /// The whole feed: `bozo`, `encoding`, `version`, `namespaces`, `feed`, `entries`.
  public func document(_ parsed: ParsedFeed, of document: FeedDocument) -> JSONValue {
    var object = JSONObject()
    object["bozo"] = .bool(parsed.feed.fault != nil)
    if let fault = parsed.feed.fault {
      object["bozo_exception"] = .object([
        ("type", .string(Self.exceptions[fault.code] ?? "SAXParseException")), ("message", .string(fault.description)),
      ])
    }
    object["encoding"] = .string(parsed.feed.encoding)
    object["version"] = .string(parsed.feed.version)
    object["namespaces"] = .object(
      parsed.feed.namespaces.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    setResponse(&object, document)
    object["feed"] = self.feed(parsed.feed)
    object["entries"] = .array(parsed.entries.map(entry))
    return object.value
  }

  /// What the feed says about itself.
  public func feed(_ feed: Feed) -> JSONValue {
    var object = JSONObject()
    set(&object, "title", feed.title)
    set(&object, "subtitle", feed.subtitle)
    set(&object, "rights", feed.rights)
    set(&object, "info", feed.info)
    object.set("link", feed.link)
    setLinks(&object, feed.links, [])
    object.set("id", feed.id)
    object.set("language", feed.language)
    setPeople(&object, feed.authors, feed.contributors)
    set(&object, "publisher", feed.publisher)
    setTags(&object, feed.categories)
    set(&object, "published", feed.published)
    set(&object, "updated", feed.updated)
    set(&object, "created", feed.created)
    set(&object, "expired", feed.expired)
    setGenerator(&object, feed.generator)
    object["image"] = feed.image.map(image)
    object["textinput"] = feed.textInput.map(image)
    object.set("logo", feed.logo)
    setPlace(&object, feed.place)
    object.set("icon", feed.icon)
    setExtensions(&object, feed.extensions)
    return object.value
  }

  /// One entry.
  public func entry(_ entry: Entry) -> JSONValue {
    var object = JSONObject()
    set(&object, "title", entry.title)
    set(&object, "summary", entry.summary ?? entry.content.first)
    if !entry.content.isEmpty { object["content"] = .array(entry.content.map(detail)) }
    set(&object, "rights", entry.rights)
    object.set("link", entry.link)
    setLinks(&object, entry.links, entry.enclosures)
    object.set("id", entry.id)
    if entry.id != nil { object["guidislink"] = .bool(entry.idIsPermalink && entry.link == entry.id) }
    setPeople(&object, entry.authors, entry.contributors)
    set(&object, "publisher", entry.publisher)
    setTags(&object, entry.categories)
    set(&object, "published", entry.published)
    set(&object, "updated", entry.updated)
    set(&object, "created", entry.created)
    set(&object, "expired", entry.expired)
    object.set("comments", entry.comments)
    setMedia(&object, entry.media)
    setPlace(&object, entry.place)
    setChapters(&object, entry)
    if let image = entry.image { object["image"] = self.image(image) }
    if let source = entry.source {
      var inner = JSONObject(feed(source))
      inner.set("href", source.link)
      object["source"] = inner.value
    }
    setExtensions(&object, entry.extensions)
    return object.value
  }

  // MARK: - Parts

  /// The names that Universal Feed Parser has for faults.
  private static let exceptions = [
    "parse.undeclared-prefix": "UndeclaredNamespace", "parse.encoding": "CharacterEncodingOverride",
    "parse.media-type": "NonXMLContentType",
  ]

  /// What the HTTP response says: `headers`, `href`, `etag`, `updated`.
  private func setResponse(_ object: inout JSONObject, _ document: FeedDocument) {
    if !document.headers.isEmpty {
      var headers = JSONObject()
      for field in document.headers { headers.set(field.name.lowercased(), field.value) }
      object["headers"] = headers.value
    }
    guard let url = document.url else { return }
    object.set("href", url)
    object.set("etag", document.header("ETag"))
    if let modified = document.header("Last-Modified") {
      set(&object, "updated", FeedDate(reading: modified))
    }
  }

  private func detail(_ markup: Markup) -> JSONValue {
    let value =
      switch markup.kind {
      case .text: markup.value
      case .html, .xhtml: sanitizer.sanitize(markup.value, base: markup.base.flatMap { WebURL($0) }).html.string
      }
    var detail = JSONObject()
    detail["type"] = .string(markup.kind.rawValue)
    detail["language"] = markup.language.map(JSONValue.string) ?? .null
    detail["base"] = .string(markup.base ?? "")
    detail.set("src", markup.source)
    detail["value"] = .string(value)
    return detail.value
  }

  private func set(_ object: inout JSONObject, _ name: String, _ markup: Markup?) {
    guard let markup else { return }
    let detail = detail(markup)
    guard case .object(let members) = detail, let value = members.last?.value else { return }
    object[name] = value
    object["\(name)_detail"] = detail
  }

  private func set(_ object: inout JSONObject, _ name: String, _ date: FeedDate?) {
    guard let date else { return }
    object[name] = .string(date.source)
    object["\(name)_parsed"] = date.seconds.map { .array(TimeTuple.of($0).map { .int(Int64($0)) }) } ?? .null
  }

  private func set(_ object: inout JSONObject, _ name: String, _ person: Person?) {
    guard let person else { return }
    object.set(name, Self.line(person))
    object["\(name)_detail"] = self.person(person)
  }

  private func setPeople(_ object: inout JSONObject, _ authors: [Person], _ contributors: [Person]) {
    if !contributors.isEmpty { object["contributors"] = .array(contributors.map(person)) }
    guard let last = authors.last else { return }
    set(&object, "author", last)
    object["authors"] = .array(authors.map(person))
  }

  private func setGenerator(_ object: inout JSONObject, _ generator: Generator?) {
    guard let generator else { return }
    object.set("generator", generator.name)
    var detail = JSONObject()
    detail.set("name", generator.name)
    detail.set("href", generator.url)
    detail.set("version", generator.version)
    object["generator_detail"] = detail.value
  }

  private func setPlace(_ object: inout JSONObject, _ place: Place?) {
    guard let place else { return }
    var detail = JSONObject()
    if let first = place.positions.first {
      func list(_ position: [Double]) -> JSONValue { .array(position.map(JSONValue.number)) }
      let all = JSONValue.array(place.positions.map(list))
      detail["type"] = .string(place.shape.rawValue)
      // As in GeoJSON, a polygon is a list of rings.
      detail["coordinates"] = place.shape == .point ? list(first) : place.shape == .polygon ? .array([all]) : all
    }
    object["where"] = detail.value
  }

  private func setChapters(_ object: inout JSONObject, _ entry: Entry) {
    guard let chapters = entry.chapters else { return }
    var detail = JSONObject()
    detail.set("version", entry.chaptersVersion)
    detail["chapters"] = .array(
      chapters.map { chapter in
        var item = JSONObject()
        item.set("start", chapter.start)
        item["start_parsed"] = chapter.seconds.map(JSONValue.number) ?? .null
        item.set("title", chapter.title)
        item.set("href", chapter.link)
        item.set("image", chapter.image)
        return item.value
      })
    object["psc_chapters"] = detail.value
  }

  private func image(_ image: FeedImage) -> JSONValue {
    var object = JSONObject()
    object.set("href", image.url)
    set(&object, "title", image.title)
    object.set("link", image.link)
    set(&object, "subtitle", image.description)
    object.set("name", image.name)
    object["width"] = image.width.map { .int(Int64($0)) }
    object["height"] = image.height.map { .int(Int64($0)) }
    return object.value
  }

  private func setLinks(_ object: inout JSONObject, _ links: [Link], _ enclosures: [Enclosure]) {
    let all = links + enclosures.map { Link(href: $0.url, rel: "enclosure", type: $0.type, length: $0.length) }
    guard !all.isEmpty else { return }
    object["links"] = .array(
      all.map { link in
        var item = JSONObject()
        item.set("rel", link.rel)
        item.set("type", link.type ?? (link.rel == "self" ? "application/atom+xml" : "text/html"))
        item.set("href", link.href)
        item.set("hreflang", link.hreflang)
        item.set("title", link.title)
        item.set("length", link.length.map(String.init))
        return item.value
      })
  }

  private func setTags(_ object: inout JSONObject, _ categories: [Category]) {
    guard !categories.isEmpty else { return }
    object["tags"] = .array(
      categories.map { category in
        .object([
          ("term", category.term.map(JSONValue.string) ?? .null),
          ("scheme", category.scheme.map(JSONValue.string) ?? .null),
          ("label", category.label.map(JSONValue.string) ?? .null),
        ])
      })
  }

  private func setMedia(_ object: inout JSONObject, _ media: [MediaObject]) {
    for (name, source) in [("media_content", MediaObject.Source.content), ("media_thumbnail", .thumbnail)] {
      let items = media.filter { $0.source == source }
      guard !items.isEmpty else { continue }
      object[name] = .array(
        items.map { item in
          var value = JSONObject()
          value.set("url", item.url)
          value.set("type", item.type)
          value.set("medium", item.medium)
          value.set("width", item.width.map(String.init))
          value.set("height", item.height.map(String.init))
          return value.value
        })
    }
    if let image = media.first(where: { $0.source == .itunesImage }) {
      object["image"] = .object([("href", .string(image.url))])
    }
  }

  private func setExtensions(_ object: inout JSONObject, _ elements: [ExtensionElement]) {
    for element in elements where object[element.name] == nil {
      if setTyped(&object, element) { continue }
      if element.attributes.isEmpty {
        object[element.name] = .string(element.text)
      } else {
        object[element.name] = .object(element.attributes.map { ($0.name, .string($0.value)) })
      }
    }
  }

  /// Elements that Universal Feed Parser gives a type of their own.
  private func setTyped(_ object: inout JSONObject, _ element: ExtensionElement) -> Bool {
    let text = element.text
    switch element.name {
    case "itunes_block": object[element.name] = .int(text == "yes" || text == "Yes" ? 1 : 0)
    case "itunes_explicit":
      let isYes = ["yes", "true"].contains(text)
      object[element.name] = isYes ? .bool(true) : ["no", "false", "clean"].contains(text) ? .bool(false) : .null
    case "dcterms_valid":
      for part in text.split(separator: ";") {
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmed() }
        if pair.count == 2, ["start", "end"].contains(pair[0]) {
          set(&object, "validity_\(pair[0])", FeedDate(reading: pair[1]))
        }
      }
    default: return false
    }
    return true
  }

  private func person(_ person: Person) -> JSONValue {
    var object = JSONObject()
    object.set("name", person.name)
    object.set("email", person.email)
    object.set("href", person.url)
    return object.value
  }

  /// `name (email)`, or what there is.
  private static func line(_ person: Person) -> String? {
    guard let name = person.name else { return person.email ?? person.url }
    return person.email.map { "\(name) (\($0))" } ?? name
  }
}

/// An object being put together; members keep the order in which they were first set.
struct JSONObject {
  private var members: [(key: String, value: JSONValue)] = []
  /// Where the members are, once there are too many to look through.
  private var positions: [String: Int] = [:]

  var value: JSONValue { .object(members) }

  init() {}

  /// Goes on with what an object has; anything else is as no members.
  init(_ value: JSONValue) {
    guard case .object(let members) = value else { return }
    for member in members { self[member.key] = member.value }
  }

  subscript(name: String) -> JSONValue? {
    get { position(of: name).map { members[$0].value } }
    set {
      guard let newValue else { return }
      if let position = position(of: name) {
        members[position].value = newValue
      } else {
        if members.count == Self.fewMembers {
          for (position, member) in members.enumerated() { positions[member.key] = position }
        }
        if members.count >= Self.fewMembers { positions[name] = members.count }
        members.append((name, newValue))
      }
    }
  }

  private static let fewMembers = 40

  private func position(of name: String) -> Int? {
    members.count <= Self.fewMembers ? members.firstIndex { $0.key == name } : positions[name]
  }

  /// Sets a string; nil leaves the key out.
  mutating func set(_ name: String, _ text: String?) {
    if let text { self[name] = .string(text) }
  }
}

/// A moment as Python's `struct_time` has it.
enum TimeTuple {
  /// Year, month, day, hour, minute, second, weekday (Monday is 0), day of the year (from 1), 0; in UTC.
  static func of(_ seconds: Int64) -> [Int] {
    let time = CivilTime(seconds: seconds)
    return [
      time.year, time.month, time.day, time.hour, time.minute, time.second, time.weekday, time.dayOfYear, 0,
    ]
  }
}

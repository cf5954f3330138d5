// To add a field to JSON: of `tamis parse` here and in FeedJSON.swift, with names as Universal Feed Parser has them;
// of `tamis extract` TamisExtract/Extraction.swift, JSONWriter+Extraction.swift, TamisCommand/ExtractionTable.swift
// and the list in docs/feeds.md; of `tamis article` JSONWriter+Extraction.swift and docs/articles.md; of answers to
// records docs/records.md and docs/records.schema.json. Members may be added; the meaning of one never changes.

import TamisCore
import TamisFeed

/// Writes the parts of feeds and entries that contain no markup, in Universal Feed Parser's model.
extension JSONWriter {
  /// Writes `{type, language, base, value}` of a text; `value` writes the last.
  mutating func writeDetail(_ markup: Feed.Markup, value: (inout JSONWriter) -> Void) {
    object { writer in
      writer.member("type", markup.kind.rawValue)
      writer.nullable("language", markup.language)
      writer.member("base", markup.base ?? "")
      writer.member("src", markup.source)
      writer.key("value")
      value(&writer)
    }
  }

  mutating func write(_ name: StaticString, _ date: Feed.Timestamp?) {
    guard let date else { return }
    member(name, date.source)
    key(name, "_parsed")
    writeParsed(date)
  }

  /// Writes a date under a name that is not one of the model.
  private mutating func write(named name: String, _ date: Feed.Timestamp) {
    member(name, date.source)
    key(name + "_parsed")
    writeParsed(date)
  }

  private mutating func writeParsed(_ date: Feed.Timestamp) {
    guard let seconds = date.seconds else { return null() }
    array { writer in for number in TimeTuple.of(seconds) { writer.int(Int64(number)) } }
  }

  mutating func write(_ name: StaticString, _ person: Feed.Person?) {
    guard let person else { return }
    member(name, person.line)
    key(name, "_detail")
    write(person)
  }

  private mutating func write(_ person: Feed.Person) {
    object { writer in
      writer.member("name", person.name)
      writer.member("email", person.email)
      writer.member("href", person.url)
    }
  }

  mutating func write(authors: [Feed.Person], contributors: [Feed.Person]) {
    if !contributors.isEmpty {
      array("contributors") { writer in contributors.forEach { writer.write($0) } }
    }
    guard let last = authors.last else { return }
    write("author", last)
    array("authors") { writer in authors.forEach { writer.write($0) } }
  }

  mutating func write(_ generator: Feed.Generator?) {
    guard let generator else { return }
    member("generator", generator.name)
    object("generator_detail") { writer in
      writer.member("name", generator.name)
      writer.member("href", generator.url)
      writer.member("version", generator.version)
    }
  }

  mutating func write(links: [Feed.Link], enclosures: [Feed.Enclosure]) {
    guard !links.isEmpty || !enclosures.isEmpty else { return }
    array("links") { writer in
      var files = enclosures[...]
      for index in 0...links.count {
        while let file = files.first, file.linksBefore <= index || index == links.count {
          files.removeFirst()
          writer.write(
            Feed.Link(
              href: file.url, rel: "enclosure", type: file.type, title: file.title, length: file.length,
              attributes: file.attributes))
        }
        if index < links.count { writer.write(links[index]) }
      }
    }
  }

  private mutating func write(_ link: Feed.Link) {
    object { writer in
      writer.member("rel", link.rel)
      writer.member("type", link.type ?? link.assumedType)
      writer.member("href", link.href)
      writer.member("hreflang", link.hreflang)
      writer.member("title", link.title)
      writer.member("length", link.length.map { String($0) })
      for attribute in link.attributes { writer.member(attribute.name, attribute.value) }
    }
  }

  mutating func write(_ categories: [Feed.Category]) {
    guard !categories.isEmpty else { return }
    array("tags") { writer in
      for category in categories {
        writer.object { writer in
          writer.nullable("term", category.term)
          writer.nullable("scheme", category.scheme)
          writer.nullable("label", category.label)
        }
      }
    }
  }

  mutating func write(_ media: [Feed.MediaObject]) {
    for (name, source) in [
      ("media_content" as StaticString, Feed.MediaObject.Source.content), ("media_thumbnail", .thumbnail),
    ] {
      guard media.contains(where: { $0.source == source }) else { continue }
      key(name)
      array { writer in
        for item in media where item.source == source {
          writer.object { writer in
            writer.member("url", item.url)
            for attribute in item.attributes { writer.member(attribute.name, attribute.value) }
          }
        }
      }
    }
  }

  mutating func write(_ place: Feed.Place?) {
    guard let place else { return }
    object("where") { writer in
      guard let first = place.positions.first else { return }
      writer.member("type", place.shape.rawValue)
      writer.key("coordinates")
      switch place.shape {
      case .point: writer.write(position: first)
      case .line, .box: writer.write(positions: place.positions)
      // A polygon is a list of rings, as in GeoJSON.
      case .polygon: writer.array { $0.write(positions: place.positions) }
      }
    }
  }

  private mutating func write(positions: [[Double]]) {
    array { writer in positions.forEach { writer.write(position: $0) } }
  }

  private mutating func write(position: [Double]) {
    array { writer in position.forEach { writer.number($0) } }
  }

  mutating func writeChapters(of entry: Feed.Entry) {
    guard let chapters = entry.chapters else { return }
    object("psc_chapters") { writer in
      writer.member("version", entry.chaptersVersion)
      writer.member("href", entry.chaptersURL)
      writer.array("chapters") { writer in for chapter in chapters { writer.write(chapter) } }
    }
  }

  private mutating func write(_ chapter: Feed.Chapter) {
    object { writer in
      writer.member("start", chapter.start)
      writer.nullable("start_parsed", chapter.seconds)
      writer.member("title", chapter.title)
      writer.member("href", chapter.link)
      writer.member("image", chapter.image)
    }
  }

  // MARK: - Elements of other vocabularies

  /// Writes requested fields; a field whose name the model already uses gets the prefix `field_`.
  mutating func write(_ fields: [Feed.Field]) {
    for field in fields {
      let name = has(field.name) ? "field_\(field.name)" : field.name
      switch field.value {
      case .text(let text), .url(let text): member(name, text)
      case .number(let number):
        key(name)
        if let whole = Int64(exactly: number) { int(whole) } else { self.number(number) }
      case .date(let date): write(named: name, date)
      }
    }
  }

  /// Writes elements under their own names; elements that would hide a field of the model or an earlier element are
  /// left out.
  mutating func write(_ elements: [Feed.ExtensionElement]) {
    for element in elements where !has(element.name) {
      if element.name == "media_credit" {
        key(element.name)
        array { writer in for credit in elements where credit.name == element.name { writer.writeWithContent(credit) } }
        continue
      }
      if writeTyped(element) { continue }
      if element.attributes.isEmpty {
        member(element.name, element.text)
      } else {
        key(element.name)
        object { writer in for attribute in element.attributes { writer.member(attribute.name, attribute.value) } }
      }
    }
  }

  /// Writes an element for which Universal Feed Parser has a special type; returns false for any other.
  private mutating func writeTyped(_ element: Feed.ExtensionElement) -> Bool {
    let text = element.text
    switch element.name {
    case "media_rating", "media_license", "media_player", "media_restriction":
      key(element.name)
      writeWithContent(element)
    case "itunes_block":
      key(element.name)
      int(text == "yes" || text == "Yes" ? 1 : 0)
    case "itunes_explicit":
      key(element.name)
      if text == "yes" || text == "true" {
        bool(true)
      } else if text == "no" || text == "false" || text == "clean" {
        bool(false)
      } else {
        null()
      }
    case "dcterms_valid":
      if has("validity") { return true }
      member("validity", text)
      for part in text.split(separator: ";") {
        let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmed() }
        guard pair.count == 2, pair[0] == "start" || pair[0] == "end" else { continue }
        let name = "validity_\(pair[0])"
        if !has(name), !has(name + "_parsed") { write(named: name, Feed.Timestamp(reading: pair[1])) }
      }
    default: return false
    }
    return true
  }
}

extension JSONWriter {
  /// Writes an element's attributes, and its text as `content`; a restriction's content is a list of words.
  fileprivate mutating func writeWithContent(_ element: Feed.ExtensionElement) {
    object { writer in
      for attribute in element.attributes { writer.member(attribute.name, attribute.value) }
      guard !element.text.isEmpty else { return }
      guard element.name == "media_restriction" else { return writer.member("content", element.text) }
      writer.array("content") { writer in
        for word in element.text.split(separator: " ") { writer.string(word.asciiLowercased()) }
      }
    }
  }
}

extension Feed.Link {
  /// The type that Universal Feed Parser assumes; nil for a licence.
  fileprivate var assumedType: String? {
    switch rel {
    case "self": "application/atom+xml"
    case "license", "enclosure": nil
    default: "text/html"
    }
  }
}

extension Feed.Person {
  /// The person as `name (email)`, or the one of the two that exists.
  fileprivate var line: String? {
    if let text { return text }
    guard let name else { return email ?? url }
    return email.map { "\(name) (\($0))" } ?? name
  }
}

/// A time in the form of Python's `struct_time`.
enum TimeTuple {
  /// Returns year, month, day, hour, minute, second, weekday (Monday is 0), day of the year (from 1), 0; in UTC.
  static func of(_ seconds: Int64) -> [Int] {
    let time = CivilTime(seconds: seconds)
    return [
      time.year, time.month, time.day, time.hour, time.minute, time.second, time.weekday, time.dayOfYear, 0,
    ]
  }
}

import Tamis
import TamisFeed

/// What a JSON Feed says, in a line for each field.
struct JSONFeedDump {
  var lines: [String] = []

  init(_ reading: JSONFeedReading, _ entries: [Feed.Entry]) {
    add("version", reading.feed.version)
    let feed = reading.feed
    add("title", feed.title)
    add("subtitle", feed.subtitle)
    add("link", feed.link)
    add("language", feed.language)
    add("image", feed.image?.url)
    add("icon", feed.icon)
    feed.links.forEach { add("links", "\($0.rel) \($0.href)") }
    feed.authors.forEach { add("author", $0) }
    feed.extensions.forEach { add("extension", $0) }
    for entry in entries { add(entry) }
    reading.findings.forEach { lines.append("\($0.description)") }
  }

  var text: String { lines.joined(separator: "\n") }

  private mutating func add(_ entry: Feed.Entry) {
    lines.append("entry \(entry.location.line):\(entry.location.column)")
    add("  id", entry.id)
    add("  title", entry.title)
    add("  summary", entry.summary)
    entry.content.forEach { add("  content", $0) }
    add("  link", entry.link)
    entry.links.forEach { add("  links", "\($0.rel) \($0.href)") }
    add("  image", entry.image?.url)
    entry.media.forEach { add("  media", "\($0.source.rawValue) \($0.url)") }
    entry.authors.forEach { add("  author", $0) }
    if !entry.categories.isEmpty { add("  categories", entry.categories.map { $0.term ?? "-" }.joined(separator: " ")) }
    add("  published", entry.published)
    add("  updated", entry.updated)
    for file in entry.enclosures {
      let title = file.title.map { " \"\($0)\"" } ?? ""
      add("  enclosure", "\(file.url) \(file.type ?? "-") \(file.length.map { "\($0)" } ?? "-")\(title)")
    }
    entry.extensions.forEach { add("  extension", $0) }
  }

  private mutating func add(_ name: String, _ value: String?) {
    if let value { lines.append("\(name): \(value.split(separator: "\n").joined(separator: "⏎"))") }
  }

  private mutating func add(_ name: String, _ value: Feed.Markup?) {
    guard let value else { return }
    add(name, "\(value.kind.rawValue) \(value.language ?? "-") \(value.base ?? "-") \(value.value)")
  }

  private mutating func add(_ name: String, _ value: Feed.Person) {
    add(name, "\(value.name ?? "-") \(value.email ?? "-") \(value.url ?? "-")")
  }

  private mutating func add(_ name: String, _ value: Feed.Timestamp?) {
    if let value { add(name, "\(value.source) = \(value.seconds.map { "\($0)" } ?? "none")") }
  }

  private mutating func add(_ name: String, _ value: Feed.ExtensionElement) {
    add(name, "\(value.name) = \(value.text)\(value.attributes.map { " (\($0.name) \($0.value))" }.joined())")
  }
}

import TamisCore
import TamisURL

extension Planet {
  /// Returns the subscriptions as OPML 2.0; the same planet gives the same bytes.
  ///
  /// Feeds are in a folder for their first category; further ones are in the `category` attribute.
  ///
  /// - Returns: the document, in UTF-8.
  package func opml() -> [UInt8] {
    var writer = OPMLWriter()
    writer.write(self)
    return writer.bytes
  }
}

private struct OPMLWriter {
  private(set) var bytes: [UInt8] = []

  /// A folder with its content, in the order of insertion.
  private final class Folder {
    var names: [String] = []
    var folders: [String: Folder] = [:]
    var feeds: [Planet.Subscription] = []

    func folder(_ name: String) -> Folder {
      if let known = folders[name] { return known }
      let new = Folder()
      names.append(name)
      folders[name] = new
      return new
    }
  }

  mutating func write(_ planet: Planet) {
    line("<?xml version=\"1.0\" encoding=\"utf-8\"?>", 0)
    line("<opml version=\"2.0\">", 0)
    line("<head>", 1)
    element("title", planet.site.title)
    element("ownerName", planet.site.owner.name)
    element("ownerEmail", planet.site.owner.email)
    element("ownerId", planet.site.owner.link)
    element("docs", "http://opml.org/spec2.opml")
    line("</head>", 1)
    line("<body>", 1)
    let root = Folder()
    for feed in planet.feeds {
      var folder = root
      for name in (feed.settings.categories.first ?? "").split(separator: "/").prefix(OPMLReader.deepestFolder) {
        folder = folder.folder(String(name))
      }
      folder.feeds.append(feed)
    }
    write(root, depth: 2)
    line("</body>", 1)
    line("</opml>", 0)
  }

  private mutating func write(_ folder: Folder, depth: Int) {
    for name in folder.names {
      line("<outline text=\"\(Self.escaped(name))\">", depth)
      if let inner = folder.folders[name] { write(inner, depth: depth + 1) }
      line("</outline>", depth)
    }
    for feed in folder.feeds {
      let settings = feed.settings
      // User name and password are for programs only.
      let title = settings.title ?? feed.address.url.removingCredentials.href
      let more = settings.categories.dropFirst().map { $0.contains("/") ? "/" + $0 : $0 }
      let attributes: KeyValuePairs<String, String?> = [
        "type": "rss", "text": title, "title": title, "xmlUrl": feed.address.url.href, "htmlUrl": settings.page,
        "language": settings.language, "category": more.isEmpty ? nil : more.joined(separator: ","),
      ]
      let text = attributes.compactMap { name, value in value.map { "\(name)=\"\(Self.escaped($0))\"" } }
      line("<outline \(text.joined(separator: " "))/>", depth)
    }
  }

  private mutating func element(_ name: String, _ text: String?) {
    if let text { line("<\(name)>\(Self.escaped(text))</\(name)>", 2) }
  }

  private mutating func line(_ text: String, _ depth: Int) {
    bytes.append(contentsOf: repeatElement(ASCII.space, count: depth * 2))
    bytes += text.utf8
    bytes.append(ASCII.lineFeed)
  }

  /// Returns text escaped for XML 1.0, without characters that it does not allow.
  private static func escaped(_ text: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output.append(contentsOf: "&amp;".unicodeScalars)
      case "<": output.append(contentsOf: "&lt;".unicodeScalars)
      case ">": output.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": output.append(contentsOf: "&quot;".unicodeScalars)
      case "\t", "\n", "\r": output.append(" ")
      case "\u{FFFE}", "\u{FFFF}": break
      default: if scalar.value >= 0x20 { output.append(scalar) }
      }
    }
    return String(output)
  }
}

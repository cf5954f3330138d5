import TamisCore
import TamisFeed
import TamisURL

/// A reader of OPML 1.0 and 2.0 (http://opml.org/spec2.opml), which repairs files as feeds are repaired.
///
/// An outline with a URL is a feed; one without is a folder, whose name is a category of all feeds in it.
struct OPMLReader {
  /// The maximum depth of folders in a category; deeper feeds are in the category at this depth.
  static let deepestFolder = 8
  /// The maximum nesting of elements that are read.
  static let deepestElement = 128

  private var gathering: PlanetGathering

  static func read(_ bytes: [UInt8], file: String) -> (Planet, [Finding]) {
    var reader = OPMLReader(gathering: PlanetGathering(file: file))
    let start = Finding.Location(file: file, line: 1, column: 1)
    do throws(FeedParser.Failure) {
      let document = FeedDocument(name: file, bytes: bytes)
      let root = try FeedParser().tree(document, into: &reader.gathering.findings)
      guard root.local == "opml" || root.child("body")?.child("outline") != nil else {
        let message =
          ["rss", "feed", "rdf"].contains(root.local)
          ? "this is a feed, not a list of feeds; subscribe to it with: tamis add ADDRESS"
          : "this is not OPML: the root element is <\(root.name)>"
        return (Planet(), [Finding(.error, PlanetFile.invalid, message, at: start)])
      }
      reader.read(root)
    } catch {
      reader.gathering.findings.append(error.finding)
    }
    return (reader.gathering.planet, reader.gathering.findings)
  }

  private mutating func read(_ root: FeedParser.Element) {
    if let head = root.child("head") {
      let title = head.child("title")?.text.collapsingSpace().trimmedOrNil()
      gathering.planet.site.title = title ?? gathering.planet.site.title
      gathering.planet.site.owner.name = head.child("ownername")?.text.collapsingSpace().trimmedOrNil()
      gathering.planet.site.owner.email = head.child("owneremail")?.text.collapsingSpace().trimmedOrNil()
      let link = head.child("ownerid")?.text.trimmedOrNil()
      gathering.planet.site.owner.link = link.flatMap { try? Planet.Address($0).forAll }
    }
    // Some files lack the body.
    readOutlines(root.child("body") ?? root, folders: [], depth: 0)
    if gathering.planet.feeds.isEmpty {
      gathering.note(.warning, "there is no address of a feed in this file", line: 0)
    }
  }

  private mutating func readOutlines(_ element: FeedParser.Element, folders: [String], depth: Int) {
    if depth > Self.deepestElement {
      return gathering.note(.warning, "outlines more than \(Self.deepestElement) levels deep are left out", line: 0)
    }
    for child in element.children {
      // An unclosed outline contains others, which are read as well.
      guard child.local == "outline" else {
        readOutlines(child, folders: folders, depth: depth + 1)
        continue
      }
      // What is in a commented outline is commented too.
      if child.attribute("iscomment")?.asciiLowercased() == "true" { continue }
      let name = child.attribute("title", "text")?.collapsingSpace().trimmedOrNil()
      if let address = child.attribute("xmlurl", "url").flatMap({ child.isFeed ? $0.trimmedOrNil() : nil }) {
        subscribe(to: address, name: name, outline: child, folders: folders)
        readOutlines(child, folders: folders, depth: depth + 1)
      } else {
        if child.children.isEmpty {
          gathering.note(.warning, "the outline '\(name ?? "")' names no feed; it is left out", line: 0)
        }
        let inner = folders.count < Self.deepestFolder ? folders + (name.map { [Self.category($0)] } ?? []) : folders
        readOutlines(child, folders: inner, depth: depth + 1)
      }
    }
  }

  private mutating func subscribe(to address: String, name: String?, outline: FeedParser.Element, folders: [String]) {
    var settings = Planet.FeedSettings()
    settings.title = name == address ? nil : name
    settings.page = outline.attribute("htmlurl").flatMap { try? Planet.Address($0).forAll }
    settings.language = outline.attribute("language").flatMap(LanguageTag.normalized)
    if !folders.isEmpty { settings.categories = [folders.joined(separator: "/")] }
    // Categories begin with a slash, tags do not.
    for part in (outline.attribute("category") ?? "").split(separator: ",").prefix(Planet.mostNames) {
      let path = part.trimmed().split(separator: "/").map { $0.trimmed() }.filter { !$0.isEmpty }
      let category = path.joined(separator: "/")
      if !category.isEmpty { settings.categories.append(category) }
    }
    gathering.add(address, settings, line: 0)
  }

  /// Returns the category of a folder; a slash separates nested folders.
  private static func category(_ name: String) -> String {
    name.prefix(bytes: Planet.longestName).split(separator: "/").joined(separator: "-")
  }
}

extension FeedParser.Element {
  /// The name without a prefix, in lower case.
  fileprivate var local: String { (name.split(separator: ":").last.map(String.init) ?? name).asciiLowercased() }

  /// Whether an outline has a type of feeds; some have none.
  fileprivate var isFeed: Bool {
    guard attribute("xmlurl") == nil, let type = attribute("type")?.asciiLowercased() else {
      return attribute("xmlurl") != nil
    }
    return ["rss", "atom", "feed", "rdf"].contains(type)
  }

  /// The first child of this name.
  fileprivate func child(_ name: String) -> FeedParser.Element? { children.first { $0.local == name } }

  /// Returns the value of the first nonempty attribute of these names, ignoring case.
  fileprivate func attribute(_ names: String...) -> String? {
    names.lazy.compactMap { name in
      attributes.first { $0.name.asciiLowercased() == name }?.value.trimmedOrNil()
    }.first
  }
}

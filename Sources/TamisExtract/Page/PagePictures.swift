import TamisCore
import TamisHTML

/// The pictures that an article's page names for itself (Tamis.docc/HowAThumbnailIsPicked.md, T1).
///
/// The order is: Open Graph, schema.org in JSON-LD, Twitter cards, `link rel="image_src"`. This type is for callers
/// that have the page.
package struct PagePictures: Sendable, Hashable {
  /// A picture that the page names.
  package struct Picture: Sendable, Hashable {
    /// The URL, relative to the page.
    package var url: String
    /// The name of the field, such as `og:image`.
    package var source: String
    /// The declared width in pixels; nil when not given.
    package var width: Int?
    /// The declared height in pixels; nil when not given.
    package var height: Int?
    /// The alternative text; empty when not given.
    package var alternative = ""

    package init(url: String, source: String) { (self.url, self.source) = (url, source) }
  }

  /// The pictures, the best first.
  package var pictures: [Picture]

  /// Makes a list of known pictures.
  package init(_ pictures: [Picture]) { self.pictures = pictures }

  /// Reads a page; a picture that is named several times is listed once.
  ///
  /// - Parameter html: the page. Only its first 512 KiB are read, which contain any head.
  package init(html: String) {
    var collector = Collector()
    var reader = HTMLReader()
    reader.readDocument(Array(html.utf8.prefix(512 << 10)).span, limits: .standard)
    while let event = reader.next() { collector.note(event, reader) }
    var seen: Set<String> = []
    let ordered =
      collector.openGraph + LinkedData.pictures(in: collector.linkedData) + collector.twitter + collector.links
    pictures = ordered.filter { !$0.url.isEmpty && seen.insert($0.url).inserted }
  }
}

/// Collects the pictures that a page names.
private struct Collector {
  private(set) var openGraph: [PagePictures.Picture] = []
  private(set) var twitter: [PagePictures.Picture] = []
  private(set) var links: [PagePictures.Picture] = []
  private(set) var linkedData: [[UInt8]] = []
  private var isInLinkedData = false
  private static let attributes: Set = ["property", "name", "content", "href", "rel", "type"]

  mutating func note(_ event: HTMLReader.Event, _ reader: borrowing HTMLReader) {
    switch event {
    case .start(let element): start(element, reader)
    case .end: isInLinkedData = false
    case .text(let range):
      if isInLinkedData { linkedData[linkedData.count - 1] += reader.builder.tree.bytes[range] }
    }
  }

  private mutating func start(_ element: Int32, _ reader: borrowing HTMLReader) {
    let name = HTMLName(rawValue: Int(element))
    isInLinkedData = false
    guard name == .meta || name == .link || name == .script else { return }
    let attributes = reader.attributeValues(Self.attributes)
    switch name {
    case .meta: meta(attributes)
    case .link:
      if let href = attributes["href"], attributes["rel"]?.asciiLowercased() == "image_src" {
        links.append(PagePictures.Picture(url: href, source: "image_src"))
      }
    default:
      isInLinkedData = attributes["type"]?.asciiLowercased() == "application/ld+json"
      if isInLinkedData { linkedData.append([]) }
    }
  }

  private mutating func meta(_ attributes: [String: String]) {
    guard let name = (attributes["property"] ?? attributes["name"])?.asciiLowercased(),
      let content = attributes["content"]
    else { return }
    switch name {
    case "og:image", "og:image:url":
      // A repetition is skipped: the second property is an alias of the first.
      if openGraph.last?.url != content { openGraph.append(PagePictures.Picture(url: content, source: "og:image")) }
    case "og:image:secure_url":
      if openGraph.isEmpty { return openGraph.append(PagePictures.Picture(url: content, source: "og:image")) }
      openGraph[openGraph.count - 1].url = content
    case "og:image:width": if let last = openGraph.indices.last { openGraph[last].width = Dimension.pixels(content) }
    case "og:image:height": if let last = openGraph.indices.last { openGraph[last].height = Dimension.pixels(content) }
    case "og:image:alt": if let last = openGraph.indices.last { openGraph[last].alternative = content }
    case "twitter:image", "twitter:image:src":
      twitter.append(PagePictures.Picture(url: content, source: "twitter:image"))
    case "twitter:image:alt": if let last = twitter.indices.last { twitter[last].alternative = content }
    default: break
    }
  }
}

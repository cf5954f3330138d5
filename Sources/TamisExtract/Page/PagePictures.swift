import TamisCore
import TamisHTML

/// The pictures that an article's page names for itself (Tamis.docc/HowAThumbnailIsPicked.md, T1), for callers that
/// have the page.
///
/// In this order: Open Graph's, schema.org's in JSON-LD, those of Twitter cards, `link rel="image_src"`.
public struct PagePictures: Sendable, Hashable {
  /// A picture, as the page names it.
  public struct Picture: Sendable, Hashable {
    /// Where it is, relative to the page.
    public var url: String
    /// The name of the field, such as `og:image`.
    public var source: String
    /// Declared width in pixels, nil when not said.
    public var width: Int?
    /// Declared height in pixels, nil when not said.
    public var height: Int?
    /// Alternative text; empty when not said.
    public var alternative = ""

    package init(url: String, source: String) { (self.url, self.source) = (url, source) }
  }

  /// The pictures, the best first.
  public var pictures: [Picture]

  /// Makes a list of known pictures.
  package init(_ pictures: [Picture]) { self.pictures = pictures }

  /// Reads a page; a picture that is named several times is listed once.
  ///
  /// - Parameter html: the page. Only its first 512 KiB are read, which contain any head.
  public init(html: String) {
    let collector = Collector()
    let reader = HTMLReader(handler: collector)
    reader.readDocument(Array(html.utf8.prefix(512 << 10)).span, limits: .standard)
    var seen: Set<String> = []
    let ordered =
      collector.openGraph + LinkedData.pictures(in: collector.linkedData) + collector.twitter + collector.links
    pictures = ordered.filter { !$0.url.isEmpty && seen.insert($0.url).inserted }
  }
}

/// Collects the pictures that a page names.
private final class Collector: HTMLHandler {
  private(set) var openGraph: [PagePictures.Picture] = []
  private(set) var twitter: [PagePictures.Picture] = []
  private(set) var links: [PagePictures.Picture] = []
  private(set) var linkedData: [[UInt8]] = []
  private var isInLinkedData = false
  private var names: [String] = []

  func number(ofElement name: String) -> Int { number(of: name) }
  func number(ofAttribute name: String) -> Int { number(of: name) }

  private func number(of name: String) -> Int {
    names.append(name)
    return names.count - 1
  }

  func startElement(_ element: Int, _ list: borrowing HTMLAttributes) {
    let name = names[element]
    isInLinkedData = false
    guard name == "meta" || name == "link" || name == "script" else { return }
    var attributes: [String: String] = [:]
    list.forEach(limit: 20) { number, value in
      var bytes: [UInt8] = []
      bytes.append(value, 0..<value.count)
      attributes[names[number]] = String(decoding: bytes, as: UTF8.self).trimmed()
    }
    switch name {
    case "meta": meta(attributes)
    case "link":
      if let href = attributes["href"], attributes["rel"]?.asciiLowercased() == "image_src" {
        links.append(PagePictures.Picture(url: href, source: "image_src"))
      }
    default:
      isInLinkedData = attributes["type"]?.asciiLowercased() == "application/ld+json"
      if isInLinkedData { linkedData.append([]) }
    }
  }

  private func meta(_ attributes: [String: String]) {
    guard let name = (attributes["property"] ?? attributes["name"])?.asciiLowercased(),
      let content = attributes["content"]
    else { return }
    switch name {
    case "og:image", "og:image:url":
      // Skips a repetition: the second property is an alias of the first.
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

  func endElement(_ element: Int) { isInLinkedData = false }

  func text(_ bytes: borrowing Span<UInt8>) {
    if isInLinkedData { linkedData[linkedData.count - 1].append(bytes, 0..<bytes.count) }
  }
}

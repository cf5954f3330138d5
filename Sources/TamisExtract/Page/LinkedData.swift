import TamisCore

/// Finds the picture of an article in JSON-LD (schema.org, `image`).
///
/// The picture is the `image` of the outermost object or of those in its `@graph`: a text, an object with a `url`, or a
/// list of either.
enum LinkedData {
  static func pictures(in blocks: [[UInt8]]) -> [PagePictures.Picture] {
    blocks.flatMap { block in
      JSONNode.read(block.span, mends: true).node.map(addresses) ?? []
    }.map { PagePictures.Picture(url: String(streamSafe: Array($0.utf8)), source: "json-ld") }
  }

  /// The types of objects whose pictures do not show the subject of an article (schema.org).
  private static let others: Set = [
    "Person", "Organization", "NewsMediaOrganization", "WebSite", "BreadcrumbList",
  ]

  /// Returns the pictures of an object, those in its `@graph` first, or of the objects in a list.
  private static func addresses(_ node: JSONNode) -> [String] {
    if let elements = node.elements { return elements.flatMap(addresses) }
    let members = node.members ?? []
    let type = members.last { $0.name == "@type" }.map { $0.value.text ?? $0.value.elements?.last?.text ?? "" }
    let own = members.filter { $0.name == "image" && !others.contains(type ?? "") }
    return members.filter { $0.name == "@graph" }.flatMap { addresses($0.value) } + own.flatMap { images($0.value) }
  }

  private static func images(_ node: JSONNode) -> [String] {
    if let text = node.text { return [text] }
    if let elements = node.elements { return elements.flatMap(images) }
    return (node.members ?? []).filter { ["image", "url"].contains($0.name) }.flatMap { images($0.value) }
  }
}

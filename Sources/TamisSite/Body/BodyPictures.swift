package import TamisCore

/// The pictures in a body, each with the file that a site should keep.
///
/// Among the files that `srcset` and the `source` elements of a `picture` offer, the largest up to ``widest`` and
/// ``densest`` is chosen; for a video, the preview picture. Inline drawings are left alone.
package struct BodyPictures: Sendable {
  /// The maximum declared width of a chosen file in pixels, if there are others.
  package static let widest = 1600
  /// The maximum declared density of a chosen file, if there are others.
  package static let densest = 2.0
  /// The maximum length of a URL in bytes; longer ones are left alone.
  package static let longestAddress = 4096
  /// The maximum number of pictures replaced in a body.
  package static let most = 1000

  /// The distinct HTTP and HTTPS URLs, in the order of the text.
  package private(set) var addresses: [String] = []
  /// The URLs by the offset of the tag that shows them.
  private(set) var choices: [Int: String] = [:]
  /// The offset of a picture's tag, by the offset of each `source` element with its files.
  private(set) var owners: [Int: Int] = [:]

  /// Finds the pictures of a body.
  package init(_ html: SanitizedHTML) { self.init(Array(html.string.utf8)) }

  init(_ source: [UInt8]) {
    var seen: Set<String> = []
    // The files of the sources of the open `picture`.
    var open: [(start: Int, files: [SanitizedHTML.Facts.Candidate])]?
    var foreignDepth = 0
    var tokens = MarkupTokens(source)
    while choices.count < Self.most, let tag = tokens.nextTag() {
      if tag.name == "svg" || tag.name == "math" { foreignDepth += tag.isEnd ? -1 : 1 }
      if foreignDepth > 0 { continue }
      var address: String?
      switch tag.name {
      case "picture": open = tag.isEnd ? nil : []
      case "source" where open != nil: open?.append((tag.start, Self.files(of: tag, source)))
      case "img":
        let sources = open ?? []
        address = Self.best(Self.files(of: tag, source) + sources.flatMap(\.files), of: tag, source)
        if address != nil { for entry in sources { owners[entry.start] = tag.start } }
        if open != nil { open = [] }
      case "video" where !tag.isEnd: address = tag.value("poster", source).flatMap { Self.address(source[$0]) }
      default: break
      }
      guard let address else { continue }
      choices[tag.start] = address
      if seen.insert(address).inserted { addresses.append(address) }
    }
  }

  /// Returns the files in supported formats that a tag offers.
  private static func files(of tag: MarkupTag, _ source: [UInt8]) -> [SanitizedHTML.Facts.Candidate] {
    if let type = tag.value("type", source), tag.name == "source",
      !types.contains(String(decoding: source[type], as: UTF8.self).asciiLowercased())
    {
      return []
    }
    // A picture for dark pages (`prefers-color-scheme: dark`) is invisible on light ones.
    if let media = tag.value("media", source), String(decoding: source[media], as: UTF8.self).contains("dark") {
      return []
    }
    guard let value = tag.value("srcset", source) else { return [] }
    return SourceSet.parse(MarkupText.unescaped(source[value]).span).map(\.fact)
  }

  private static let types: Set = [
    "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/bmp",
  ]

  private static func best(_ files: [SanitizedHTML.Facts.Candidate], of tag: MarkupTag, _ source: [UInt8]) -> String? {
    var best: (rank: Double, url: String)?
    for file in files where (file.width ?? 0) <= widest && (file.density ?? 1) <= densest {
      // Widths are preferred to densities; of two equal files the first is the author's choice.
      let rank = file.width.map { Double($0) + 10 } ?? file.density ?? 1
      if rank > best?.rank ?? 0, let url = address(file.url) { best = (rank, url) }
    }
    if let best { return best.url }
    if let own = tag.value("src", source).flatMap({ address(source[$0]) }) { return own }
    return files.lazy.compactMap { address($0.url) }.first
  }

  private static func address(_ value: ArraySlice<UInt8>) -> String? {
    value.count > longestAddress ? nil : address(String(decoding: MarkupText.unescaped(value), as: UTF8.self))
  }

  private static func address(_ text: String) -> String? {
    text.beginsAsHTTP && text.utf8.count <= longestAddress ? text : nil
  }
}

import TamisCore

/// The files that a feed attaches to an entry.
enum EntryFiles {
  /// The files with http(s) URLs: enclosures, then content outside the feed.
  ///
  /// Such content is `atom:content` with `src` (RFC 4287, 4.1.3.2).
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - addresses: the resolver of URLs; files without an http(s) URL are left out.
  ///   - page: the entry's own page, which is not a file.
  /// - Returns: the files, each URL of content once, enclosures first.
  static func all(of entry: Feed.Entry, _ addresses: WebAddresses, besides page: String?) -> [Post.File] {
    var files = entry.enclosures
    var seen = Set(files.map(\.url))
    for content in entry.content {
      guard let source = content.source, source != page, seen.insert(source).inserted else { continue }
      files.append(Feed.Enclosure(url: source, type: content.sourceType))
    }
    return files.compactMap { file in
      addresses.web(file.url).map { url in
        let title = file.title.map(DoubleEscaping.decoded)?.collapsingSpace().trimmedOrNil()
        return Post.File(url: url, type: file.type, length: file.length, title: title)
      }
    }
  }
}

import Tamis

/// Formats the extraction of an entry for people.
enum ExtractionTable {
  static func lines(_ extraction: Extraction, of file: String) -> [String] {
    let post = extraction.post
    var lines = ["\(file):\(post.location.line): \(post.title.isEmpty ? "(no title)" : post.title)"]
    lines.append("  permalink  \(post.permalink.map(describe) ?? "none")")
    for (index, picture) in extraction.pictures.enumerated() {
      lines.append(describe(picture, isChosen: index == 0 && picture.rejection == nil))
    }
    lines.append("  links      \(counts(extraction.bodyLinks))")
    for link in extraction.links where link.rel != "alternate" { lines.append("  \(padded(link.rel)) \(link.href)") }
    for file in post.enclosures {
      lines.append("  enclosure  \(file.url)  (\(file.type ?? "no type"))\(file.title.map { "  " + $0 } ?? "")")
    }
    if let podcast = extraction.podcast { lines += describe(podcast) }
    lines.append("  text       \(describe(extraction.text, post))")
    // Characters with which a feed could control a terminal are escaped.
    return lines.map { TerminalText.beginning(of: $0) }
  }

  private static func describe(_ permalink: Post.Permalink) -> String {
    "\(permalink.url)  (\(permalink.source ?? "")\(permalink.original.map { "; there \($0)" } ?? ""))"
  }

  private static func describe(_ picture: PictureCandidate, isChosen: Bool) -> String {
    let size = [picture.width, picture.height].map { $0.map(String.init) ?? "?" }.joined(separator: "x")
    let fate =
      picture.rejection.map { "no: \($0.words)" } ?? "\(isChosen ? "chosen" : "not as good"): \(picture.class.words)"
    // An inline picture has no length limit.
    return
      "  \(isChosen ? "thumbnail" : "picture  ")  \(picture.url.prefix(300))  \(size)  (\(picture.source); \(fate))"
  }

  private static func counts(_ links: [BodyLink]) -> String {
    let kinds = Dictionary(grouping: links, by: \.kind).mapValues(\.count)
    let counts = BodyLink.Kind.allCases.compactMap { kind in kinds[kind].map { "\($0) \(kind.rawValue)" } }
    return counts.isEmpty ? "none" : counts.joined(separator: ", ")
  }

  private static func describe(_ podcast: PodcastFacts) -> [String] {
    var lines: [String] = []
    if let seconds = podcast.seconds { lines.append("  plays      \(seconds) seconds") }
    if !podcast.chapters.isEmpty { lines.append("  chapters   \(podcast.chapters.count)") }
    for person in podcast.people { lines.append("  with       \(person.name)\(person.role.map { " (\($0))" } ?? "")") }
    return lines
  }

  private static func describe(_ text: TextFacts, _ post: Post) -> String {
    "\(text.kind.rawValue), \(text.words) words, \(text.ideographs) ideographs, \(post.language ?? "no language"), "
      + post.direction.rawValue
  }

  private static func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(1, 10 - name.count))
  }
}

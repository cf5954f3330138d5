import TamisCore

/// What a post says, counted.
public struct TextFacts: Sendable, Hashable {
  /// What a post mostly is.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Words to read.
    case article
    /// A few words about another page.
    case link
    /// Pictures with few words.
    case photo
    /// Something to hear.
    case podcast
    /// Something to see.
    case video
  }

  /// Words between spaces, those of scripts without spaces left out.
  public var words: Int
  /// Characters of scripts without spaces.
  public var ideographs: Int
  /// The words of its first heading, nil when it has none.
  public var heading: String?
  /// What it mostly is.
  public var kind: Kind

  init(_ entry: Entry, _ facts: MarkupFacts, _ counts: ReadingTime.Counts, links: [BodyLink]) {
    (words, ideographs) = counts
    heading = facts.heading
    let length = words + ideographs / 2
    if entry.enclosures.contains(where: { Self.isMedium($0.type, "audio") || Self.isUntypedSound($0) }) {
      kind = .podcast
    } else if entry.enclosures.contains(where: { Self.isMedium($0.type, "video") })
      || entry.media.contains(where: { Self.isMedium($0.type, "video") || $0.medium == "video" })
      || (length < 80 && (!facts.posters.isEmpty || !facts.embeds.isEmpty))
    {
      kind = .video
    } else if length < 60, !facts.images.isEmpty {
      kind = .photo
    } else if length < 120, let first = links.first(where: { $0.kind == .external }), !first.text.isEmpty {
      kind = .link
    } else {
      kind = .article
    }
  }

  /// Whether a file without a type has the ending of a sound.
  private static func isUntypedSound(_ file: Enclosure) -> Bool {
    guard file.type == nil || file.type?.isEmpty == true else { return false }
    let path = file.url.prefix { $0 != "?" && $0 != "#" }.asciiLowercased()
    return [".mp3", ".m4a", ".ogg", ".opus", ".oga", ".flac"].contains { path.hasSuffix($0) }
  }

  private static func isMedium(_ type: String?, _ medium: String) -> Bool {
    type?.asciiLowercased().hasPrefix(medium + "/") == true
  }
}

public import TamisCore

/// What a feed says about an episode (Apple's podcast elements; the Podcasting 2.0 namespace).
public struct PodcastFacts: Sendable, Hashable {
  /// How long it plays, in seconds; nil when not said or unreadable.
  public var seconds: Int?
  /// The number of the episode; nil when not said.
  public var episode: Int?
  /// The number of the season; nil when not said.
  public var season: Int?
  /// `full`, `trailer` or `bonus`; nil when not said.
  public var type: String?
  /// Whether it is not for children; nil when not said.
  public var isExplicit: Bool?
  /// Addresses of transcripts with their media types.
  public var transcripts: [Enclosure] = []
  /// The address of the chapters, with its media type.
  public var chapters: Enclosure?
  /// Who takes part, with their roles: `Ada (host)`.
  public var people: [String] = []

  init?(_ entry: Entry, _ addresses: WebAddresses) {
    seconds = entry.extensionText("itunes_duration").flatMap(Self.seconds)
    episode = (entry.extensionText("itunes_episode") ?? entry.extensionText("podcast_episode")).flatMap {
      Int($0.trimmed())
    }
    season = (entry.extensionText("itunes_season") ?? entry.extensionText("podcast_season")).flatMap {
      Int($0.trimmed())
    }
    type = entry.extensionText("itunes_episodetype")?.asciiLowercased()
    isExplicit = entry.extensionText("itunes_explicit").flatMap { text in
      switch text.trimmed().asciiLowercased() {
      case "yes", "true", "explicit": true
      case "no", "false", "clean": false
      default: nil
      }
    }
    for element in entry.extensions {
      func attribute(_ name: String) -> String? { element.attributes.first { $0.name == name }?.value }
      switch element.name {
      case "podcast_transcript", "podcast_chapters":
        guard let url = attribute("url").flatMap(addresses.web) else { continue }
        let file = Enclosure(url: url, type: attribute("type"))
        if element.name == "podcast_chapters" { chapters = chapters ?? file } else { transcripts.append(file) }
      case "podcast_person":
        let name = element.text.collapsingSpace()
        if !name.isEmpty { people.append(attribute("role").map { "\(name) (\($0.asciiLowercased()))" } ?? name) }
      default: break
      }
    }
    let isSilent =
      seconds == nil && episode == nil && season == nil && type == nil && isExplicit == nil && transcripts.isEmpty
      && chapters == nil && people.isEmpty
    if isSilent { return nil }
  }

  /// Seconds of `SS`, `MM:SS` or `HH:MM:SS`; fractions are cut.
  static func seconds(_ text: String) -> Int? {
    let parts = text.trimmed().split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var total = 0
    for part in parts {
      guard let number = Int(part.trimmed().prefix { $0 != "." }), (0..<1_000_000).contains(number) else { return nil }
      total = total * 60 + number
    }
    return total
  }
}

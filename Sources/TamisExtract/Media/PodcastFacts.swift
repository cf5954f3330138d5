package import TamisCore
import TamisHTML

/// A feed's data about an episode (Apple's podcast elements; the Podcasting 2.0 namespace).
package struct PodcastFacts: Sendable, Hashable {
  /// The playing time, in seconds; nil when not given or unreadable.
  package var seconds: Int?
  /// The number of the episode; nil when not given.
  package var episode: Int?
  /// The number of the season; nil when not given.
  package var season: Int?
  /// The kind of episode: `full`, `trailer` or `bonus`; nil when not given.
  package var type: String?
  /// Whether the episode is explicit; nil when not given.
  package var isExplicit: Bool?
  /// The URLs of transcripts, with their media types.
  package var transcripts: [Post.File] = []
  /// The URL of a file with the chapters, with its media type.
  package var chapterFile: Post.File?
  /// The chapters that the feed itself lists (Podlove Simple Chapters), in document order.
  ///
  /// URLs that are not http(s) are removed.
  package var chapters: [Feed.Chapter] = []
  /// The participants, in document order.
  package var people: [Participant] = []

  /// A participant of an episode (`podcast:person`).
  package struct Participant: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The role in lower case, such as `host` or `guest`; nil when not given, which means a host.
    package var role: String?
    /// A page about the participant, http or https; nil when not given.
    package var url: String?
    /// A picture of the participant, http or https; nil when not given.
    package var image: String?
  }

  init?(_ entry: Feed.Entry, _ addresses: WebAddresses) {
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
      switch element.name {
      case "podcast_transcript", "podcast_chapters":
        guard let url = element.attribute("url").flatMap(addresses.web) else { continue }
        let file = Post.File(url: url, type: element.attribute("type"))
        if element.name == "podcast_chapters" { chapterFile = chapterFile ?? file } else { transcripts.append(file) }
      case "podcast_person":
        let name = InvisibleText.line(DoubleEscaping.decoded(element.text))
        if name.isEmpty { continue }
        people.append(
          Participant(
            name: name, role: element.attribute("role")?.trimmedOrNil()?.asciiLowercased(),
            url: element.attribute("href").flatMap(addresses.web),
            image: element.attribute("img").flatMap(addresses.web)))
      default: break
      }
    }
    chapters = (entry.chapters ?? []).map { chapter in
      var chapter = chapter
      chapter.title = chapter.title.map { InvisibleText.line(DoubleEscaping.decoded($0)) }
      chapter.link = chapter.link.flatMap(addresses.web)
      chapter.image = chapter.image.flatMap(addresses.web)
      return chapter
    }
    let isSilent =
      seconds == nil && episode == nil && season == nil && type == nil && isExplicit == nil && transcripts.isEmpty
      && chapterFile == nil && chapters.isEmpty && people.isEmpty
    if isSilent { return nil }
  }

  /// The number of seconds in `SS`, `MM:SS` or `HH:MM:SS`; fractions are cut off.
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

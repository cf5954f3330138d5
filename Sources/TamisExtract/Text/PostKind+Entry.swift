import TamisCore
import TamisURL

extension PostKind {
  /// What an entry mostly is, by what is attached to it and how much it says.
  ///
  /// - Parameter leadsAway: whether the body has a link with words to another site; asked only where that decides.
  init(
    _ entry: Entry, _ facts: MarkupFacts, _ counts: ReadingTime.Counts, leadsAway: @autoclosure () -> Bool
  ) {
    let length = counts.words + counts.characters / 2
    if entry.enclosures.contains(where: { Self.isMedium($0.type, "audio") || Self.isUntypedSound($0) }) {
      self = .podcast
    } else if entry.enclosures.contains(where: { Self.isMedium($0.type, "video") })
      || entry.media.contains(where: Self.isFilm)
      || (length < 80 && (!facts.posters.isEmpty || facts.embeds.contains(where: Self.isOfFilms)))
    {
      self = .video
    } else if length < 60, !facts.images.isEmpty {
      self = .photo
    } else if length < 120, leadsAway() {
      self = .link
    } else {
      self = .article
    }
  }

  /// Whether a media object is a film, or what played one once: YouTube's feeds say so to this day.
  private static func isFilm(_ object: MediaObject) -> Bool {
    isMedium(object.type, "video") || object.medium?.asciiLowercased() == "video"
      || object.type?.asciiLowercased() == "application/x-shockwave-flash"
  }

  /// Sites whose frames show films, without `www.` and the like.
  private static let filmSites: Set<String> = [
    "youtube.com", "youtube-nocookie.com", "youtu.be", "vimeo.com", "dailymotion.com", "dai.ly", "twitch.tv", "ted.com",
    "bilibili.com", "rutube.ru", "odysee.com", "tiktok.com", "streamable.com", "wistia.com", "wistia.net", "loom.com",
    "nebula.tv", "archive.org", "videopress.com", "media.ccc.de", "nicovideo.jp", "vk.com", "ok.ru", "rumble.com",
  ]

  /// Whether a frame is of a site of films: by its host, or as PeerTube's addresses are made, on hosts of anybody's.
  private static func isOfFilms(_ embed: String) -> Bool {
    guard let url = WebURL(embed), let host = url.hostname else { return false }
    if ["/videos/embed/", "/videos/watch/", "/w/"].contains(where: url.path.hasPrefix) { return true }
    let labels = host.split(separator: ".")
    return (2...max(2, labels.count)).contains { filmSites.contains(labels.suffix($0).joined(separator: ".")) }
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

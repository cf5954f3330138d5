import TamisCore
import TamisURL

extension Post.Kind {
  /// Finds the main kind of an entry by its enclosures and the length of its text.
  ///
  /// - Parameters:
  ///   - entry: the entry as its feed contains it.
  ///   - facts: the facts about the body.
  ///   - counts: the counts of the body's text.
  ///   - leadsAway: whether the entry leads to another site; evaluated only when it decides.
  init(_ entry: Feed.Entry, _ facts: SanitizedHTML.Facts, _ counts: WordCount, leadsAway: @autoclosure () -> Bool) {
    let length = counts.length
    if entry.enclosures.contains(where: { Self.isType($0.type, of: "audio") || Self.isUntypedSound($0) }) {
      self = .podcast
    } else if entry.enclosures.contains(where: { Self.isType($0.type, of: "video") })
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

  /// Whether a media object is a video, or a Flash player, which YouTube's feeds still declare.
  private static func isFilm(_ object: Feed.MediaObject) -> Bool {
    isType(object.type, of: "video") || object.medium?.asciiLowercased() == "video"
      || object.type?.asciiLowercased() == "application/x-shockwave-flash"
  }

  /// The sites whose frames show videos, without `www.` and the like.
  private static let filmSites: Set<String> = [
    "youtube.com", "youtube-nocookie.com", "youtu.be", "vimeo.com", "dailymotion.com", "dai.ly", "twitch.tv", "ted.com",
    "bilibili.com", "rutube.ru", "odysee.com", "tiktok.com", "streamable.com", "wistia.com", "wistia.net", "loom.com",
    "nebula.tv", "archive.org", "videopress.com", "media.ccc.de", "nicovideo.jp", "vk.com", "ok.ru", "rumble.com",
  ]

  /// Whether a frame is from a video site: by its host, or by the path of PeerTube's URLs, on any host.
  private static func isOfFilms(_ embed: String) -> Bool {
    guard let url = WebURL(embed), let host = url.hostname else { return false }
    if ["/videos/embed/", "/videos/watch/", "/w/"].contains(where: url.path.hasPrefix) { return true }
    let labels = host.split(separator: ".")
    return (2...max(2, labels.count)).contains { filmSites.contains(labels.suffix($0).joined(separator: ".")) }
  }

  /// Whether a file without a type has an audio extension.
  private static func isUntypedSound(_ file: Feed.Enclosure) -> Bool {
    guard file.type == nil || file.type?.isEmpty == true else { return false }
    let path = file.url.prefix { $0 != "?" && $0 != "#" }.asciiLowercased()
    return [".mp3", ".m4a", ".ogg", ".opus", ".oga", ".flac"].contains { path.hasSuffix($0) }
  }

  private static func isType(_ type: String?, of medium: String) -> Bool {
    type?.asciiLowercased().hasPrefix(medium + "/") == true
  }
}

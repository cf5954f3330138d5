import TamisCore
import TamisHTML
import TamisURL

/// The pictures, audio and video that a feed names for an entry besides its body and enclosures.
struct NamedMedia {
  private let input: Extractor.Input
  private var entry: Feed.Entry { input.entry }
  private let addresses: WebAddresses
  private let trackers: TrackingHosts

  /// Makes the media of an entry.
  ///
  /// - Parameters:
  ///   - input: the entry and its sanitized body.
  ///   - addresses: the resolver of URLs.
  ///   - trackers: the hosts whose pictures only count readers.
  init(_ input: Extractor.Input, _ addresses: WebAddresses, trackers: TrackingHosts) {
    (self.input, self.addresses, self.trackers) = (input, addresses, trackers)
  }

  /// The caption of a chosen picture, found by its URL; empty when the feed has none.
  func caption(of url: String?) -> String {
    guard let url, let index = entry.media.firstIndex(where: { addresses.picture($0.url) == url }) else { return "" }
    return caption(index)
  }

  private func caption(_ index: Int) -> String {
    var title = title(index)
    let caption = input.mediaCaptions.indices.contains(index) ? input.mediaCaptions[index] : ""
    // Most feeds repeat the title of the entry.
    if title == input.title || caption.hasPrefix(title) { title = "" }
    let credit = InvisibleText.line(DoubleEscaping.decoded(entry.media[index].credit ?? ""))
    return [title, caption, credit].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The title of a media object; empty when the feed has none.
  private func title(_ index: Int) -> String {
    input.mediaTitles.indices.contains(index) ? input.mediaTitles[index] : ""
  }

  // MARK: - Pictures

  /// The pictures except the given one and those of the body, each once regardless of its size.
  func pictures(besides shown: String?, _ facts: SanitizedHTML.Facts) -> [Post.Picture] {
    if entry.media.isEmpty, entry.enclosures.isEmpty { return [] }
    var seen = Set(facts.images.map { PictureForm(addresses.picture($0.source) ?? $0.source) })
    if let shown { seen.insert(PictureForm(shown)) }
    // One of several pictures with the same caption is enough: agencies list each picture in several sizes.
    var captions: Set = [caption(of: shown)]
    var pictures: [Post.Picture] = []
    func add(_ address: String, caption: String, width: Int?, height: Int?) {
      guard let url = addresses.web(address),
        seen.insert(PictureForm(url)).inserted,
        !isDecorative(url, width: width, height: height), caption.isEmpty || captions.insert(caption).inserted
      else { return }
      pictures.append(Post.Picture(url: url, caption: caption, width: width, height: height))
    }
    // The lead picture stands for the group that it is from.
    var groups = Set(entry.media.filter { shown != nil && addresses.web($0.url) == shown }.compactMap(\.group))
    for (index, object) in entry.media.enumerated() where object.source == .content {
      // The first of several versions of one object is enough.
      if let group = object.group, !groups.insert(group).inserted { continue }
      guard ThumbnailRule.isPicture(object) else { continue }
      add(object.url, caption: caption(index), width: object.width, height: object.height)
    }
    for file in entry.enclosures where Self.family(file.type) == "image" {
      add(file.url, caption: "", width: nil, height: nil)
    }
    return pictures
  }

  /// Whether a picture is an avatar, a badge or the like, not a picture of the post.
  private func isDecorative(_ url: String, width: Int?, height: Int?) -> Bool {
    var candidate = PictureCandidate(url: url, source: Feed.MediaObject.Source.content.rawValue, class: .named)
    (candidate.width, candidate.height) = (width, height)
    return DecorativePicture.rejection(of: candidate, trackers: trackers) != nil
  }

  // MARK: - Audio and video

  /// The audio, video and documents that are not enclosures as well; the player's page when there are none.
  ///
  /// The choice in a group is the default, else the file nearest below ``wantedHeight``.
  var files: [Post.File] {
    let attached = Set(entry.enclosures.map(\.url))
    let playable = entry.media.indices.filter {
      entry.media[$0].source == .content && Self.isFile(entry.media[$0])
    }
    if playable.isEmpty, attached.isEmpty { return player.map { [$0] } ?? [] }
    if playable.contains(where: { attached.contains(entry.media[$0].url) }) { return [] }
    var groups: [[Int]] = []
    var indices: [Int: Int] = [:]
    for object in playable {
      if let group = entry.media[object].group, let index = indices[group] {
        groups[index].append(object)
      } else {
        if let group = entry.media[object].group { indices[group] = groups.count }
        groups.append([object])
      }
    }
    return groups.compactMap(best).compactMap(file)
  }

  /// The page that plays the entry's video (`media:player`).
  private var player: Post.File? {
    let address = entry.extensions.first { $0.name == "media_player" }?.attribute("url")
    guard let url = address.flatMap(addresses.web), url != input.permalink?.url else { return nil }
    return Post.File(url: url, type: "text/html")
  }

  private func file(_ index: Int) -> Post.File? {
    let object = entry.media[index]
    guard let url = addresses.web(object.url) else { return nil }
    return Post.File(
      url: url, type: object.type,
      length: object.attributes.first { $0.name == "filesize" }.flatMap { Int($0.value) },
      title: name(index))
  }

  /// The name of a file: its title, else its description, where the post does not begin with either.
  private func name(_ index: Int) -> String? {
    let title = title(index)
    if !title.isEmpty, title != input.title { return title }
    let caption = input.mediaCaptions.indices.contains(index) ? input.mediaCaptions[index] : ""
    return caption.isEmpty || caption == input.title || input.facts.text.hasPrefix(caption) ? nil : caption
  }

  /// The preferred height in pixels, which is sharp enough on a page.
  private static let wantedHeight = 720

  private func best(_ forms: [Int]) -> Int? {
    func isDefault(_ index: Int) -> Bool {
      entry.media[index].attributes.contains { $0.name == "isdefault" && $0.value.asciiLowercased() == "true" }
    }
    func height(_ index: Int) -> Int { entry.media[index].height ?? 0 }
    if let chosen = forms.first(where: isDefault) { return chosen }
    let playable = forms.filter { Self.isPlayable(entry.media[$0]) }
    let forms = playable.isEmpty ? forms : playable
    let fitting = forms.filter { height($0) <= Self.wantedHeight }
    return fitting.max { height($0) < height($1) } ?? forms.min { height($0) < height($1) }
  }

  /// Whether a media object is audio, video or a document, by its type or medium, not by its name.
  private static func isFile(_ object: Feed.MediaObject) -> Bool {
    guard !ThumbnailRule.isPicture(object) else { return false }
    let type = object.type?.asciiLowercased() ?? ""
    // No browser plays Flash any more, and the page of the video is shown instead.
    if type.isEmpty || type == "application/x-shockwave-flash" {
      return type.isEmpty && ["audio", "video", "document"].contains(object.medium?.asciiLowercased())
    }
    return ["audio", "video", "application"].contains(family(type))
  }

  /// Whether browsers can play the object; few play a playlist of segments.
  private static func isPlayable(_ object: Feed.MediaObject) -> Bool {
    object.type?.asciiLowercased().hasSuffix("mpegurl") != true && ["audio", "video"].contains(family(object.type))
  }

  private static func family(_ type: String?) -> String {
    guard let type = type?.asciiLowercased(), let slash = type.firstIndex(of: "/") else { return "" }
    return String(type[..<slash])
  }
}

package import TamisCore

/// A picture, audio or video file that the feed names for an entry (Media RSS 1.5.1, `itunes:image`).
package struct MediaFile: Sendable, Hashable {
  /// The URL, http(s).
  package var url: String
  /// The element that named it.
  package var source: Feed.MediaObject.Source
  /// The media type; nil when not given.
  package var type: String?
  /// The kind: `image`, `audio`, `video`, `document` or `executable`.
  ///
  /// Without a declared kind, the type or the element decides; nil when neither does.
  package var medium: String?
  /// The width in pixels; nil when not given or unreadable.
  package var width: Int?
  /// The height in pixels; nil when not given or unreadable.
  package var height: Int?
  /// The playing time, in seconds; nil when not given or unreadable.
  package var seconds: Int?
  /// The size in bytes; nil when not given or unreadable.
  package var bytes: Int?
  /// Whether the feed prefers this file to other versions of the same object.
  package var isDefault: Bool

  init?(_ object: Feed.MediaObject, _ addresses: WebAddresses) {
    guard let url = addresses.web(object.url) else { return nil }
    self.url = url
    source = object.source
    type = object.type
    (width, height) = (object.width, object.height)
    func attribute(_ name: String) -> String? { object.attributes.first { $0.name == name }?.value }
    medium = object.medium?.asciiLowercased() ?? Self.medium(object)
    seconds = attribute("duration").flatMap(PodcastFacts.seconds)
    bytes = attribute("filesize").flatMap { Int($0.trimmed()) }.flatMap { $0 >= 0 ? $0 : nil }
    isDefault = attribute("isdefault")?.asciiLowercased() == "true"
  }

  private static func medium(_ object: Feed.MediaObject) -> String? {
    if object.source != .content { return "image" }
    guard let family = object.type?.split(separator: "/").first?.asciiLowercased() else { return nil }
    return ["image", "audio", "video"].contains(family) ? family : nil
  }
}

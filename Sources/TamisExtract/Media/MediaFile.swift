public import TamisCore

/// A picture, audio or video file that the feed names for an entry (Media RSS 1.5.1, `itunes:image`).
public struct MediaFile: Sendable, Hashable {
  /// Its URL, http(s).
  public var url: String
  /// The element that named it.
  public var source: MediaObject.Source
  /// Media type, nil when not said.
  public var type: String?
  /// `image`, `audio`, `video`, `document` or `executable`; when not said, by its type or its element; else nil.
  public var medium: String?
  /// Width in pixels, nil when not said or unreadable.
  public var width: Int?
  /// Height in pixels, nil when not said or unreadable.
  public var height: Int?
  /// How long it plays, in seconds; nil when not said or unreadable.
  public var seconds: Int?
  /// Size in bytes; nil when not said or unreadable.
  public var bytes: Int?
  /// Whether the feed prefers it to other versions of the same thing.
  public var isDefault: Bool

  init?(_ object: MediaObject, _ addresses: WebAddresses) {
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

  private static func medium(_ object: MediaObject) -> String? {
    if object.source != .content { return "image" }
    guard let family = object.type?.split(separator: "/").first?.asciiLowercased() else { return nil }
    return ["image", "audio", "video"].contains(family) ? family : nil
  }
}

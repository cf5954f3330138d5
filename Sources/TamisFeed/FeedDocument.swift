/// The bytes of a feed and what is known about where they came from.
public struct FeedDocument: Sendable {
  /// The name used in findings: the file as the user named it.
  public var name: String
  /// The document.
  public var bytes: [UInt8]
  /// The address it was read from, to which relative URLs in it are resolved; nil when not known.
  public var url: String?

  /// Makes a document.
  public init(name: String, bytes: [UInt8], url: String? = nil) {
    self.name = name
    self.bytes = bytes
    self.url = url
  }
}

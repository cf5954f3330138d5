/// The formats of pictures that are kept: those that every browser shows, and that cannot run anything.
///
/// SVG is not among them: a file of it that is opened by itself is a document, which may hold scripts, links and styles.
public enum PictureFormat: String, Sendable, Hashable, CaseIterable {
  case png
  case jpeg = "jpg"
  case gif
  case webp
  case avif
  case bmp
  case ico

  /// With what the names of its files end, without the dot.
  public var ending: String { rawValue }
}

/// How large a picture may be.
public struct PictureLimits: Sendable, Hashable {
  /// Most bytes of a file (default 10 MiB).
  public var bytes = 10 << 20
  /// Most pixels of a picture, or of one of its frames (default 100 million): a small file can come to more than a machine holds.
  public var pixels = 100_000_000

  /// The defaults.
  public init() {}
}

/// Why a file is not kept as a picture.
public enum PictureRefusal: Error, Sendable, Hashable {
  /// It is none, or of a format that is not kept; with what it is.
  case notAPicture(String)
  /// Its header ends before its end, or says what cannot be.
  case damaged(PictureFormat)
  /// It has more bytes or pixels than are allowed.
  case tooLarge(String)
  /// It is of one pixel: nobody was meant to see it.
  case unseen

  /// Whether another file at the same address would have to come before it is worth asking again: what was meant stays the same.
  public var isFinal: Bool {
    switch self {
    case .unseen, .tooLarge: true
    case .notAPicture, .damaged: false
    }
  }

  /// What is wrong, in a few words.
  public var message: String {
    switch self {
    case .notAPicture(let found): "this is no picture that can be kept, but \(found)"
    case .damaged(let format): "this is no whole picture, although it begins as one (\(format.ending))"
    case .tooLarge(let words): "this picture is too large: \(words)"
    case .unseen: "this picture is of one pixel"
    }
  }
}

/// The formats of pictures that are stored: those that every browser shows, and that cannot run anything.
///
/// SVG is not among them: an SVG file that is opened directly is a document, which may have scripts, links and styles.
package enum PictureFormat: String, Sendable, Hashable, CaseIterable {
  case png
  case jpeg = "jpg"
  case gif
  case webp
  case avif
  case bmp
  case ico

  /// The file extension, without the dot.
  package var ending: String { rawValue }
}

/// How large a picture may be.
package struct PictureLimits: Sendable, Hashable {
  /// Most bytes of a file (default 10 MiB).
  package var bytes = 10 << 20
  /// Most pixels of a picture, or of one of its frames (default 100 million): a small file can decompress to more than fits into
  /// memory.
  package var pixels = 100_000_000

  /// The defaults.
  package init() {}
}

/// Why a file is not stored as a picture.
package enum PictureRefusal: Error, Sendable, Hashable {
  /// It is not a picture, or of a format that is not stored; with what it is.
  case notAPicture(String)
  /// Its header is incomplete, or has impossible values.
  case damaged(PictureFormat)
  /// It has more bytes or pixels than are allowed.
  case tooLarge(String)
  /// It has one pixel, as tracking pictures have.
  case unseen

  /// Whether fetching it again would give the same.
  package var isFinal: Bool {
    switch self {
    case .unseen, .tooLarge: true
    case .notAPicture, .damaged: false
    }
  }

  /// What is wrong, in a few words.
  package var message: String {
    switch self {
    case .notAPicture(let found): "this is not a picture format that is stored: it is \(found)"
    case .damaged(let format): "this picture is incomplete (\(format.ending))"
    case .tooLarge(let words): "this picture is too large: \(words)"
    case .unseen: "this picture has only one pixel"
    }
  }
}

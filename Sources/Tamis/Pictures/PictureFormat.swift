/// The formats of pictures that are stored: those that every browser shows and that cannot run code.
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

/// The limits of a picture's size.
package struct PictureLimits: Sendable, Hashable {
  /// The maximum number of bytes of a file (default 10 MiB).
  package var bytes = 10 << 20
  /// The maximum number of pixels of a picture, or of one of its frames (default 100 million): a small file can
  /// decompress to more than fits into memory.
  package var pixels = 100_000_000

  /// Creates the default limits.
  package init() {}
}

/// The reason for not storing a file as a picture.
package enum PictureRefusal: Error, Sendable, Hashable {
  /// The file is not a picture, or has a format that is not stored; with a description.
  case notAPicture(String)
  /// The header is incomplete, or has impossible values.
  case damaged(PictureFormat)
  /// The picture has more bytes or pixels than allowed.
  case tooLarge(String)
  /// The picture has one pixel, as tracking pictures have.
  case unseen

  /// Whether fetching the picture again would give the same result.
  package var isFinal: Bool {
    switch self {
    case .unseen, .tooLarge: true
    case .notAPicture, .damaged: false
    }
  }

  /// The problem, in a few words.
  package var message: String {
    switch self {
    case .notAPicture(let found): "this is not a picture format that is stored: it is \(found)"
    case .damaged(let format): "this picture is incomplete (\(format.ending))"
    case .tooLarge(let words): "this picture is too large: \(words)"
    case .unseen: "this picture has only one pixel"
    }
  }
}

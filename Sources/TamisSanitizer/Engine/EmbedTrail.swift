/// The state after the last link and the last embed, and the open `object`.
struct EmbedTrail {
  /// An `object` that is open in the source.
  struct Object {
    /// The depth of the source inside the element.
    var depth: Int
    /// The URL that the element shows; nil while it is not known.
    var address: [UInt8]?
    var label: String
    /// Whether the target is a picture.
    var isPicture: Bool
    /// The number of pictures before its fallback content.
    var pictures: Int
  }

  /// The outermost `object` that is open in the source.
  var object: Object?
  /// The URLs of the pictures in the open drawing.
  var drawnPictures: [[UInt8]] = []
  /// Whether a frame without a URL is open, whose content may have one.
  var isInEmptyFrame = false
  /// The URL in the content of that frame.
  var fallback: [UInt8]?
  /// The target of the last written link, and the offset of its end in the output.
  var lastLink: (target: [UInt8], end: Int) = ([], 0)
  /// The offset of the end of a link that replaced a frame inside a line; text right after it is separated by a space.
  var end = -1
}

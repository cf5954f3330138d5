/// The last written pictures, as long as copies of them may follow.
struct PictureTrail {
  /// The source of the last picture; empty when no copy of it can follow.
  var lastSource: [UInt8] = []
  /// Whether the last picture was for readers without script, so that one with the same source is its copy.
  var isScriptless = false
  /// The position of a placeholder picture in the output, and whether it has a source.
  ///
  /// The value is nil when no real picture can follow.
  var placeholder: (mark: OutputBuffer.Mark, isImage: Bool)?
  /// The number of pictures so far.
  var count = 0
}

/// The last written pictures, as long as copies of them may follow.
struct PictureTrail {
  /// The source of the last picture; empty when no copy of it can follow.
  var lastSource: [UInt8] = []
  /// The position of a placeholder picture in the output, and whether it has a source.
  ///
  /// The value is nil when no real picture can follow.
  var placeholder: (mark: OutputBuffer.Mark, isImage: Bool)?
  /// The number of pictures so far.
  var count = 0
}

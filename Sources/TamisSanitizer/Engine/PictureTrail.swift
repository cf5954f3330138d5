/// The pictures that were written last, as long as copies of them may follow.
struct PictureTrail {
  /// The source of the last one; empty when no copy of it can follow.
  var lastSource: [UInt8] = []
  /// The position in the output of a placeholder picture, as long as the real one may follow, and whether it has a
  /// source.
  var placeholder: (mark: OutputBuffer.Mark, isImage: Bool)?
  /// The number of pictures so far.
  var count = 0
}

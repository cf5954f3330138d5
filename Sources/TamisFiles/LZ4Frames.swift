import CLZ4

/// Decompresses LZ4 frames (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), one after another.
///
/// A frame takes two blocks of memory, of 4 MiB at most.
@safe final class LZ4Frames: FrameDecoder {
  private let context: OpaquePointer
  private(set) var hasMore = false
  private(set) var isEnded = false
  private(set) var fault: String?
  /// The number of bytes that the next call may read: not beyond the end of a block, since an error takes all output of
  /// its call with it.
  private var wanted = LZ4Frames.shortestHeader

  private static let shortestHeader = 7

  /// Creates a decoder; nil when there is no memory for it.
  init?() {
    var made: OpaquePointer?
    let code = unsafe LZ4F_createDecompressionContext(&made, UInt32(LZ4F_VERSION))
    guard LZ4F_isError(code) == 0, let made = unsafe made else { return nil }
    unsafe context = made
  }

  deinit { unsafe LZ4F_freeDecompressionContext(context) }

  func reset() {
    (hasMore, isEnded, fault, wanted) = (false, false, nil, Self.shortestHeader)
    unsafe LZ4F_resetDecompressionContext(context)
  }

  func decode(_ input: [UInt8], from used: inout Int) -> [UInt8] {
    if isEnded || fault != nil { return [] }
    // Output that waits is taken before there is other.
    var (code, isFull, length) = (0, false, hasMore ? 0 : min(input.count - used, wanted))
    let output = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      unsafe input.withUnsafeBytes { packed in
        var room = buffer.count
        let source = unsafe packed.baseAddress.map { unsafe $0 + used }
        code = unsafe LZ4F_decompress(context, buffer.baseAddress, &room, source, &length, nil)
        // What is said of sizes after an error is not to be relied on.
        (count, isFull) = LZ4F_isError(code) == 0 ? (room, room == buffer.count) : (0, false)
      }
    }
    if LZ4F_isError(code) == 0 { used += length } else { fault = "is damaged" }
    isEnded = code == 0
    hasMore = fault == nil && !isEnded && isFull
    // What LZ4 asks for includes the header of the block behind (4 bytes), and may count a checksum twice.
    if fault == nil { wanted = code > 8 ? code - 8 : code > 4 ? code - 4 : code }
    return output
  }
}

extension FrameFormat {
  /// LZ4 frames, with skippable frames; the legacy format, which has neither a length nor a checksum, is not known.
  static let lz4 = FrameFormat(
    name: "LZ4", unit: "LZ4 frame", mark: [0x04, 0x22, 0x4D, 0x18], otherMarks: skippableMarks,
    fitsHead: { head in
      // The version, the reserved bits, the largest size of a block ("Frame Descriptor").
      let (flags, size) = (head[head.startIndex + 4], head[head.startIndex + 5])
      return flags & 0xC2 == 0x40 && size & 0x8F == 0 && size >> 4 >= 4
    }, makeDecoder: { _ in LZ4Frames() })
}

import CZstd

/// Decompresses zstd frames (RFC 8878), one after another.
@safe final class ZstdStream {
  private let context: OpaquePointer
  private let windowLog: Int32
  /// Whether more output is available without more input.
  private(set) var hasMore = false
  /// Whether a frame has ended and all of its output has been returned.
  private(set) var isEnded = false
  /// What is wrong with the frame, as the end of a sentence about it.
  private(set) var fault: String?
  /// The number of bytes that the next call may read: not beyond the end of a block, since an error takes all output of
  /// its call with it.
  private var wanted = ZstdStream.shortestHeader

  private static let shortestHeader = 5

  /// Creates a stream that refuses frames with a window larger than 2 to the power of `windowLog`.
  ///
  /// The result is nil when there is no memory for the stream.
  init?(windowLog: Int32) {
    guard let context = unsafe ZSTD_createDCtx() else { return nil }
    unsafe self.context = context
    self.windowLog = windowLog
    _ = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  /// Begins another frame; the dictionary stays.
  func reset() {
    (hasMore, isEnded, fault, wanted) = (false, false, nil, Self.shortestHeader)
    _ = unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
  }

  /// Takes a dictionary (section 5) for all frames that follow; returns whether it is one.
  ///
  /// This is possible between frames only.
  func load(dictionary: [UInt8]) -> Bool {
    // Without this mark zstd would take any bytes for a dictionary that has content alone.
    guard dictionary.starts(with: [0x37, 0xA4, 0x30, 0xEC]) else { return false }
    return ZSTD_isError(unsafe ZSTD_DCtx_loadDictionary(context, dictionary, dictionary.count)) == 0
  }

  /// Returns the next decompressed bytes, at most 64 KiB; empty when there are none without more input.
  func expand(_ input: [UInt8], from used: inout Int) -> [UInt8] {
    var (code, end, isFull) = (0, used, false)
    // Output that waits is taken before there is other.
    let most = hasMore ? used : min(input.count, used + wanted)
    let output = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      unsafe input.withUnsafeBytes { packed in
        var source = unsafe ZSTD_inBuffer(src: packed.baseAddress, size: most, pos: used)
        var target = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        code = unsafe ZSTD_decompressStream(context, &target, &source)
        unsafe (end, count, isFull) = (source.pos, target.pos, target.pos == target.size)
      }
    }
    used = end
    fault = ZSTD_isError(code) == 0 ? nil : words(for: ZSTD_getErrorCode(code))
    isEnded = code == 0
    hasMore = fault == nil && !isEnded && isFull
    // What zstd asks for includes the header of the block behind (3 bytes).
    wanted = isEnded || fault != nil ? Self.shortestHeader : code > 3 ? code - 3 : code
    return output
  }

  private func words(for code: ZSTD_ErrorCode) -> String {
    switch code {
    case ZSTD_error_frameParameter_windowTooLarge: "needs a window of more than \(1 << Int(windowLog)) bytes"
    case ZSTD_error_dictionary_wrong: "needs a dictionary that the file does not have"
    case ZSTD_error_memory_allocation: "needs more memory than there is"
    default: "is damaged"
    }
  }
}

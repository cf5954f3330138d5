/// Decompresses zstd frames (RFC 8878), also with the dictionary that a file carries for them.
///
/// A skippable frame of its own number holds the dictionary, itself compressed or not ("Zstandard Compression for WARC
/// Files 1.0", https://iipc.github.io/warc-specifications/specifications/warc-zstd/). It stands at the beginning of a
/// file; one that follows comes of files that were joined, and is for the frames behind it.
final class ZstdFrames: FrameDecoder {
  private let stream: ZstdStream
  private let limits: FrameLimits
  private let windowLog: Int32
  private var isAtStart = true
  /// The frame of a dictionary as far as it is there; nil in other frames.
  private var held: [UInt8]?
  /// Whether the frame of a dictionary is there to its end, whatever it holds.
  private var isHeld = false
  private var dictionaryFault: String?

  init?(_ limits: FrameLimits) {
    // zstd knows windows of 1 KiB and more.
    windowLog = Int32(Int.bitWidth - 1 - max(1 << 10, limits.windowBytes).leadingZeroBitCount)
    guard let stream = ZstdStream(windowLog: windowLog) else { return nil }
    (self.stream, self.limits) = (stream, limits)
  }

  var hasMore: Bool { stream.hasMore }
  var isEnded: Bool { isHeld || stream.isEnded }
  var fault: String? { dictionaryFault ?? stream.fault }

  func reset() {
    stream.reset()
    (isAtStart, held, isHeld, dictionaryFault) = (true, nil, false, nil)
  }

  func decode(_ input: [UInt8], from used: inout Int) -> [UInt8] {
    if isEnded || fault != nil { return [] }
    if isAtStart {
      isAtStart = false
      if input[used...].starts(with: FrameFormat.dictionaryMark) { held = [] }
    }
    if held == nil { return stream.expand(input, from: &used) }
    hold(input, from: &used)
    return []
  }

  // MARK: - Dictionaries

  /// Takes further bytes of the frame of a dictionary, and at its end the dictionary.
  private func hold(_ input: [UInt8], from used: inout Int) {
    var frame = held ?? []
    held = nil
    defer { held = frame }
    // The mark and the length of what follows (section 3.1.2).
    while frame.count < 8 {
      guard used < input.count else { return }
      frame.append(input[used])
      used += 1
    }
    let length = frame[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= limits.dictionaryBytes else { return tooLarge() }
    let end = min(input.count, used + 8 + length - frame.count)
    frame += input[used..<end]
    used = end
    isHeld = frame.count == 8 + length
    if isHeld { take(Array(frame[8...])) }
  }

  private func tooLarge() { dictionaryFault = "has a dictionary of more than \(limits.dictionaryBytes) bytes" }

  private func take(_ content: [UInt8]) {
    var dictionary = content
    if case .frame(let format) = FrameFormat.match(content[...]), format.name == FrameFormat.zstd.name {
      guard let unpacked = unpack(content) else { return }
      dictionary = unpacked
    }
    if !stream.load(dictionary: dictionary) { dictionaryFault = "should have a dictionary and has none" }
  }

  /// Returns the bytes of a dictionary that is compressed; nil, with a fault, when it is damaged or too large.
  private func unpack(_ packed: [UInt8]) -> [UInt8]? {
    guard let inner = ZstdStream(windowLog: windowLog) else {
      dictionaryFault = "needs more memory than there is"
      return nil
    }
    var (bytes, used): ([UInt8], Int) = ([], 0)
    while !inner.isEnded {
      let piece = inner.expand(packed, from: &used)
      bytes += piece
      if bytes.count > limits.dictionaryBytes {
        tooLarge()
        return nil
      }
      if inner.fault != nil || (piece.isEmpty && used == packed.count && !inner.isEnded) {
        dictionaryFault = "has a dictionary that is damaged"
        return nil
      }
    }
    return bytes
  }
}

extension FrameFormat {
  /// zstd (RFC 8878, section 3.1), with skippable frames.
  static let zstd = FrameFormat(
    name: "zstd", unit: "zstd frame", mark: [0x28, 0xB5, 0x2F, 0xFD], otherMarks: skippableMarks,
    // Section 3.1.1.1.1: the unused and the reserved bit of the descriptor.
    fitsHead: { $0[$0.startIndex + 4] & 0x18 == 0 }, makeDecoder: { ZstdFrames($0) })
}

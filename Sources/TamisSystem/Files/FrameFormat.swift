// To add a format of packed files: a decoder (`FrameDecoder`), the `FrameFormat` that describes it, and its place in
// `all`: feeds, lines of records and WARC files follow. `Format` in Tests/TamisSystemTests/WARC/WARCText.swift runs all
// cases with it; docs/records.md describes it.

package import TamisCore

/// A format of packed files: frames, one after another, each of which can be unpacked by itself.
///
/// gzip calls them members. A file may mix formats, as `cat` makes them. Each format is described beside its decoder.
package struct FrameFormat: Sendable {
  /// The name of the format in messages.
  package let name: String
  /// The name of a frame in messages.
  package let unit: String
  /// The first bytes of a frame with content.
  private let mark: [UInt8]
  /// The first bytes of any frame.
  private let marks: [[UInt8]]
  /// Whether ten bytes that begin with the mark are the header of a frame.
  private let fitsHead: @Sendable (ArraySlice<UInt8>) -> Bool
  fileprivate let makeDecoder: @Sendable (FrameLimits) -> (any FrameDecoder)?

  init(
    name: String, unit: String, mark: [UInt8], otherMarks: [[UInt8]] = [],
    fitsHead: @escaping @Sendable (ArraySlice<UInt8>) -> Bool,
    makeDecoder: @escaping @Sendable (FrameLimits) -> (any FrameDecoder)?
  ) {
    (self.name, self.unit, self.mark, self.marks) = (name, unit, mark, [mark] + otherMarks)
    (self.fitsHead, self.makeDecoder) = (fitsHead, makeDecoder)
  }

  /// The formats that are known.
  package static let all = [gzip, zstd]

  /// The number of bytes with which ``begin(_:of:)`` can tell; each frame with content has at least as many.
  package static let headLength = 10
  /// The number of bytes with which ``match(_:after:)`` can tell.
  package static let markLength = 4

  /// The first bytes of skippable frames (RFC 8878, section 3.1.2), that of dictionaries included.
  static let skippableMarks = (0x50...0x5F).map { [UInt8($0), 0x2A, 0x4D, 0x18] }
  /// The first bytes of a skippable frame that holds a dictionary for the zstd frames of a WARC file.
  static let dictionaryMark: [UInt8] = [0x5D, 0x2A, 0x4D, 0x18]

  /// What bytes may be.
  package enum Match: Sendable {
    /// They begin a frame of this format.
    case frame(FrameFormat)
    /// They are the first bytes of a frame of this format, and too few to tell.
    case tooFew(FrameFormat)
    case other
  }

  /// Returns what bytes may be where a frame is expected.
  ///
  /// - Parameters:
  ///   - bytes: the bytes; ``markLength`` of them, unless the file ends.
  ///   - last: the format of the frame before, which counts when a frame may be of several formats.
  /// - Returns: the format of the frame that begins here, as far as the bytes tell.
  package static func match(_ bytes: ArraySlice<UInt8>, after last: FrameFormat? = nil) -> Match {
    let formats = last.map { [$0] + all } ?? all
    guard let first = bytes.first else { return .tooFew(formats[0]) }
    var begun: FrameFormat?
    for format in formats {
      for mark in format.marks where mark[0] == first {
        if bytes.starts(with: mark) { return .frame(format) }
        if bytes.count < mark.count, mark.starts(with: bytes) { begun = begun ?? format }
      }
    }
    return begun.map { .tooFew($0) } ?? .other
  }

  /// Returns whether bytes differ from the mark of a frame in one byte.
  package static func nearlyBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
    all.contains { $0.marks.contains { mark in mark.count - zip(bytes, mark).count(where: { $0 == $1 }) == 1 } }
  }

  /// Returns whether bytes in the middle of anything look like the beginning of a frame with content.
  ///
  /// The test is stricter than where a frame is expected.
  ///
  /// - Parameters:
  ///   - bytes: the bytes, at least ``headLength`` of them.
  ///   - formats: the formats of which the frame may be.
  /// - Returns: whether they begin a frame.
  package static func begin(_ bytes: ArraySlice<UInt8>, of formats: [FrameFormat]) -> Bool {
    let head = bytes.prefix(headLength)
    return head.count == headLength && formats.contains { head.starts(with: $0.mark) && $0.fitsHead(head) }
  }

  /// The bytes with which a frame with content may begin.
  package static let firstBytes = ByteSet(all.compactMap(\.mark.first))
  /// The bytes with which a frame may begin.
  package static let allFirstBytes = ByteSet(all.flatMap { $0.marks.compactMap(\.first) })
}

/// A set of bytes that is asked for each byte of a file.
package struct ByteSet: Sendable {
  private var members = [Bool](repeating: false, count: 256)

  package init(_ bytes: [UInt8]) { for byte in bytes { members[Int(byte)] = true } }

  /// Returns the set with another byte.
  package func with(_ byte: UInt8) -> ByteSet {
    var more = self
    more.members[Int(byte)] = true
    return more
  }

  /// Returns the index of the first member in bytes from an index on; the number of bytes when there is none.
  package func index(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count, !members[Int(bytes[index])] { index += 1 }
    return index
  }
}

/// Limits on what unpacking a frame may cost in memory.
package struct FrameLimits: Sendable, Hashable {
  /// The largest window of a zstd frame in bytes (default 128 MiB, as zstd's own); the next lower power of two counts.
  package var windowBytes = 128 << 20
  /// The largest dictionary of a zstd file in bytes, packed and unpacked (default 8 MiB).
  package var dictionaryBytes = 8 << 20

  /// The default limits.
  package static let standard = FrameLimits()

  /// Creates the default limits.
  package init() {}
}

/// Decompresses one frame after another.
package protocol FrameDecoder: AnyObject {
  /// Whether more output is available without more input.
  var hasMore: Bool { get }
  /// Whether the frame has ended: whole, or with a fault that leaves no doubt about its end.
  var isEnded: Bool { get }
  /// What is wrong with the frame, as the end of a sentence about it; nil when nothing is. There is no further output.
  var fault: String? { get }

  /// Begins another frame; what an earlier frame has said about all frames of the file stays known.
  func reset()

  /// Returns the next decompressed bytes, at most 64 KiB.
  ///
  /// The result is empty when more input is needed, or when the frame has ended or is damaged.
  ///
  /// - Parameters:
  ///   - input: the compressed bytes; at its beginning, all of the frame's mark.
  ///   - used: the index at which to begin; afterwards that of the first unused byte.
  /// - Returns: the decompressed bytes; empty when there are none for now.
  func decode(_ input: [UInt8], from used: inout Int) -> [UInt8]
}

/// The decoders of one file, each made when the first frame of its format begins.
package struct FrameDecoders {
  private let limits: FrameLimits
  private var made: [String: any FrameDecoder] = [:]

  /// Creates an empty set of decoders.
  package init(_ limits: FrameLimits = .standard) { self.limits = limits }

  /// Returns the decoder of a format, at the beginning of a frame.
  ///
  /// - Throws: when there is no memory for it.
  package mutating func decoder(of format: FrameFormat) throws(ReadFailure) -> any FrameDecoder {
    if let decoder = made[format.name] {
      decoder.reset()
      return decoder
    }
    guard let decoder = format.makeDecoder(limits) else { throw ReadFailure("there is no memory to unpack it") }
    made[format.name] = decoder
    return decoder
  }
}

package import TamisCore

/// The lines of a file or of standard input, read as they arrive; gzip and zstd are decompressed on the way.
///
/// Memory is bounded by the longest accepted line, not by the input: only the beginning of a longer line is kept.
package struct LineStream {
  /// A line without its line feed.
  package struct Line: Sendable {
    /// The line number, from 1.
    package var number: Int
    /// The bytes; of a line that is too long, only the first of them.
    package var bytes: [UInt8]
    /// The length of the whole line in bytes.
    package var count: Int
    /// Whether the line is longer than allowed.
    package var isCut: Bool
  }

  /// The number of bytes kept of a line that is too long (at most 64 KiB), enough to tell to whom it belongs.
  private let kept: Int

  /// The size up to which pieces of a line are joined (64 KiB), since growing a large buffer keeps two copies of it.
  private static let pieceSize = 64 << 10

  private var reader: any ByteReader
  private let longest: Int
  private var piece: [UInt8] = []
  /// The index in `piece` at which the next line begins or continues.
  private var start = 0
  /// The parts of the line from earlier pieces; of a line that is too long, its beginning.
  private var held: [[UInt8]] = []
  private var heldCount = 0
  private var number = 0
  /// Whether the input has ended.
  package private(set) var isAtEnd = false
  /// The error that ended the input early.
  package private(set) var failure: ReadFailure?

  /// Creates a stream of lines.
  ///
  /// - Parameters:
  ///   - file: the input.
  ///   - longest: the longest line that is returned whole, in bytes.
  /// - Throws: when the file has been read already.
  package init(_ file: StreamedFile, longest: Int) throws(ReadFailure) {
    reader = UnpackingReader(try file.makeReader())
    self.longest = longest
    kept = min(Self.pieceSize, longest)
  }

  /// Returns the next line, reading more input if necessary; nil at the end.
  package mutating func next() -> Line? {
    while true {
      if let line = take() { return line }
      if isAtEnd { return nil }
      fill()
    }
  }

  /// Returns the next line if it is available without reading; nil otherwise.
  package mutating func take() -> Line? {
    if start < piece.count {
      let end = ByteScan.index(of: ASCII.lineFeed, in: piece.span, from: start)
      let part = piece[start..<end]
      start = min(end + 1, piece.count)
      if end < piece.count { return line(endingWith: part) }
      hold(part)
    }
    return isAtEnd && heldCount > 0 ? line(endingWith: []) : nil
  }

  /// Reads more input once; does nothing at the end, or while a line may be available.
  package mutating func fill() {
    if isAtEnd || start < piece.count { return }
    do throws(ReadFailure) {
      (piece, start) = (try reader.next(), 0)
      isAtEnd = piece.isEmpty
    } catch {
      (piece, start, failure, isAtEnd) = ([], 0, error, true)
    }
  }

  private mutating func line(endingWith part: ArraySlice<UInt8>) -> Line {
    number += 1
    let count = heldCount + part.count
    let isCut = count > longest
    let bytes = held.isEmpty && !isCut ? Array(part) : joined(with: part, most: isCut ? kept : count)
    (held, heldCount) = ([], 0)
    return Line(number: number, bytes: bytes, count: count, isCut: isCut)
  }

  private mutating func hold(_ part: ArraySlice<UInt8>) {
    let isTooLong = heldCount > longest
    heldCount += part.count
    // The beginning of a line that is too long is held already.
    if isTooLong { return }
    if heldCount > longest {
      held = [joined(with: part, most: kept)]
    } else if let last = held.indices.last, held[last].count + part.count <= Self.pieceSize {
      held[last] += part
    } else {
      held.append(Array(part))
    }
  }

  /// The first bytes of the line, whose last part is not held yet.
  private func joined(with part: ArraySlice<UInt8>, most: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(most)
    for piece in held { bytes += piece.prefix(most - bytes.count) }
    bytes += part.prefix(most - bytes.count)
    return bytes
  }
}

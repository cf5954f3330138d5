package import TamisCore

/// The lines of a file or of standard input, read as they come; what gzip has packed is unpacked on the way.
///
/// Memory follows the longest line that is taken, never the input: of a longer one only the beginning is kept.
package struct LineStream {
  /// A line without its line feed.
  package struct Line: Sendable {
    /// Its number, from 1.
    package var number: Int
    /// Its bytes; of one that is too long the first.
    package var bytes: [UInt8]
    /// How many bytes it has.
    package var count: Int
    /// Whether it is longer than lines may be.
    package var isCut: Bool
  }

  /// How much is kept of a line that is too long (at most 64 KiB), so that it can be said whose it is.
  private let kept: Int

  /// Pieces of a line are joined to some that are no larger (64 KiB): a large buffer that grows would be there twice.
  private static let pieceSize = 64 << 10

  private var reader: any ByteReader
  private let longest: Int
  private var piece: [UInt8] = []
  /// Where in the piece the next line begins, or goes on.
  private var start = 0
  /// What earlier pieces had of the line; of one that is too long its beginning.
  private var held: [[UInt8]] = []
  private var heldCount = 0
  private var number = 0
  /// Whether the input has ended.
  package private(set) var isAtEnd = false
  /// Why it could not be read to its end.
  package private(set) var failure: ReadFailure?

  /// Begins to read.
  ///
  /// - Parameter longest: the longest line that is taken whole, in bytes.
  package init(_ file: StreamedFile, longest: Int) throws(ReadFailure) {
    reader = GzipReader(try file.makeReader())
    self.longest = longest
    kept = min(Self.pieceSize, longest)
  }

  /// The next line, read when it is not there yet; nil at the end.
  package mutating func next() -> Line? {
    while true {
      if let line = take() { return line }
      if isAtEnd { return nil }
      fill()
    }
  }

  /// The next line if it is there without reading.
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

  /// Reads on: once, or not at all at the end, or as long as a line may be there.
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
    // Of a line that is too long the beginning is there already.
    if isTooLong { return }
    if heldCount > longest {
      held = [joined(with: part, most: kept)]
    } else if let last = held.indices.last, held[last].count + part.count <= Self.pieceSize {
      held[last] += part
    } else {
      held.append(Array(part))
    }
  }

  /// The first bytes of the line, of which a part is not held yet.
  private func joined(with part: ArraySlice<UInt8>, most: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(most)
    for piece in held { bytes += piece.prefix(most - bytes.count) }
    bytes += part.prefix(most - bytes.count)
    return bytes
  }
}

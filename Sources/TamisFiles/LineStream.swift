public import TamisCore

/// The lines of a file or of standard input, read as they come; what gzip has packed is unpacked on the way.
///
/// Memory follows the longest line that is taken, never the input: of a longer one only the beginning is kept.
public struct LineStream {
  /// A line without its line feed.
  public struct Line: Sendable {
    /// Its number, from 1.
    public var number: Int
    /// Its bytes; of one that is too long the first.
    public var bytes: [UInt8]
    /// How many bytes it has.
    public var count: Int
    /// Whether it is longer than lines may be.
    public var isCut: Bool
  }

  /// How much is kept of a line that is too long (at most 64 KiB), so that it can be said whose it is.
  private let kept: Int

  private var reader: any ByteReader
  private let longest: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// Up to where there is no line feed.
  private var searched = 0
  /// How many bytes of a line that is too long were let go of.
  private var dropped = 0
  private var number = 0
  /// Whether there is nothing more to be read.
  public private(set) var isAtEnd = false
  /// Why it could not be read to its end.
  public private(set) var failure: ReadFailure?

  /// Begins to read.
  ///
  /// - Parameter longest: the longest line that is taken whole, in bytes.
  public init(_ file: StreamedFile, longest: Int) throws(ReadFailure) {
    reader = GzipReader(try file.makeReader())
    self.longest = longest
    kept = min(64 << 10, longest)
  }

  /// The next line, read when it is not there yet; nil at the end.
  public mutating func next() -> Line? {
    while true {
      if let line = take() { return line }
      if isAtEnd { return nil }
      fill()
    }
  }

  /// The next line if it is there without reading.
  public mutating func take() -> Line? {
    let end = ByteScan.index(of: ASCII.lineFeed, or: ASCII.lineFeed, in: buffer.span, from: searched)
    searched = end
    if end == buffer.count, !isAtEnd || (start == end && dropped == 0) {
      holdBack()
      return nil
    }
    number += 1
    let count = end - start + dropped
    let isCut = count > longest
    let kept = isCut ? min(end, start + kept) : end
    let line = Line(number: number, bytes: Array(buffer[start..<kept]), count: count, isCut: isCut)
    start = min(end + 1, buffer.count)
    searched = start
    dropped = 0
    if start == buffer.count { letGo() }
    return line
  }

  /// Reads on: once, or not at all at the end.
  public mutating func fill() {
    if isAtEnd { return }
    if start > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    do throws(ReadFailure) {
      let piece = try reader.next()
      isAtEnd = piece.isEmpty
      makeRoom(for: piece.count)
      buffer += piece
    } catch {
      (failure, isAtEnd) = (error, true)
    }
  }

  /// Doubles a large buffer, but not beyond what the longest line needs.
  private mutating func makeRoom(for count: Int) {
    let wanted = buffer.count + count
    guard wanted > buffer.capacity, wanted > 1 << 20 else { return }
    buffer.reserveCapacity(max(wanted, min(2 * buffer.count, longest < Int.max - count ? longest + count : .max)))
  }

  /// Lets go of all but the beginning of a line that is too long already.
  private mutating func holdBack() {
    let count = buffer.count - start + dropped
    guard count > longest, buffer.count - start > kept else { return }
    let beginning = Array(buffer[start..<start + kept])
    dropped += buffer.count - start - kept
    (buffer, start, searched) = (beginning, 0, beginning.count)
  }

  /// A buffer that a long line has made large is not kept for short ones.
  private mutating func letGo() {
    if buffer.capacity > 1 << 20 { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
    (start, searched) = (0, 0)
  }
}

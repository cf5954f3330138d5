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
    public var isCut: Bool { bytes.count < count }
  }

  /// How much is kept of a line that is too long (64 KiB), so that it can be said whose it is.
  private static let kept = 64 << 10

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
    let line = Line(number: number, bytes: Array(buffer[start..<min(end, start + mostKept(count))]), count: count)
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
      buffer += piece
    } catch {
      (failure, isAtEnd) = (error, true)
    }
  }

  private func mostKept(_ count: Int) -> Int { count > longest ? Self.kept : count }

  /// Lets go of all but the beginning of a line that is too long already.
  private mutating func holdBack() {
    let count = buffer.count - start + dropped
    guard count > longest, buffer.count - start > Self.kept else { return }
    let beginning = Array(buffer[start..<start + Self.kept])
    dropped += buffer.count - start - Self.kept
    (buffer, start, searched) = (beginning, 0, beginning.count)
  }

  /// A buffer that a long line has made large is not kept for short ones.
  private mutating func letGo() {
    if buffer.capacity > 1 << 20 { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
    (start, searched) = (0, 0)
  }
}

import TamisCore

/// The buffered part of the decompressed bytes of a file, up to where they stop: at damage or at the end.
struct WARCWindow {
  /// The reason why no further bytes are available.
  enum Stop {
    case damage(WARCInput.Damage)
    /// The file has ended, within a frame named so.
    case end(cut: String?)
    case failure(ReadFailure)
  }

  /// A position in the file; in a packed one, that of a frame, with the offset in its decompressed bytes.
  struct Location: Hashable {
    var offset: Int
    var inMember: Int
  }

  /// The beginning of a part of the file in the stream of decompressed bytes.
  private struct Mark {
    var position: Int
    var offset: Int
  }

  /// The maximum number of marks; later positions are relative to the last one.
  private static let mostMarks = 1 << 16

  private let source: any ByteSource
  private let limits: FrameLimits
  private var input: WARCInput
  /// The buffered bytes; those before `start` have been consumed.
  private(set) var bytes: [UInt8] = []
  private(set) var start = 0
  private var marks: [Mark] = []
  private var isPacked = false
  /// The position in the stream of the first byte of `bytes`.
  private var base = 0
  private(set) var stop: Stop?
  /// The position at which the stream ends; nil until it has been reached.
  private(set) var knownEnd: Int?

  init(_ source: any ByteSource, limits: FrameLimits) throws(ReadFailure) {
    (self.source, self.limits) = (source, limits)
    input = try WARCInput(source, limits: limits)
  }

  /// The number of available bytes.
  var count: Int { bytes.count - start }

  /// The position in the stream of the first available byte.
  var position: Int { base + start }

  /// The location in the file of the first available byte.
  var location: Location { location(of: position) }

  /// Returns the location in the file of a position in the stream.
  func location(of position: Int) -> Location {
    let later = marks.partitionPoint(where: { $0.position > position })
    if marks.isEmpty { return Location(offset: 0, inMember: position) }
    let mark = marks[max(0, later - 1)]
    let distance = max(0, position - mark.position)
    return isPacked
      ? Location(offset: mark.offset, inMember: distance) : Location(offset: mark.offset + distance, inMember: 0)
  }

  /// The byte at an offset from the first available one; nil when it is not available.
  subscript(index: Int) -> UInt8? { index < count ? bytes[start + index] : nil }

  /// Reads until `wanted` bytes are available; returns whether they are.
  mutating func fill(_ wanted: Int) -> Bool {
    while count < wanted, stop == nil {
      switch input.next() {
      case .bytes(let piece): bytes += piece
      case .part(let offset, let isFrame):
        isPacked = isFrame
        mark(offset)
      case .damage(let damage): stop = .damage(damage)
      case .end(let cut):
        stop = .end(cut: cut)
        knownEnd = base + bytes.count
      case .failure(let failure): stop = .failure(failure)
      }
    }
    return count >= wanted
  }

  private mutating func mark(_ offset: Int) {
    let position = base + bytes.count
    // An empty frame begins at the same position as the next one.
    if marks.last?.position == position { marks.removeLast() }
    if marks.count < Self.mostMarks { marks.append(Mark(position: position, offset: offset)) }
  }

  /// Drops the first bytes.
  mutating func drop(_ number: Int) {
    start += min(number, count)
    // Compacting rarely means that each byte is moved about once.
    guard start > max(1 << 16, bytes.count / 2) || start == bytes.count else { return }
    bytes.removeFirst(start)
    base += start
    start = 0
    let old = marks.prefix { $0.position <= base }.count
    if old > 1 { marks.removeFirst(old - 1) }
  }

  /// Continues after damage; the remaining bytes before it are dropped.
  mutating func passDamage() {
    guard case .damage = stop else { return }
    drop(count)
    stop = nil
  }

  /// Goes back to a position by reading the file again from its beginning.
  mutating func goBack(to position: Int) throws(ReadFailure) {
    input = try WARCInput(source, limits: limits)
    (bytes, marks, start, base, stop) = ([], [], 0, 0, nil)
    while self.position < position {
      if fill(1) {
        drop(min(count, position - self.position))
      } else if case .damage = stop {
        passDamage()
      } else {
        return
      }
    }
  }
}

extension WARCWindow {
  private static let period = UInt8(ascii: ".")
  private static let magic = Array("WARC/".utf8)
  /// The number of bytes that suffice to tell whether a record begins: the version line and the name of a field.
  static let longestBeginning = 80

  /// Returns the length of the version line at an index, including its line end; nil when there is none.
  ///
  /// A version line is `WARC/`, digits, a period, digits, CR LF (ISO 28500, 5.2 and annex A); a bare LF is accepted
  /// too. The name of a field has to follow, so that text about the format does not match.
  mutating func versionLine(at index: Int) -> Int? {
    guard fill(index + Self.magic.count), stands(Self.magic, at: index) else { return nil }
    _ = fill(index + Self.longestBeginning + 1)
    var end = index + Self.magic.count
    guard let major = digits(&end), self[end] == Self.period else { return nil }
    end += 1
    guard let minor = digits(&end), major + minor <= 6 else { return nil }
    if self[end] == ASCII.carriageReturn { end += 1 }
    guard self[end] == ASCII.lineFeed else { return nil }
    end += 1
    let length = end - index
    while let byte = self[end], byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-"),
      end - index < Self.longestBeginning
    { end += 1 }
    return end - index > length && self[end] == UInt8(ascii: ":") ? length : nil
  }

  private func stands(_ wanted: [UInt8], at index: Int) -> Bool {
    for offset in wanted.indices where self[index + offset] != wanted[offset] { return false }
    return true
  }

  /// Moves `end` past up to four digits; returns their number, or nil when there is none.
  private func digits(_ end: inout Int) -> Int? {
    let start = end
    while self[end]?.isASCIIDigit == true, end - start < 4 { end += 1 }
    return end > start ? end - start : nil
  }

  /// Skips to the next version line before a position of the stream; returns whether there is one.
  ///
  /// Otherwise this skips to that position, or to the end of the available bytes.
  mutating func seekVersion(before limit: Int = .max) -> Bool {
    while position < limit, fill(1) {
      let found = ByteScan.index(of: Self.magic[0], in: bytes.span, from: start)
      drop(min(found - start, limit - position))
      if position < limit, count > 0 {
        if versionLine(at: 0) != nil { return true }
        drop(1)
      }
    }
    return false
  }
}

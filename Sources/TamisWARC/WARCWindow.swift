import TamisCore

/// The part of a file's unpacked bytes that is looked at, up to where they stop: at damage, or at the end.
struct WARCWindow {
  /// Why there are no further bytes.
  enum Stop {
    case damage(WARCInput.Damage)
    case end(isCut: Bool)
    case failure(ReadFailure)
  }

  /// A position in the file; in a compressed one, that of a gzip member, with the offset in its decompressed bytes.
  struct Location: Hashable {
    var offset: Int
    var inMember: Int
  }

  /// Where a part of the file begins in the stream of its unpacked bytes.
  private struct Mark {
    var position: Int
    var offset: Int
  }

  /// More marks than this are not kept: later positions are relative to the last one.
  private static let mostMarks = 1 << 16

  private let source: any ByteSource
  private var input: WARCInput
  /// The bytes; those before `start` are done with.
  private(set) var bytes: [UInt8] = []
  private(set) var start = 0
  private var marks: [Mark] = []
  private var isPacked = false
  /// The position in the stream of the first byte of `bytes`.
  private var base = 0
  private(set) var stop: Stop?
  /// The position at which the stream ends; nil as long as it was not seen.
  private(set) var knownEnd: Int?

  init(_ source: any ByteSource) throws(ReadFailure) {
    self.source = source
    input = try WARCInput(source)
  }

  /// How many bytes are there.
  var count: Int { bytes.count - start }

  /// The position in the stream of the first of them.
  var position: Int { base + start }

  /// Where in the file it is.
  var location: Location { location(of: position) }

  /// Where in the file a position of the stream is.
  func location(of position: Int) -> Location {
    var (low, high) = (0, marks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if marks[middle].position <= position { low = middle } else { high = middle }
    }
    guard let mark = marks.isEmpty ? nil : marks[low] else { return Location(offset: 0, inMember: position) }
    let distance = max(0, position - mark.position)
    return isPacked
      ? Location(offset: mark.offset, inMember: distance) : Location(offset: mark.offset + distance, inMember: 0)
  }

  /// The byte at an offset from the first; nil when it is not available.
  subscript(index: Int) -> UInt8? { index < count ? bytes[start + index] : nil }

  /// Sees that so many bytes are there; answers whether they are.
  mutating func fill(_ wanted: Int) -> Bool {
    while count < wanted, stop == nil {
      switch input.next() {
      case .bytes(let piece): bytes += piece
      case .part(let offset, let isMember):
        isPacked = isMember
        mark(offset)
      case .damage(let damage): stop = .damage(damage)
      case .end(let isCut):
        stop = .end(isCut: isCut)
        knownEnd = base + bytes.count
      case .failure(let failure): stop = .failure(failure)
      }
    }
    return count >= wanted
  }

  private mutating func mark(_ offset: Int) {
    let position = base + bytes.count
    // An empty member begins where the next does.
    if marks.last?.position == position { marks.removeLast() }
    if marks.count < Self.mostMarks { marks.append(Mark(position: position, offset: offset)) }
  }

  /// Lets go of the first bytes.
  mutating func drop(_ number: Int) {
    start += min(number, count)
    // Seldom, so that each byte is moved once or so.
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

  /// Goes back to a position, reading the file from its beginning.
  mutating func goBack(to position: Int) throws(ReadFailure) {
    input = try WARCInput(source)
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
  private static let slash = UInt8(ascii: "/")
  private static let period = UInt8(ascii: ".")
  private static let magic = Array("WARC/".utf8)
  /// How many bytes show at most whether a record begins: the line of a version, the name of a field.
  static let longestBeginning = 80

  /// The length of the version line that stands so many bytes behind the first, its end included; nil when none does.
  ///
  /// `WARC/`, digits, a period, digits, CR LF (ISO 28500, 5.2 and annex A); LF alone is taken too. The first name of a field has to
  /// follow, so that a text about the format is none.
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

  /// How many digits there are, at least one.
  private func digits(_ end: inout Int) -> Int? {
    let start = end
    while self[end]?.isASCIIDigit == true, end - start < 4 { end += 1 }
    return end > start ? end - start : nil
  }

  /// Goes to the next version line; answers whether there is one before a position of the stream.
  ///
  /// Otherwise it goes to that position, or as far as there are bytes.
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

import TamisCore
import TamisFiles

/// The decompressed bytes of a file, and where its gzip members begin, end or are damaged (ISO 28500, annex D).
///
/// The first bytes tell whether the file is compressed. After damage, reading resumes at the next bytes that look like
/// the beginning of a member.
struct WARCInput {
  /// An event of the input.
  enum Event {
    /// Bytes that continue those before; not empty.
    case bytes([UInt8])
    /// A gzip member, or the only part of a file that is not compressed, begins at this offset of the file.
    case part(at: Int, isMember: Bool)
    /// The bytes between two offsets cannot be decompressed, or not completely.
    ///
    /// What follows does not continue what came before.
    case damage(Damage)
    /// The file has ended; `isCut` when the last member has no end.
    case end(isCut: Bool)
    /// The file could not be read any further.
    case failure(ReadFailure)
  }

  /// A part of the file that cannot be decompressed.
  struct Damage {
    /// The offset at which it begins: that of the damaged member, or of bytes that are not a member.
    var start: Int
    /// The offset at which reading resumes; nil when nothing follows.
    var next: Int?
    /// The code of the finding.
    var code = "warc.gzip"
    /// The fault, in a few words.
    var message: String
  }

  private enum State {
    case beginning
    /// Before the only part of a file that is not compressed.
    case opening
    case plain
    /// At an offset where a member should begin, or the file should end.
    case between
    /// In the member that begins at this offset.
    case member(Int)
    case ended(Event)
  }

  /// The maximum distance in bytes between noticed damage and an earlier member that is searched for (1 MiB).
  private static let lookBack = 1 << 20

  private var reader: any ByteReader
  private var state = State.beginning
  private let inflater: Inflater
  /// The bytes of the file that may still be needed; those up to `used` are kept for searching again.
  private var raw: [UInt8] = []
  private var used = 0
  /// The offset in the file of the first byte of `raw`.
  private var base = 0
  private var isAtEnd = false
  private var failure: ReadFailure?
  /// The number of bytes that were searched again.
  private var lookedBack = 0

  init(_ source: any ByteSource) throws(ReadFailure) {
    reader = try source.makeReader()
    guard let inflater = Inflater(.gzip) else { throw ReadFailure("there is no memory to unpack it") }
    self.inflater = inflater
  }

  /// Returns the next event; after the end, the same event again.
  mutating func next() -> Event {
    while true {
      let event =
        switch state {
        case .beginning: begin()
        case .opening: open()
        case .plain: nextPlain()
        case .between: beginMember()
        case .member(let start): unpack(memberAt: start)
        case .ended(let event): event
        }
      if let event { return event }
    }
  }

  // MARK: - Bytes of the file

  private var offset: Int { base + used }

  /// Reads until `count` unused bytes are available; returns whether they are.
  private mutating func fill(_ count: Int) -> Bool {
    while raw.count - used < count, !isAtEnd {
      do throws(ReadFailure) {
        let piece = try reader.next()
        isAtEnd = piece.isEmpty
        raw += piece
      } catch {
        (failure, isAtEnd) = (error, true)
      }
    }
    return raw.count - used >= count
  }

  /// Drops used bytes except for the last ones.
  private mutating func forget(allBut kept: Int) {
    // Compacting rarely means that each byte is moved about once.
    guard used - kept > max(1 << 16, raw.count / 2) else { return }
    base += used - kept
    raw.removeFirst(used - kept)
    used = kept
  }

  /// Skips to the next occurrence of either byte; returns whether there is one.
  private mutating func skip(to first: UInt8, or second: UInt8) -> Bool {
    while true {
      forget(allBut: 0)
      guard fill(1) else { return false }
      used = ByteScan.index(of: first, or: second, in: raw.span, from: used)
      if used < raw.count { return true }
    }
  }

  private func stands(_ bytes: [UInt8]) -> Bool { raw[used...].starts(with: bytes) }

  /// Whether the file ends within the given bytes, which begin here.
  private func isCut(_ bytes: [UInt8]) -> Bool { raw.count - used < bytes.count && bytes.starts(with: raw[used...]) }

  private mutating func end(isCut: Bool) -> Event {
    let event = failure.map { Event.failure($0) } ?? .end(isCut: isCut)
    state = .ended(event)
    return event
  }

  // MARK: - Uncompressed files

  /// Searches for the first record or member; earlier bytes do not belong to the WARC file.
  private mutating func begin() -> Event? {
    while skip(to: Self.mark[0], or: Self.version[0]), fill(1) {
      _ = fill(10)
      let isMember = stands(Self.mark) || isCut(Self.mark)
      if isMember || stands(Self.version) || isCut(Self.version) {
        state = isMember ? .between : .opening
        return offset == 0
          ? nil : .damage(Damage(start: 0, next: offset, code: "warc.header", message: "this is not a WARC record"))
      }
      used += 1
    }
    guard offset > 0 else { return end(isCut: false) }
    _ = end(isCut: false)
    return .damage(Damage(start: 0, next: nil, code: "warc.header", message: "this is not a WARC file"))
  }

  private static let mark: [UInt8] = [0x1F, 0x8B, 0x08]
  private static let version = Array("WARC/".utf8)

  private mutating func open() -> Event {
    state = .plain
    return .part(at: offset, isMember: false)
  }

  private mutating func nextPlain() -> Event {
    guard fill(1) else { return end(isCut: false) }
    let piece = used == 0 ? raw : Array(raw[used...])
    base += raw.count
    (raw, used) = ([], 0)
    return .bytes(piece)
  }

  // MARK: - Members

  private mutating func beginMember() -> Event? {
    // Zeros between members and after the last are padding.
    while fill(1), raw[used] == 0 {
      used += 1
      forget(allBut: 0)
    }
    guard fill(1) else { return end(isCut: false) }
    _ = fill(3)
    if isCut(Self.mark) {
      used = raw.count
      return end(isCut: true)
    }
    guard stands(Self.mark) else { return search(from: used, start: offset, "this is not a gzip member") }
    forget(allBut: 0)
    inflater.reset()
    state = .member(offset)
    return .part(at: offset, isMember: true)
  }

  private mutating func unpack(memberAt start: Int) -> Event? {
    let output = inflater.inflate(raw, from: &used)
    forget(allBut: min(offset - start, Self.lookBack))
    if inflater.isEnded { state = .between }
    if !output.isEmpty { return .bytes(output) }
    if inflater.isEnded || inflater.hasMore { return nil }
    if inflater.isDamaged {
      return search(from: lookingBack(to: start), start: start, "this gzip member is damaged")
    }
    if fill(1) { return nil }
    return searchBehindCut(from: start)
  }

  /// Searches for further members after one that has no end; a file that was cut off has none.
  private mutating func searchBehindCut(from start: Int) -> Event {
    let from = lookingBack(to: start)
    let event = search(from: from, start: start, "this gzip member has no end")
    guard case .damage(let damage) = event, damage.next == nil else { return event }
    return end(isCut: true)
  }

  /// Returns the index in `raw` at which to search for the next member after a damaged one.
  ///
  /// The next member may begin before the place where the damage was noticed. The number of bytes searched again is
  /// bounded by the number of bytes read, so that the work is linear in the size of the file.
  private mutating func lookingBack(to start: Int) -> Int {
    let from = max(start + 1 - base, used - Self.lookBack, 0)
    let cost = max(0, used - from)
    guard lookedBack + cost <= offset + Self.lookBack else { return used }
    lookedBack += cost
    return from
  }

  /// Skips to the next bytes that look like the header of a member.
  private mutating func search(from: Int, start: Int, _ message: String) -> Event {
    used = from
    while skip(to: Self.mark[0], or: Self.mark[0]), fill(10) {
      if isHead {
        state = .between
        return .damage(Damage(start: start, next: offset, message: message))
      }
      used += 1
    }
    used = raw.count
    _ = end(isCut: false)
    return .damage(Damage(start: start, next: nil, message: message))
  }

  /// Whether the next ten bytes are the header of a member (RFC 1952, section 2.3).
  ///
  /// The test is stricter than where a member is expected.
  private var isHead: Bool {
    guard stands(Self.mark) else { return false }
    let (flags, extra, system) = (raw[used + 3], raw[used + 8], raw[used + 9])
    return flags & 0xE0 == 0 && [0, 2, 4].contains(extra) && (system <= 13 || system == 255)
  }
}

import TamisCore

/// The decompressed bytes of a file, and where its frames begin, end or are damaged (ISO 28500, annex D).
///
/// The first bytes tell whether the file is packed, and how (``FrameFormat``). After damage, reading resumes at the
/// next bytes that look like the beginning of a frame.
struct WARCInput {
  /// An event of the input.
  enum Event {
    /// Bytes that continue those before; not empty.
    case bytes([UInt8])
    /// A frame, or the only part of a file that is not packed, begins at this offset of the file.
    case part(at: Int, isFrame: Bool)
    /// The bytes between two offsets cannot be decompressed, or not completely.
    ///
    /// What follows does not continue what came before.
    case damage(Damage)
    /// The file has ended; `cut` is what its last frame is called when it has no end.
    case end(cut: String?)
    /// The file could not be read any further.
    case failure(ReadFailure)
  }

  /// A part of the file that cannot be decompressed.
  struct Damage {
    /// The offset at which it begins: that of the damaged frame, or of bytes that are not a frame.
    var start: Int
    /// The offset at which reading resumes; nil when nothing follows.
    var next: Int?
    /// The code of the finding.
    var code = "warc.packing"
    /// The fault, in a few words.
    var message: String
  }

  private enum State {
    case beginning
    /// Before the only part of a file that is not compressed.
    case opening
    case plain
    /// At an offset where a frame should begin, or the file should end.
    case between
    case frame(Frame)
    case ended(Event)
  }

  /// A frame of the file that is being decompressed.
  private struct Frame {
    var format: FrameFormat
    var decoder: any FrameDecoder
    /// The offset at which it begins.
    var start: Int
  }

  /// The maximum distance in bytes between noticed damage and an earlier frame that is searched for (1 MiB).
  private static let lookBack = 1 << 20

  private var reader: any ByteReader
  private var state = State.beginning
  private var decoders: FrameDecoders
  /// The formats of frames so far, the last one first.
  private var formats: [FrameFormat] = []
  /// The bytes of the file that may still be needed; those up to `used` are kept for searching again.
  private var raw: [UInt8] = []
  private var used = 0
  /// The offset in the file of the first byte of `raw`.
  private var base = 0
  private var isAtEnd = false
  private var failure: ReadFailure?
  /// The number of bytes that were searched again.
  private var lookedBack = 0

  init(_ source: any ByteSource, limits: FrameLimits) throws(ReadFailure) {
    reader = try source.makeReader()
    decoders = FrameDecoders(limits)
  }

  /// Returns the next event; after the end, the same event again.
  mutating func next() -> Event {
    while true {
      let event =
        switch state {
        case .beginning: begin()
        case .opening: open()
        case .plain: nextPlain()
        case .between: beginFrame()
        case .frame(let frame): unpack(frame)
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

  /// Skips to the next of some bytes; returns whether there is one.
  private mutating func skip(to wanted: ByteSet) -> Bool {
    while true {
      forget(allBut: 0)
      guard fill(1) else { return false }
      used = wanted.index(in: raw, from: used)
      if used < raw.count { return true }
    }
  }

  private mutating func end(cut: String? = nil) -> Event {
    let event = failure.map { Event.failure($0) } ?? .end(cut: cut)
    state = .ended(event)
    return event
  }

  // MARK: - The beginning, and files that are not packed

  private static let version = Array("WARC/".utf8)
  private static let beginnings = FrameFormat.allFirstBytes.with(version[0])

  /// Searches for the first record or frame; earlier bytes do not belong to the WARC file.
  private mutating func begin() -> Event? {
    // What follows a damaged mark may have the text of a record in it, which is not one of a plain file.
    if fill(FrameFormat.headLength), FrameFormat.nearlyBegin(raw[used...]) {
      state = .between
      return nil
    }
    while skip(to: Self.beginnings), fill(1) {
      _ = fill(max(Self.version.count, FrameFormat.markLength))
      if let next = stateHere {
        state = next
        return offset == 0
          ? nil : .damage(Damage(start: 0, next: offset, code: "warc.header", message: "this is not a WARC record"))
      }
      used += 1
    }
    guard offset > 0 else { return end() }
    _ = end()
    return .damage(Damage(start: 0, next: nil, code: "warc.header", message: "this is not a WARC file"))
  }

  /// The state in which a file is read that begins here; nil when none does.
  private var stateHere: State? {
    let bytes = raw[used...]
    if bytes.starts(with: Self.version) { return .opening }
    // A file of a few bytes may be one that is cut off.
    let mayBeCut = offset == 0
    switch FrameFormat.match(bytes) {
    case .frame: return .between
    case .tooFew where mayBeCut: return .between
    case .tooFew, .other: return mayBeCut && Self.version.starts(with: bytes) ? .opening : nil
    }
  }

  private mutating func open() -> Event {
    state = .plain
    return .part(at: offset, isFrame: false)
  }

  private mutating func nextPlain() -> Event {
    guard fill(1) else { return end() }
    let piece = used == 0 ? raw : Array(raw[used...])
    base += raw.count
    (raw, used) = ([], 0)
    return .bytes(piece)
  }

  // MARK: - Frames

  private mutating func beginFrame() -> Event? {
    // Zeros between frames and after the last are padding.
    while fill(1), raw[used] == 0 {
      used += 1
      forget(allBut: 0)
    }
    guard fill(1) else { return end() }
    _ = fill(FrameFormat.markLength)
    switch FrameFormat.match(raw[used...], after: formats.first) {
    case .frame(let next): return begin(next)
    case .tooFew(let next):
      used = raw.count
      return end(cut: next.unit)
    case .other: return search(from: used, start: offset, "this is not a \(formats.first?.unit ?? "frame")")
    }
  }

  private mutating func begin(_ next: FrameFormat) -> Event {
    forget(allBut: 0)
    formats = [next] + formats.filter { $0.name != next.name }
    do throws(ReadFailure) {
      state = .frame(Frame(format: next, decoder: try decoders.decoder(of: next), start: offset))
    } catch {
      state = .ended(.failure(error))
      return .failure(error)
    }
    return .part(at: offset, isFrame: true)
  }

  private mutating func unpack(_ frame: Frame) -> Event? {
    let output = frame.decoder.decode(raw, from: &used)
    forget(allBut: min(offset - frame.start, Self.lookBack))
    if frame.decoder.isEnded { state = .between }
    if !output.isEmpty { return .bytes(output) }
    if let fault = frame.decoder.fault {
      let message = "this \(frame.format.unit) \(fault)"
      return frame.decoder.isEnded
        ? .damage(Damage(start: frame.start, next: offset, message: message))
        : search(from: lookingBack(to: frame.start), start: frame.start, message)
    }
    if frame.decoder.isEnded || frame.decoder.hasMore { return nil }
    if fill(1) { return nil }
    return searchBehindCut(frame)
  }

  /// Searches for further frames after one that has no end; a file that was cut off has none.
  ///
  /// Only known formats count: a body that a server has packed stands in zstd frames as it is.
  private mutating func searchBehindCut(_ frame: Frame) -> Event {
    let from = lookingBack(to: frame.start)
    let event = search(from: from, start: frame.start, "this \(frame.format.unit) has no end", formats)
    guard case .damage(let damage) = event, damage.next == nil else { return event }
    return end(cut: frame.format.unit)
  }

  /// Returns the index in `raw` at which to search for the next frame after a damaged one.
  ///
  /// The next frame may begin before the place where the damage was noticed. The number of bytes searched again is
  /// bounded by the number of bytes read, so that the work is linear in the size of the file.
  private mutating func lookingBack(to start: Int) -> Int {
    let from = max(start + 1 - base, used - Self.lookBack, 0)
    let cost = max(0, used - from)
    guard lookedBack + cost <= offset + Self.lookBack else { return used }
    lookedBack += cost
    return from
  }

  /// Skips to the next bytes that look like the beginning of a frame.
  private mutating func search(
    from: Int, start: Int, _ message: String, _ formats: [FrameFormat] = FrameFormat.all
  ) -> Event {
    used = from
    while skip(to: FrameFormat.firstBytes), fill(FrameFormat.headLength) {
      if FrameFormat.begin(raw[used...], of: formats) {
        state = .between
        return .damage(Damage(start: start, next: offset, message: message))
      }
      used += 1
    }
    used = raw.count
    _ = end()
    return .damage(Damage(start: start, next: nil, message: message))
  }
}

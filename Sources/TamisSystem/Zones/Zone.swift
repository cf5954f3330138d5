package import TamisCore

/// The offsets of a time zone from UTC, as a file of the time zone database has them (TZif, RFC 9636).
package struct Zone: Sendable, Equatable {
  /// A time from which on the clocks of the zone have another offset.
  package struct Change: Sendable, Equatable {
    /// The time in seconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// The offset from UTC from then on, in seconds.
    package var seconds: Int

    package init(time: Int64, seconds: Int) { (self.time, self.seconds) = (time, seconds) }
  }

  /// The last year for which the rule of a file is applied; the offset does not change after it.
  package static let lastYear = 2100
  /// The most changes that a file may have; the longest history of the release 2025b has 243.
  private static let mostChanges = 10_000

  /// The offset before the first change, in seconds.
  package let first: Int
  /// The changes in order, those by the rule for later years included.
  package let changes: [Change]

  /// Reads a file; nil when it is no such file, is cut, or counts leap seconds.
  package init?(_ bytes: [UInt8]) {
    var reader = ZoneReader(bytes)
    guard var block = reader.block(wordLength: 4) else { return nil }
    var rule: ZoneRule?
    if block.version > 0 {
      // The same again with numbers of 64 bits, and then the rule.
      guard let wide = reader.block(wordLength: 8) else { return nil }
      block = wide
      rule = reader.footer().flatMap { ZoneRule($0) }
    }
    guard let first = block.offsets.first else { return nil }
    self.init(first: first, changes: block.changes, rule: rule)
  }

  /// Makes the offsets of a zone that has a rule for all years from 1970 on.
  package init(rule: ZoneRule) { self.init(first: rule.standard, changes: [], rule: rule) }

  /// Creates a zone from its name in the time zone database of the machine.
  package init(_ name: ZoneName) {
    switch name {
    case .fixed(let seconds): self.init(first: seconds, changes: [], rule: nil)
    case .place(let place):
      // The database has every `ZoneName`, unless it has changed since.
      self = ZoneDatabase.system.zone(named: place) ?? Zone(.utc)
    }
  }

  private init(first: Int, changes: [Change], rule: ZoneRule?) {
    self.first = first
    guard let rule else {
      self.changes = changes
      return
    }
    // Without any change, the year before 1970 says whether that begins in summer.
    let firstYear = changes.last.map { CivilTime(seconds: max($0.time, 0)).year } ?? 1969
    let later = (min(firstYear, Self.lastYear)...Self.lastYear).flatMap(rule.changes)
    self.changes = changes + later.filter { $0.time > changes.last?.time ?? .min }
  }

  /// Returns the offset from UTC at a time, in seconds, at most 18 hours.
  ///
  /// The offset is constant before 1970, when most zones went by the sun.
  package func seconds(at time: Int64) -> Int {
    let time = max(time, 0)
    let later = changes.partitionPoint(where: { $0.time > time })
    return min(max(later == 0 ? first : changes[later - 1].seconds, -18 * 3600), 18 * 3600)
  }

  /// The table as text, for comparison of zones.
  package var text: String {
    ([first] + changes.flatMap { [Int($0.time), $0.seconds] }).map(String.init).joined(separator: " ")
  }

  /// One of the two blocks of a file (RFC 9636, 3.1 and 3.2).
  fileprivate struct Block {
    /// The version of the file: 0 when it has one block only, otherwise an ASCII digit.
    var version: UInt8
    /// The offsets by the number of their type; the first holds before the first change.
    var offsets: [Int] = []
    var changes: [Change] = []
  }

  /// Reads the parts of a file in order.
  fileprivate struct ZoneReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a block whose times have 4 or 8 bytes.
    mutating func block(wordLength: Int) -> Block? {
      guard let magic = take(4), magic.elementsEqual("TZif".utf8), let version = take(16)?.first else { return nil }
      let counts = (0..<6).compactMap { _ in integer(4) }
      guard counts.count == 6, counts.allSatisfy({ (0...Int64(Zone.mostChanges)).contains($0) }) else { return nil }
      let (ends, standards, leaps) = (Int(counts[0]), Int(counts[1]), Int(counts[2]))
      let (times, types, characters) = (Int(counts[3]), Int(counts[4]), Int(counts[5]))
      let starts = (0..<times).compactMap { _ in integer(wordLength) }
      guard leaps == 0, starts.count == times, let numbers = take(times) else { return nil }
      var block = Block(version: version)
      for _ in 0..<types {
        // The offset; whether it is that of summer; the place of its abbreviation.
        guard let offset = integer(4), take(2) != nil else { return nil }
        block.offsets.append(Int(offset))
      }
      guard take(characters + standards + ends) != nil, numbers.allSatisfy({ Int($0) < types }) else { return nil }
      block.changes = zip(starts, numbers).map { Change(time: $0, seconds: block.offsets[Int($1)]) }
      return zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 } ? block : nil
    }

    /// Reads the rule for times after the last change: a line of its own.
    mutating func footer() -> String? {
      guard let start = take(1), start.first == ASCII.lineFeed else { return nil }
      return String(decoding: bytes[index...].prefix { $0 != ASCII.lineFeed }, as: UTF8.self)
    }

    /// Reads a signed number of at most eight bytes, the most significant first.
    private mutating func integer(_ length: Int) -> Int64? {
      guard let bytes = take(length), let first = bytes.first else { return nil }
      return bytes.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= bytes.count - index else { return nil }
      defer { index += count }
      return bytes[index..<index + count]
    }
  }
}

import TamisCore
import TamisSystem
import TestSupport
import Testing

/// Files that are cut off or damaged anywhere: what is whole comes out, and nothing else happens.
@Suite struct WARCDamageTests {
  /// A record of each kind; of one part and coding more each.
  static let text = WARCText(
    [
      "WARC/1.0\nWARC-Type: warcinfo\nContent-Type: application/warc-fields\n\nsoftware: tamis",
      "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: http://a.example/\n\nHTTP/1.1 200 OK\n\n<p>First",
      "WARC/1.1\nWARC-Type: response\nWARC-Target-URI: http://b.example/\n\n"
        + "HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n{gzip:<p>Second, which is packed}",
      "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://c.example/\n\n<p>Third",
      "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: http://d.example/\n\n"
        + "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n9\n<p>Fourth\n0\n\n",
      "WARC/1.0\nWARC-Type: revisit\nWARC-Target-URI: http://e.example/\n\nHTTP/1.1 304 Not Modified\n\n",
      "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://f.example/\n\n<p>Last",
    ].map(WARCText.record))

  @Test(arguments: WARCText.Packing.allCases)
  func truncatedFileYieldsCompleteRecords(_ packing: WARCText.Packing) throws {
    let parts = Self.text.packed(packing)
    let bytes = Array(parts.joined())
    let whole = try WARCOutcome(bytes)
    #expect(whole.records.count == Self.text.parts.count && whole.findings.isEmpty)
    var most = 0
    for length in bytes.indices {
      let outcome = try WARCOutcome(Array(bytes[..<length]))
      #expect(whole.records.starts(with: outcome.records), "\(length)")
      // In a mixed file, the body that is packed by gzip looks like a frame that follows.
      if packing.format != .mixed {
        let others = outcome.findings.map(\.code).filter { $0 != "warc.truncated" }
        #expect(others.isEmpty && outcome.findings.count <= 1, "\(length): \(outcome.findings)")
      }
      #expect(outcome.records.count >= most, "more bytes give no fewer records")
      most = outcome.records.count
      let isWhole = packing.frames == nil || packing.frames == .each
      if isWhole { #expect(outcome.records.count >= Self.count(of: parts, within: length), "\(length)") }
    }
  }

  /// How many parts are whole within a length.
  private static func count(of parts: [[UInt8]], within length: Int) -> Int {
    var (count, end) = (0, 0)
    for part in parts {
      end += part.count
      if end > length { break }
      count += 1
    }
    return count
  }

  @Test(arguments: [WARCText.Packing.plain] + WARCText.Packing.each.filter { $0.format != .mixed }, [1, 2, 3])
  func damagedByteLosesOnlyItsRecord(_ packing: WARCText.Packing, _ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let parts = Self.text.packed(packing)
    let bytes = Array(parts.joined())
    let whole = try WARCOutcome(bytes).records.map(Self.content)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= UInt8.random(in: 1...255, using: &random)
      let hit = Self.count(of: parts, within: index)
      let outcome = try WARCOutcome(damaged)
      var records = outcome.records.map(Self.content)[...]
      for (number, record) in whole.enumerated() where number != hit {
        let found = records.firstIndex(of: record)
        #expect(found != nil, "byte \(index), now \(damaged[index]), costs record \(number)")
        if let found { records = records[(found + 1)...] }
      }
    }
  }

  /// All but the place.
  private static func content(_ record: WARCRecord) -> WARCRecord {
    var record = record
    (record.offset, record.offsetInMember) = (0, 0)
    return record
  }

  @Test(arguments: WARCText.Packing.allCases, [1, 2])
  func recordsBeforeDamageAreRead(_ packing: WARCText.Packing, _ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let bytes = Self.text.bytes(packing)
    let whole = try WARCOutcome(bytes)
    for _ in 0..<500 {
      var damaged = bytes
      let first = Int.random(in: bytes.indices, using: &random)
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let index = Int.random(in: first..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[min(index, damaged.count - 1)] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.removeSubrange(min(index, damaged.count - 1)..<damaged.count)
        default: damaged.insert(contentsOf: bytes.suffix(index % 50), at: min(index, damaged.count))
        }
        if damaged.count <= first { break }
      }
      let before = try WARCOutcome(Array(damaged.prefix(first)))
      let outcome = try WARCOutcome(damaged)
      // Of the last the bytes behind it may show that it is damaged.
      #expect(outcome.records.starts(with: before.records.dropLast()), "from byte \(first) on")
      #expect(whole.records.starts(with: before.records))
    }
  }

  @Test func readErrorIsReported() throws {
    let bytes = Self.text.bytes(.plain)
    let outcome = try WARCOutcome(FailingSource(bytes: Array(bytes.prefix(bytes.count - 20))))
    #expect(outcome.records.count == Self.text.parts.count - 1)
    #expect(outcome.findings.map(\.code).last == "warc.read")
  }

  /// Bytes with a fault of the disk behind them.
  private struct FailingSource: ByteSource {
    let bytes: [UInt8]

    func makeReader() -> any ByteReader { Reader(reader: ByteArray(bytes).makeReader()) }

    private struct Reader: ByteReader {
      var reader: any ByteReader

      mutating func next() throws(ReadFailure) -> [UInt8] {
        let piece = try reader.next()
        if piece.isEmpty { throw ReadFailure("input/output error") }
        return piece
      }
    }
  }
}

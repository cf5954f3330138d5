import Foundation
import Synchronization
import TamisCore
import TamisSystem
import TestSupport
import Testing

/// Files as they lie on a disk, where their records are, and what reading them costs.
@Suite struct WARCFileTests {
  private static let text = WARCDamageTests.text

  @Test(arguments: WARCText.Packing.allCases)
  func recordOffsetsAreExact(_ packing: WARCText.Packing) throws {
    let parts = Self.text.packed(packing)
    let bytes = Array(parts.joined())
    var start = 0
    let starts = (packing.frames == nil || packing.frames == .each ? parts : []).map { part in
      defer { start += part.count }
      return start
    }
    let records = try WARCOutcome(bytes).records
    if !starts.isEmpty { #expect(records.map(\.offset) == starts && records.allSatisfy { $0.offsetInMember == 0 }) }
    // Read from its place, each is the first; where members begin anywhere, behind what is not of it.
    for record in records {
      let rest = Array(bytes[record.offset...])
      var unpacked: [UInt8] = []
      let folder = try Fixtures.temporaryFolder()
      let path = "\(folder.path)/rest"
      try Data(rest).write(to: URL(filePath: path))
      var reader = try FileSource(FilePath(path)).makeReader()
      while case let piece = try reader.next(), !piece.isEmpty { unpacked += piece }
      let first = try WARCOutcome(Array(unpacked[record.offsetInMember...])).records.first
      #expect(first?.fields == record.fields && first?.body == record.body)
    }
  }

  @Test func fileIsReadInEveryPacking() throws {
    let folder = try Fixtures.temporaryFolder()
    for packing in WARCText.Packing.allCases {
      let path = "\(folder.path)/\(packing).warc"
      try Data(Self.text.bytes(packing)).write(to: URL(filePath: path))
      let outcome = try WARCOutcome(FileSource(FilePath(path)).packed)
      #expect(outcome.records.count == Self.text.parts.count && outcome.findings.isEmpty, "\(packing)")
    }
  }

  @Test func findingsNameFileOffsetAndRecord() throws {
    let record = WARCText.record(
      "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://a.example/\nContent-Length: x\n\n")
    let parts = [Self.text.parts[0], record]
    let plain = try WARCOutcome(Array(parts.joined()))
    #expect(
      plain.findings.map(\.description) == [
        "a.warc: error: byte \(parts[0].count): this record does not say how long it is; left out up to the end of the file "
          + "(entry http://a.example/) [warc.length]"
      ])
    let packed = try WARCOutcome(Packed.gzip(Array(parts.joined())))
    #expect(packed.findings[0].message.hasPrefix("byte 0, unpacked \(parts[0].count) behind: "))
  }

  @Test(arguments: [("gzip member", WARCText.Packing.each[0]), ("zstd frame", .each[1])])
  func damagedFrameIsSkippedAndReported(_ unit: String, _ packing: WARCText.Packing) throws {
    var parts = Self.text.packed(packing)
    let start = parts[0].count + parts[1].count
    // Each ends with a checksum, that of gzip with the length behind it.
    parts[2][parts[2].count - (packing.format == .gzip ? 6 : 2)] ^= 1
    let outcome = try WARCOutcome(Array(parts.joined()))
    #expect(outcome.records.count == parts.count - 1)
    #expect(
      outcome.findings.map(\.description) == [
        "a.warc: error: byte \(start): this \(unit) is damaged; what cannot be read is left out "
          + "up to byte \(start + parts[2].count) [warc.packing]"
      ])
    parts[2] = Array(parts[2].prefix(40))
    #expect(try WARCOutcome(Array(parts.joined())).records.count == parts.count - 1, "it was never ended")
    parts[2] = Array("no member".utf8) + [0, 0, 0]
    #expect(try WARCOutcome(Array(parts.joined())).records.count == parts.count - 1)
    #expect(try WARCOutcome(parts[0] + [0, 0, 0]).findings.isEmpty, "zeros are padding")
  }

  // MARK: - What it costs

  /// Shapes like these would make a careless reader visit the same bytes again and again.
  @Test(
    .endsAtAll,
    arguments: [
      "WARC/1.0\r\nA: b\r\n", "xWARC/1.0\r\nA: b", "WARC/1.0\r\nContent-Length: 60000000\r\n\r\n",
      "WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n", "WARC/1.0\r\nContent-Length: 70000000\r\n\r\n", "WARC/",
      "\r\n",
      "WARC/1.0\r\nContent-Length: 0\r\n\r\n", "WARC/1.0\r\nA: b\r\n\r\n", "WARC/1.0\r\n\r\n", "\u{1F}\u{0}",
    ])
  func readingWorkIsLinear(_ shape: String) throws {
    let bytes = Array(repeatElement(Array(shape.utf8), count: 400_000 / shape.utf8.count).joined())
    for source in [bytes, Packed.gzip(bytes), Packed.zstd(bytes)] {
      let counting = CountingSource(ByteArray(source))
      _ = try WARCOutcome(counting)
      #expect(counting.count <= 10 * source.count)
    }
  }

  @Test(.endsAtAll) func readingWorkIsLinearForManyMembers() throws {
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let shapes = [
      Packed.gzip([]), Packed.gzip([0x0A]), head, head + [0, 5, 0, 0xFA, 0xFF], [0x1F, 0x8B],
      // Members that go on until the next head, which their stored block holds.
      head + [0, 0xFF, 0x0F, 0, 0xF0],
      Packed.gzip(Array("WARC/1.0\r\nContent-Length: 60000000\r\n\r\n".utf8)),
      Packed.zstd([]), Packed.skippable(0, []), Packed.skippable(13, []), [0x50, 0x2A, 0x4D, 0x18],
      [0x28, 0xB5, 0x2F, 0xFD], [0x28, 0xB5, 0x2F, 0xFD, 0, 0x88], [0x28, 0xB5, 0x2F, 0xFD, 0, 0xFF],
      // Raw blocks that hold the next head.
      [0x28, 0xB5, 0x2F, 0xFD, 0, 0x88, 0, 0, 0x08],
      [0x04, 0x22, 0x4D, 0x18, 0x40, 0x70, 0xDF],
      [0x04, 0x22, 0x4D, 0x18, 0x40, 0x70, 0xDF, 0, 0, 0x20, 0x80],
    ]
    for shape in shapes {
      let bytes = Packed.gzip(Self.text.parts[0]) + repeatElement(shape, count: 100_000 / shape.count).joined()
      let counting = CountingSource(ByteArray(bytes))
      let outcome = try WARCOutcome(counting)
      #expect(counting.count <= 10 * bytes.count && outcome.records.count == 1)
    }
  }

  /// Oversized records are skipped, and read again at most a few times.
  @Test(.endsAtAll) func falseLengthsCauseBoundedRereading() throws {
    var limits = WARCLimits()
    limits.recordBytes = 1000
    let record = Array("WARC/1.0\r\nContent-Length: 2000\r\n\r\n".utf8)
    let bytes = Array(repeatElement(record, count: 5000).joined())
    let counting = CountingSource(ByteArray(bytes))
    _ = try WARCOutcome(counting, limits: limits)
    #expect(counting.count <= 10 * bytes.count)
  }

  /// Junk between records is read up to the limit, and then the file is abandoned.
  @Test func endlessJunkIsAbandoned() throws {
    var limits = WARCLimits()
    limits.strayBytes = 5000
    let record = Array("WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nab\r\n\r\n".utf8)
    for (junk, records) in [(4000, 2), (6000, 1)] {
      let bytes = record + [UInt8](repeating: 0, count: junk) + record
      let outcome = try WARCOutcome(ByteArray(bytes), limits: limits)
      #expect(outcome.records.count == records)
      #expect(outcome.findings.contains { $0.code == "warc.limit" } == (records == 1))
    }
  }

  /// Codings on top of each other cannot make a small body large.
  @Test func nestedCodingsAreBoundedByTheirInput() throws {
    var body = [UInt8](repeating: 0x61, count: 8 << 20)
    for _ in 0..<3 { body = Packed.gzip(body) }
    let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\n\r\n".utf8)
    let record = """
      WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r
      Content-Type: application/http; msgtype=response\r\nContent-Length: \(head.count + body.count)\r\n\r\n
      """
    let outcome = try WARCOutcome(ByteArray(Array(record.utf8) + head + body + Array("\r\n\r\n".utf8)))
    #expect(outcome.records.isEmpty && outcome.findings.contains { $0.code == "warc.limit" }, "\(outcome.findings)")
  }

  /// Says how many bytes were read.
  private final class CountingSource: ByteSource {
    private let source: ByteArray
    private let total = Mutex(0)

    init(_ source: ByteArray) { self.source = source }

    var count: Int { total.withLock { $0 } }

    func makeReader() -> any ByteReader { Reader(reader: source.makeReader(), owner: self) }

    private struct Reader: ByteReader {
      var reader: any ByteReader
      let owner: CountingSource

      mutating func next() throws(ReadFailure) -> [UInt8] {
        let piece = try reader.next()
        owner.total.withLock { $0 += piece.count }
        return piece
      }
    }
  }
}

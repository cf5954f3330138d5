import Foundation
import TamisCore
import TamisSystem
import TestSupport
import Testing

/// What zstd has that gzip has not: dictionaries, windows, frames that are skipped.
@Suite struct WARCFramesTests {
  private static let parts = WARCDamageTests.text.parts
  private static let dictionary = Packed.dictionary(
    for: (0..<400).map { parts[$0 % parts.count] + Array("\($0)".utf8) })
  private static let frames = parts.map { Packed.zstd($0, dictionary: dictionary) }

  private static func read(_ parts: [[UInt8]], limits: FrameLimits = .standard) throws -> WARCOutcome {
    var all = WARCLimits.standard
    all.frames = limits
    let bytes = Array(parts.joined())
    let outcome = try WARCOutcome(bytes, limits: all)
    let inBytes = try WARCOutcome(bytes, pieces: 1, limits: all)
    #expect(inBytes.lines == outcome.lines, "byte by byte")
    return outcome
  }

  // MARK: - Dictionaries

  @Test func dictionaryOfFileIsUsed() throws {
    #expect(Self.dictionary.count > 256, "there is one")
    let whole = try WARCOutcome(Array(Self.parts.joined()))
    for content in [Self.dictionary, Packed.zstd(Self.dictionary)] {
      let first = Packed.skippable(13, content)
      let outcome = try Self.read([first] + Self.frames)
      #expect(outcome.findings.isEmpty && outcome.withoutLocations == whole.withoutLocations)
      #expect(outcome.records.first?.offset == first.count)
      // Joined files have one each; the second need not be that of the first.
      let other = Packed.dictionary(for: (0..<300).map { Array("\($0) \(Self.parts[$0 % 3])".utf8) })
      let twice = try Self.read(
        [first] + Self.frames + [Packed.skippable(13, other)] + Self.parts.map { Packed.zstd($0, dictionary: other) })
      #expect(twice.records.count == 2 * Self.parts.count && twice.findings.isEmpty)
    }
  }

  @Test func fileWithDictionaryIsCutOffAnywhere() throws {
    let first = Packed.skippable(13, Packed.zstd(Self.dictionary))
    let bytes = first + Self.frames.joined()
    for length in bytes.indices.dropFirst() where length % 7 == 0 || length < 16 {
      let outcome = try WARCOutcome(Array(bytes[..<length]))
      let codes = Set(outcome.findings.map(\.code))
      // Within the dictionary, the frame in which it is packed looks like one that follows.
      if length < first.count {
        #expect(codes.isSubset(of: ["warc.truncated", "warc.packing", "warc.header"]) && !codes.isEmpty, "\(length)")
      } else {
        #expect(codes.isSubset(of: ["warc.truncated"]), "\(length): \(outcome.findings)")
      }
    }
  }

  @Test func framesWithoutTheirDictionaryAreReported() throws {
    let other = Packed.dictionary(for: (0..<300).map { Array("<p>\($0) harbour \($0 * 7) lantern</p>".utf8) })
    for first in [[], Packed.skippable(13, other)] {
      // Each is found again behind the one before.
      let outcome = try Self.read([first, Self.frames[0], Self.frames[1], Packed.zstd(Self.parts[3])])
      #expect(outcome.records.count == 1)
      #expect(
        outcome.findings.map(\.message) == [
          "byte \(first.count): this zstd frame needs a dictionary that the file does not have; what cannot be read is "
            + "left out up to byte \(first.count + Self.frames[0].count)",
          "byte \(first.count + Self.frames[0].count): this zstd frame needs a dictionary that the file does not have; "
            + "what cannot be read is left out up to byte \(first.count + Self.frames[0].count + Self.frames[1].count)",
        ])
    }
  }

  @Test(arguments: [
    ("should have a dictionary and has none", Array("no dictionary".utf8)),
    ("should have a dictionary and has none", []),
    ("should have a dictionary and has none", Packed.zstd([1, 2, 3])),
    ("has a dictionary that is damaged", Array(Packed.zstd(dictionary).prefix(300))),
    ("has a dictionary of more than 100000 bytes", [UInt8](repeating: 0, count: 100_001)),
    ("has a dictionary of more than 100000 bytes", Packed.zstd([UInt8](repeating: 0, count: 10 << 20))),
  ])
  func badDictionaryIsReported(_ fault: String, _ content: [UInt8]) throws {
    var limits = FrameLimits()
    limits.dictionaryBytes = 100_000
    let first = Packed.skippable(13, content)
    let outcome = try Self.read([first, Packed.zstd(Self.parts[1]), Packed.zstd(Self.parts[3])], limits: limits)
    #expect(outcome.records.count == 2, "what needs none is read")
    #expect(outcome.findings.map(\.code) == ["warc.packing"])
    #expect(
      outcome.findings.first?.message.hasPrefix("byte 0: this zstd frame \(fault); ") == true, "\(outcome.findings)")
  }

  // MARK: - Windows

  @Test func windowAboveLimitIsReported() throws {
    var limits = FrameLimits()
    limits.windowBytes = 3 << 20
    let frames = [20, 22, 21].enumerated().map { Packed.zstd(Self.parts[[1, 3, 6][$0]], windowLog: $1) }
    let outcome = try Self.read(frames, limits: limits)
    #expect(
      outcome.findings.map(\.message) == [
        "byte \(frames[0].count): this zstd frame needs a window of more than 2097152 bytes; what cannot be read is left "
          + "out up to byte \(frames[0].count + frames[1].count)"
      ])
    #expect(outcome.records.count == 2)
    #expect(try Self.read(frames).findings.isEmpty)
    // Of 256 MiB, which zstd's own tools do not read either unless they are told to.
    #expect(try Self.read([Packed.zstd(Self.parts[1], windowLog: 28)]).findings.map(\.code) == ["warc.packing"])
    #expect(try Self.read([Packed.zstd(Self.parts[1], windowLog: 27)]).findings.isEmpty)
  }

  // MARK: - Frames

  @Test func skippableFramesAreSkipped() throws {
    let frames = Self.parts.map { Packed.zstd($0) }
    let outcome = try Self.read(
      [Packed.skippable(0, [1, 2, 3]), Packed.skippable(15, [])] + frames.prefix(3)
        + [Packed.skippable(12, Self.parts[0])] + frames.dropFirst(3) + [Packed.skippable(0, frames[0])])
    #expect(outcome.records.count == Self.parts.count && outcome.findings.isEmpty, "\(outcome.findings)")
  }

  @Test func mixedFileIsReadBehindDamage() throws {
    var parts = Self.parts.enumerated().map { number, part in
      [Packed.gzip, { Packed.zstd($0) }][number % 2](part)
    }
    for damaged in parts.indices.dropLast() {
      parts[damaged][parts[damaged].count / 2] ^= 0x55
      let outcome = try Self.read(parts)
      #expect(outcome.findings.filter { $0.code != "warc.packing" }.isEmpty, "\(outcome.findings)")
      #expect(outcome.records.count >= Self.parts.count - 1)
      parts[damaged][parts[damaged].count / 2] ^= 0x55
    }
  }

  @Test func wrongChecksumIsReported() throws {
    // Content that does not shrink stands in the frame as it is.
    var random = SeededRandom(seed: 1)
    let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let record = Array("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: \(noise.count)\r\n\r\n".utf8) + noise
    for pack in [{ Packed.zstd($0) }, Packed.gzip] {
      var frame = pack(record)
      frame[frame.count - 100_000] ^= 1
      let outcome = try Self.read([pack(Self.parts[1]), frame, pack(Self.parts[3])])
      #expect(outcome.records.count == 2 && outcome.findings.map(\.code) == ["warc.packing"], "\(outcome.findings)")
    }
  }

  @Test func textThatEndsLikeAFrameIsNoFile() throws {
    for text in ["not a WARC file (", "not a WARC file W", "P", "not a WARC file\u{1F}"] where text != "P" {
      #expect(try WARCOutcome(Array(text.utf8)).findings.map(\.code) == ["warc.header"], "\(text)")
    }
  }

  // MARK: - Other readers

  /// Text that comes piece by piece is told from what is packed, however small the pieces.
  @Test(arguments: WARCText.Packing.allCases)
  func fileIsRecognizedByItsFirstBytes(_ packing: WARCText.Packing) throws {
    let folder = try Fixtures.temporaryFolder()
    let path = FilePath("\(folder.path)/a file")
    try Data(WARCDamageTests.text.bytes(packing)).write(to: URL(filePath: path.description))
    let file = try StreamedFile(path)
    #expect(try file.begins(with: Array("WARC/".utf8)) && !file.begins(with: Array("WORC/".utf8)))
    let outcome = try WARCOutcome(file)
    #expect(outcome.records.count == Self.parts.count && outcome.findings.isEmpty)
    #expect(try FileSource(path).beginning(5).starts(with: "WARC/".utf8))
  }
}

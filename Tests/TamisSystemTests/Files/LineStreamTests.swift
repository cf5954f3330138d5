import Foundation
import TamisCore
import TamisSystem
import TestSupport
import Testing

@Suite struct LineStreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func lines(_ bytes: [UInt8], longest: Int = 1 << 20) throws -> [LineStream.Line] {
    let path = FilePath("\(folder.path)/in")
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/in"))
    var stream = try LineStream(StreamedFile(path), longest: longest)
    var lines: [LineStream.Line] = []
    while let line = stream.next() { lines.append(line) }
    #expect(stream.failure == nil && stream.isAtEnd && stream.next() == nil)
    return lines
  }

  @Test(arguments: [
    ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\na\r\n\n", ["", "", "a\r", ""]),
  ])
  func linesEndWithLineFeeds(_ text: String, _ expected: [String]) throws {
    let lines = try lines(Array(text.utf8))
    #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
    #expect(lines.map(\.number) == Array(1..<expected.count + 1) && !lines.contains(where: \.isCut))
  }

  /// Lines have lengths around those of the pieces in which they are read.
  @Test func linesAcrossPieceBoundariesAreComplete() throws {
    let lengths = [0, 1, 65_534, 65_535, 65_536, 65_537, 131_071, 200_000, 3]
    let bytes = lengths.flatMap { [UInt8](repeating: 0x61, count: $0) + [0x0A] }
    #expect(try lines(bytes).map(\.bytes.count) == lengths)
    let limited = try lines(bytes, longest: 65_536)
    #expect(limited.map(\.count) == lengths)
    #expect(limited.map(\.bytes.count) == [0, 1, 65_534, 65_535, 65_536, 65_536, 65_536, 65_536, 3])
    #expect(limited.map(\.isCut) == [false, false, false, false, false, true, true, true, false])
  }

  @Test(arguments: ["\n", ""])
  func lineOfMaximumLengthIsComplete(_ end: String) throws {
    for longest in [10, 70_000] {
      for count in [longest - 1, longest, longest + 1] {
        let line = try #require(try lines([UInt8](repeating: 0x62, count: count) + end.utf8, longest: longest).first)
        #expect(line.count == count && line.isCut == (count > longest) && (line.bytes.count == count || line.isCut))
      }
    }
  }

  @Test func overlongLineEndsAtEndOfFile() throws {
    let lines = try lines(Array("a\n".utf8) + [UInt8](repeating: 0x62, count: 1_000_000), longest: 1000)
    #expect(lines.count == 2 && lines[1].count == 1_000_000 && lines[1].isCut && lines[1].number == 2)
  }

  @Test func gzippedLinesAreUnpacked() throws {
    // `tamis\n` by gzip(1)
    let packed = Data(base64Encoded: "H4sIAAAAAAAAAytJzM0s5gIA06yu7wYAAAA=").map(Array.init) ?? []
    #expect(try lines(packed + packed).map { String(decoding: $0.bytes, as: UTF8.self) } == ["tamis", "tamis"])
    var cut = try LineStream(
      {
        try Data(packed.dropLast(9)).write(to: URL(filePath: "\(folder.path)/cut"))
        return try StreamedFile(FilePath("\(folder.path)/cut"))
      }(), longest: 100)
    while cut.next() != nil {}
    #expect(cut.failure != nil, "what is damaged is no end")
  }

  @Test func peekingDoesNotConsumeBeginning() throws {
    try Data("WARC/1.0\n".utf8).write(to: URL(filePath: "\(folder.path)/w"))
    let file = try StreamedFile(FilePath("\(folder.path)/w"))
    #expect(try file.begins(with: Array("WARC/".utf8)) && !file.begins(with: Array("WARD".utf8)))
    var stream = try LineStream(file, longest: 100)
    #expect(stream.next()?.bytes == Array("WARC/1.0".utf8))
    #expect(throws: ReadFailure.self) { try file.makeReader() }
    #expect(throws: ReadFailure.self) { try StreamedFile(FilePath(folder.path)) }
    #expect(throws: ReadFailure.self) { try StreamedFile(FilePath("\(folder.path)/none")) }
  }
}

import Foundation
import TamisCore
import TamisSystem
import TamisLibC
import TestSupport
import Testing

@Suite struct FilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func path(_ name: String) -> FilePath { FilePath("\(folder.path)/\(name)") }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name)"))
  }

  /// `tamis\n` and `sieves\n`, packed by gzip(1), with and without a name in the header.
  private static let first = bytes("H4sIAAAAAAAAAytJzM0s5gIA06yu7wYAAAA=")
  private static let second = bytes("H4sICAAAAAAAA25hbWUAK85MLUst5gIAx4ZK2gcAAAA=")

  /// The first by zstd(1).
  private static let zstd = bytes("KLUv/QRYMQAAdGFtaXMKD5rhOQ==")

  private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }

  private func read(_ name: String) throws -> String {
    var reader = try FileSource(path(name)).makeReader()
    var bytes: [UInt8] = []
    while true {
      let piece = try reader.next()
      if piece.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece
    }
  }

  @Test func gzipDataIsUnpacked() throws {
    try write(Self.first, "one.xml")
    #expect(try read("one.xml") == "tamis\n")
    try write(Self.first + Self.second + [0, 0, 0], "two")
    #expect(try read("two") == "tamis\nsieves\n", "several members, and padding")
    try write(Array("plain".utf8), "plain.gz")
    #expect(try read("plain.gz") == "plain", "a name says nothing")
  }

  @Test(arguments: [1, 9, 12, 20]) func truncatedGzipDataIsReported(_ missing: Int) throws {
    try write(Self.first + Self.second.dropLast(missing), "cut.gz")
    let source = try FileSource(path("cut.gz"))
    #expect(throws: ReadFailure("its gzip data ends too early")) { try read("cut.gz") }
    #expect(
      String(decoding: try source.beginning(100), as: UTF8.self).hasPrefix("tamis\n"), "what came before is there")
  }

  @Test func damagedGzipDataIsReported() throws {
    for (index, name) in [(Self.first.count - 8, "sum"), (11, "data")] {
      var bytes = Self.first
      bytes[index] ^= 0xFF
      try write(bytes, name)
      #expect(throws: ReadFailure("its gzip data is damaged")) { try read(name) }
    }
    try write(Self.first + Array("more".utf8), "behind")
    #expect(throws: ReadFailure("its gzip data is damaged")) { try read("behind") }
  }

  @Test func zstdDataIsUnpacked() throws {
    let bytes = Self.zstd
    try write(bytes + [0, 0] + Self.second + Self.first + [0], "mixed.gz")
    #expect(try read("mixed.gz") == "tamis\nsieves\ntamis\n")
    try write(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1], "damaged")
    #expect(throws: ReadFailure("its zstd data is damaged")) { try read("damaged") }
    for count in 4..<bytes.count {
      try write(Array(bytes.prefix(count)), "short")
      #expect(throws: ReadFailure("its zstd data ends too early"), "\(count)") { try read("short") }
    }
    try write(Array(bytes.prefix(3)), "mark")
    #expect(try FileSource(path("mark")).beginning(9) == Array(bytes.prefix(3)), "too few bytes to tell")
    // A window of 256 MiB.
    try write([0x28, 0xB5, 0x2F, 0xFD, 0, 0x90, 1, 0, 0], "window")
    #expect(throws: ReadFailure("its zstd data needs a window of more than 134217728 bytes")) { try read("window") }
  }

  @Test func largeGzipDataIsUnpacked() throws {
    let plain = path("large").utf8Text ?? ""
    let text = (0..<100_000).map { "\($0)\n" }.joined()
    try Data(text.utf8).write(to: URL(filePath: plain))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", plain]
    try process.run()
    process.waitUntilExit()
    #expect(try read("large.gz") == text)
  }

  @Test func pathDescriptionsEscapeInvalidUTF8() {
    #expect(FilePath("feeds/été.xml").description == "feeds/été.xml")
    #expect(FilePath(bytes: Array("caf".utf8) + [0xE9, 0x2E]).description == "caf\\xE9.")
    #expect(FilePath("caf\\xE9").description == "caf\\\\xE9", "no two paths look the same")
    #expect(FilePath(bytes: [0xC3]).utf8Text == nil && FilePath("a\0b") == "a")
  }

  @Test(arguments: [
    ("/a/b/c.xml", "/a/b", "c.xml"), ("/a/b/c.xml", "/a", "b/c.xml"), ("/a/c.xml", "/a/b", "../c.xml"),
    ("/x.xml", "/a/b", "../../x.xml"), ("/a/b", "/a/b", ""), ("/ab/c", "/a", "../ab/c"), ("/a", "/", "a"),
    ("/a", "/a/b", ".."), ("//a///b//c", "/a/", "b/c"),
  ])
  func relativePathIsFound(_ path: String, _ folder: String, _ way: String) {
    #expect(FilePath(path).path(from: FilePath(folder)) == FilePath(way))
  }

  @Test func absolutePathIsNormalized() throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/a/b", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/l", withDestinationPath: "a/b")
    let absolute = path("a/b/feed").absolute
    for other in ["a//b/./feed", "a/b/../b/feed", "l/feed", "a/b/feed/"] { #expect(path(other).absolute == absolute) }
    #expect(FilePath(".").absolute == FilePath(FileManager.default.currentDirectoryPath).resolved)
    #expect(path("no/such/file").absolute.bytes.suffix(12) == Array("no/such/file".utf8)[...])
  }

  /// File systems have times that no number of nanoseconds reaches.
  @Test(arguments: [
    (1_700_000_000, 1_700_000_000_000_000_000), (-1, -1_000_000_000), (10_413_792_000, Int64.max),
    (-10_413_792_000, Int64.min), (Int.max, Int64.max), (Int.min, Int64.min),
  ])
  func farModificationTimesAreBounded(_ seconds: Int, _ expected: Int64) {
    var status = stat()
    #if canImport(Glibc)
      status.st_mtim.tv_sec = seconds
    #else
      status.st_mtimespec.tv_sec = seconds
    #endif
    #expect(FileStamp.modified(status) == expected)
  }

  @Test func folderWalkFindsFilesInOrder() throws {
    for name in ["b", "b/c", ".git", "e"] {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["b/z", "b/c/y", "a", ".hidden", ".git/x"] { try write([], name) }
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/e/file", withDestinationPath: "../a")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/e/loop", withDestinationPath: "..")
    #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    let odd = FilePath(bytes: Array("\(folder.path)/caf".utf8) + [0xE9])
    let file = try #require(
      odd.bytes.withUnsafeBufferPointer { name in
        var path = name.map { CChar(bitPattern: $0) } + [0]
        return fopen(&path, "w")
      })
    fclose(file)
    let walk = FolderWalk(FilePath(folder.path))
    #expect(walk.paths == ["a", "b/c/y", "b/z"].map(path) + [odd] + ["e/file"].map(path))
    #expect(walk.others == ["e/loop", "pipe"].map(path) && walk.failures.isEmpty)
    #expect(try FileSource(odd).beginning(1).isEmpty)
    #expect(FolderWalk(path("nowhere")).failures.map(\.failure.description) == ["no such file or directory"])
  }
}

import CZlib

/// Writes a zip file one member after another, holding the content of only one member in memory.
///
/// The same members give the same bytes: all have the same time. Files that would need Zip64 are refused
/// (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3).
package final class ZipFile {
  /// The reason why a zip file could not be written.
  package enum Failure: Error, CustomStringConvertible {
    case file(FileFailure)
    /// The file would be larger than 4 GiB or have more than 65,535 members.
    case tooLarge

    package var description: String {
      switch self {
      case .file(let failure): failure.description
      case .tooLarge: "it would be larger than 4 GiB, or have more than 65,535 files in it; choose fewer posts"
      }
    }
  }

  private struct Member {
    var name: [UInt8]
    var checksum: UInt32
    var packed: Int
    var size: Int
    var offset: Int
    var isStored: Bool
  }

  private let draft: DraftFile
  private var members: [Member] = []
  private var names: Set<String> = []
  private var length = 0

  private static let mostMembers = 65_535
  private static let longest = 0xFFFF_FFFF

  /// Creates a file that ``finish()`` moves to its destination.
  ///
  /// - Throws: when the file cannot be created.
  package init(_ path: FilePath) throws(Failure) {
    do { draft = try DraftFile(of: path) } catch { throw .file(error) }
  }

  /// Returns whether there is a member of this name.
  package func has(_ name: String) -> Bool { names.contains(name) }

  /// Adds a member.
  ///
  /// - Parameters:
  ///   - name: the path of the member, with `/` between folders.
  ///   - bytes: the content.
  ///   - isStored: whether the content is stored without compression, for data that is compressed already.
  /// - Throws: when the file would be too large or cannot be written.
  package func add(_ name: String, _ bytes: [UInt8], isStored: Bool = false) throws(Failure) {
    let packed = isStored ? nil : Self.deflated(bytes)
    let data = packed ?? bytes
    let member = Member(
      name: Array(name.utf8), checksum: Self.checksum(bytes), packed: data.count, size: bytes.count, offset: length,
      isStored: packed == nil)
    guard members.count < Self.mostMembers, max(bytes.count, data.count) < Self.longest,
      length + data.count + 2 * member.name.count + 1024 < Self.longest
    else { throw .tooLarge }
    try write(Self.header(of: member) + member.name)
    try write(data)
    members.append(member)
    names.insert(name)
  }

  /// Writes the central directory and moves the file to its destination.
  ///
  /// - Throws: when the file would be too large, or cannot be written or moved.
  package func finish() throws(Failure) {
    let start = length
    for member in members {
      guard length < Self.longest - 1 << 17 else { throw .tooLarge }
      try write(Self.entry(of: member) + member.name)
    }
    let count = UInt16(truncatingIfNeeded: members.count)
    var end = Bytes()
    end.add(0x0605_4B50 as UInt32)
    for number in [0, 0, count, count] { end.add(number) }
    end.add(UInt32(truncatingIfNeeded: length - start))
    end.add(UInt32(truncatingIfNeeded: start))
    end.add(0 as UInt16)
    try write(end.bytes)
    do { try draft.finish() } catch { throw .file(error) }
  }

  private func write(_ bytes: [UInt8]) throws(Failure) {
    do { try draft.add(bytes) } catch { throw .file(error) }
    length += bytes.count
  }

  // MARK: - Format

  /// Integers in little-endian byte order.
  private struct Bytes {
    var bytes: [UInt8] = []

    mutating func add<Number: FixedWidthInteger>(_ number: Number) {
      for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
      }
    }
  }

  private static func header(of member: Member) -> [UInt8] {
    var header = Bytes()
    header.add(0x0403_4B50 as UInt32)
    addCommon(member, &header)
    // No extra field: the first member of an EPUB must have none.
    header.add(0 as UInt16)
    return header.bytes
  }

  private static func entry(of member: Member) -> [UInt8] {
    var entry = Bytes()
    entry.add(0x0201_4B50 as UInt32)
    entry.add(20 as UInt16)
    addCommon(member, &entry)
    // Extra field, comment, disk number and attributes: none.
    for _ in 0..<4 { entry.add(0 as UInt16) }
    entry.add(0 as UInt32)
    entry.add(UInt32(truncatingIfNeeded: member.offset))
    return entry.bytes
  }

  private static func addCommon(_ member: Member, _ output: inout Bytes) {
    output.add(20 as UInt16)
    // Names are UTF-8.
    output.add((member.name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11) as UInt16)
    output.add((member.isStored ? 0 : 8) as UInt16)
    // Midnight of 1 January 1980, the earliest time that the format can express.
    output.add(0 as UInt16)
    output.add(0x21 as UInt16)
    output.add(member.checksum)
    output.add(UInt32(truncatingIfNeeded: member.packed))
    output.add(UInt32(truncatingIfNeeded: member.size))
    output.add(UInt16(truncatingIfNeeded: member.name.count))
  }

  // MARK: - Compression

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt = 0
    var start = 0
    while start < bytes.count {
      let count = min(bytes.count - start, 1 << 30)
      unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe value = crc32(value, buffer.baseAddress.map { unsafe $0 + start }, UInt32(count))
      }
      start += count
    }
    return UInt32(truncatingIfNeeded: value)
  }

  /// The deflated bytes; nil when they are not shorter than the input, or the input has 1 GiB or more.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard !bytes.isEmpty, bytes.count < 1 << 30 else { return nil }
    var stream = unsafe z_stream()
    guard unsafe tamis_raw_deflate_init(&stream) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    var code = Z_OK
    let output = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe stream.next_in = input.baseAddress.map { unsafe UnsafeMutablePointer(mutating: $0) }
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = UInt32(buffer.count)
        code = unsafe deflate(&stream, Z_FINISH)
        count = unsafe buffer.count - Int(stream.avail_out)
      }
    }
    return code == Z_STREAM_END && output.count < bytes.count ? output : nil
  }
}

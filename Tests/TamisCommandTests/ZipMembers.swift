import Foundation
import TamisSystem

/// The members of a zip file, read by its table of contents (APPNOTE.TXT, 4.3.12) and checked by their sums.
struct ZipMembers {
  /// Why a file is no zip file, or is damaged.
  struct Damage: Error {
    let what: String
  }

  /// The names in their order.
  private(set) var names: [String] = []
  /// What each member holds.
  private(set) var contents: [String: [UInt8]] = [:]

  init(_ path: String) throws {
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func number(_ offset: Int, bytes: Int) throws -> Int {
      guard offset >= 0, offset + bytes <= file.count else { throw Damage(what: "nothing at \(offset)") }
      return (0..<bytes).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }
    // The last 22 bytes, since there is no comment: the count of the members, and where the table begins.
    let end = file.count - 22
    guard try number(end, bytes: 4) == 0x0605_4B50 else { throw Damage(what: "no end of a table of contents") }
    var entry = try number(end + 16, bytes: 4)
    for _ in 0..<(try number(end + 10, bytes: 2)) {
      guard try number(entry, bytes: 4) == 0x0201_4B50 else { throw Damage(what: "no entry at \(entry)") }
      let (packed, length) = (try number(entry + 20, bytes: 4), try number(entry + 28, bytes: 2))
      let header = try number(entry + 42, bytes: 4)
      guard try number(header, bytes: 4) == 0x0403_4B50, entry + 46 + length <= end else {
        throw Damage(what: "no member at \(header)")
      }
      let name = String(decoding: file[(entry + 46)..<(entry + 46 + length)], as: UTF8.self)
      let start = header + 30 + length + (try number(header + 28, bytes: 2))
      guard start + packed <= file.count else { throw Damage(what: "\(name) ends behind the file") }
      let isStored = try number(entry + 10, bytes: 2) == 0
      names.append(name)
      contents[name] = try Self.unpacked(
        Array(file[start..<(start + packed)]), isStored: isStored, sums: Array(file[(entry + 16)..<(entry + 20)]),
        size: Array(file[(entry + 24)..<(entry + 28)]), name: name)
      entry += 46 + length
    }
  }

  /// Unpacks a member as one of gzip's, which ends with the same sum and size and is checked by them.
  private static func unpacked(
    _ bytes: [UInt8], isStored: Bool, sums: [UInt8], size: [UInt8], name: String
  ) throws -> [UInt8] {
    var body = bytes
    if isStored {
      guard bytes.count < 1 << 16 else { throw Damage(what: "\(name) is stored and long") }
      // A block that is not packed (RFC 1951, 3.2.4).
      let (low, high) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8))
      body = [1, low, high, ~low, ~high] + bytes
    }
    let packed = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + body + sums + size
    guard let inflater = Inflater(.gzip) else { throw Damage(what: "no memory") }
    var (output, used) = ([UInt8](), 0)
    repeat { output += inflater.inflate(packed, from: &used) } while inflater.hasMore
    guard inflater.isEnded, used == packed.count else { throw Damage(what: "\(name) has another sum") }
    return output
  }
}

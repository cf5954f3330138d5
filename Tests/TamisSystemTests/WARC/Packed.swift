import CZlib
import CZstd
import TamisSystem

/// What packs bytes for the tests.
enum Packed {
  /// A gzip member (RFC 1952).
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let sum = UInt32(crc32(0, bytes, UInt32(bytes.count)))
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + raw(bytes) + little(sum) + little(UInt32(bytes.count))
  }

  /// zlib's format (RFC 1950).
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(UInt(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(length))
    guard compress2(&output, &length, bytes, UInt(bytes.count), 6) == Z_OK else { return [] }
    return Array(output[..<Int(length)])
  }

  /// Without anything around it (RFC 1951).
  static func raw(_ bytes: [UInt8]) -> [UInt8] { Array(zlib(bytes).dropFirst(2).dropLast(4)) }

  /// A zstd frame with a checksum (RFC 8878), packed with a dictionary if one is given.
  static func zstd(_ bytes: [UInt8], dictionary: [UInt8] = [], windowLog: Int32 = 0) -> [UInt8] {
    let context = ZSTD_createCCtx()
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    // Without a length, as streams are written, the window stands in the header.
    if windowLog > 0 { ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog) }
    ZSTD_CCtx_loadDictionary(context, dictionary, dictionary.count)
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count) + 64)
    let length = output.withUnsafeMutableBytes { room in
      bytes.withUnsafeBytes { content in
        var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        var source = ZSTD_inBuffer(src: content.baseAddress, size: content.count, pos: 0)
        // The first call is what hides the length from the choice of the window.
        if windowLog > 0 { ZSTD_compressStream2(context, &target, &source, ZSTD_e_continue) }
        ZSTD_compressStream2(context, &target, &source, ZSTD_e_end)
        return target.pos
      }
    }
    return Array(output[..<length])
  }

  /// A dictionary of zstd's for what is like the samples (RFC 8878, section 5).
  static func dictionary(for samples: [[UInt8]]) -> [UInt8] {
    var dictionary = [UInt8](repeating: 0, count: 4096)
    let length = ZDICT_trainFromBuffer(
      &dictionary, dictionary.count, Array(samples.joined()), samples.map(\.count), UInt32(samples.count))
    return ZDICT_isError(length) == 0 ? Array(dictionary[..<length]) : []
  }

  /// A frame that zstd skips (RFC 8878, section 3.1.2).
  static func skippable(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [0x50 + number, 0x2A, 0x4D, 0x18] + little(UInt32(bytes.count)) + bytes
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// The bytes that a text describes.
  ///
  /// The text may have `\n`, `\r`, `\0`, `\x1F` and `\\`, and, one in the other, `{gzip:…}`, `{zlib:…}`,
  /// `{raw:…}`, `{zstd:…}`, `{times 100:…}` and `{chunk:…}`.
  static func bytes(_ text: some StringProtocol) -> [UInt8] {
    var rest = Array(text.utf8)[...]
    return bytes(&rest)
  }

  private static func bytes(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "}") {
      switch byte {
      case UInt8(ascii: "\\"): output.append(escape(&rest))
      case UInt8(ascii: "{"):
        let name = String(decoding: rest.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        rest = rest.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        output += apply(name, bytes(&rest))
      default: output.append(byte)
      }
    }
    return output
  }

  private static func apply(_ name: String, _ inner: [UInt8]) -> [UInt8] {
    switch name {
    case "gzip": gzip(inner)
    case "zlib": zlib(inner)
    case "raw": raw(inner)
    case "zstd": Packer().pack(inner)
    case "chunk": Array(String(inner.count, radix: 16).utf8) + [13, 10] + inner + [13, 10]
    default: Array(repeatElement(inner, count: Int(name.dropFirst(6)) ?? 0).joined())
    }
  }

  private static func escape(_ rest: inout ArraySlice<UInt8>) -> UInt8 {
    switch rest.popFirst() {
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "0"): return 0
    case UInt8(ascii: "x"):
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      rest = rest.dropFirst(2)
      return UInt8(digits, radix: 16) ?? 0
    case let other: return other ?? 0
    }
  }
}

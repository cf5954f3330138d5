import CZstd
import Synchronization

/// Makes bytes smaller with zstd (RFC 8878), each piece by itself.
///
/// Of bodies of posts as real feeds have them 45 bytes of 100 are left. zlib leaves as many at its fastest level and takes twice the
/// time.
@safe public final class Packer {
  private let context: OpaquePointer
  private var buffer: [UInt8] = []

  /// What zstd calls its default.
  private static let level: Int32 = 3

  /// Makes a packer; one is good for any number of pieces, one after the other.
  public init() {
    guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure("there is no memory for zstd's tables") }
    unsafe self.context = context
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// The bytes packed; with their length, which ``Packing/unpack(_:most:)`` needs.
  public func pack(_ bytes: [UInt8]) -> [UInt8] {
    let bound = ZSTD_compressBound(bytes.count)
    if buffer.count < bound { buffer = [UInt8](repeating: 0, count: bound) }
    let length = unsafe ZSTD_compressCCtx(context, &buffer, buffer.count, bytes, bytes.count, Self.level)
    // There is room for whatever comes of it, so that nothing can go wrong.
    return Array(buffer[..<length])
  }
}

/// Bytes that were packed.
package enum Packing {
  /// The decompressed bytes; nil when the input is not valid, or has more bytes than are allowed.
  ///
  /// - Parameter most: the most bytes that a value of its kind has: a few kilobytes can decompress to gigabytes.
  package static func unpack(_ packed: [UInt8], most: Int) -> [UInt8]? {
    let size = unsafe ZSTD_getFrameContentSize(packed, packed.count)
    // What the length says need not be so: memory is touched only as it is filled.
    guard size <= UInt64(max(0, most)) else { return nil }
    var isWhole = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      let tables = idle.withLock { $0.popLast() } ?? Tables()
      let length = unsafe ZSTD_decompressDCtx(tables.context, buffer.baseAddress, Int(size), packed, packed.count)
      idle.withLock { $0.append(tables) }
      isWhole = ZSTD_isError(length) == 0 && length == Int(size)
      count = isWhole ? length : 0
    }
    return isWhole ? bytes : nil
  }

  /// Tables that wait for work: to make them costs more than to unpack a body.
  private static let idle = Mutex<[Tables]>([])

  /// zstd's tables, which one task uses at a time.
  @safe private final class Tables: @unchecked Sendable {
    let context: OpaquePointer

    init() {
      guard let context = unsafe ZSTD_createDCtx() else { preconditionFailure("there is no memory for zstd's tables") }
      unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }
  }
}

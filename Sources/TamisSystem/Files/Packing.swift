import CZstd
import Synchronization

/// Compresses bytes with zstd (RFC 8878), each piece by itself.
///
/// Bodies of posts of real feeds shrink to 46 % of their size. zlib reaches the same at its fastest level but takes
/// twice the time.
@safe package final class Packer {
  private let context: OpaquePointer
  private var buffer: [UInt8] = []

  /// The level of zstd.
  ///
  /// Level 3, the default, takes a quarter more time and makes pieces smaller by 1 %. Negative levels are faster, and
  /// save a third less.
  private static let level: Int32 = 1

  /// Creates a packer, which can compress any number of pieces, one after another.
  package init() {
    guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure("there is no memory for zstd's tables") }
    unsafe self.context = context
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// Returns the compressed bytes, including their original length, which ``Packing/unpack(_:most:)`` needs.
  package func pack(_ bytes: [UInt8]) -> [UInt8] {
    let bound = ZSTD_compressBound(bytes.count)
    if buffer.count < bound { buffer = [UInt8](repeating: 0, count: bound) }
    let length = unsafe ZSTD_compressCCtx(context, &buffer, buffer.count, bytes, bytes.count, Self.level)
    // The buffer has room for any result, so that compression cannot fail.
    return Array(buffer[..<length])
  }
}

/// Decompression of the output of a ``Packer``.
package enum Packing {
  /// Returns the decompressed bytes; nil when the input is not valid, or has more bytes than allowed.
  ///
  /// - Parameters:
  ///   - packed: the compressed bytes.
  ///   - most: the largest size of a value of its kind in bytes, since a few kilobytes can decompress to gigabytes.
  /// - Returns: the whole of the decompressed bytes; nil when they cannot be had.
  package static func unpack(_ packed: [UInt8], most: Int) -> [UInt8]? {
    let size = unsafe ZSTD_getFrameContentSize(packed, packed.count)
    // The stated length may be wrong: memory is touched only as it is filled.
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

  /// Idle tables, kept because creating them costs more than decompressing a body.
  private static let idle = Mutex<[Tables]>([])

  /// The tables of zstd, used by one task at a time.
  @safe private final class Tables: @unchecked Sendable {
    let context: OpaquePointer

    init() {
      guard let context = unsafe ZSTD_createDCtx() else { preconditionFailure("there is no memory for zstd's tables") }
      unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }
  }
}

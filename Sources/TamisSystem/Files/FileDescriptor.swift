import TamisLibC

/// A POSIX file descriptor that its opener has to close.
package struct FileDescriptor: Sendable {
  private let number: Int32

  /// Wraps an open file descriptor.
  package init(_ number: Int32) { self.number = number }

  /// Writes all bytes.
  ///
  /// - Returns: 0 for success, otherwise an `errno`.
  package func write(_ bytes: [UInt8]) -> Int32 {
    unsafe bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = unsafe Self.systemWrite(number, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return errno }
        offset += count
      }
      return 0
    }
  }

  /// Reads up to `most` bytes, fewer only at the end of the file.
  ///
  /// - Throws: when the file cannot be read.
  package func read(most: Int) throws(FileFailure) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      while count < most {
        let got = unsafe Self.systemRead(number, buffer.baseAddress?.advanced(by: count), most - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        count += got
      }
    }
    if failure != 0 { throw FileFailure(failure) }
    return bytes
  }

  #if canImport(Glibc)
    private static let systemRead = unsafe Glibc.read
    private static let systemWrite = unsafe Glibc.write
  #else
    private static let systemRead = unsafe Darwin.read
    private static let systemWrite = unsafe Darwin.write
  #endif
}

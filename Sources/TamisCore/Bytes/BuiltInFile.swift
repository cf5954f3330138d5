package import CBuiltInFiles

extension [UInt8] {
  /// Copies a file that is part of the program.
  package init(_ file: tamis_file) {
    self = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

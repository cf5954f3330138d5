import CLibXML2
import TamisCore

/// Conversion of NUL-terminated text of libxml2.
enum CText {
  /// Returns the length in bytes, without the terminator.
  static func length(_ pointer: UnsafePointer<UInt8>) -> Int {
    unsafe Int(xmlStrlen(pointer))
  }

  /// Returns a copy as a string; empty for a null pointer.
  static func string(_ pointer: UnsafePointer<UInt8>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(streamSafe: UnsafeBufferPointer(start: pointer, count: length(pointer)))
  }
}

import CLibXML2

/// libxml2's zero-terminated text as Swift sees it.
enum CText {
  /// Length in bytes, the terminator left out.
  static func length(_ pointer: UnsafePointer<UInt8>) -> Int {
    unsafe Int(xmlStrlen(pointer))
  }

  /// A copy as a string; empty for a null pointer.
  static func string(_ pointer: UnsafePointer<UInt8>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(decoding: UnsafeBufferPointer(start: pointer, count: length(pointer)), as: UTF8.self)
  }
}

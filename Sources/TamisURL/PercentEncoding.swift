/// Percent-encoding and decoding of byte sequences (section 1.3 of the standard).
enum PercentEncoding {
  private static let upperHex = Array("0123456789ABCDEF".utf8)

  /// Appends `bytes`, with the members of `set` as `%XX`.
  static func append(_ bytes: ArraySlice<UInt8>, encoding set: ByteClass, to output: inout [UInt8]) {
    let table = ByteClass.table
    output.reserveCapacity(output.count + bytes.count)
    for byte in bytes {
      if table[Int(byte)] & set.rawValue == 0 { output.append(byte) } else { appendEncoded(byte, to: &output) }
    }
  }

  /// Appends one byte as `%XX`, in uppercase.
  static func appendEncoded(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(URLByte.percent)
    output.append(upperHex[Int(byte >> 4)])
    output.append(upperHex[Int(byte & 15)])
  }
}

import CEncoding

/// Guesses the encoding of text from the text alone, by uchardet.
package enum EncodingDetector {
  /// The name of the encoding that the bytes look like, nil when they look like none.
  package static func detect(_ bytes: [UInt8]) -> String? {
    guard let detector = unsafe uchardet_new() else { return nil }
    defer { unsafe uchardet_delete(detector) }
    let status = unsafe bytes.withUnsafeBytes { raw in
      unsafe uchardet_handle_data(detector, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
    }
    guard status == 0 else { return nil }
    unsafe uchardet_data_end(detector)
    guard let name = unsafe uchardet_get_charset(detector) else { return nil }
    let text = unsafe String(cString: name)
    return text.isEmpty ? nil : spellings[text] ?? text
  }

  /// The spelling of chardet, which Universal Feed Parser uses, where uchardet has another.
  private static let spellings = [
    "BIG5": "Big5", "GB18030": "GB2312", "WINDOWS-1255": "windows-1255", "WINDOWS-1252": "windows-1252",
    "WINDOWS-1251": "windows-1251", "ASCII": "ascii",
  ]
}

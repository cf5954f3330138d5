import CEncoding

/// Guesses the encoding of text from its bytes, with uchardet.
@safe package final class EncodingDetector {
  private let detector: uchardet_t

  /// Creates a detector; nil when there is no memory for it.
  package init?() {
    guard let detector = unsafe uchardet_new() else { return nil }
    unsafe self.detector = unsafe detector
  }

  deinit { unsafe uchardet_delete(detector) }

  /// Analyzes the next piece of the text.
  package func add(_ bytes: [UInt8]) {
    _ = unsafe bytes.withUnsafeBytes { raw in
      unsafe uchardet_handle_data(detector, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
    }
  }

  /// Returns the name of the most likely encoding; nil when there is none.
  package func finish() -> String? {
    unsafe uchardet_data_end(detector)
    guard let name = unsafe uchardet_get_charset(detector) else { return nil }
    let text = unsafe String(cString: name)
    return text.isEmpty ? nil : Self.spellings[text] ?? text
  }

  /// The spellings of chardet, which Universal Feed Parser uses, where those of uchardet differ.
  private static let spellings = [
    "BIG5": "Big5", "GB18030": "GB2312", "WINDOWS-1255": "windows-1255", "WINDOWS-1252": "windows-1252",
    "WINDOWS-1251": "windows-1251", "ASCII": "ascii",
  ]
}

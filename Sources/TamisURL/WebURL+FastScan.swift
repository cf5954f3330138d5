/// The scans of the fast path. Each returns nil, or false, as soon as a byte is not certain to be kept as it is.
extension WebURL {
  /// The scheme of an input that begins with `http://` or `https://`, in lowercase.
  static func plainScheme(_ input: Span<UInt8>) -> Scheme? {
    guard input.count > 7, input[0] == UInt8(ascii: "h"), input[1] == UInt8(ascii: "t"), input[2] == input[1],
      input[3] == UInt8(ascii: "p")
    else { return nil }
    let isSecure = input[4] == UInt8(ascii: "s")
    let colon = isSecure ? 5 : 4
    guard input[colon] == ASCII.colon, input[colon + 1] == ASCII.slash, input[colon + 2] == ASCII.slash else {
      return nil
    }
    return isSecure ? .https : .http
  }

  /// The end of a host of lowercase letters, digits, dots and hyphens that is no IPv4 address and needs no IDNA.
  static func plainHostEnd(_ input: Span<UInt8>, from start: Int) -> Int? {
    let table = ByteClass.table
    var index = start
    var labelStart = start
    while index < input.count, table[Int(input[index])] & ByteClass.plainHost.rawValue != 0 {
      if input[index] == ASCII.dot { labelStart = index + 1 }
      // The fourth byte of "xn--"; other hyphens there are rare enough to go the long way.
      if input[index] == ASCII.hyphen, index == labelStart + 3 { return nil }
      index += 1
    }
    // An IPv4 address has a last label that begins with a digit.
    guard labelStart < index, !input[labelStart].isASCIIDigit else { return nil }
    return index
  }

  /// Where a path without dot segments ends, and where the query after it does.
  static func plainPathEnds(_ input: Span<UInt8>, from start: Int) -> (path: Int, query: Int)? {
    let table = ByteClass.table
    var index = start
    while index < input.count {
      let byte = input[index]
      if table[Int(byte)] & ByteClass.pathStop.rawValue != 0 {
        if byte == ASCII.question || byte == ASCII.hash { break }
        guard byte == ASCII.slash else { return nil }
        if index + 1 < input.count, mayBeginDotSegment(input[index + 1]) { return nil }
        // At the very start, two slashes are a host of their own.
        if index == 0, input.count > 1, input[1] == ASCII.slash || input[1] == ASCII.backslash { return nil }
      }
      index += 1
    }
    let path = index
    if index < input.count, input[index] == ASCII.question {
      while index < input.count, input[index] != ASCII.hash {
        guard table[Int(input[index])] & ByteClass.specialQuery.rawValue == 0 else { return nil }
        index += 1
      }
    }
    let query = index
    index += 1
    while index < input.count {
      guard table[Int(input[index])] & ByteClass.fragment.rawValue == 0 else { return nil }
      index += 1
    }
    return (path, query)
  }

  /// Whether a relative reference begins with a path segment that is no scheme and no dot segment.
  static func startsWithPlainSegment(_ input: Span<UInt8>) -> Bool {
    guard !mayBeginDotSegment(input[0]) else { return false }
    for index in input.indices {
      switch input[index] {
      case ASCII.colon: return false
      case ASCII.slash, ASCII.question, ASCII.hash: return true
      default: continue
      }
    }
    return true
  }

  private static func mayBeginDotSegment(_ byte: UInt8) -> Bool { byte == ASCII.dot || byte == ASCII.percent }
}

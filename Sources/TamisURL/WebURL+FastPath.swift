extension WebURL {
  /// The two schemes of the web.
  package enum WebScheme {
    case http, https
  }

  /// Returns the scheme of an absolute http(s) URL that is its own serialization; nil for anything that may not be one.
  package static func plainWebAddress(_ input: borrowing Span<UInt8>) -> WebScheme? {
    guard input.count <= 1 << 16, let scheme = plainScheme(input) else { return nil }
    guard let hostEnd = plainHostEnd(input, from: scheme == .https ? 8 : 7), hostEnd < input.count,
      input[hostEnd] == URLByte.slash, plainPathEnds(input, from: hostEnd) != nil
    else { return nil }
    return scheme == .https ? .https : .http
  }

  /// Parses the two most common kinds of input, without the state machine and with a single allocation.
  ///
  /// They are an absolute http(s) URL that is its own serialization, and a relative reference to a plain path against
  /// an http(s) base. Nil means that the input is neither, not that it is invalid: anything unusual is left to
  /// ``URLParser``.
  package init?(canonical input: Span<UInt8>, base: WebURL?) {
    guard input.count > 1, input.count <= 1 << 16 else { return nil }
    if let scheme = Self.plainScheme(input) {
      self.init(absolute: input, scheme: scheme)
    } else if let base, base.utf8.count <= 1 << 16, base.layout.scheme == .https || base.layout.scheme == .http {
      self.init(relative: input, base: base)
    } else {
      return nil
    }
  }

  private init?(absolute input: Span<UInt8>, scheme: Scheme) {
    var layout = Layout(scheme: scheme)
    layout.schemeEnd = scheme == .https ? 5 : 4
    let hostStart = Int(layout.schemeEnd) + 3
    guard let hostEnd = Self.plainHostEnd(input, from: hostStart) else { return nil }
    let isBare = hostEnd == input.count
    guard isBare || input[hostEnd] == URLByte.slash else { return nil }
    guard let ends = Self.plainPathEnds(input, from: hostEnd) else { return nil }
    layout.hostStart = UInt32(hostStart)
    layout.hostEnd = UInt32(hostEnd)
    layout.authorityEnd = layout.hostEnd
    layout.pathStart = layout.hostEnd
    layout.queryStart = UInt32(ends.path + (isBare ? 1 : 0))
    layout.fragmentStart = UInt32(ends.query + (isBare ? 1 : 0))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(input.count + (isBare ? 1 : 0))
    bytes.append(copying: input)
    if isBare { bytes.append(URLByte.slash) }
    self.init(utf8: bytes, layout: layout)
  }

  private init?(relative input: Span<UInt8>, base: WebURL) {
    var layout = base.layout
    let kept: Int
    switch input[0] {
    case URLByte.slash:
      kept = Int(layout.pathStart)
    case URLByte.question:
      kept = Int(layout.queryStart)
    case URLByte.hash:
      kept = Int(layout.fragmentStart)
    default:
      guard Self.startsWithPlainSegment(input) else { return nil }
      guard let slash = base.utf8[..<Int(layout.queryStart)].lastIndex(of: URLByte.slash) else { return nil }
      kept = slash + 1
    }
    guard let ends = Self.plainPathEnds(input, from: 0) else { return nil }
    if kept <= Int(layout.queryStart) { layout.queryStart = UInt32(kept + ends.path) }
    if kept <= Int(layout.fragmentStart) { layout.fragmentStart = UInt32(kept + ends.query) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(kept + input.count)
    bytes.append(contentsOf: base.utf8[..<kept])
    bytes.append(copying: input)
    self.init(utf8: bytes, layout: layout)
  }
}

extension [UInt8] {
  fileprivate mutating func append(copying span: Span<UInt8>) {
    span.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}

/// The scans of the fast path.
///
/// Each returns nil or false as soon as a byte may not be kept as it is.
extension WebURL {
  /// Returns the scheme of an input that begins with `http://` or `https://`, in lowercase.
  private static func plainScheme(_ input: Span<UInt8>) -> Scheme? {
    guard input.count > 7, input[0] == UInt8(ascii: "h"), input[1] == UInt8(ascii: "t"), input[2] == input[1],
      input[3] == UInt8(ascii: "p")
    else { return nil }
    let isSecure = input[4] == UInt8(ascii: "s")
    let colon = isSecure ? 5 : 4
    guard input[colon] == URLByte.colon, input[colon + 1] == URLByte.slash, input[colon + 2] == URLByte.slash else {
      return nil
    }
    return isSecure ? .https : .http
  }

  /// Returns the end of a host of lowercase letters, digits, dots and hyphens that is not an IPv4 address and needs no
  /// IDNA.
  private static func plainHostEnd(_ input: Span<UInt8>, from start: Int) -> Int? {
    let table = ByteClass.table
    var index = start
    var labelStart = start
    while index < input.count, table[Int(input[index])] & ByteClass.plainHost.rawValue != 0 {
      if input[index] == URLByte.dot { labelStart = index + 1 }
      // The fourth byte of "xn--"; other hyphens there are rare enough to be left to the full parser.
      if input[index] == URLByte.hyphen, index == labelStart + 3 { return nil }
      index += 1
    }
    // The last label of an IPv4 address begins with a digit.
    guard labelStart < index, !input[labelStart].isASCIIDigit else { return nil }
    return index
  }

  /// Returns the ends of a path without dot segments and of the query after it.
  private static func plainPathEnds(_ input: Span<UInt8>, from start: Int) -> (path: Int, query: Int)? {
    let table = ByteClass.table
    var index = start
    while index < input.count {
      let byte = input[index]
      if table[Int(byte)] & ByteClass.pathStop.rawValue != 0 {
        if byte == URLByte.question || byte == URLByte.hash { break }
        guard byte == URLByte.slash else { return nil }
        if index + 1 < input.count, mayBeginDotSegment(input[index + 1]) { return nil }
        // Two slashes at the very start introduce a host.
        if index == 0, input.count > 1, input[1] == URLByte.slash || input[1] == URLByte.backslash { return nil }
      }
      index += 1
    }
    let path = index
    if index < input.count, input[index] == URLByte.question {
      while index < input.count, input[index] != URLByte.hash {
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

  /// Whether a relative reference begins with a path segment that is neither a scheme nor a dot segment.
  private static func startsWithPlainSegment(_ input: Span<UInt8>) -> Bool {
    guard !mayBeginDotSegment(input[0]) else { return false }
    for index in input.indices {
      switch input[index] {
      case URLByte.colon: return false
      case URLByte.slash, URLByte.question, URLByte.hash: return true
      default: continue
      }
    }
    return true
  }

  private static func mayBeginDotSegment(_ byte: UInt8) -> Bool { byte == URLByte.dot || byte == URLByte.percent }
}

extension WebURL {
  /// The two schemes of the web.
  package enum WebScheme {
    case http, https
  }

  /// The scheme of an absolute http(s) URL that is its own serialization; nil for all that is not certain to be one.
  package static func plainWebAddress(_ input: borrowing Span<UInt8>) -> WebScheme? {
    guard input.count <= 1 << 16, let scheme = plainScheme(input) else { return nil }
    guard let hostEnd = plainHostEnd(input, from: scheme == .https ? 8 : 7), hostEnd < input.count,
      input[hostEnd] == ASCII.slash, plainPathEnds(input, from: hostEnd) != nil
    else { return nil }
    return scheme == .https ? .https : .http
  }

  /// The two inputs that nearly every page is made of, without the state machine and with a single allocation.
  ///
  /// They are an absolute http(s) URL that is its own serialization, and a relative reference to a plain path against
  /// an http(s) base. Nil means "not one of these", never failure: anything unusual is left to ``URLParser``.
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
    guard isBare || input[hostEnd] == ASCII.slash else { return nil }
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
    if isBare { bytes.append(ASCII.slash) }
    self.init(utf8: bytes, layout: layout)
  }

  private init?(relative input: Span<UInt8>, base: WebURL) {
    var layout = base.layout
    let kept: Int
    switch input[0] {
    case ASCII.slash:
      kept = Int(layout.pathStart)
    case ASCII.question:
      kept = Int(layout.queryStart)
    case ASCII.hash:
      kept = Int(layout.fragmentStart)
    default:
      guard Self.startsWithPlainSegment(input) else { return nil }
      guard let slash = base.utf8[..<Int(layout.queryStart)].lastIndex(of: ASCII.slash) else { return nil }
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

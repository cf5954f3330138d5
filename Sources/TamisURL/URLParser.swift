/// The basic URL parser (section 4.4): the standard's state machine, one function per group of states.
///
/// Each function takes the position in the input where its state begins and writes to `output`, which is always a
/// prefix of the serialization. Functions that return a Bool return false for the standard's failure.
struct URLParser {
  /// The input without leading and trailing C0 controls and spaces, and without tabs and newlines.
  let input: [UInt8]
  let base: WebURL?
  var output: [UInt8] = []
  var layout = WebURL.Layout(scheme: .other)

  var scheme: Scheme { layout.scheme }

  /// The offset of the next byte of output.
  var offset: UInt32 { UInt32(truncatingIfNeeded: output.count) }

  init(_ input: Span<UInt8>, base: WebURL?) {
    self.input = Self.cleaned(input)
    self.base = base
    output.reserveCapacity(self.input.count + 16)
  }

  /// "Scheme start state", "scheme state" and "no scheme state".
  fileprivate mutating func parse() -> Bool {
    if let colon = schemeColon {
      output.append(contentsOf: input[..<colon].lazy.map(\.asciiLowercased))
      endScheme()
      return parse(afterScheme: colon + 1)
    }
    guard let base else { return false }
    layout = base.layout
    if base.hasOpaquePath {
      guard input.first == URLByte.hash else { return false }
      return parseReference(from: 0)
    }
    return scheme == .file ? parseFile(from: 0) : parseRelative(from: 0)
  }

  /// Records the scheme, of which the output now consists, and appends its colon.
  fileprivate mutating func endScheme() {
    layout = WebURL.Layout(scheme: Scheme(output[...]))
    layout.schemeEnd = offset
    output.append(URLByte.colon)
    layout.hostStart = offset
    layout.hostEnd = offset
    layout.authorityEnd = offset
    layout.pathStart = offset
  }

  /// The rest of "scheme state", "special relative or authority state", "special authority slashes state" and
  /// "path or authority state".
  fileprivate mutating func parse(afterScheme start: Int) -> Bool {
    if scheme == .file { return parseFile(from: start) }
    if scheme.isSpecial {
      // "https:a" is a path if the base has the same scheme, and a host otherwise.
      if base?.layout.scheme == scheme { return parseRelative(from: start) }
      return parseAuthority(from: skippingSlashes(start))
    }
    if isSlash(at: start), isSlash(at: start + 1) { return parseAuthority(from: start + 2) }
    if isSlash(at: start) {
      parseTail(from: parseSegments(from: start + 1))
    } else {
      parseTail(from: parseOpaquePath(from: start))
    }
    return true
  }

  /// The position of the colon that ends the scheme; nil when the input has no scheme.
  fileprivate var schemeColon: Int? {
    guard input.first?.isASCIIAlpha == true else { return nil }
    let end = input.firstIndex { byte in
      let inScheme = byte.isASCIIAlpha || byte.isASCIIDigit
      return !inScheme && byte != URLByte.plus && byte != URLByte.hyphen && byte != URLByte.dot
    }
    guard let end, input[end] == URLByte.colon else { return nil }
    return end
  }

  /// Whether there is a path separator at an index: `/`, and `\` as well for a special scheme.
  fileprivate func isSlash(at index: Int) -> Bool {
    guard index < input.count else { return false }
    return input[index] == URLByte.slash || (input[index] == URLByte.backslash && scheme.isSpecial)
  }

  /// "Special authority ignore slashes state": any number of slashes of both kinds.
  private func skippingSlashes(_ start: Int) -> Int {
    var index = start
    while isSlash(at: index) { index += 1 }
    return index
  }

  /// Returns the input after the cleanup that precedes the first state.
  private static func cleaned(_ span: Span<UInt8>) -> [UInt8] {
    var start = 0
    var end = span.count
    while start < end, span[start] <= URLByte.space { start += 1 }
    while end > start, span[end - 1] <= URLByte.space { end -= 1 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end - start)
    var highBits: UInt8 = 0
    for index in start..<end {
      highBits |= span[index]
      bytes.append(span[index])
    }
    // Decoding comes first: removing a tab inside a broken sequence must not repair it.
    if highBits >= 0x80 { bytes = Array(String(decoding: bytes, as: UTF8.self).utf8) }
    bytes.removeAll(where: \.isTabOrNewline)
    return bytes
  }
}

extension WebURL {
  /// Returns whether an input has another meaning with a base of its own scheme than without one.
  ///
  /// `https:a` and `https:/a` are paths with such a base, and hosts otherwise (section 4.4, "special relative or
  /// authority state"). Such an input should not be passed on as it is: only its serialization is unambiguous.
  package static func isRelativeToItsScheme(_ input: Span<UInt8>) -> Bool {
    var parser = URLParser(input, base: nil)
    guard let colon = parser.schemeColon else { return false }
    parser.output = parser.input[..<colon].map(\.asciiLowercased)
    parser.endScheme()
    return parser.scheme.isSpecial && !(parser.isSlash(at: colon + 1) && parser.isSlash(at: colon + 2))
  }

  /// Parses an input with the full parser, without the fast paths.
  package init?(parsing input: Span<UInt8>, base: WebURL?) {
    guard input.count <= Self.maximumLength - (base?.utf8.count ?? 0) else { return nil }
    var parser = URLParser(input, base: base)
    guard parser.parse() else { return nil }
    self.init(utf8: parser.output, layout: parser.layout)
  }
}

extension URLParser {
  /// "Relative state" and "relative slash state"; the base has a path to resolve against.
  private mutating func parseRelative(from start: Int) -> Bool {
    guard let base else { return false }
    layout = base.layout
    guard isSlash(at: start) else { return parseReference(from: start) }
    guard isSlash(at: start + 1) else {
      copyAuthority(of: base)
      parseTail(from: parseSegments(from: start + 1))
      return true
    }
    output = Array(base.utf8[..<Int(base.layout.schemeEnd)])
    endScheme()
    return parseAuthority(from: scheme.isSpecial ? skippingSlashes(start) : start + 2)
  }

  /// The end of "relative state" and "file state": what the reference omits is taken from the base.
  private mutating func parseReference(from start: Int) -> Bool {
    guard let base else { return false }
    guard start < input.count, input[start] != URLByte.hash else {
      copy(base, upTo: base.layout.fragmentStart)
      parseFragment(from: start)
      return true
    }
    copy(base, upTo: base.layout.queryStart)
    if input[start] == URLByte.question {
      parseTail(from: start)
      return true
    }
    // The "/." that keeps a path from looking like a host is put back at the end, if the new path needs it.
    output.removeSubrange(Int(layout.authorityEnd)..<Int(layout.pathStart))
    layout.pathStart = layout.authorityEnd
    if scheme == .file, startsWithDriveLetter(at: start) {
      output.removeSubrange(Int(layout.pathStart)...)
    } else {
      shortenPath()
    }
    parseTail(from: parseSegments(from: start))
    return true
  }

  /// Starts the output with the base's scheme, credentials, host and port.
  private mutating func copyAuthority(of base: WebURL) {
    copy(base, upTo: base.layout.authorityEnd)
    layout.pathStart = layout.authorityEnd
  }

  private mutating func copy(_ base: WebURL, upTo end: UInt32) {
    layout = base.layout
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(Int(end) + input.count)
    output.append(contentsOf: base.utf8[..<Int(end)])
  }
}

extension URLParser {
  /// "Authority state", "host state" and "port state"; the output ends with the scheme's colon.
  private mutating func parseAuthority(from start: Int) -> Bool {
    let end = endOfSegment(from: start)
    output.append(URLByte.slash)
    output.append(URLByte.slash)
    var hostStart = start
    // Only the last "@" ends the credentials: browsers go to evil.example for "http://a@b@evil.example".
    if let at = input[start..<end].lastIndex(of: URLByte.at) {
      hostStart = at + 1
      guard hostStart < end else { return false }
      appendCredentials(input[start..<at])
    }
    guard parseHostAndPort(hostStart..<end) else { return false }
    parseTail(from: parsePathStart(from: end))
    return true
  }

  private mutating func appendCredentials(_ credentials: ArraySlice<UInt8>) {
    let colon = credentials.firstIndex(of: URLByte.colon) ?? credentials.endIndex
    let password = credentials[colon...].dropFirst()
    PercentEncoding.append(credentials[..<colon], encoding: .userinfo, to: &output)
    if !password.isEmpty {
      output.append(URLByte.colon)
      PercentEncoding.append(password, encoding: .userinfo, to: &output)
    }
    if colon > credentials.startIndex || !password.isEmpty { output.append(URLByte.at) }
  }

  private mutating func parseHostAndPort(_ range: Range<Int>) -> Bool {
    let hostEnd = endOfHost(in: range)
    let host = input[range.lowerBound..<hostEnd]
    if host.isEmpty, scheme.isSpecial || hostEnd < range.upperBound { return false }
    let hostStart = offset
    guard Host.append(host, isSpecial: scheme.isSpecial, to: &output) else { return false }
    endHost(startingAt: hostStart)
    guard appendPort(input[hostEnd..<range.upperBound].dropFirst()) else { return false }
    endAuthority()
    return true
  }

  /// The position of the colon before the port, which is the first one outside brackets, or the end.
  private func endOfHost(in range: Range<Int>) -> Int {
    var insideBrackets = false
    for index in range {
      switch input[index] {
      case URLByte.leftBracket: insideBrackets = true
      case URLByte.rightBracket: insideBrackets = false
      case URLByte.colon where !insideBrackets: return index
      default: break
      }
    }
    return range.upperBound
  }

  private mutating func appendPort(_ digits: ArraySlice<UInt8>) -> Bool {
    var port: UInt32 = 0
    for byte in digits {
      guard byte.isASCIIDigit else { return false }
      port = port * 10 + UInt32(byte - URLByte.zero)
      guard port <= 65535 else { return false }
    }
    if !digits.isEmpty, UInt16(port) != scheme.defaultPort {
      output.append(URLByte.colon)
      output.append(contentsOf: String(port).utf8)
    }
    return true
  }

  /// Records the output from `start` on as the host.
  private mutating func endHost(startingAt start: UInt32) {
    layout.hostStart = start
    layout.hostEnd = offset
  }

  /// Records that the authority is complete and the path begins.
  private mutating func endAuthority() {
    layout.authorityEnd = offset
    layout.pathStart = offset
  }
}

extension URLParser {
  /// "Path start state"; returns where the path ends in the input.
  private mutating func parsePathStart(from start: Int) -> Int {
    if isSlash(at: start) { return parseSegments(from: start + 1) }
    return scheme.isSpecial ? parseSegments(from: start) : endPath(at: start)
  }

  /// "Path state", entered after a slash or after the directory of the base; returns where the path ends.
  private mutating func parseSegments(from start: Int) -> Int {
    var index = start
    while true {
      let end = endOfSegment(from: index)
      let isLast = !isSlash(at: end)
      appendSegment(input[index..<end], isLast: isLast)
      if isLast { return endPath(at: end) }
      index = end + 1
    }
  }

  private mutating func appendSegment(_ segment: ArraySlice<UInt8>, isLast: Bool) {
    switch Self.dots(in: segment) {
    case 2:
      shortenPath()
      if isLast { output.append(URLByte.slash) }
    case 1:
      if isLast { output.append(URLByte.slash) }
    default:
      let isFirst = output.count == Int(layout.pathStart)
      output.append(URLByte.slash)
      if scheme == .file, isFirst, segment.count == 2, isDriveLetter(at: segment.startIndex) {
        output.append(input[segment.startIndex])
        output.append(URLByte.colon)
      } else {
        PercentEncoding.append(segment, encoding: .path, to: &output)
      }
    }
  }

  /// "Shorten a url's path": removes the last segment, but not the drive letter of a file URL.
  private mutating func shortenPath() {
    let start = Int(layout.pathStart)
    guard let slash = output[start...].lastIndex(of: URLByte.slash) else { return }
    if scheme == .file, slash == start, Self.isNormalizedDriveLetter(output[start...].dropFirst()) { return }
    // The array has no other owner here, so that it is shortened in place.
    output.removeLast(output.count - slash)
  }

  /// Records the end of the path, and separates it from a host with `/.` when it begins with two slashes and there is
  /// none.
  private mutating func endPath(at index: Int) -> Int {
    if !layout.hasHost, output[Int(layout.pathStart)...].prefix(2).elementsEqual("//".utf8) {
      output.insert(contentsOf: "/.".utf8, at: Int(layout.pathStart))
      layout.pathStart += 2
    }
    return index
  }

  /// "Opaque path state"; returns where the path ends.
  private mutating func parseOpaquePath(from start: Int) -> Int {
    let end = input[start...].firstIndex { $0 == URLByte.question || $0 == URLByte.hash } ?? input.count
    PercentEncoding.append(input[start..<end], encoding: .c0Control, to: &output)
    // A space at the end would be lost when the URL is parsed again without its query and fragment.
    if end > start, end < input.count, input[end - 1] == URLByte.space {
      output.removeLast()
      PercentEncoding.appendEncoded(URLByte.space, to: &output)
    }
    return end
  }

  /// "Query state", "fragment state" or the end, whichever comes after the path.
  private mutating func parseTail(from start: Int) {
    layout.queryStart = offset
    var index = start
    if index < input.count, input[index] == URLByte.question {
      index = input[start...].firstIndex(of: URLByte.hash) ?? input.count
      output.append(URLByte.question)
      let set: ByteClass = scheme.isSpecial ? .specialQuery : .query
      PercentEncoding.append(input[(start + 1)..<index], encoding: set, to: &output)
    }
    parseFragment(from: index)
  }

  /// "Fragment state", entered at `#` or at the end.
  private mutating func parseFragment(from start: Int) {
    layout.fragmentStart = offset
    guard start < input.count else { return }
    output.append(URLByte.hash)
    PercentEncoding.append(input[(start + 1)...], encoding: .fragment, to: &output)
  }

  /// Returns the position of the first byte that belongs neither to a path segment nor to an authority.
  private func endOfSegment(from start: Int) -> Int {
    var index = start
    while index < input.count, !isSegmentEnd(at: index) { index += 1 }
    return index
  }

  /// Whether the byte ends a path segment, or an authority: a slash, `?` or `#`.
  private func isSegmentEnd(at index: Int) -> Bool {
    isSlash(at: index) || input[index] == URLByte.question || input[index] == URLByte.hash
  }

  /// Returns 1 for a single-dot segment, 2 for a double-dot segment, with `%2e` as a dot; 0 for any other.
  private static func dots(in segment: ArraySlice<UInt8>) -> Int {
    guard (1...6).contains(segment.count) else { return 0 }
    var rest = segment
    var dots = 0
    while let byte = rest.popFirst() {
      if byte == URLByte.percent {
        guard rest.popFirst() == UInt8(ascii: "2"), rest.popFirst().map({ $0 | 0x20 }) == UInt8(ascii: "e") else {
          return 0
        }
      } else if byte != URLByte.dot {
        return 0
      }
      dots += 1
    }
    return dots <= 2 ? dots : 0
  }
}

extension URLParser {
  /// "File state", "file slash state" and "file host state".
  private mutating func parseFile(from start: Int) -> Bool {
    let fileBase = base.flatMap { $0.layout.scheme == .file ? $0 : nil }
    if isSlash(at: start), isSlash(at: start + 1) {
      beginFile()
      return parseFileHost(from: start + 2)
    }
    if isSlash(at: start) {
      if let fileBase {
        copyAuthority(of: fileBase)
        if !startsWithDriveLetter(at: start + 1) { copyDriveLetter(of: fileBase) }
      } else {
        beginFile()
      }
      parseTail(from: parseSegments(from: start + 1))
      return true
    }
    if fileBase != nil { return parseReference(from: start) }
    beginFile()
    parseTail(from: parseSegments(from: start))
    return true
  }

  /// Writes `file://`, to which a host may be added.
  private mutating func beginFile() {
    output = Array("file".utf8)
    endScheme()
    output.append(URLByte.slash)
    output.append(URLByte.slash)
    endHost(startingAt: offset)
    endAuthority()
  }

  private mutating func parseFileHost(from start: Int) -> Bool {
    let end = endOfSegment(from: start)
    // "file://c:/a" means a drive, not a host.
    if end - start == 2, isDriveLetter(at: start) {
      parseTail(from: parseSegments(from: start))
      return true
    }
    if start < end {
      let hostStart = layout.hostStart
      guard Host.append(input[start..<end], isSpecial: true, to: &output) else { return false }
      if output[Int(hostStart)...].elementsEqual("localhost".utf8) { output.removeSubrange(Int(hostStart)...) }
      endHost(startingAt: hostStart)
      endAuthority()
    }
    parseTail(from: parsePathStart(from: end))
    return true
  }

  private mutating func copyDriveLetter(of base: WebURL) {
    let path = base.utf8[Int(base.layout.pathStart)..<Int(base.layout.queryStart)]
    let segment = path.dropFirst().prefix { $0 != URLByte.slash }
    if Self.isNormalizedDriveLetter(segment) { output.append(contentsOf: path.prefix(3)) }
  }

  /// "Windows drive letter": a letter and `:` or `|`.
  private func isDriveLetter(at index: Int) -> Bool {
    index + 1 < input.count && input[index].isASCIIAlpha
      && (input[index + 1] == URLByte.colon || input[index + 1] == URLByte.bar)
  }

  /// "Starts with a Windows drive letter": one that is a whole segment.
  private func startsWithDriveLetter(at index: Int) -> Bool {
    isDriveLetter(at: index) && (index + 2 == input.count || isSegmentEnd(at: index + 2))
  }

  private static func isNormalizedDriveLetter(_ segment: ArraySlice<UInt8>) -> Bool {
    segment.count == 2 && segment.first?.isASCIIAlpha == true && segment.last == URLByte.colon
  }
}

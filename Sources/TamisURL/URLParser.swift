/// The basic URL parser (section 4.4): the standard's state machine, one function per group of states.
///
/// A function is given the position in the input where its state begins and writes to `output`, which is at every
/// moment a prefix of the serialization. Functions that return a Bool return false for the standard's failure.
struct URLParser {
  /// The input without leading and trailing C0 controls and spaces, and without tabs and newlines.
  let input: [UInt8]
  let base: WebURL?
  var output: [UInt8] = []
  var layout = WebURL.Layout(scheme: .other)

  var scheme: Scheme { layout.scheme }

  /// The offset that the next byte of output will have.
  var offset: UInt32 { UInt32(truncatingIfNeeded: output.count) }

  init(_ input: Span<UInt8>, base: WebURL?) {
    self.input = Self.cleaned(input)
    self.base = base
    output.reserveCapacity(self.input.count + 16)
  }

  /// "Scheme start state", "scheme state" and "no scheme state".
  mutating func parse() -> Bool {
    if let colon = schemeColon {
      output.append(contentsOf: input[..<colon].lazy.map(\.asciiLowercased))
      endScheme()
      return parse(afterScheme: colon + 1)
    }
    guard let base else { return false }
    layout = base.layout
    if base.hasOpaquePath {
      guard input.first == ASCII.hash else { return false }
      return parseReference(from: 0)
    }
    return scheme == .file ? parseFile(from: 0) : parseRelative(from: 0)
  }

  /// Records the scheme that the output now consists of, and appends its colon.
  mutating func endScheme() {
    layout = WebURL.Layout(scheme: Scheme(output[...]))
    layout.schemeEnd = offset
    output.append(ASCII.colon)
    layout.hostStart = offset
    layout.hostEnd = offset
    layout.authorityEnd = offset
    layout.pathStart = offset
  }

  /// The rest of "scheme state", "special relative or authority state", "special authority slashes state" and
  /// "path or authority state".
  private mutating func parse(afterScheme start: Int) -> Bool {
    if scheme == .file { return parseFile(from: start) }
    if scheme.isSpecial {
      // "https:a" is a path when the base has the same scheme, and a host when it has not.
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
  var schemeColon: Int? {
    guard input.first?.isASCIIAlpha == true else { return nil }
    let end = input.firstIndex { byte in
      let inScheme = byte.isASCIIAlpha || byte.isASCIIDigit
      return !inScheme && byte != ASCII.plus && byte != ASCII.hyphen && byte != ASCII.dot
    }
    guard let end, input[end] == ASCII.colon else { return nil }
    return end
  }

  /// Whether there is a path separator at an index: `/`, and `\` as well for a special scheme.
  func isSlash(at index: Int) -> Bool {
    guard index < input.count else { return false }
    return input[index] == ASCII.slash || (input[index] == ASCII.backslash && scheme.isSpecial)
  }

  /// "Special authority ignore slashes state": any number of slashes of both kinds.
  func skippingSlashes(_ start: Int) -> Int {
    var index = start
    while isSlash(at: index) { index += 1 }
    return index
  }

  /// The clean-up that comes before the first state.
  private static func cleaned(_ span: Span<UInt8>) -> [UInt8] {
    var start = 0
    var end = span.count
    while start < end, span[start] <= ASCII.space { start += 1 }
    while end > start, span[end - 1] <= ASCII.space { end -= 1 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end - start)
    var highBits: UInt8 = 0
    for index in start..<end {
      highBits |= span[index]
      bytes.append(span[index])
    }
    // Decoding comes first: a tab inside a broken sequence does not mend it.
    if highBits >= 0x80 { bytes = Array(String(decoding: bytes, as: UTF8.self).utf8) }
    bytes.removeAll(where: \.isTabOrNewline)
    return bytes
  }
}

extension WebURL {
  /// Whether an input means something else with a base of its own scheme than without one: `https:a` and `https:/a` are
  /// paths then, and hosts otherwise (section 4.4, "special relative or authority state").
  ///
  /// Such an input should not be handed on as it is: only its serialization says what was meant.
  package static func isRelativeToItsScheme(_ input: Span<UInt8>) -> Bool {
    var parser = URLParser(input, base: nil)
    guard let colon = parser.schemeColon else { return false }
    parser.output = parser.input[..<colon].map(\.asciiLowercased)
    parser.endScheme()
    return parser.scheme.isSpecial && !(parser.isSlash(at: colon + 1) && parser.isSlash(at: colon + 2))
  }

  /// The full parser, without the fast paths.
  package init?(parsing input: Span<UInt8>, base: WebURL?) {
    guard input.count <= Self.maximumLength - (base?.utf8.count ?? 0) else { return nil }
    var parser = URLParser(input, base: base)
    guard parser.parse() else { return nil }
    self.init(utf8: parser.output, layout: parser.layout)
  }
}

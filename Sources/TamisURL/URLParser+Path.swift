extension URLParser {
  /// "Path start state"; returns where the path ends in the input.
  mutating func parsePathStart(from start: Int) -> Int {
    if isSlash(at: start) { return parseSegments(from: start + 1) }
    return scheme.isSpecial ? parseSegments(from: start) : endPath(at: start)
  }

  /// "Path state", entered after a slash or after the directory of the base; returns where the path ends.
  mutating func parseSegments(from start: Int) -> Int {
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
      if isLast { output.append(ASCII.slash) }
    case 1:
      if isLast { output.append(ASCII.slash) }
    default:
      let isFirst = output.count == Int(layout.pathStart)
      output.append(ASCII.slash)
      if scheme == .file, isFirst, segment.count == 2, isDriveLetter(at: segment.startIndex) {
        output.append(input[segment.startIndex])
        output.append(ASCII.colon)
      } else {
        PercentEncoding.append(segment, encoding: .path, to: &output)
      }
    }
  }

  /// "Shorten a url's path": removes the last segment, but not the drive letter of a file URL.
  mutating func shortenPath() {
    let path = output[Int(layout.pathStart)...]
    guard let slash = path.lastIndex(of: ASCII.slash) else { return }
    let isOnly = slash == path.startIndex
    if scheme == .file, isOnly, Self.isNormalizedDriveLetter(path.dropFirst()) { return }
    output.removeSubrange(slash...)
  }

  /// Records the end of the path, and sets it apart from a host when it begins with two slashes and there is none.
  private mutating func endPath(at index: Int) -> Int {
    if !layout.hasHost, output[Int(layout.pathStart)...].prefix(2).elementsEqual("//".utf8) {
      output.insert(contentsOf: "/.".utf8, at: Int(layout.pathStart))
      layout.pathStart += 2
    }
    return index
  }

  /// "Opaque path state"; returns where the path ends.
  mutating func parseOpaquePath(from start: Int) -> Int {
    let end = input[start...].firstIndex { $0 == ASCII.question || $0 == ASCII.hash } ?? input.count
    PercentEncoding.append(input[start..<end], encoding: .c0Control, to: &output)
    // A space at the end would be lost on reading the URL again without its query and fragment.
    if end > start, end < input.count, input[end - 1] == ASCII.space {
      output.removeLast()
      PercentEncoding.appendEncoded(ASCII.space, to: &output)
    }
    return end
  }

  /// "Query state", "fragment state" or the end, whichever comes after the path.
  mutating func parseTail(from start: Int) {
    layout.queryStart = offset
    var index = start
    if index < input.count, input[index] == ASCII.question {
      index = input[start...].firstIndex(of: ASCII.hash) ?? input.count
      output.append(ASCII.question)
      let set: ByteClass = scheme.isSpecial ? .specialQuery : .query
      PercentEncoding.append(input[(start + 1)..<index], encoding: set, to: &output)
    }
    parseFragment(from: index)
  }

  /// "Fragment state", entered at `#` or at the end.
  mutating func parseFragment(from start: Int) {
    layout.fragmentStart = offset
    guard start < input.count else { return }
    output.append(ASCII.hash)
    PercentEncoding.append(input[(start + 1)...], encoding: .fragment, to: &output)
  }

  /// The position of the first byte that belongs neither to a path segment nor to an authority.
  func endOfSegment(from start: Int) -> Int {
    var index = start
    while index < input.count, !isSegmentEnd(at: index) { index += 1 }
    return index
  }

  /// Whether the byte ends a path segment, or an authority: a slash, `?` or `#`.
  func isSegmentEnd(at index: Int) -> Bool {
    isSlash(at: index) || input[index] == ASCII.question || input[index] == ASCII.hash
  }

  /// 1 for a single-dot segment, 2 for a double-dot segment, with `%2e` as a dot; 0 for any other.
  private static func dots(in segment: ArraySlice<UInt8>) -> Int {
    guard (1...6).contains(segment.count) else { return 0 }
    var rest = segment
    var dots = 0
    while let byte = rest.popFirst() {
      if byte == ASCII.percent {
        guard rest.popFirst() == UInt8(ascii: "2"), rest.popFirst().map({ $0 | 0x20 }) == UInt8(ascii: "e") else {
          return 0
        }
      } else if byte != ASCII.dot {
        return 0
      }
      dots += 1
    }
    return dots <= 2 ? dots : 0
  }
}

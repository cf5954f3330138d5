extension URLParser {
  /// "File state", "file slash state" and "file host state".
  mutating func parseFile(from start: Int) -> Bool {
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
    output.append(ASCII.slash)
    output.append(ASCII.slash)
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
    let segment = path.dropFirst().prefix { $0 != ASCII.slash }
    if Self.isNormalizedDriveLetter(segment) { output.append(contentsOf: path.prefix(3)) }
  }

  /// "Windows drive letter": a letter and `:` or `|`.
  func isDriveLetter(at index: Int) -> Bool {
    index + 1 < input.count && input[index].isASCIIAlpha
      && (input[index + 1] == ASCII.colon || input[index + 1] == ASCII.bar)
  }

  /// "Starts with a Windows drive letter": one that is a whole segment.
  func startsWithDriveLetter(at index: Int) -> Bool {
    isDriveLetter(at: index) && (index + 2 == input.count || isSegmentEnd(at: index + 2))
  }

  static func isNormalizedDriveLetter(_ segment: ArraySlice<UInt8>) -> Bool {
    segment.count == 2 && segment.first?.isASCIIAlpha == true && segment.last == ASCII.colon
  }
}

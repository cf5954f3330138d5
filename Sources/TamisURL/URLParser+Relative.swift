extension URLParser {
  /// "Relative state" and "relative slash state"; the base has a path to resolve against.
  mutating func parseRelative(from start: Int) -> Bool {
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

  /// The end of "relative state" and "file state": what the reference leaves out is taken from the base.
  mutating func parseReference(from start: Int) -> Bool {
    guard let base else { return false }
    guard start < input.count, input[start] != ASCII.hash else {
      copy(base, upTo: base.layout.fragmentStart)
      parseFragment(from: start)
      return true
    }
    copy(base, upTo: base.layout.queryStart)
    if input[start] == ASCII.question {
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
  mutating func copyAuthority(of base: WebURL) {
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

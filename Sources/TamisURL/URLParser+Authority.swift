extension URLParser {
  /// "Authority state", "host state" and "port state"; the output ends with the scheme's colon.
  mutating func parseAuthority(from start: Int) -> Bool {
    let end = endOfSegment(from: start)
    output.append(ASCII.slash)
    output.append(ASCII.slash)
    var hostStart = start
    // Only the last "@" ends the credentials: browsers go to evil.example for "http://a@b@evil.example".
    if let at = input[start..<end].lastIndex(of: ASCII.at) {
      hostStart = at + 1
      guard hostStart < end else { return false }
      appendCredentials(input[start..<at])
    }
    guard parseHostAndPort(hostStart..<end) else { return false }
    parseTail(from: parsePathStart(from: end))
    return true
  }

  private mutating func appendCredentials(_ credentials: ArraySlice<UInt8>) {
    let colon = credentials.firstIndex(of: ASCII.colon) ?? credentials.endIndex
    let password = credentials[colon...].dropFirst()
    PercentEncoding.append(credentials[..<colon], encoding: .userinfo, to: &output)
    if !password.isEmpty {
      output.append(ASCII.colon)
      PercentEncoding.append(password, encoding: .userinfo, to: &output)
    }
    if colon > credentials.startIndex || !password.isEmpty { output.append(ASCII.at) }
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
      case ASCII.leftBracket: insideBrackets = true
      case ASCII.rightBracket: insideBrackets = false
      case ASCII.colon where !insideBrackets: return index
      default: break
      }
    }
    return range.upperBound
  }

  private mutating func appendPort(_ digits: ArraySlice<UInt8>) -> Bool {
    var port: UInt32 = 0
    for byte in digits {
      guard byte.isASCIIDigit else { return false }
      port = port * 10 + UInt32(byte - ASCII.zero)
      guard port <= 65535 else { return false }
    }
    if !digits.isEmpty, UInt16(port) != scheme.defaultPort {
      output.append(ASCII.colon)
      output.append(contentsOf: String(port).utf8)
    }
    return true
  }

  /// Records that the host is what the output has from `start` on.
  mutating func endHost(startingAt start: UInt32) {
    layout.hostStart = start
    layout.hostEnd = offset
  }

  /// Records that the authority is complete and the path begins.
  mutating func endAuthority() {
    layout.authorityEnd = offset
    layout.pathStart = offset
  }
}

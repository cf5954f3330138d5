/// The host parser (section 3.5 of the standard), writing the serialized host straight into the output.
enum Host {
  /// Appends the serialized host of `input`; false when the standard says failure.
  ///
  /// `input` is not empty for a special scheme; an empty opaque host is the empty host.
  static func append(_ input: ArraySlice<UInt8>, isSpecial: Bool, to output: inout [UInt8]) -> Bool {
    if input.first == ASCII.leftBracket {
      guard input.last == ASCII.rightBracket, let address = IPv6Address(input.dropFirst().dropLast()) else {
        return false
      }
      output.append(ASCII.leftBracket)
      address.write(to: &output)
      output.append(ASCII.rightBracket)
      return true
    }
    return isSpecial ? appendDomain(input, to: &output) : appendOpaque(input, to: &output)
  }

  /// The "opaque-host parser": nothing is decoded or lowercased.
  private static func appendOpaque(_ input: ArraySlice<UInt8>, to output: inout [UInt8]) -> Bool {
    guard !contains(.forbiddenHost, in: input) else { return false }
    PercentEncoding.append(input, encoding: .c0Control, to: &output)
    return true
  }

  private static func appendDomain(_ input: ArraySlice<UInt8>, to output: inout [UInt8]) -> Bool {
    let domain = input.contains(ASCII.percent) ? PercentEncoding.decode(input)[...] : input
    let start = output.count
    if needsIDNA(domain) {
      guard let ascii = domainToASCII(domain) else { return false }
      output.append(contentsOf: ascii)
    } else {
      output.append(contentsOf: domain.lazy.map(\.asciiLowercased))
    }
    // The result is checked, not the input: a full-width "／" becomes a real slash only now.
    let result = output[start...]
    guard !result.isEmpty, !contains(.forbiddenDomain, in: result) else { return false }
    guard IPv4Address.endsInNumber(result) else { return true }
    guard let address = IPv4Address(result) else { return false }
    output.removeSubrange(start...)
    address.write(to: &output)
    return true
  }

  /// Whether "domain to ASCII" is more than lowercasing: a non-ASCII byte, or a label that begins with `xn--`.
  private static func needsIDNA(_ domain: ArraySlice<UInt8>) -> Bool {
    var labelStart = domain.startIndex
    for index in domain.indices {
      let byte = domain[index]
      if byte >= 0x80 { return true }
      if byte == ASCII.dot { labelStart = index + 1 }
      if byte == ASCII.hyphen, index - labelStart == 3, isACEPrefix(domain[labelStart...index]) { return true }
    }
    return false
  }

  private static func isACEPrefix(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.lazy.map(\.asciiLowercased).elementsEqual("xn--".utf8)
  }

  private static func contains(_ set: ByteClass, in bytes: ArraySlice<UInt8>) -> Bool {
    let table = ByteClass.table
    return bytes.contains { table[Int($0)] & set.rawValue != 0 }
  }
}

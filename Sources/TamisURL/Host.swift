/// The host parser (section 3.5 of the standard), writing the serialized host straight into the output.
enum Host {
  /// Appends the serialized host of `input`; returns false when the standard returns failure.
  ///
  /// Precondition: `input` is not empty for a special scheme. An empty opaque host is the empty host.
  static func append(_ input: ArraySlice<UInt8>, isSpecial: Bool, to output: inout [UInt8]) -> Bool {
    if input.first == URLByte.leftBracket {
      guard input.last == URLByte.rightBracket, let address = IPv6Address(input.dropFirst().dropLast()) else {
        return false
      }
      output.append(URLByte.leftBracket)
      address.write(to: &output)
      output.append(URLByte.rightBracket)
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
    let domain = input.contains(URLByte.percent) ? WebURL.percentDecoded(Array(input))[...] : input
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
      if byte == URLByte.dot { labelStart = index + 1 }
      if byte == URLByte.hyphen, index - labelStart == 3, isACEPrefix(domain[labelStart...index]) { return true }
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

private import CIDN2

extension Host {
  /// "Domain to ASCII" with beStrict false (section 3.3), by libidn2; nil on failure.
  ///
  /// The processing is UTS #46 non-transitional. libidn2 is stricter than the standard in some places (hyphens, label
  /// and domain length, characters outside IDNA 2008), so that some URLs fail that a browser would accept.
  /// `Fixtures/URLs/known-deviations.json` has examples.
  private static func domainToASCII(_ domain: ArraySlice<UInt8>) -> [UInt8]? {
    // A zero byte would end the C string early; it is forbidden in a domain in any case.
    guard !domain.contains(0), let valid = String(validating: domain, as: UTF8.self) else { return nil }
    switch lookUp(valid) {
    case .success(let ascii):
      // libidn2 accepts A-labels of mapped characters, such as "⒂", which UTS #46 does not allow in them.
      guard let unicode = unicodeForm(ascii), case .success(let again) = lookUp(unicode), again == ascii else {
        return nil
      }
      return ascii
    case .disallowed: return symbolDomainToASCII(valid)
    case .failure: return nil
    }
  }

  private enum LookUp {
    case success([UInt8])
    case disallowed
    case failure
  }

  private static func lookUp(_ domain: String) -> LookUp {
    var result: UnsafeMutablePointer<CChar>?
    let flags = Int32(bitPattern: IDN2_NONTRANSITIONAL.rawValue)
    let status = domain.withCString { idn2_to_ascii_8z($0, &result, flags) }
    defer { idn2_free(result) }
    if status == IDN2_DISALLOWED.rawValue { return .disallowed }
    guard status == IDN2_OK.rawValue, let result else { return .failure }
    return .success(Array(String(cString: result).utf8))
  }

  /// The domain with its A-labels decoded; nil when one of them is not Punycode.
  private static func unicodeForm(_ ascii: [UInt8]) -> String? {
    var output = String.UnicodeScalarView()
    for (index, label) in ascii.split(separator: URLByte.dot, omittingEmptySubsequences: false).enumerated() {
      if index > 0 { output.append(".") }
      if label.starts(with: "xn--".utf8) {
        guard let scalars = Punycode.decode(label.dropFirst(4)) else { return nil }
        output.append(contentsOf: scalars)
      } else {
        output.append(contentsOf: label.lazy.map { Unicode.Scalar($0) })
      }
    }
    return String(output)
  }
}

extension Host {
  /// "Domain to ASCII" for domains of ASCII and symbols, such as `i❤.ws`; nil for anything else.
  ///
  /// UTS #46 allows the symbols that IDNA 2008, and libidn2 with it, forbids. This covers the plain ones: they are
  /// neither mapped nor composed, so that a label only has to be lowercased and encoded. Letters outside ASCII must not
  /// occur in the same domain, so that the rules for joiners and for right-to-left text do not apply.
  private static func symbolDomainToASCII(_ domain: String) -> [UInt8]? {
    var output: [UInt8] = []
    let labels = Array(domain.utf8).split(separator: URLByte.dot, omittingEmptySubsequences: false)
    for (index, label) in labels.enumerated() {
      if index > 0 { output.append(URLByte.dot) }
      let lowercased = label.map(\.asciiLowercased)
      if lowercased.starts(with: "xn--".utf8) {
        guard let scalars = Punycode.decode(lowercased[4...]), isSymbolLabel(scalars),
          Punycode.encode(scalars)?.elementsEqual(lowercased[4...]) == true
        else { return nil }
        output.append(contentsOf: lowercased)
      } else if lowercased.allSatisfy({ $0 < 0x80 }) {
        output.append(contentsOf: lowercased)
      } else {
        // The variation selector for emoji is ignored in domains.
        let scalars = String(decoding: lowercased, as: UTF8.self).unicodeScalars.filter { $0.value != 0xFE0F }
        guard isSymbolLabel(Array(scalars)), let encoded = Punycode.encode(Array(scalars)) else { return nil }
        output.append(contentsOf: "xn--".utf8)
        output.append(contentsOf: encoded)
      }
    }
    return output
  }

  /// Whether a label consists of plain symbols, at least one, and of lowercase letters, digits and hyphens.
  private static func isSymbolLabel(_ scalars: [Unicode.Scalar]) -> Bool {
    var hasSymbol = false
    for scalar in scalars {
      if isPlainSymbol(scalar) {
        hasSymbol = true
        continue
      }
      guard scalar.isASCII, scalar != ".", let byte = UInt8(exactly: scalar.value),
        ByteClass.table[Int(byte)] & ByteClass.plainHost.rawValue != 0
      else { return false }
    }
    // Encoding must not produce "xn--xn--…".
    return hasSymbol && !scalars.starts(with: "xn--".unicodeScalars)
  }

  private static func isPlainSymbol(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII, scalar.properties.generalCategory == .otherSymbol else { return false }
    // Symbols up to Unicode 15.0, which browsers can be expected to know.
    guard let age = scalar.properties.age, age.major <= 15, (age.major, age.minor) != (15, 1) else { return false }
    switch scalar.value {
    // Ideographic description, object replacement and replacement characters: disallowed by UTS #46, section 6.
    case 0x2FF0...0x2FFF, 0x31EF, 0xFFFC, 0xFFFD: return false
    // The blocks of right-to-left scripts, whose symbols have a direction (DerivedBidiClass.txt).
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return false
    default: return !scalar.properties.changesWhenNFKCCaseFolded
    }
  }
}

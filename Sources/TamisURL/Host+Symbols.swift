extension Host {
  /// "Domain to ASCII" for domains of ASCII and symbols, such as `i❤.ws`; nil for anything else.
  ///
  /// UTS #46 allows the symbols that IDNA 2008, and libidn2 with it, forbids. This covers the plain ones: they are
  /// neither mapped nor composed, so that a label has only to be lowercased and encoded. Letters outside ASCII must not
  /// stand in the same domain, which keeps the rules for joiners and for right-to-left text out of it.
  static func symbolDomainToASCII(_ domain: String) -> [UInt8]? {
    var output: [UInt8] = []
    let labels = Array(domain.utf8).split(separator: ASCII.dot, omittingEmptySubsequences: false)
    for (index, label) in labels.enumerated() {
      if index > 0 { output.append(ASCII.dot) }
      let lowercased = label.map(\.asciiLowercased)
      if lowercased.starts(with: "xn--".utf8) {
        guard let scalars = Punycode.decode(lowercased[4...]), isSymbolLabel(scalars),
          Punycode.encode(scalars)?.elementsEqual(lowercased[4...]) == true
        else { return nil }
        output.append(contentsOf: lowercased)
      } else if lowercased.allSatisfy({ $0 < 0x80 }) {
        output.append(contentsOf: lowercased)
      } else {
        // The variation selector that asks for an emoji is ignored in domains.
        let scalars = String(decoding: lowercased, as: UTF8.self).unicodeScalars.filter { $0.value != 0xFE0F }
        guard isSymbolLabel(Array(scalars)), let encoded = Punycode.encode(Array(scalars)) else { return nil }
        output.append(contentsOf: "xn--".utf8)
        output.append(contentsOf: encoded)
      }
    }
    return output
  }

  /// Whether a label is made of plain symbols, at least one, and of lowercase letters, digits and hyphens.
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
    // "xn--xn--…" must not come about by encoding.
    return hasSymbol && !scalars.starts(with: "xn--".unicodeScalars)
  }

  private static func isPlainSymbol(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII, scalar.properties.generalCategory == .otherSymbol else { return false }
    // Not newer than what browsers can be trusted to know.
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

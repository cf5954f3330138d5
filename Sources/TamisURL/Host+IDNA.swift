private import CIDN2

extension Host {
  /// "Domain to ASCII" with beStrict false (section 3.3), by libidn2; nil on failure.
  ///
  /// UTS #46 non-transitional processing. libidn2 is stricter than the standard asks in some places (hyphens, label
  /// and domain length, characters outside IDNA 2008): there a URL fails that a browser would take.
  /// `Fixtures/URLs/known-deviations.json` has examples.
  static func domainToASCII(_ domain: ArraySlice<UInt8>) -> [UInt8]? {
    // A zero byte would end the C string early; it is forbidden in a domain in any case.
    guard !domain.contains(0), let valid = String(validating: domain, as: UTF8.self) else { return nil }
    switch lookUp(valid) {
    case .success(let ascii):
      // libidn2 takes A-labels of characters that are mapped, such as "⒂", and that UTS #46 does not allow in them.
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
    for (index, label) in ascii.split(separator: ASCII.dot, omittingEmptySubsequences: false).enumerated() {
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

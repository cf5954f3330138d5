import CLibXML2

/// Global state of libxml2.
package enum LibXML2 {
  /// The version that runs, such as `2.9.14`.
  package static var version: String {
    // libxml2 writes it as a number of five digits or more, 20914, and what it was built from behind that.
    let number = unsafe Int(String(cString: tamis_libxml2_version()).prefix { ("0"..."9").contains($0) }) ?? 0
    return "\(number / 10000).\(number / 100 % 100).\(number % 100)"
  }

  /// Initializes libxml2, once per process.
  ///
  /// libxml2 would do so by itself with the first parser, but two threads that create the first parsers at the same
  /// time can deadlock (`xmlInitializeDict` in 2.9).
  static func begin() { isReady }

  private static let isReady: Void = xmlInitParser()
}

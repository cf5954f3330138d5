import CLibXML2

/// Global state of libxml2.
enum LibXML2 {
  /// Initializes libxml2, once per process.
  ///
  /// libxml2 would do so by itself with the first parser, but two threads that create the first parsers at the same
  /// time can deadlock (`xmlInitializeDict` in 2.9).
  static func begin() { isReady }

  private static let isReady: Void = xmlInitParser()
}

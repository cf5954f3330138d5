import CLibXML2

/// The library as a whole.
enum LibXML2 {
  /// Makes libxml2 ready, once in a process.
  ///
  /// It would do so by itself with the first parser, but two threads that make the first ones at the same time can lock
  /// each other out for ever (`xmlInitializeDict` in 2.9).
  static func begin() { isReady }

  private static let isReady: Void = xmlInitParser()
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension WebURL {
  /// Reads a URL of Foundation as browsers read its text.
  ///
  /// - Parameter url: the URL; a relative one is resolved against its own base.
  /// - Throws: ``Invalid`` when the URL is relative and has no base.
  public init(_ url: URL) throws(Invalid) { try self.init(validating: url.absoluteString) }
}

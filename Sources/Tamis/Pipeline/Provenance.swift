import TamisSystem

/// The origin of a result: the release, and a digest of all rules and options on which it depends.
///
/// Results with the same provenance may be mixed.
package struct Provenance: Sendable, Hashable, CustomStringConvertible {
  /// The text in answers: `0.1.0+sanitize.3f9a8c0d12ab34cd`.
  package let description: String

  /// Creates a provenance.
  ///
  /// - Parameters:
  ///   - work: the command.
  ///   - settings: all settings on which the result depends, in a fixed order.
  package init(_ work: String, settings: [String]) {
    // The lengths distinguish lists that are equal when joined.
    let text = settings.map { "\($0.utf8.count):\($0)" }.joined()
    description = "\(ReleaseVersion.current)+\(work).\(SHA256(text).hex.prefix(16))"
  }
}

/// Bounds for what one record of a WARC file may cost; each is checked while reading, not after.
package struct WARCLimits: Sendable, Hashable {
  /// Largest block of a record, in bytes (default 64 MiB); a larger one is passed over without being held.
  package var recordBytes = 64 << 20
  /// Largest header of a record, and of the HTTP message in it, in bytes (default 64 KiB).
  package var headerBytes = 64 << 10
  /// Largest body with all codings undone, in bytes (default 64 MiB).
  package var bodyBytes = 64 << 20
  /// Most codings that are undone of one body (default 5).
  package var codings = 5
  /// Most bytes between two records that are read to find the next one (default 1 GiB); after more, the file is given up.
  package var strayBytes = 1 << 30
  /// Most findings about one file (default 1,000); one more says that there are others.
  package var findings = 1000

  /// The defaults.
  package static let standard = WARCLimits()

  /// The defaults.
  package init() {}
}

/// Limits on what one record of a WARC file may cost, each checked while reading, not after.
package struct WARCLimits: Sendable, Hashable {
  /// The largest block of a record in bytes (default 64 MiB); a larger one is skipped without being held.
  package var recordBytes = 64 << 20
  /// The largest header of a record, and of the HTTP message in it, in bytes (default 64 KiB).
  package var headerBytes = 64 << 10
  /// The largest body after decoding, in bytes (default 64 MiB).
  package var bodyBytes = 64 << 20
  /// The largest body after decoding as a multiple of its size before, beyond 1 MiB (default 1,000).
  ///
  /// A byte of DEFLATE gives at most 1,032; several codings on top of each other could give any number.
  package var bodyGrowth = 1000
  /// The maximum number of codings that are decoded of one body (default 5).
  package var codings = 5
  /// The maximum number of bytes skipped in search of the next record (default 1 GiB).
  ///
  /// After more, the rest of the file is left out.
  package var strayBytes = 1 << 30
  /// What unpacking the file may cost in memory: windows and dictionaries of zstd.
  package var frames = FrameLimits.standard
  /// The maximum number of findings about one file (default 1,000); one more says that others were left out.
  package var findings = 1000

  /// The default limits.
  package static let standard = WARCLimits()

  /// Creates the default limits.
  package init() {}
}

@_exported public import class TamisArchive.Archive
@_exported public import struct TamisArticle.Article
@_exported public import struct TamisArticle.SiteRules
@_exported public import protocol TamisCore.ByteReader
@_exported public import protocol TamisCore.ByteSource
@_exported public import enum TamisCore.DateForm
@_exported public import struct TamisCore.Feed
@_exported public import struct TamisCore.Finding
@_exported public import struct TamisCore.HeaderField
@_exported public import struct TamisCore.InvalidRules
@_exported public import struct TamisCore.Limits
@_exported public import struct TamisCore.Post
@_exported public import enum TamisCore.KeyPolicy
@_exported public import enum TamisCore.PurgePolicy
@_exported public import struct TamisCore.ReadFailure
@_exported public import struct TamisCore.SanitizedHTML
@_exported public import struct TamisCore.SiteOwner
@_exported public import struct TamisCore.SiteSettings
@_exported public import enum TamisCore.TextDirection
@_exported public import enum TamisCore.ZoneName
@_exported public import struct TamisFeed.FeedDocument
@_exported public import struct TamisFeed.FeedParser
@_exported public import struct TamisMarkdown.Markdown
@_exported public import struct TamisPlanet.Planet
@_exported public import struct TamisSanitizer.Policy
@_exported public import struct TamisSanitizer.Removal
@_exported public import struct TamisSanitizer.Sanitizer
@_exported public import struct TamisSite.Site
@_exported public import struct TamisURL.WebURL

/// The release of the package.
package enum ReleaseVersion {
  /// The version (https://semver.org), as printed by `tamis --version` and written into answers to records.
  ///
  /// This is the only place that says it: the Makefile reads this line, and a test compares CHANGELOG.md.
  package static let current = "0.1.0"

  /// Returns the value of `User-Agent`: the program, and the URL of its user.
  package static func userAgent(contact: String?) -> String {
    let words = (contact ?? "").unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }
    return words.isEmpty ? "tamis/\(current)" : "tamis/\(current) (+\(String(String.UnicodeScalarView(words))))"
  }
}

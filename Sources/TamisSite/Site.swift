package import TamisCore
import TamisSystem

/// A generator of the files of a site from values, the last stage.
///
/// Each method makes one file, or a few that belong together, from its arguments alone: the same values give the same
/// bytes, in any order and in any task. Which files a site has is not decided here; ``SiteFolder`` writes the files.
public struct Site: Sendable {
  /// The settings.
  package let settings: SiteSettings
  /// The theme, with the words of the site in its templates.
  let theme: Site.Theme
  /// The texts of the interface, and their language.
  package let words: Site.Words
  /// The formatter of times.
  let times: ShownTime
  /// The values that every page has.
  let shared: PageContext

  /// Creates a site.
  ///
  /// - Parameters:
  ///   - settings: the settings; their theme and language are not looked up.
  ///   - theme: the theme of the pages.
  ///   - words: the texts of the interface, and their language.
  package init(_ settings: SiteSettings, theme: Site.Theme = .standard, words: Site.Words = .standard) {
    (self.settings, self.theme, self.words) = (settings, theme.saying(words), words)
    times = ShownTime(words: words, form: settings.dateForm, zone: Zone(settings.timeZone))
    shared = Self.shared(settings, self.theme, words)
  }

  // MARK: - Bounds

  /// The maximum size of a body on the front page, in bytes: 64 KiB.
  package static let longestListedBody = 64 << 10
  /// The maximum number of pictures, files and chapters of a post that the front page shows in full: 40.
  static let mostListedMedia = 40
  /// The maximum length of a picture's URL in a list, in bytes: 16 KiB.
  ///
  /// Longer `data:` URLs would enlarge every page that lists the post.
  package static let longestListedPicture = 16 << 10
  /// The maximum number of feeds in the sidebar of the front page; all are on the pages about the site.
  package static let sidebarFeeds = 60
  /// The minimum number of posts for a month to have a page of its own; the page of the year lists the posts of the
  /// others.
  package static let monthThreshold = 10
  /// The number of tags in the cloud of the most frequent tags.
  package static let cloudSize = 80
  /// The number of feeds on a page about the site, and on one about their status.
  package static let feedsPerPage = 100
  /// The number of posts in a feed; older ones have been fetched by then.
  package static let feedLength = 30
  /// The number of posts in a document of the history of the feeds of all posts.
  package static let historyLength = 100
  /// The number of posts in a part of the sitemap.
  package static let sitemapLength = 1000
  /// The maximum number of list pages in the sitemap; one file may name 50,000 pages
  /// (https://www.sitemaps.org/protocol.html).
  package static let sitemapLists = 50_000
  /// The number of posts in a part of the search data.
  package static let searchLength = 500

  // MARK: - Identity

  /// The name of the file that marks a folder as a site.
  package static let markerName = "tamis.json"

  /// A text that changes with everything besides content and settings that pages depend on.
  package var fingerprint: String {
    [theme.digest, words.digest, times.zone.text, PageScript.hash, Self.version]
      .joined(separator: "\n")
  }

  /// The version of the generator; changes when pages are made in another way.
  private static let version = "11"

  /// Returns the file that marks a folder as a site.
  package func marker() -> SiteFile {
    let bytes = JSONWriter.line { writer in
      writer.member("generator", "Tamis")
      writer.member("version", 1)
      writer.member("title", settings.title)
      writer.member("address", settings.link)
      writer.member("style", theme.style.fileName)
      writer.member("offline", settings.isOffline)
    }
    return SiteFile(path: PagePath(Self.markerName), bytes: bytes)
  }

  /// The texts near the beginning of a file by which a site's files are recognized.
  private static let marks = [
    "<meta name=\"generator\" content=\"Tamis\">", "<!-- Written by Tamis -->", "# Written by Tamis",
    "/* Written by Tamis */", "\"generator\":\"Tamis\"", "\"_generator\":\"Tamis\"",
  ].map { Array($0.utf8) }

  /// The number of bytes at the beginning of a file that tell whether it is a site's.
  static let markLength = 2048

  /// Whether a file belongs to a site, by its beginning, of which 2,048 bytes are enough.
  package static func wrote(_ beginning: [UInt8]) -> Bool {
    let beginning = beginning.prefix(markLength)
    return beginning.indices.contains { index in marks.contains { beginning[index...].starts(with: $0) } }
  }

  // MARK: - Paths

  /// Returns the path of the page of a feed.
  package static func path(ofFeed slug: String) -> PagePath { PagePath("feeds/\(slug).html") }

  /// Returns the path of the page of a year.
  package static func path(ofYear year: Int) -> PagePath { PagePath("archive/\(DateText.year(year)).html") }

  /// Returns the path of a page about the site's feeds, counted from 1.
  package static func path(ofAbout number: Int) -> PagePath { numbered("about", number) }

  /// Returns the path of a page with the status of feeds, counted from 1.
  package static func path(ofStatus number: Int) -> PagePath { numbered("status", number) }

  /// Returns the path of a part of the status data, counted from 1.
  package static func path(ofStatusData number: Int) -> PagePath { numbered("status", number, ending: "json") }

  private static func numbered(_ name: String, _ number: Int, ending: String = "html") -> PagePath {
    PagePath(number == 1 ? "\(name).\(ending)" : "\(name).\(number).\(ending)")
  }
}

/// A file of a site.
package struct SiteFile: Sendable, Hashable {
  /// The path in the site.
  package var path: PagePath
  /// The content.
  package var bytes: [UInt8]
  /// A note for the owner; nil when there is none.
  package var note: String?

  /// Creates a file.
  package init(path: PagePath, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}

/// The digests of a page by which other pages of its site are compared with it, without the texts.
package struct PageOutline: Sendable, Hashable {
  /// The host of the site, without `www.`.
  ///
  /// In the archive a space and a digest of the feeds whose entries need the page follow.
  package var site: String
  /// The digest of the title, or of the text when there is no title.
  package var title: UInt64
  /// The digest of the whole text; pages with the same text are copies, whatever their titles.
  package var text: UInt64
  /// The distinct digests of its blocks of some words, sorted.
  package var blocks: [UInt64]

  /// Creates an outline from stored digests.
  ///
  /// - Parameters:
  ///   - site: the host of the site, without `www.`.
  ///   - title: the digest of the title.
  ///   - text: the digest of the whole text.
  ///   - blocks: the distinct digests of the blocks, sorted.
  package init(site: String, title: UInt64, text: UInt64, blocks: [UInt64]) {
    (self.site, self.title, self.text, self.blocks) = (site, title, text, blocks)
  }
}

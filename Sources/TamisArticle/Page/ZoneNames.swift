import TamisCore

/// The zones that names of classes and identifiers mark, as themes of common programs give them.
enum ZoneNames {
  private static let names: [(zones: ElementKind.Zones, names: [String])] = [
    (
      .navigation,
      ["nav", "navbar", "navigation", "breadcrumb", "breadcrumbs", "pagination", "pager", "site-navigation"]
    ),
    (.footer, ["footer", "site-footer", "page-footer", "colophon", "footer-bottom"]),
    (
      .beside,
      [
        "sidebar", "widget-area", "author-box", "author-bio", "authorbox", "about-author",
        "about-the-author", "post-author-box", "related", "related-posts", "related-articles", "jp-relatedposts",
        "recommended", "newsletter-signup", "sharedaddy", "share-buttons", "social-share",
      ]
    ),
    (
      [.beside, .notice],
      [
        "cookie-banner", "cookie-notice", "cookie-consent", "cookie-bar", "cookieconsent", "gdpr-banner", "gdpr-notice",
        "consent-banner", "cmplz-cookiebanner", "onetrust-banner-sdk", "onetrust-consent-sdk", "cookie-law-info-bar",
        "cybotcookiebotdialog",
      ]
    ),
  ]
  /// The zones by the digests of their names.
  private static let zones = names.reduce(into: [UInt64: ElementKind.Zones]()) { table, group in
    for name in group.names { table[digest(Array(name.utf8).span, 0..<name.utf8.count)] = group.zones }
  }
  /// The maximum length of the names, in bytes.
  private static let longest = names.flatMap(\.names).map(\.utf8.count).max() ?? 0

  /// Returns the zones that the names in the value of a `class` or `id` attribute mark.
  static func zones(of value: borrowing Span<UInt8>) -> ElementKind.Zones {
    var (found, start): (ElementKind.Zones, Int) = ([], 0)
    for index in 0..<value.count where value[index] <= 0x20 {
      if start < index { found.formUnion(zones(of: value, start..<index)) }
      start = index + 1
    }
    return start < value.count ? found.union(zones(of: value, start..<value.count)) : found
  }

  private static func zones(of value: borrowing Span<UInt8>, _ name: Range<Int>) -> ElementKind.Zones {
    if name.count > longest { return [] }
    let digest = digest(value, name)
    return zones[digest] ?? []
  }

  /// Returns the digest of a name, ignoring case.
  private static func digest(_ value: borrowing Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in range {
      let byte = value[index]
      digest = (digest ^ UInt64(byte < 0x5B && byte > 0x40 ? byte | 0x20 : byte)) &* 0x100_0000_01B3
    }
    return digest
  }
}

import TamisCore

/// Picks the picture that stands for a post: what the feed names explicitly before what is found in the body, large before
/// small; tracking pixels, avatars, emoji and buttons never.
enum ThumbnailRule {
  struct Candidate {
    var url: String
    var source: String
    var alternative = ""
    var width: Int?
    var height: Int?
    var rank: Int
    var reason: String

    var area: Int { (width ?? 0) * (height ?? 0) }
  }

  static func pick(_ entry: Entry, _ facts: MarkupFacts, _ addresses: WebAddresses) -> Thumbnail? {
    let candidates = (explicit(entry) + inBody(facts)).filter {
      addresses.picture($0.url) != nil && !isRejected($0)
    }
    // Among equals the first in the document wins.
    var best: Candidate?
    for candidate in candidates {
      guard let current = best else {
        best = candidate
        continue
      }
      if (candidate.rank, -candidate.area) < (current.rank, -current.area) { best = candidate }
    }
    guard let best, let url = addresses.picture(best.url) else { return nil }
    let inBody = facts.images.first { $0.source == best.url || $0.source == url }
    return Thumbnail(
      url: url, alternative: best.alternative.isEmpty ? inBody?.alternative ?? "" : best.alternative, width: best.width,
      height: best.height, source: best.source, reason: best.reason, isInBody: inBody != nil)
  }

  /// Elements of other vocabularies that name a picture.
  private static let pictureElements = [
    "dz_thumbnail": "dz:thumbnail", "webfeeds_cover": "webfeeds:cover", "thumb": "thumb",
  ]

  private static func explicit(_ entry: Entry) -> [Candidate] {
    var candidates: [Candidate] = []
    for object in entry.media where isPicture(object) {
      let isLarge = object.width.map { $0 >= 640 } ?? (object.source == .content)
      let isSmall = object.width.map { $0 < 640 } ?? false
      candidates.append(
        Candidate(
          url: object.url, source: object.source.rawValue, width: object.width, height: object.height,
          rank: isLarge ? 0 : isSmall ? 3 : 1,
          reason: isLarge ? "named by the feed, large" : isSmall ? "named by the feed, small" : "named by the feed"))
    }
    for element in entry.extensions {
      guard let source = pictureElements[element.name] else { continue }
      let url = element.attributes.first { $0.name == "image" || $0.name == "url" }?.value ?? element.text
      candidates.append(Candidate(url: url, source: source, rank: 1, reason: "named by the feed"))
    }
    for enclosure in entry.enclosures where enclosure.type?.asciiLowercased().hasPrefix("image/") == true {
      let isTiny = enclosure.length.map { (1..<50_000).contains($0) } ?? false
      candidates.append(
        Candidate(url: enclosure.url, source: "enclosure", rank: isTiny ? 3 : 1, reason: "attached by the feed"))
    }
    return candidates
  }

  private static func inBody(_ facts: MarkupFacts) -> [Candidate] {
    facts.images.map { image in
      let isLead = image.textOffset < 200 || (image.width ?? 0) >= 320
      return Candidate(
        url: image.source, source: "img", alternative: image.alternative ?? "", width: image.width,
        height: image.height,
        rank: isLead ? 2 : 4, reason: isLead ? "large or at the beginning of the body" : "in the body")
    }
  }

  private static func isPicture(_ object: MediaObject) -> Bool {
    if object.source != .content { return true }
    if object.medium == "image" || object.type?.asciiLowercased().hasPrefix("image/") == true { return true }
    guard object.medium == nil, object.type == nil else { return false }
    let path = object.url.split(separator: "?").first?.asciiLowercased() ?? ""
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains { path.hasSuffix($0) }
  }

  /// Parts of addresses of pictures that are not for looking at.
  private static let furniture = [
    "feedburner.com/~", "/~4/", "feedsportal", "stats.wordpress.com", "pixel.wp.com", "doubleclick", "facebook.com/tr",
    "/pixel", "/beacon", "/track/open", "__utm.gif", "gravatar.com/avatar", "/avatar/", "/avatars/",
    "s.w.org/images/core/emoji", "/wp-smiley", "wpcom-smileys", "shields.io", "/badge", "votecountimage", "share-icon",
    "/sharing/", "spacer.gif", "blank.gif", "spinner",
  ]

  /// Whether a candidate can never be chosen: too small, too long and thin, no photograph, or not for looking at.
  private static func isRejected(_ candidate: Candidate) -> Bool {
    if let width = candidate.width, let height = candidate.height {
      if min(width, height) < 50 || width * height < 7_500 { return true }
      if width > 4 * height || height > 4 * width { return true }
    } else if let side = candidate.width ?? candidate.height, side < 50 {
      return true
    }
    if candidate.url.hasPrefix("data:") { return false }
    let address = candidate.url.asciiLowercased()
    if [".svg", ".ico", ".pdf"].contains(where: { address.split(separator: "?").first?.hasSuffix($0) == true }) {
      return true
    }
    return furniture.contains { address.contains($0) }
  }
}

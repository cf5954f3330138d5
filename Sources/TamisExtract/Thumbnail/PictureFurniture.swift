import TamisCore

/// Tells pictures that are not for looking at: by their address, their size, their class names.
enum PictureFurniture {
  /// Parts of addresses, by what they give away.
  ///
  /// As of November 2026.
  private static let addresses: [(PictureRejection, [String])] = [
    (
      .tracker,
      [
        "feedburner.com/~", "/~r/", "/~4/", "/~ff/", "feedsportal", "stats.wordpress.com", "pixel.wp.com",
        "doubleclick",
        "facebook.com/tr", "/pixel", "/beacon", "/track/open", "__utm.gif", "/1x1", "feedads.", "scorecardresearch",
      ]
    ),
    (.avatar, ["gravatar.com/", "/avatar/", "/avatars/", "/avatar.", "userimage", "profile_images/", "/author-photo"]),
    (
      .emoji,
      [
        "s.w.org/images/core/emoji", "/wp-smiley", "wpcom-smileys", "/smilies/", "/smileys/", "/emoji/", "/emoticons/",
        "twemoji",
      ]
    ),
    (
      .badge,
      [
        "shields.io", "/badge", "votecountimage", "share-icon", "share_icon", "/sharing/", "twitter_icon",
        "facebook_icon", "social-icon", "/buttons/", "paypal.com/", "buymeacoffee.com/buttons", "ko-fi.com/img",
        "feeds.feedburner.com/~fc", "rating-stars", "/stars/",
      ]
    ),
    (
      .placeholder,
      ["spacer.gif", "blank.gif", "transparent.", "placeholder", "lazyload", "spinner", "loading.gif", "sprite"]
    ),
  ]

  private static let classes: [(PictureRejection, [String])] = [
    (.avatar, ["avatar", "gravatar", "userpic"]), (.emoji, ["emoji", "wp-smiley", "smiley", "emoticon"]),
    (.badge, ["share", "social-icon", "badge", "sharedaddy"]),
  ]

  /// Why a picture can never be chosen; nil when it can.
  ///
  /// - Parameter repeated: addresses that several posts of the feed have.
  static func rejection(of candidate: PictureCandidate, repeated: Set<String>) -> PictureRejection? {
    let address = candidate.url.asciiLowercased()
    let isInline = address.hasPrefix("data:")
    if !isInline {
      for (rejection, parts) in addresses where parts.contains(where: { address.contains($0) }) { return rejection }
    }
    for (rejection, names) in classes where candidate.hints.contains(where: { names.contains($0) }) { return rejection }
    if isEmojiText(candidate.alternative) { return .emoji }
    if let rejection = rejectionBySize(candidate) { return rejection }
    if !isInline, let path = address.split(whereSeparator: { $0 == "?" || $0 == "#" }).first,
      [".svg", ".ico", ".pdf", ".svgz"].contains(where: { path.hasSuffix($0) })
    {
      return .type
    }
    if candidate.source == "img", repeated.contains(candidate.url) { return .furniture }
    return nil
  }

  private static func rejectionBySize(_ candidate: PictureCandidate) -> PictureRejection? {
    if let width = candidate.width, let height = candidate.height {
      if min(width, height) < 50 || width.multipliedReportingOverflow(by: height).partialValue < 7_500 { return .small }
      if width / 4 >= height && width > 4 * height || height / 4 >= width && height > 4 * width { return .narrow }
      return nil
    }
    return (candidate.width ?? candidate.height).map { $0 < 50 } == true ? .small : nil
  }

  /// One character that is a picture, or `:name:`.
  private static func isEmojiText(_ text: String) -> Bool {
    if text.utf8.count > 2, text.hasPrefix(":"), text.hasSuffix(":"),
      text.utf8.dropFirst().dropLast().allSatisfy({ $0.isASCIIAlphanumeric || $0 == 0x5F || $0 == 0x2D })
    {
      return true
    }
    guard text.count == 1, let scalar = text.unicodeScalars.first else { return false }
    return scalar.properties.isEmojiPresentation || text.unicodeScalars.contains("\u{FE0F}")
  }
}

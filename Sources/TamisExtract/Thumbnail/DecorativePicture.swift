import TamisCore
import TamisURL

/// Recognizes pictures that are not content (icons, avatars, trackers) by their URL, size and class names.
///
/// Hosts that only track are on the policy's list (`tracking-hosts`); this type has the paths on hosts with other uses.
enum DecorativePicture {
  /// Parts of URLs, by the rejection that they cause; `?` also matches the end of the path.
  ///
  /// The list is as of November 2026. Each part ends where a name ends: `/pixel?` does not match `/pixel-9-front.jpg`.
  private static let addresses: [(PictureRejection, [String])] = [
    (
      .tracker,
      [
        "feedburner.com/~", "//feedproxy.google.com/~", "facebook.com/tr?", "/pixel?", "/pixel.", "/pixel/", "/beacon?",
        "/beacon.", "/beacon/", "/track/open", "__utm.gif", "/1x1.", "/1x1?", "//feedads.",
      ]
    ),
    (
      .avatar,
      [
        "//gravatar.com/", ".gravatar.com/", "/avatar/", "/avatars/", "/avatar.", "//avatars.githubusercontent.com/",
        "/profile_images/", "/author-photo", "//avatars0.githubusercontent.com/", "//avatars1.githubusercontent.com/",
        "//avatars2.githubusercontent.com/", "//avatars3.githubusercontent.com/", "/avatars.", "/default_profile",
        "//seccdn.libravatar.org/", "//cdn.libravatar.org/", "//unavatar.io/", "//api.dicebear.com/", "//robohash.org/",
        "//www.libravatar.org/", "/useravatar", "/user_avatar", "/user-avatar", "/userpics/", "/mugshot",
      ]
    ),
    (
      .icon,
      [
        "/favicon.", "/favicon?", "/favicons/", "/favicon/", "favicon-1", "favicon-2", "favicon-3", "favicon-4",
        "favicon-6",
        "favicon-9", "/faviconv2?", "/s2/favicons?", "apple-touch-icon", "/android-chrome-", "/mstile-",
        "//icon.horse/",
        "//favicon.", "//icons.duckduckgo.com/", "//logo.clearbit.com/", "/site-icon.", "/siteicon.",
      ]
    ),
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
        "shields.io/", "/badge/", "/badges/", "/badge.", "/badge?", "badgen.net/", "badge.fury.io/", "//travis-ci.",
        "//api.travis-ci.", "//codecov.io/", "//coveralls.io/", "//ci.appveyor.com/", "//circleci.com/",
        "//deepwiki.com/badge",
        "//app.codacy.com/", "//api.codacy.com/", "//david-dm.org/", "//snyk.io/test/", "//goreportcard.com/badge",
        "//img.badgesize.io/", "//zenodo.org/badge", "votecountimage", "share-icon", "share_icon",
        "twitter_icon", "facebook_icon", "social-icon", "/buttons/", "paypal.com/", "buymeacoffee.com/buttons",
        "ko-fi.com/img", "rating-stars", "/star-rating", "/sprite.png", "/sprites.png",
      ]
    ),
  ]

  /// Parts of the paths of FeedBurner's counters, on its own hosts and on a feed's host.
  private static let feedBurnerPaths = ["/~r/", "/~4/", "/~ff/"].map { Array($0.utf8) }

  /// Words of class names, separated by hyphens and underscores.
  private static let classes: [(PictureRejection, Set<String>)] = [
    (.avatar, ["avatar", "gravatar", "userpic"]), (.emoji, ["emoji", "smiley", "emoticon"]),
    (.badge, ["badge", "sharedaddy"]),
  ]

  /// Class names that must match as a whole.
  private static let wholeClasses: [(PictureRejection, Set<String>)] = [
    (.badge, ["share", "social-icon", "share-icon", "share-button"])
  ]

  /// The reason why a picture can never be chosen; nil when it can.
  ///
  /// - Parameters:
  ///   - candidate: the picture.
  ///   - trackers: the hosts whose pictures only count readers.
  ///   - repeated: the URLs of pictures that several posts of the feed have.
  /// - Returns: the first reason that applies; nil when the picture can be chosen.
  static func rejection(
    of candidate: PictureCandidate, trackers: TrackingHosts, repeated: RepeatedPictures = RepeatedPictures()
  ) -> PictureRejection? {
    if !trackers.isEmpty, candidate.url.beginsAsHTTP, WebURL(candidate.url).map(trackers.contains) == true {
      return .tracker
    }
    // The base64 text of an inline picture has no meaningful words.
    let path = candidate.url.hasPrefix("data:") ? "" : candidate.url.asciiLowercased()
    let address = Array((path.utf8.contains(UInt8(ascii: "?")) ? path : path + "?").utf8)
    if let rejection = rejectionByAddress(address) { return rejection }
    if PlaceholderName.isIn(address.span) { return .placeholder }
    if let rejection = rejectionByClass(candidate.classes) { return rejection }
    if isEmojiText(candidate.alternative) { return .emoji }
    if isAvatarText(candidate) { return .avatar }
    if candidate.isHidden { return .hidden }
    if let rejection = rejectionBySize(candidate) { return rejection }
    let file = path.prefix { $0 != "?" && $0 != "#" }
    if [".svg", ".ico", ".pdf", ".svgz"].contains(where: { file.hasSuffix($0) }) { return .type }
    if isFormula(address, candidate.classes) { return .type }
    if let shown = candidate.shownSource, repeated.contains(shown) { return .repeated }
    return nil
  }

  private static func rejectionByAddress(_ address: [UInt8]) -> PictureRejection? {
    let host = address.drop { $0 != UInt8(ascii: "/") }
    let isFeedHost = ["//feeds.", "//feed.", "//rss."].contains { host.starts(with: $0.utf8) }
    for start in address.indices.dropLast() {
      if isFeedHost, feedBurnerPaths.contains(where: { address[start...].starts(with: $0) }) { return .tracker }
      let parts = addressesByBeginning[beginning(address[start], address[start + 1])]
      for (rejection, part) in parts where address[start...].starts(with: part) { return rejection }
    }
    return nil
  }

  /// The entries of ``addresses``, which have two bytes or more, by a hash of the first two.
  private static let addressesByBeginning: [[(PictureRejection, [UInt8])]] = {
    var table: [[(PictureRejection, [UInt8])]] = Array(repeating: [], count: 256)
    for (rejection, parts) in addresses {
      for part in parts.map({ Array($0.utf8) }) { table[beginning(part[0], part[1])].append((rejection, part)) }
    }
    return table
  }()

  /// Returns a hash of the first two bytes of a part of a URL.
  private static func beginning(_ first: UInt8, _ second: UInt8) -> Int { Int(first &* 31 ^ second) }

  private static func rejectionByClass(_ names: [String]) -> PictureRejection? {
    for name in names {
      for (rejection, whole) in wholeClasses where whole.contains(name) { return rejection }
      for word in name.split(whereSeparator: { $0 == "-" || $0 == "_" }) {
        for (rejection, words) in classes where words.contains(String(word)) { return rejection }
      }
    }
    return nil
  }

  /// Whether a picture has the size of an avatar, and alternative text that calls it one.
  private static func isAvatarText(_ candidate: PictureCandidate) -> Bool {
    guard let width = candidate.width, width <= 400 else { return false }
    let words = candidate.alternative.asciiLowercased().split { !$0.isLetter }
    return words.contains("avatar") || words.contains("gravatar")
  }

  private static func rejectionBySize(_ candidate: PictureCandidate) -> PictureRejection? {
    if let width = candidate.width, let height = candidate.height {
      if min(width, height) < 50 || width.multipliedReportingOverflow(by: height).partialValue < 7_500 { return .small }
      if width / 4 >= height && width > 4 * height || height / 4 >= width && height > 4 * width { return .narrow }
      return nil
    }
    return (candidate.width ?? candidate.height).map { $0 < 50 } == true ? .small : nil
  }

  /// Whether a picture is a formula as rendered by WordPress, Wikipedia or CodeCogs.
  private static func isFormula(_ address: [UInt8], _ classes: [String]) -> Bool {
    if classes.contains(where: { $0 == "latex" || $0 == "tex" || $0.hasPrefix("mwe-math") }) { return true }
    let formulas: [StaticString] = ["latex.php", "latex.codecogs.com", "/math/render/", "/media/math/"]
    return formulas.contains { ByteScan.index(of: $0, in: address.span, from: 0) != nil }
  }

  /// Whether a text is a single emoji character, or `:name:`.
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

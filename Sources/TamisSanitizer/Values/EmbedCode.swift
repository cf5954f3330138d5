import TamisCore
import TamisURL

/// Finds the content that elements would show with a script, as far as their attributes tell.
enum EmbedCode {
  /// The URL that a script would have shown, and a label when the URL does not tell its kind.
  struct Target {
    var address: String
    var label = ""
  }

  // MARK: - Scripts

  /// Returns the target of a script that shows something in its own place; nil for other scripts.
  ///
  /// Scripts that only format an element beside them, as those of most networks do, have no target.
  static func target(ofScript url: WebURL) -> Target? {
    guard url.isHTTP, let host = url.hostname else { return nil }
    let frame = EmbedPage.Frame(url: url, host: host)
    return scripts.value(for: host)?(frame) ?? snippet(frame)
  }

  private typealias Rule = @Sendable (EmbedPage.Frame) -> Target?

  private static let scripts = HostTable<Rule>([
    "gist.github.com": { frame in
      guard (1...2).contains(frame.path.count), var page = withoutEnding(frame) else { return nil }
      guard let file = frame.value("file"), !file.isEmpty else { return Target(address: page, label: "Gist") }
      page +=
        "#file-"
        + file.asciiLowercased().utf8.map { $0.isASCIIAlphanumeric || $0 == 0x5F ? character($0) : "-" }
        .joined()
      return Target(address: page, label: "Gist: \(file)")
    },
    "asciinema.org": { frame in withoutEnding(frame).map { Target(address: $0) } },
    "jsfiddle.net": { frame in EmbedPage.address(of: frame.url).map { Target(address: $0) } },
    "pastebin.com": { $0.name(behind: "embed_js").map { Target(address: "https://pastebin.com/\($0)") } },
    "buzzsprout.com": { frame in frame.path.count > 1 ? withoutEnding(frame).map { Target(address: $0) } : nil },
    "fast.wistia.com": { frame in
      guard frame.path.starts(with: ["embed", "medias"]), frame.path.count == 3,
        let name = frame.path[2].split(separator: ".").first.flatMap(EmbedPage.name)
      else { return nil }
      return Target(address: "https://fast.wistia.net/embed/iframe/\(name)")
    },
    "cdn.jwplayer.com": { frame in
      guard frame.path.first == "players", frame.path.count == 2,
        let name = frame.path[1].split(separator: ".").first.flatMap(EmbedPage.name)
      else { return nil }
      return Target(address: "https://cdn.jwplayer.com/previews/\(name)")
    },
    "emgithub.com": { $0.address("target", on: "github.com").map { Target(address: $0) } },
    "gist-it.appspot.com": { frame in
      frame.path.first == "github" ? frame.rest(1, on: "github.com").map { Target(address: $0) } : nil
    },
  ])

  /// Returns the target of a GitLab snippet, on any host.
  private static func snippet(_ frame: EmbedPage.Frame) -> Target? {
    guard frame.path.count > 1, frame.path[frame.path.count - 2] == "snippets", let page = withoutEnding(frame) else {
      return nil
    }
    return Target(address: page, label: "Snippet")
  }

  /// Returns the URL of a script without its `.js` and without parameters.
  private static func withoutEnding(_ frame: EmbedPage.Frame) -> String? {
    guard let name = frame.path.last, name.hasSuffix(".js"), EmbedPage.name(name.dropLast(3)) != nil else { return nil }
    return frame.shortened(by: 0).map { String($0.dropLast(3)) }
  }

  private static func character(_ byte: UInt8) -> String { String(UnicodeScalar(byte)) }

  // MARK: - Elements of AMP and of widgets

  /// An element of a component library: the attribute with the id of its content, and the URL that precedes the id.
  ///
  /// An empty URL means that the attribute has a complete one.
  struct Component {
    let attribute: String
    let address: String
    var ending = ""
  }

  static let components: [String: [Component]] = [
    "amp-youtube": [
      Component(attribute: "data-videoid", address: "https://www.youtube.com/watch?v="),
      Component(attribute: "data-live-channelid", address: "https://www.youtube.com/channel/", ending: "/live"),
    ],
    "lite-youtube": [Component(attribute: "videoid", address: "https://www.youtube.com/watch?v=")],
    "amp-vimeo": [Component(attribute: "data-videoid", address: "https://vimeo.com/")],
    "lite-vimeo": [Component(attribute: "videoid", address: "https://vimeo.com/")],
    "amp-dailymotion": [Component(attribute: "data-videoid", address: "https://www.dailymotion.com/video/")],
    "amp-twitter": [Component(attribute: "data-tweetid", address: "https://x.com/i/status/")],
    "amp-instagram": [Component(attribute: "data-shortcode", address: "https://www.instagram.com/p/", ending: "/")],
    "amp-gist": [Component(attribute: "data-gistid", address: "https://gist.github.com/")],
    "amp-imgur": [Component(attribute: "data-imgur-id", address: "https://imgur.com/")],
    "amp-soundcloud": [
      Component(
        attribute: "data-trackid", address: "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/"),
      Component(
        attribute: "data-playlistid",
        address: "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/playlists/"),
    ],
    "amp-wistia-player": [
      Component(attribute: "data-media-hashed-id", address: "https://fast.wistia.net/embed/iframe/")
    ],
    "amp-facebook": whole("data-href"), "amp-reddit": whole("data-src"),
    "amp-pinterest": whole("data-url"), "amp-embedly-card": whole("data-url"), "amp-tiktok": whole("data-src"),
    "amp-iframe": whole("src"), "amp-video-iframe": whole("src"), "amp-google-document-embed": whole("src"),
  ]

  private static func whole(_ attribute: String) -> [Component] { [Component(attribute: attribute, address: "")] }
}

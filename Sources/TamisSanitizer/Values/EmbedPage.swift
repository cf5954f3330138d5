// To add a provider of embeds: `embed-providers` in Rules/reading.yaml; here the page behind its player; in
// EmbedCode.swift its scripts and components; a film also in `filmSites` of TamisExtract/Text/PostKind+Entry.swift.
// A case in Fixtures/Sanitizer/embeds.txt, the number in docs/rules.md. Raise `Pipelines.version` when more than the
// rules file changes.

import TamisCore
import TamisURL

/// Finds the page for the content of a frame, when its URL can be derived from the frame's.
///
/// The rules are as of November 2026, from the embed code that the services offer for copying. Only ids are taken from
/// a URL, and the result is filtered like any link.
enum EmbedPage {
  /// Returns the page's URL; nil when there is none better than the frame's.
  static func address(of url: WebURL) -> String? {
    guard let inner = wrapped(url) else { return page(of: url) }
    return page(of: inner) ?? inner.href
  }

  private static func page(of url: WebURL) -> String? {
    guard url.isHTTP, let host = url.hostname else { return nil }
    let frame = Frame(url: url, host: host)
    return hosts.value(for: host)?(frame) ?? anywhere(frame)
  }

  /// Whether a frame only has buttons with which readers like, share or follow.
  static func isButton(_ url: WebURL) -> Bool {
    guard url.isHTTP, let host = url.hostname, let starts = buttons.value(for: host) else { return false }
    return starts.contains { url.path.hasPrefix($0) }
  }

  /// The beginnings of the paths of buttons, by host, as of November 2026.
  private static let buttons = HostTable<[String]>([
    "facebook.com": [
      "/plugins/like", "/plugins/share", "/plugins/follow", "/plugins/page", "/plugins/send", "/plugins/facepile",
      "/connect/connect.php", "/widgets/like",
    ],
    "platform.twitter.com": ["/widgets/"], "platform.x.com": ["/widgets/"], "platform.linkedin.com": ["/"],
    "plusone.google.com": ["/"], "apis.google.com": ["/"], "reddit.com": ["/static/button/"],
    "badge.stumbleupon.com": ["/"], "assets.tumblr.com": ["/share"], "platform.tumblr.com": ["/"],
    "widgets.pinterest.com": ["/"], "flattr.com": ["/_h/", "/button"], "api.flattr.com": ["/button"],
    "ghbtns.com": ["/"], "buttons.github.io": ["/"], "addtoany.com": ["/"], "s7.addthis.com": ["/"],
    "b.hatena.ne.jp": ["/entry/button"], "vk.com": ["/widget_like"],
  ])

  // MARK: - Frames around what another site shows

  /// The parameters in which services that wrap content of other sites name the page, the best first.
  private static let wrappers = HostTable<[String]>([
    "cdn.embedly.com": ["url", "src"], "iframe.ly": ["url"], "iframely.net": ["url"], "twitframe.com": ["url"],
    "view.officeapps.live.com": ["src"], "docs.google.com": ["url"],
  ])

  /// Returns the URL of the content of a wrapper; nil for other frames.
  private static func wrapped(_ url: WebURL) -> WebURL? {
    guard url.isHTTP, let host = url.hostname, let names = wrappers.value(for: host) else { return nil }
    let frame = Frame(url: url, host: host)
    return names.lazy.compactMap { frame.value($0) }
      .compactMap { WebURL($0.hasPrefix("//") ? "https:" + $0 : $0) }.first {
        $0.isHTTP && $0.hostname?.isEmpty == false
      }
  }

  /// Whether a text is the id of a YouTube video.
  private static func isFilm(_ name: String) -> Bool {
    // These words have the length of a video id.
    name.utf8.count == 11 && name != "videoseries" && name != "live_stream"
  }

  /// The parts of a frame's URL.
  struct Frame {
    let url: WebURL
    let host: String
    let path: [String]
    private let parameters: [QueryParameter]

    init(url: WebURL, host: String) {
      (self.url, self.host) = (url, host)
      // The URLs of frames do not have more parts.
      path = url.path.split(separator: "/", maxSplits: 12).map(String.init)
      parameters = Array(url.queryParameters.prefix(40))
    }

    /// Returns a part of the path that is a name; negative numbers count from the end.
    func name(_ index: Int) -> String? {
      let position = index < 0 ? path.count + index : index
      return path.indices.contains(position) ? EmbedPage.name(path[position]) : nil
    }

    /// Returns the part after the given parts, when the path begins with them and the part is a name.
    func name(behind parts: String...) -> String? { path.starts(with: parts) ? name(parts.count) : nil }

    func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Returns the value of a parameter that is a name.
    func parameter(_ name: String) -> String? { value(name).flatMap(EmbedPage.name) }

    /// Returns the value of a parameter that is a URL on one of the hosts or below it.
    func address(_ name: String, on hosts: String...) -> String? {
      guard let url = value(name).flatMap({ WebURL($0) }), url.isHTTP,
        let host = url.hostname, hosts.contains(where: { host == $0 || host.hasSuffix("." + $0) })
      else { return nil }
      return url.href
    }

    /// Returns the path without its first parts, on another host.
    func rest(_ count: Int, on host: String, ending: Int = 0) -> String? {
      let parts = path.dropFirst(count).dropLast(ending)
      return parts.isEmpty ? nil : "https://\(host)/" + parts.joined(separator: "/")
    }

    /// Returns the URL without query and fragment, and without the last parts of the path.
    func shortened(by count: Int) -> String? {
      guard let origin = url.origin, path.count > count else { return nil }
      return origin + "/" + path.dropLast(count).joined(separator: "/")
    }
  }

  /// Returns a text that consists only of a name or a number; else nil.
  static func name(_ text: some StringProtocol) -> String? {
    let isName = text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F }
    return isName && (1...128).contains(text.utf8.count) ? String(text) : nil
  }

  // MARK: - Services that are known by their host

  typealias Rule = @Sendable (Frame) -> String?

  private static let hosts = HostTable<Rule>(films.merging(sounds) { $1 }.merging(posts) { $1 }.merging(code) { $1 })

  private static let films: [String: Rule] = [
    "youtube.com": youTube, "youtube-nocookie.com": youTube,
    "player.vimeo.com": { frame in
      guard let film = frame.name(behind: "video") else { return nil }
      // An unlisted video has a second id.
      let key = frame.parameter("h").map { "/\($0)" } ?? ""
      return "https://vimeo.com/\(film)\(key)" + (frame.url.fragment.map { "#\($0)" } ?? "")
    },
    "vimeo.com": { $0.path == ["moogaloop.swf"] ? $0.parameter("clip_id").map { "https://vimeo.com/\($0)" } : nil },
    "dailymotion.com": { frame in
      let film = frame.name(behind: "embed", "video") ?? frame.name(behind: "swf", "video") ?? frame.name(behind: "swf")
      return (film ?? frame.parameter("video")).map { film in
        "https://www.dailymotion.com/video/\(film)" + (frame.parameter("start").map { "?start=\($0)" } ?? "")
      }
    },
    "player.twitch.tv": { frame in
      if let film = frame.parameter("video") {
        let number = film.hasPrefix("v") ? String(film.dropFirst()) : film
        return "https://www.twitch.tv/videos/\(number)" + (frame.parameter("time").map { "?t=\($0)" } ?? "")
      }
      return frame.parameter("channel").map { "https://www.twitch.tv/\($0)" }
    },
    "clips.twitch.tv": { $0.parameter("clip").map { "https://clips.twitch.tv/\($0)" } },
    "embed.ted.com": { $0.rest(0, on: "www.ted.com") },
    "archive.org": { $0.path.first == "embed" ? $0.rest(1, on: "archive.org/details") : nil },
    "streamable.com": { $0.path.count == 2 ? $0.name(1).map { "https://streamable.com/\($0)" } : nil },
    "loom.com": { $0.name(behind: "embed").map { "https://www.loom.com/share/\($0)" } },
    "rutube.ru": { $0.name(behind: "play", "embed").map { "https://rutube.ru/video/\($0)/" } },
    "vk.com": vk, "vkvideo.ru": vk,
    "player.bilibili.com": { frame in
      (frame.parameter("bvid") ?? frame.parameter("aid").map { "av\($0)" })
        .map { "https://www.bilibili.com/video/\($0)" }
    },
    "embed.nicovideo.jp": { $0.name(behind: "watch").map { "https://www.nicovideo.jp/watch/\($0)" } },
    "odysee.com": { $0.path.starts(with: ["$", "embed"]) ? $0.rest(2, on: "odysee.com") : nil },
    "bitchute.com": { $0.name(behind: "embed").map { "https://www.bitchute.com/video/\($0)/" } },
    "media.ccc.de": { $0.path.last == "oembed" ? $0.shortened(by: 1) : nil },
    "giphy.com": { $0.name(behind: "embed").map { "https://giphy.com/gifs/\($0)" } },
    "videopress.com": { $0.name(behind: "embed").map { "https://videopress.com/v/\($0)" } },
  ]

  private static let sounds: [String: Rule] = [
    "open.spotify.com": { frame in
      if frame.path.first == "embed-podcast" { return frame.rest(1, on: "open.spotify.com") }
      return frame.path.first == "embed" ? frame.rest(1, on: "open.spotify.com") : nil
    },
    // The URL of its API is not a page.
    "w.soundcloud.com": { frame in
      frame.address("url", on: "soundcloud.com").flatMap { $0.contains("//api.") ? nil : $0 }
    },
    "embed.podcasts.apple.com": { $0.rest(0, on: "podcasts.apple.com") },
    "embed.music.apple.com": { $0.rest(0, on: "music.apple.com") },
    "widget.deezer.com": { $0.path.first == "widget" ? $0.rest(2, on: "www.deezer.com") : nil },
    "mixcloud.com": { frame in
      guard frame.path.first == "widget", let feed = frame.value("feed") else { return nil }
      return feed.hasPrefix("/") && !feed.hasPrefix("//")
        ? "https://www.mixcloud.com\(feed)" : frame.address("feed", on: "mixcloud.com")
    },
  ]

  private static let posts: [String: Rule] = [
    "embed.bsky.app": { frame in
      guard frame.path.first == "embed", frame.path.count == 4, frame.path[1].hasPrefix("did:") else { return nil }
      return frame.name(3).map { "https://bsky.app/profile/\(frame.path[1])/post/\($0)" }
    },
    "platform.twitter.com": { frame in
      frame.path == ["embed", "Tweet.html"] ? frame.parameter("id").map { "https://x.com/i/status/\($0)" } : nil
    },
    "instagram.com": { frame in
      guard frame.path.contains("embed"), let kind = frame.path.first, ["p", "reel", "tv"].contains(kind) else {
        return nil
      }
      return frame.name(1).map { "https://www.instagram.com/\(kind)/\($0)/" }
    },
    "facebook.com": { $0.path.first == "plugins" ? $0.address("href", on: "facebook.com", "fb.watch") : nil },
    "redditmedia.com": { $0.rest(0, on: "www.reddit.com") }, "embed.reddit.com": { $0.rest(0, on: "www.reddit.com") },
    "assets.pinterest.com": { $0.parameter("id").map { "https://www.pinterest.com/pin/\($0)/" } },
    "t.me": { $0.path.count == 2 && $0.value("embed") != nil ? $0.shortened(by: 0) : nil },
    "flickr.com": { $0.path.last == "player" ? $0.shortened(by: 1) : nil },
    "imgur.com": { $0.path.last == "embed" ? $0.shortened(by: 1) : nil },
  ]

  private static let code: [String: Rule] = [
    "codepen.io": { frame in
      guard frame.path.dropFirst().first == "embed", let user = frame.name(0), let pen = frame.name(-1) else {
        return nil
      }
      return "https://codepen.io/\(user)/pen/\(pen)"
    },
    "codesandbox.io": { $0.name(behind: "embed").map { "https://codesandbox.io/s/\($0)" } },
    "jsfiddle.net": { frame in
      frame.path.firstIndex { $0 == "embed" || $0 == "embedded" }
        .flatMap { frame.shortened(by: frame.path.count - $0) }.map { $0 + "/" }
    },
    "observablehq.com": { $0.path.first == "embed" ? $0.rest(1, on: "observablehq.com") : nil },
  ]

  private static let youTube: Rule = { frame in
    guard let kind = frame.path.first, ["embed", "v", "e"].contains(kind) else { return nil }
    // `v/ID&hl=en` is an old form without a query.
    let name = frame.path.count > 1 ? frame.path[1].split(separator: "&").first.flatMap(Self.name) : nil
    let list = frame.parameter("list")
    guard let name, isFilm(name) else {
      if name == "live_stream" {
        return frame.parameter("channel").map { "https://www.youtube.com/channel/\($0)/live" }
      }
      return list.map { "https://www.youtube.com/playlist?list=\($0)" }
    }
    let start = frame.parameter("start") ?? frame.parameter("t")
    return "https://www.youtube.com/watch?v=\(name)" + (list.map { "&list=\($0)" } ?? "")
      + (start.flatMap { $0 == "0" ? nil : "&t=\($0)" } ?? "")
  }

  private static let vk: Rule = { frame in
    guard frame.path == ["video_ext.php"], let owner = frame.parameter("oid"), let film = frame.parameter("id") else {
      return nil
    }
    return "https://\(frame.host)/video\(owner)_\(film)"
  }

  // MARK: - Software that runs on any host

  private static func anywhere(_ frame: Frame) -> String? {
    let path = frame.path
    // Mastodon and similar software: `/@user/1/embed`, `/users/user/statuses/1/embed`.
    if path.last == "embed", path.count == 3 && path[0].hasPrefix("@") || path.count == 5 && path[2] == "statuses" {
      return frame.shortened(by: 1)
    }
    // PeerTube.
    if path.count == 3, path.starts(with: ["videos", "embed"]), let film = frame.name(2), let origin = frame.url.origin
    {
      return "\(origin)/videos/watch/\(film)" + (frame.parameter("start").map { "?start=\($0)" } ?? "")
    }
    // WordPress posts that are embedded in others.
    if path.last == "embed", frame.url.fragment?.hasPrefix("?secret=") == true {
      return frame.shortened(by: 1).map { $0 + "/" }
    }
    return nil
  }
}

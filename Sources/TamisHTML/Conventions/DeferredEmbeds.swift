// To add a widget of a network that is only attributes: a row of `widgets`; a case in Fixtures/Sanitizer/embeds.txt.

import TamisCore

extension HTMLTree {
  /// Shows what attributes hold for a script to show: as the frame that it would be, as the words that it quotes, or as
  /// the source of a formula.
  ///
  ///     <div class="fb-post" data-href="https://…/1">                      <iframe src="https://…/1">
  ///     <script data-telegram-post="fog/123">                             <iframe src="https://t.me/fog/123">
  ///     <iframe src="about:blank" data-src-cmplz="https://…">             <iframe src="https://…">
  ///     <div class="latex-rendered" data-attrs='{"persistentExpression":  <code>E = mc^2</code>
  ///
  /// As of November 2026, from what the services and plug-ins write.
  mutating func showDeferredEmbeds(_ conventions: Conventions, _ limits: Limits) {
    for node in nodes.indices.map({ Int32($0) }) where !nodes[Int(node)].content.isEmpty {
      switch htmlName(node) {
      case .iframe: readFrame(node)
      case .script: readScript(node)
      case .div, .span, .blockquote, .p: readBox(node, conventions, limits)
      default: break
      }
    }
  }

  // MARK: - Frames that wait

  /// Gives a frame that waits for a consent, or for being seen, the address that it waits with.
  private mutating func readFrame(_ frame: Int32) {
    // iubenda has the address of an empty page for a frame that waits.
    if let source = value(of: "src", frame), isAddress(bytes[source]),
      !bytes[source].suffix(11).elementsEqual("/empty.html".utf8)
    {
      return
    }
    let waiting = nodes[Int(frame)].content.map { attributes[Int($0)] }.first {
      isAddress(bytes[$0.value]) && attributeTexts[Int($0.name)].contains("src")
        && attributeTexts[Int($0.name)] != "src"
    }
    guard let waiting else { return }
    let title = value(of: "title", frame)
    let named = [("src", waiting.value)] + (title.map { [("title", $0)] } ?? [])
    let parent = nodes[Int(frame)].parent
    if parent < 0 { return }
    _ = insert(.iframe, named, into: parent, before: frame)
    remove(frame)
  }

  private func isAddress(_ value: ArraySlice<UInt8>) -> Bool {
    let value = value.drop { $0.isHTMLSpace }
    return ["https://", "http://", "//"].contains { value.starts(with: $0.utf8) }
  }

  /// Inserts a frame for an address that begins with a fixed part.
  private mutating func insertFrame(before node: Int32, _ start: String, _ value: Range<Int>) {
    let parent = nodes[Int(node)].parent
    if parent < 0 { return }
    _ = insert(.iframe, [("src", store(Array(start.utf8) + bytes[value]))], into: parent, before: node)
  }

  /// Reads a script that shows a post of Telegram, or holds what Borlabs shows after a consent: a frame in base64.
  private mutating func readScript(_ script: Int32) {
    if let post = value(of: "data-telegram-post", script) { insertFrame(before: script, "https://t.me/", post) }
    guard let type = value(of: "type", script), bytes[type].elementsEqual("text/template".utf8),
      let parent = element(above: script), classes(of: parent).contains(where: { $0.contains("brlbs") })
    else { return }
    readFrame(inBase64: String(streamSafe: text(in: script, most: Self.mostData)[...]), into: parent)
  }

  private func element(above node: Int32) -> Int32? { nodes[Int(node)].parent > 0 ? nodes[Int(node)].parent : nil }

  private mutating func readFrame(inBase64 code: String, into box: Int32) {
    guard code.utf8.count < Self.mostData, let markup = Base64.decode(code) else { return }
    let source = markup.utf8.split(separator: UInt8(ascii: "\"")).first { isAddress(Array($0)[...]) }
    if let source { _ = insert(.iframe, [("src", store(source))], into: box) }
  }

  // MARK: - Boxes

  /// The attributes with the address of what a box of a class would show, with the beginning that they lack.
  private static let widgets: [(class: String, attribute: String, start: String)] = [
    ("fb-post", "data-href", ""), ("fb-video", "data-href", ""), ("fb-comment-embed", "data-href", ""),
    ("instagram-media", "data-instgrm-permalink", ""), ("tiktok-embed", "cite", ""),
    ("bluesky-embed", "data-bluesky-uri", ""), ("twitter-tweet", "data-tweet-url", ""),
    ("reddit-card", "data-url", ""), ("imgur-embed-pub", "data-id", "https://imgur.com/"),
    ("typeform-widget", "data-url", ""), ("tally-embed", "data-tally-src", ""),
    ("rll-youtube-player", "data-src", ""), ("youtube-embed", "data-video_id", "https://www.youtube.com/watch?v="),
  ]

  private mutating func readBox(_ box: Int32, _ conventions: Conventions, _ limits: Limits) {
    if let code = value(of: "data-borlabs-cookie-content", box) {
      return readFrame(inBase64: String(streamSafe: bytes[code].prefix(Self.mostData)), into: box)
    }
    let classes = classes(of: box)
    guard !classes.isEmpty, isEmpty(box) else { return }
    if let data = value(of: "data-attrs", box) { return readData(data, of: box, conventions, limits) }
    for widget in Self.widgets where classes.contains(widget.class) {
      guard let value = value(of: widget.attribute, box) else { continue }
      let address = store(Array(widget.start.utf8) + bytes[value])
      if isAddress(bytes[address]) { _ = insert(.iframe, [("src", address)], into: box) }
      return
    }
  }

  private static let shown: HTMLNames = [.a, .iframe, .img, .object]

  private func isEmpty(_ node: Int32) -> Bool {
    text(in: node, most: 100).allSatisfy(\.isHTMLSpace)
      && !children(of: node).prefix(4).contains { Self.shown.contains(htmlName($0)) }
  }

  // MARK: - Substack

  /// The maximum size in bytes of the data of a box.
  private static let mostData = 1 << 16

  /// Reads the data with which Substack describes what its pages show.
  private mutating func readData(_ data: Range<Int>, of box: Int32, _ conventions: Conventions, _ limits: Limits) {
    guard data.count <= Self.mostData, let values = JSONNode(bytes[data]) else { return }
    func text(_ name: String) -> String? { values[name]?.text.flatMap { $0.isEmpty ? nil : $0 } }
    if let tex = text("persistentExpression") {
      if !conventions.contains(.tex) { return append(tex, to: insert(.code, into: box)) }
      // Substack has a `div` for a formula in a line of its own.
      let source = FormulaSource(tex: tex, isDisplayed: htmlName(box) == .div)
      insert(math(source, limits), orCode: tex, into: box)
      return
    }
    if let words = text("full_text") ?? text("text") {
      let quote = insert(.blockquote, into: box)
      append(words, to: insert(.p, into: quote))
    }
    let name = [text("title"), text("name") ?? text("username") ?? text("author_name") ?? text("authorName")].compactMap
    { $0 }.first
    let isVimeo = classes(of: box).contains("vimeo-wrap")
    let video = text("videoId").map { (isVimeo ? "https://vimeo.com/" : "https://www.youtube.com/watch?v=") + $0 }
    let picture = text("instagram_id").map { "https://www.instagram.com/p/\($0)/" }
    let post = text("authorHandle").flatMap { name in
      text("postId").map { "https://bsky.app/profile/\(name)/post/\($0)" }
    }
    guard
      let address = text("url") ?? text("canonical_url") ?? text("clickthrough_url") ?? video ?? picture ?? post,
      isAddress(Array(address.utf8)[...])
    else { return }
    let title = name.map { [("title", store($0.utf8))] } ?? []
    _ = insert(.iframe, [("src", store(address.utf8))] + title, into: box)
  }
}

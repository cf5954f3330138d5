import TamisCore

/// Gathers ``MarkupFacts`` while the walker writes.
struct FactCollector {
  /// Whether anything but untidiness is asked for.
  private let isCollecting: Bool
  private(set) var links: [MarkupFacts.Link] = []
  private(set) var images: [MarkupFacts.Image] = []
  private(set) var media: [String] = []
  private(set) var text: [UInt8] = []
  private var characterCount = 0
  private var openLink: (href: String, textStart: Int)?
  var isUntidy = false
  /// Whether something stands in a table or a definition list that has no place there.
  ///
  /// libtidy must not see it: from `<table><thead><p></p><table><dd>` on it repairs for ever (its issues 380 and 1021 are
  /// of that kind).
  var isTooUntidy = false {
    didSet { if isTooUntidy { isUntidy = true } }
  }

  init(isCollecting: Bool = true) { self.isCollecting = isCollecting }

  mutating func add(_ bytes: borrowing Span<UInt8>) {
    guard isCollecting else { return }
    var runStart = 0
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte <= ASCII.space, byte.isHTMLSpace {
        text.append(bytes, runStart..<index)
        runStart = index + 1
        separate()
      } else if byte & 0xC0 != 0x80 {
        characterCount += 1
      }
    }
    text.append(bytes, runStart..<bytes.count)
  }

  /// A white space, or the edge of a block.
  mutating func separate() {
    if let last = text.last, last != ASCII.space { text.append(ASCII.space) }
  }

  /// Whether links, pictures and media are to be added.
  var wantsResources: Bool { isCollecting }

  mutating func beginLink(_ href: String) {
    endLink()
    openLink = (href, text.count)
  }

  mutating func endLink() {
    guard let link = openLink else { return }
    let content = String(decoding: text[min(link.textStart, text.count)...], as: UTF8.self)
    links.append(MarkupFacts.Link(href: link.href, text: content.trimmed()))
    openLink = nil
  }

  mutating func add(_ image: MarkupFacts.Image) {
    var image = image
    image.textOffset = characterCount
    images.append(image)
  }

  /// Forgets a picture that was taken back.
  mutating func removeLastImage() { if !images.isEmpty { images.removeLast() } }

  mutating func add(media url: String) { media.append(url) }

  mutating func finish() -> MarkupFacts {
    endLink()
    var facts = MarkupFacts()
    facts.links = links
    facts.images = images
    facts.media = media
    facts.text = String(decoding: text, as: UTF8.self).trimmed()
    facts.isUntidy = isUntidy
    return facts
  }
}

extension MarkupFacts {
  /// Whether all that a reader sees in `other` is here too: each character, white space aside, each link, picture and
  /// medium, in the same order.
  func keepsEverything(of other: MarkupFacts) -> Bool {
    links.map(\.href) == other.links.map(\.href) && images.map(\.source) == other.images.map(\.source)
      && media == other.media
      && text.utf8.lazy.filter { !$0.isHTMLSpace }.elementsEqual(other.text.utf8.lazy.filter { !$0.isHTMLSpace })
  }
}

import TamisCore

/// Gathers ``MarkupFacts`` while the walker writes.
struct FactCollector {
  /// What is asked for besides the markup.
  enum Purpose {
    /// Nothing but whether it is untidy.
    case markup
    /// What later stages want to know.
    case facts
    /// All that a repair could lose: the facts, and the extent of each kind of element.
    case comparison
  }

  private let isCollecting: Bool
  private let isCounting: Bool
  /// The elements that were written, by number.
  private(set) var extents: [Extent] = []
  private(set) var links: [MarkupFacts.Link] = []
  private(set) var images: [MarkupFacts.Image] = []
  private(set) var media: [String] = []
  private(set) var posters: [String] = []
  private(set) var embeds: [String] = []
  /// What the `source` elements before a picture offer instead of it.
  private var pictureSources: [MarkupFacts.Candidate] = []
  /// The pictures of the figure that was opened last begin here.
  private var figureStart = 0
  private var hasCaption = false
  private(set) var text: [UInt8] = []
  private var characterCount = 0
  private var openLink: (href: String, textStart: Int)?
  /// Where the text of the heading begins that is open, as long as none had words.
  private var headingStart: Int?
  private var heading: String?
  var isUntidy = false
  /// Whether something stands in a table or a definition list that has no place there.
  ///
  /// libtidy must not see it: from `<table><thead><p></p><table><dd>` on it repairs for ever (its issues 380 and 1021 are
  /// of that kind).
  var isTooUntidy = false {
    didSet { if isTooUntidy { isUntidy = true } }
  }

  init(for purpose: Purpose = .facts) {
    isCollecting = purpose != .markup
    isCounting = purpose == .comparison
  }

  /// What there is of one kind of element.
  struct Extent {
    /// How many elements.
    var count = 0
    /// How many characters and pictures they hold together, white space aside.
    var content = 0
  }

  /// How many characters and pictures there are so far.
  var contentCount: Int { characterCount + images.count }

  /// Notes an element that was written.
  mutating func begin(_ element: Int) {
    guard isCounting else { return }
    while extents.count <= element { extents.append(Extent()) }
    extents[element].count += 1
  }

  /// Notes that an element ends which holds what was counted from `start` on.
  mutating func end(_ element: Int, from start: Int) {
    if isCounting { extents[element].content += contentCount - start }
  }

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

  mutating func beginHeading() { if heading == nil { headingStart = text.count } }

  mutating func endHeading() {
    guard let start = headingStart else { return }
    headingStart = nil
    let words = String(decoding: text[min(start, text.count)...], as: UTF8.self).trimmed()
    if !words.isEmpty { heading = words }
  }

  /// What a `picture` offers belongs to its own image only.
  mutating func beginPicture() { pictureSources.removeAll() }

  mutating func add(_ image: MarkupFacts.Image) {
    var image = image
    image.textOffset = characterCount
    image.candidates += pictureSources
    image.hasCaption = image.isInFigure && hasCaption
    pictureSources.removeAll()
    images.append(image)
  }

  mutating func addPictureSources(_ candidates: [SourceSet.Candidate]) {
    pictureSources += candidates.map(\.fact)
  }

  mutating func beginFigure() {
    figureStart = images.count
    hasCaption = false
  }

  /// The words below the pictures of a figure, or above them.
  mutating func noteCaption() {
    // Pictures that come later know already, and each is looked at once however many captions there are.
    if hasCaption { return }
    hasCaption = true
    for index in images.indices[min(figureStart, images.count)...] where images[index].isInFigure {
      images[index].hasCaption = true
    }
  }

  /// What a link leads to that took the place of a frame.
  mutating func add(embed target: String) { embeds.append(target) }

  mutating func add(poster url: String) { posters.append(url) }

  /// Forgets a picture that was taken back.
  mutating func removeLastImage() { if !images.isEmpty { images.removeLast() } }

  mutating func add(media url: String) { media.append(url) }

  mutating func finish() -> MarkupFacts {
    endLink()
    var facts = MarkupFacts()
    facts.links = links
    facts.images = images
    facts.media = media
    facts.posters = posters
    facts.embeds = embeds
    facts.heading = heading
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

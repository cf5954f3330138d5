import TamisCore

/// Collects ``SanitizedHTML/Facts`` while the walker writes.
struct FactCollector {
  private let isCollecting: Bool
  /// How many elements of each kind were written, by number.
  private(set) var elements: [Int] = []
  private(set) var links: [SanitizedHTML.Facts.Link] = []
  private(set) var images: [SanitizedHTML.Facts.Image] = []
  private(set) var media: [String] = []
  private(set) var posters: [String] = []
  private(set) var embeds: [String] = []
  /// The files of the `source` elements before a picture.
  private var pictureSources: [SanitizedHTML.Facts.Candidate] = []
  /// The index of the first picture of the last opened figure.
  private var figureStart = 0
  private var hasCaption = false
  private(set) var text: [UInt8] = []
  private var characterCount = 0
  private var openLink: (href: String, textStart: Int)?
  /// The offset of the text of the open heading, as long as no heading had text.
  private var headingStart: Int?
  private var heading: String?
  init(wantsFacts: Bool = true) { isCollecting = wantsFacts }

  /// Counts an element that was written.
  mutating func count(_ element: Int) {
    guard isCollecting else { return }
    while elements.count <= element { elements.append(0) }
    elements[element] += 1
  }

  mutating func add(_ bytes: borrowing Span<UInt8>) {
    guard isCollecting else { return }
    var index = 0
    while index < bytes.count {
      if bytes[index].isHTMLSpace {
        separate()
        index += 1
        continue
      }
      // A single space after a word stays in the run, so that words are not copied one by one.
      let end = ByteScan.indexOfIrregularSpace(in: bytes, from: index + 1)
      text.append(bytes, index..<end)
      characterCount += ByteScan.visibleCharacters(in: bytes.extracting(index..<end))
      index = end
    }
  }

  /// Adds a space to the text, for white space or the edge of a block.
  mutating func separate() {
    if let last = text.last, last != ASCII.space { text.append(ASCII.space) }
  }

  /// Whether links, pictures and media are collected.
  var wantsResources: Bool { isCollecting }

  mutating func beginLink(_ href: String) {
    endLink()
    openLink = (href, text.count)
  }

  mutating func endLink() {
    guard let link = openLink else { return }
    let content = String(streamSafe: text[min(link.textStart, text.count)...])
    links.append(SanitizedHTML.Facts.Link(href: link.href, text: content.trimmed()))
    openLink = nil
  }

  mutating func beginHeading() { if heading == nil { headingStart = text.count } }

  mutating func endHeading() {
    guard let start = headingStart else { return }
    headingStart = nil
    let words = String(streamSafe: text[min(start, text.count)...]).trimmed()
    if !words.isEmpty { heading = words }
  }

  /// Begins a `picture`, whose sources apply only to its own image.
  mutating func beginPicture() { pictureSources.removeAll() }

  mutating func add(_ image: SanitizedHTML.Facts.Image) {
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

  /// Records that the current figure has a caption.
  mutating func noteCaption() {
    // Later pictures are set when they are added, so each picture is visited once.
    if hasCaption { return }
    hasCaption = true
    for index in images.indices[min(figureStart, images.count)...] where images[index].isInFigure {
      images[index].hasCaption = true
    }
  }

  /// Adds the target of a link that replaced a frame.
  mutating func add(embed target: String) { embeds.append(target) }

  mutating func add(poster url: String) { posters.append(url) }

  mutating func add(media url: String) { media.append(url) }

  mutating func finish() -> SanitizedHTML.Facts {
    var facts = SanitizedHTML.Facts()
    guard isCollecting else { return facts }
    endLink()
    facts.links = links
    facts.images = images
    facts.media = media
    facts.posters = posters
    facts.embeds = embeds
    facts.heading = heading
    facts.text = String(streamSafe: text).trimmed()
    return facts
  }
}

extension SanitizedHTML.Facts {
  /// Whether all visible content of `other` is in these facts too, in the same order.
  ///
  /// The content is each character except white space, and each link, picture and media file.
  func keepsEverything(of other: SanitizedHTML.Facts) -> Bool {
    links.map(\.href) == other.links.map(\.href) && images.map(\.source) == other.images.map(\.source)
      && media == other.media
      && text.utf8.filter { !$0.isHTMLSpace } == other.text.utf8.filter { !$0.isHTMLSpace }
  }
}

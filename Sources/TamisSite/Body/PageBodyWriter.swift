import TamisCore

/// A rewriter of sanitized markup, in which each tag is closed, each attribute quoted, and `<` begins nothing but tags.
struct PageBodyWriter {
  private let source: [UInt8]
  private let isOffline: Bool
  private let words: Site.Words
  private let pictures: PictureTags
  /// The range of the repeated title.
  var repeatedTitle: Range<Int>?
  /// The writing direction of the post.
  var direction = TextDirection.leftToRight
  private let hasBothDirections: Bool
  private let leftovers: Leftovers
  private(set) var output: [UInt8] = []
  private var tokens: MarkupTokens
  /// The original levels of the headings that the next one may be under.
  private var outline: [UInt8] = []
  /// The written levels of the open headings.
  private var headings: [UInt8] = []
  /// The number of open elements with a scrolling box; only the outermost has one.
  private var boxDepth = 0
  private var figureDepth = 0
  private var preformattedDepth = 0
  /// Whether each open definition list has no definitions.
  private var hollowDefinitions: [Bool] = []
  /// Whether each open list is numbered.
  private var lists: [Bool] = []
  private var foreignDepth = 0
  /// The open audio or video element that has not named its file.
  private var medium: String?
  /// Whether the open cell was an empty header cell.
  private var isHollowCell = false
  private var links: [OpenLink] = []

  private struct OpenLink {
    var hasName = false
    var hasPicture = false
    /// The address of a picture that the page does not load, which the link does not lead to.
    var picture: Range<Int>?
    /// The address that it leads to.
    var target: Range<Int>?
  }

  init(_ source: [UInt8], isOffline: Bool, words: Site.Words, pictures: PictureTags) {
    (self.source, self.isOffline, self.words, self.pictures) = (source, isOffline, words, pictures)
    hasBothDirections = RightToLeft.isIn(source)
    leftovers = Leftovers(source)
    tokens = MarkupTokens(source)
    output.reserveCapacity(source.count + source.count / 16 + 64)
  }

  mutating func run() {
    while true {
      if let repeatedTitle, tokens.position == repeatedTitle.lowerBound { tokens.position = repeatedTitle.upperBound }
      switch tokens.next() {
      case .text(let range): text(range)
      case .tag(let tag): if tag.isEnd { end(tag) } else { start(tag) }
      case nil: return
      }
    }
  }

  private mutating func text(_ range: Range<Int>) {
    output += source[range]
    guard !links.isEmpty, !links[links.count - 1].hasName else { return }
    links[links.count - 1].hasName = range.contains { source[$0] > 0x20 }
  }

  private mutating func start(_ tag: MarkupTag) {
    if tag.name == "svg" || tag.name == "math" { foreignDepth += 1 }
    // HTML is not allowed in a drawing; it would end it.
    if foreignDepth > 0 { return copy(tag) }
    if let end = leftovers.endOfEmptyBlock(tag, isCounted: lists.last == true) {
      tokens.position = end
      return
    }
    switch tag.name {
    case "br":
      copy(tag)
      if preformattedDepth == 0, let end = leftovers.endOfBreaks(tag) {
        copy(tag)
        tokens.position = end
      }
    case "h1", "h2", "h3", "h4", "h5", "h6": heading(tag)
    case "table", "pre": beginBox(tag)
    case "figure":
      figureDepth += 1
      copy(tag)
    case "a":
      let target = tag.value("href", source)
      // A place that others lead to needs no name.
      links.append(OpenLink(hasName: tag.value("aria-label", source) != nil || target == nil))
      links[links.count - 1].target = target
      copy(tag)
    case "img": picture(tag)
    case "ul", "ol":
      lists.append(tag.name == "ol")
      copy(tag)
    case "audio", "video":
      if let end = leftovers.endOfSilence(tag) {
        tokens.position = end
        return
      }
      if !isOffline { film(tag) } else if tag.value("src", source) != nil { reference(tag) } else { medium = tag.name }
    case "source", "track":
      if pictures.replacement(of: tag, source) != nil { break }
      if isOffline { file(of: tag) } else { copy(tag) }
    case "th" where isEmpty(tag):
      // An empty header cell becomes a data cell.
      write("<td")
      output += source[tag.nameEnd..<tag.end]
      isHollowCell = true
    // Items of lists and quotations keep their side, where their marks have room; the style sheet sets the direction of
    // their text.
    case "dl":
      hollowDefinitions.append(leftovers.definesNothing(tag))
      writeBox(tag, isBox: hollowDefinitions.last == true)
    case "dt" where hollowDefinitions.last == true: writeBox(tag, isBox: true)
    case "p", "dt", "td", "th", "figcaption", "caption", "summary": block(tag)
    default: copy(tag)
    }
  }

  /// Begins a table or preformatted text, which scrolls in a box of its own where it is too wide.
  private mutating func beginBox(_ tag: MarkupTag) {
    if boxDepth == 0 {
      write(#"<div class="scroll" role="group" tabindex="0" aria-label=""#)
      write(tag.name == "pre" ? .code : .table)
      write(#"">"#)
    }
    boxDepth += 1
    if tag.name == "pre" { preformattedDepth += 1 }
    copy(tag)
  }

  private mutating func end(_ tag: MarkupTag) {
    if foreignDepth > 0 {
      if tag.name == "svg" || tag.name == "math" {
        foreignDepth -= 1
        // The name of a link with a drawing or a formula can only come from its content.
        if !links.isEmpty { links[links.count - 1].hasPicture = true }
      }
      return copy(tag)
    }
    switch tag.name {
    case "h1", "h2", "h3", "h4", "h5", "h6":
      output += [UInt8(ascii: "<"), UInt8(ascii: "/"), UInt8(ascii: "h")]
      output += [UInt8(ascii: "0") + (headings.popLast() ?? 2), UInt8(ascii: ">")]
    case "table", "pre":
      copy(tag)
      boxDepth -= 1
      if tag.name == "pre" { preformattedDepth -= 1 }
      if boxDepth == 0 { write("</div>") }
    case "figure":
      figureDepth -= 1
      copy(tag)
    case "ul", "ol":
      _ = lists.popLast()
      copy(tag)
    case "dl": writeBox(tag, isBox: hollowDefinitions.popLast() == true)
    case "dt" where hollowDefinitions.last == true: writeBox(tag, isBox: true)
    case "a":
      let link = links.popLast() ?? OpenLink()
      // Mails, which are offline, cannot hide the name of a link that shows nothing.
      if !link.hasName, link.hasPicture || !isOffline {
        write(#"<span class="unseen">"#)
        write(link.hasPicture ? .picture : .link)
        write("</span>")
      }
      copy(tag)
      if let picture = link.picture {
        write(" ")
        write(linkTo: picture)
        write(.picture)
        write("</a>")
      }
    case "th" where isHollowCell:
      write("</td>")
      isHollowCell = false
    case "audio", "video":
      medium = nil
      if !isOffline { copy(tag) }
    default: copy(tag)
    }
  }

  /// Writes a heading one level below the nearest earlier one of a higher level.
  private mutating func heading(_ tag: MarkupTag) {
    let level = tag.name.utf8.last.map { $0 - UInt8(ascii: "0") } ?? 2
    while let last = outline.last, last >= level { outline.removeLast() }
    outline.append(level)
    let new = UInt8(min(outline.count + 1, 6))
    headings.append(new)
    output += [UInt8(ascii: "<"), UInt8(ascii: "h"), UInt8(ascii: "0") + new]
    output += source[tag.nameEnd..<tag.contentEnd]
    if findsOwnDirection(tag) { write(#" dir="auto""#) }
    output.append(UInt8(ascii: ">"))
  }

  /// Whether there is only white space between a tag and the next end tag.
  private func isEmpty(_ tag: MarkupTag) -> Bool {
    var index = tag.end
    while index < source.count, source[index] <= 0x20 { index += 1 }
    return index + 1 < source.count && source[index] == UInt8(ascii: "<") && source[index + 1] == UInt8(ascii: "/")
  }

  /// The number of bytes of a block searched for right-to-left letters.
  private static let lookedAt = 400

  /// Whether a block's direction has to be determined from its first letter.
  ///
  /// In a right-to-left post, a block that begins with a Latin name is right-to-left if the rest of it is.
  private func findsOwnDirection(_ tag: MarkupTag) -> Bool {
    guard hasBothDirections, tag.value("dir", source) == nil else { return false }
    guard direction == .rightToLeft else { return true }
    for token in MarkupTokens(source, from: tag.end, to: tag.end + Self.lookedAt) {
      switch token {
      case .text(let range): if range.contains(where: { RightToLeft.begins(at: $0, source) }) { return false }
      case .tag(let inner): if inner.name == tag.name { return true }
      }
    }
    return true
  }

  private mutating func block(_ tag: MarkupTag) {
    guard findsOwnDirection(tag) else { return copy(tag) }
    output += source[tag.start..<tag.contentEnd]
    write(#" dir="auto">"#)
  }

  private mutating func picture(_ tag: MarkupTag) {
    let alternative = tag.value("alt", source)
    let title = tag.value("title", source).flatMap { $0.isEmpty ? nil : $0 }
    let isNamed = alternative.map { $0.contains { source[$0] > 0x20 } } ?? false
    if let alternative, isEmoji(alternative), isInLine(tag) {
      // The alternative text replaces an emoji picture, since the style sheet that makes it small is missing.
      text(alternative)
      return
    }
    if !links.isEmpty {
      links[links.count - 1].hasPicture = true
      if isNamed || title != nil { links[links.count - 1].hasName = true }
    }
    if case .tag(let own) = pictures.replacement(of: tag, source) {
      output += own
    } else if isOffline, !isInline(tag) {
      reference(tag)
      return caption(tag, title, alternative)
    } else {
      output += source[tag.start..<tag.contentEnd]
    }
    if alternative == nil { write(#" alt="""#) }
    if tag.value("loading", source) == nil { write(#" loading="lazy""#) }
    write(" />")
    caption(tag, title, alternative)
  }

  private mutating func caption(_ tag: MarkupTag, _ title: Range<Int>?, _ alternative: Range<Int>?) {
    // The `title` attribute, which touch screens never show.
    if let title, figureDepth == 0, !isSame(title, alternative), !isSmall(tag) {
      write(isOffline ? #" <span class="caption">"# : #"<span class="caption">"#)
      output += source[title]
      write("</span>")
    }
  }

  /// Writes audio or video with controls, which are needed to play it, and with its preview picture.
  private mutating func film(_ tag: MarkupTag) {
    if case .tag(let own) = pictures.replacement(of: tag, source) {
      output += own
    } else {
      output += source[tag.start..<tag.contentEnd]
    }
    if tag.value("controls", source) == nil { write(" controls") }
    output += source[tag.contentEnd..<tag.end]
  }

  /// Writes a link to the first file of an audio or video element that does not name one itself.
  private mutating func file(of tag: MarkupTag) {
    guard medium != nil, tag.name == "source", tag.value("src", source) != nil else { return }
    reference(tag)
    medium = nil
  }

  /// Writes a link to a resource that the page does not load.
  private mutating func reference(_ tag: MarkupTag) {
    let name = medium ?? tag.name
    let alternative = tag.value("alt", source).flatMap { range in range.contains { source[$0] > 0x20 } ? range : nil }
    let address = tag.value("src", source) ?? tag.firstCandidate(source)
    if links.isEmpty, let address { write(linkTo: address) }
    if let alternative {
      output += source[alternative]
    } else {
      write(name == "img" ? .picture : name == "audio" ? .sound : .film)
    }
    guard !links.isEmpty else { return write(address == nil ? "" : "</a>") }
    links[links.count - 1].hasName = true
    if name == "img", links[links.count - 1].picture == nil, let address, !isSmall(tag), !isThumbnail(of: address) {
      links[links.count - 1].picture = address
    }
  }

  private mutating func write(linkTo address: Range<Int>) {
    write(#"<a class="elsewhere" rel="noopener noreferrer" href=""#)
    output += source[address]
    write(#"">"#)
  }

  /// Whether the link around a picture leads to it, or to a larger one.
  private func isThumbnail(of picture: Range<Int>) -> Bool {
    guard let target = links.last?.target else { return false }
    if source[target] == source[picture] { return true }
    let path = source[target].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let name = String(decoding: path, as: UTF8.self).lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg"].contains(where: name.hasSuffix)
  }

  /// Whether a text is a single emoji, as in the alternative text of publishing systems' emoji pictures.
  private func isEmoji(_ range: Range<Int>) -> Bool {
    guard (1...40).contains(range.count), source[range.lowerBound] >= 0xC2 else { return false }
    let text = String(decoding: source[range], as: UTF8.self)
    guard text.count == 1, let first = text.unicodeScalars.first else { return false }
    return first.properties.isEmojiPresentation || text.unicodeScalars.contains("\u{FE0F}")
  }

  /// Whether a picture's declared width is at most that of a character in a line.
  private func isInLine(_ tag: MarkupTag) -> Bool {
    guard let width = tag.value("width", source) else { return true }
    return Int(String(decoding: source[width], as: UTF8.self)).map { $0 <= 96 } ?? true
  }

  private func isInline(_ tag: MarkupTag) -> Bool {
    guard let address = tag.value("src", source), tag.value("srcset", source) == nil, address.count > 5 else {
      return false
    }
    return source[address].starts(with: "data:".utf8)
  }

  private func isSame(_ one: Range<Int>, _ other: Range<Int>?) -> Bool {
    other.map { source[one] == source[$0] } ?? false
  }

  /// Whether a picture is a small sign in a line, without room for a caption.
  private func isSmall(_ tag: MarkupTag) -> Bool {
    guard let width = tag.value("width", source) else { return false }
    return width.count < 3
  }

  /// Writes a tag unchanged, or as that of a box.
  private mutating func writeBox(_ tag: MarkupTag, isBox: Bool) {
    guard isBox else { return copy(tag) }
    if tag.isEnd { write("</div") } else { write("<div") }
    output += source[tag.nameEnd..<tag.end]
  }

  private mutating func copy(_ tag: MarkupTag) { output += source[tag.start..<tag.end] }

  private mutating func write(_ word: Word) { HTMLText.append(words.text(word), to: &output) }

  private mutating func write(_ text: StaticString) { text.withUTF8Buffer { output += $0 } }
}

import TamisCore

/// The place in a page at which a template's text ends: in the content of an element, in a tag, or in a text that
/// browsers read without tags (HTML Standard, 13.2.5).
///
/// What a template may print depends on it. Sections and partials are not followed: a template is read from its
/// beginning to its end, as its author sees it.
struct TemplateContext {
  /// A place in a page.
  enum Place: Equatable {
    /// Between tags.
    case content
    /// In a tag, outside of quotation marks.
    case tag
    /// In a quoted attribute.
    case value(quote: UInt8)
    case comment
    /// In `title` or `textarea`, which hold text without tags.
    case text
    /// In `script`, `style` and others, in which character references mean nothing.
    case raw
  }

  private(set) var place = Place.content
  /// The name of the current tag, or of the element whose text is read.
  private var name: [UInt8] = []
  private var isEndTag = false
  private var isInName = false
  /// The last bytes, in lower case.
  private var recent: [UInt8] = []

  private static let textElements: Set<String> = ["title", "textarea"]
  private static let rawElements: Set<String> = [
    "script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext",
  ]
  private static let longestEnd = 16

  /// Reads on.
  mutating func read(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { read(byte.asciiLowercased) }
  }

  private mutating func read(_ byte: UInt8) {
    if recent.count == Self.longestEnd { recent.removeFirst() }
    recent.append(byte)
    switch place {
    case .content: if byte == UInt8(ascii: "<") { beginTag(isEnd: false) }
    case .tag: readInTag(byte)
    case .value(let quote): if byte == quote { place = .tag }
    case .comment: if recent.suffix(3).elementsEqual("-->".utf8) { place = .content }
    case .text, .raw:
      guard recent.suffix(name.count + 2).elementsEqual(Array("</".utf8) + name) else { return }
      place = .tag
      (isEndTag, isInName) = (true, false)
    }
  }

  private mutating func beginTag(isEnd: Bool) {
    place = .tag
    (name, isEndTag, isInName) = ([], isEnd, true)
  }

  private mutating func readInTag(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: ">"): endTag()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): place = .value(quote: byte)
    case UInt8(ascii: "/") where isInName && name.isEmpty: isEndTag = true
    case _ where isInName && (byte.isASCIIAlphanumeric || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "-")):
      name.append(byte)
      if name.elementsEqual("!--".utf8) { place = .comment }
    // A sign after white space begins no tag.
    case _ where isInName && name.isEmpty && !isEndTag: place = .content
    default: isInName = false
    }
  }

  private mutating func endTag() {
    let element = String(decoding: name, as: UTF8.self)
    place =
      isEndTag
      ? .content : Self.textElements.contains(element) ? .text : Self.rawElements.contains(element) ? .raw : .content
  }
}

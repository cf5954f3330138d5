import TamisCore
import TamisURL

/// A writer of markup elements in a field back to text.
///
/// Names are in lower case without prefix, attributes are quoted, and text is escaped.
struct InlineMarkup {
  private var open: [String] = []
  /// The base URLs that elements of the markup name by `xml:base`, with the number of elements around each.
  private var bases: [(depth: Int, url: String)] = []

  /// The base URL that an element of the markup names; nil when the one of the field is in force.
  var base: String? { bases.last?.url }

  /// The number of open elements.
  var depth: Int { open.count }

  /// Writes a start tag.
  ///
  /// - Parameters:
  ///   - name: the name of the element.
  ///   - attributes: its attributes.
  ///   - base: the base URL that it names; nil when it names none.
  ///   - output: the buffer that the tag is appended to.
  ///   - attributeName: returns the name of an attribute by its number.
  mutating func begin(
    _ name: XMLName, _ attributes: AttributeBuffer, base: String?, into output: inout [UInt8],
    attributeName: (Int) -> XMLName
  ) {
    let local = name.local.asciiLowercased()
    if let base { bases.append((open.count, base)) }
    open.append(local)
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: local.utf8)
    for (number, value) in attributes.items {
      let name = attributeName(number)
      output.append(ASCII.space)
      if !name.prefix.isEmpty {
        output.append(contentsOf: name.prefix.utf8)
        output.append(UInt8(ascii: ":"))
      }
      output.append(contentsOf: name.local.utf8)
      output.append(contentsOf: "=\"".utf8)
      if let url = resolved(attributes, value, of: name) {
        MarkupText.append(Array(url.utf8).span, to: &output)
      } else {
        MarkupText.append(attributes.bytes.span.extracting(value), to: &output)
      }
      output.append(UInt8(ascii: "\""))
    }
    output.append(contentsOf: (ElementTable.void.contains(local) ? " />" : ">").utf8)
  }

  /// Returns the value of an attribute that is a URL, resolved against the base that the markup names.
  private func resolved(_ attributes: AttributeBuffer, _ value: Range<Int>, of name: XMLName) -> String? {
    guard let base = bases.last.flatMap({ WebURL($0.url) }), name.prefix.isEmpty,
      ["href", "src", "cite", "data", "poster", "longdesc", "background"].contains(name.local.asciiLowercased())
    else { return nil }
    let text = attributes.string(value)
    return text.hasPrefix("#") ? nil : WebURL(text, base: base)?.href
  }

  /// Ends the innermost open element of this name and those inside it, or returns false when there is none.
  mutating func end(named name: XMLName, into output: inout [UInt8]) -> Bool {
    guard !open.isEmpty, let index = open.lastIndex(of: name.local.asciiLowercased()) else { return false }
    while open.count > index { close(into: &output) }
    return true
  }

  mutating func closeAll(into output: inout [UInt8]) {
    while !open.isEmpty { close(into: &output) }
  }

  private mutating func close(into output: inout [UInt8]) {
    if let base = bases.last, base.depth == open.count - 1 { bases.removeLast() }
    guard let name = open.popLast(), !ElementTable.void.contains(name) else { return }
    output.append(contentsOf: "</\(name)>".utf8)
  }

  /// Returns the markup without the `div` that Atom puts around XHTML (RFC 4287, 3.1.1.3), if present.
  static func withoutWrapper(_ markup: String) -> String {
    guard markup.hasPrefix("<div"), markup.hasSuffix("</div>"), let start = markup.firstIndex(of: ">") else {
      return markup
    }
    let tag = markup[..<start]
    guard tag == "<div" || tag.hasPrefix("<div ") else { return markup }
    let inner = markup[markup.index(after: start)...].dropLast("</div>".count)
    // The first div must be the one that the last end tag closes.
    var depth = 0
    for part in inner.split(separator: "<").dropFirst(inner.hasPrefix("<") ? 0 : 1) {
      if part.hasPrefix("div>") || part.hasPrefix("div ") { depth += 1 }
      if part.hasPrefix("/div>") { depth -= 1 }
      if depth < 0 { return markup }
    }
    return String(inner).trimmed()
  }
}

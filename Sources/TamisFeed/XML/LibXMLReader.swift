import CLibXML2
import TamisCore

/// Reads XML with libxml2 up to its first fault.
///
/// Taken for faults too are a beginning of a section or a tag inside another section, which may not have been closed;
/// a document type, of which only harmless parts are read; a tag, a section or text of more than 128 KiB, since libxml2
/// compares each attribute with all before it; more than 256 namespaces at once, all of which it looks through for each
/// name; names and depths beyond the limits; and an element that ends others by the rules of feeds, as an entry does
/// within an entry.
@safe final class LibXMLReader {
  private static let mostNamespaces = 256

  private var parser: xmlParserCtxtPtr?
  private var elementNumbers = NameTable()
  private var attributeNumbers = NameTable()
  /// The targets of instructions, and the prefixes and URIs of namespaces, which libxml2 keeps to the end as well.
  private var otherNames = NameTable()
  private var namespaces: [String] = []
  private var elements: [Element] = []
  private var attributes: [Attribute] = []
  private var open: [Open] = []
  private let text = unsafe TextBuffer.make()
  private let handler: any XMLHandler
  private let limits: Limits
  private let isFeed: Bool
  private var pieces: () -> [UInt8] = { [] }
  private var piece: [UInt8] = []
  private var consumed = 0
  private var window = Window()
  /// Whether the first fault was met.
  private var isHalted = false
  /// Whether the end tag of the root element was read; its event comes at the end of the document, since there may be
  /// more of it.
  private var hasRootEnded = false
  private var hasUndeclaredPrefix = false
  /// Whether a name was met that is too long, or one too many.
  private var isBeyondLimits = false
  private var openEntries = 0
  /// The number of namespaces that the open elements declare.
  private var openNamespaces = 0
  /// The attributes of the tag being reported, as indices in ``attributes``.
  private var indices: [Int] = []

  /// The properties of all elements with one name.
  private struct Element {
    var name: XMLName
    /// The handler's number.
    var number: Int
    var role: ElementRole
  }

  private struct Attribute {
    var name: XMLName
    var number: Int
  }

  private struct Open {
    /// The index in ``LibXMLReader/elements``.
    var element: Int
    var namespaces: [(String, String)]
  }

  init(handler: any XMLHandler, limits: Limits, isFeed: Bool) {
    LibXML2.begin()
    (self.handler, self.limits, self.isFeed) = (handler, limits, isFeed)
  }

  deinit {
    if let parser = unsafe parser { unsafe xmlFreeParserCtxt(parser) }
    unsafe TextBuffer.destroy(text)
  }

  /// Reads a document without an XML declaration, as UTF-8.
  ///
  /// - Parameter next: returns the next bytes, any number of them; none at the end.
  /// - Returns: the rest of the document behind the last tag before its first fault; nil when it has none, or the
  ///   handler wants no more of it.
  func read(_ next: @escaping () -> [UInt8]) -> XMLRest? {
    pieces = next
    var sax = unsafe Self.callbacks()
    let pull: xmlInputReadCallback = { data, buffer, length in
      guard let reader = unsafe LibXMLReader.from(data), let buffer = unsafe buffer, length > 0 else { return 0 }
      return Int32(unsafe reader.fill(UnsafeMutableRawBufferPointer(start: buffer, count: Int(length))))
    }
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let fresh = unsafe xmlCreateIOParserCtxt(&sax, this, pull, { _ in 0 }, this, XML_CHAR_ENCODING_UTF8)
    else { return rest() }
    unsafe parser = fresh
    let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    _ = unsafe xmlCtxtUseOptions(fresh, Int32(bitPattern: options))
    _ = unsafe xmlParseDocument(fresh)
    pieces = { [] }
    if isHalted { return rest() }
    if handler.wantsMore, let root = open.last { handler.endElement(elements[root.element].number) }
    return nil
  }

  /// The position of the parser in the document.
  var position: XMLPosition {
    guard let input = unsafe parser?.pointee.input else { return XMLPosition(line: 1, column: 1) }
    return XMLPosition(line: Int(unsafe input.pointee.line), column: Int(unsafe input.pointee.col))
  }

  private func rest() -> XMLRest {
    let bytes = window.takeRest() + piece[consumed...]
    let open = open.map {
      let element = elements[$0.element]
      return XMLRest.OpenElement(
        name: element.name, number: element.number, role: element.role, namespaces: $0.namespaces)
    }
    return XMLRest(
      bytes: bytes, offset: window.tagEnd, place: window.place, open: open, hasRootEnded: hasRootEnded,
      hasUndeclaredPrefix: hasUndeclaredPrefix,
      names: elements.map(\.name.written) + attributes.map(\.name.written) + namespaces)
  }

  /// Ends reading at the first fault.
  private func halt() {
    isHalted = true
    stop()
  }

  private func stop() {
    if let parser = unsafe parser { unsafe xmlStopParser(parser) }
  }

  /// Fills a buffer as far as there is input, so that libxml2 does not see where the pieces end.
  private func fill(_ target: UnsafeMutableRawBufferPointer) -> Int {
    // The parser must not be stopped while it reads; it ends here by itself.
    if window.isFull { isHalted = true }
    var filled = 0
    while filled < target.count, !isHalted {
      if consumed == piece.count {
        piece = pieces()
        consumed = 0
        if piece.isEmpty { break }
      }
      let part = consumed..<consumed + min(target.count - filled, piece.count - consumed)
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + part.count]).copyBytes(from: piece[part])
      window.append(piece[part])
      filled += part.count
      consumed = part.upperBound
    }
    return filled
  }

  /// The number of bytes that libxml2 has read, up to the end of the current event.
  private var offset: Int {
    guard let input = unsafe parser?.pointee.input else { return 0 }
    return unsafe Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
  }

  fileprivate static func from(_ data: UnsafeMutableRawPointer?) -> LibXMLReader? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<LibXMLReader>.fromOpaque(data).takeUnretainedValue()
  }
}

// MARK: - Events

extension LibXMLReader {
  private static func callbacks() -> xmlSAXHandler {
    var sax = unsafe xmlSAXHandler()
    unsafe sax.initialized = XML_SAX2_MAGIC
    unsafe sax.startElementNs = { data, local, prefix, uri, namespaceCount, namespaces, count, _, attributes in
      guard let local = unsafe local, let reader = unsafe LibXMLReader.from(data), !reader.isHalted else { return }
      unsafe reader.start(
        NameParts(local: local, prefix: prefix, uri: uri), namespaceCount: namespaceCount, namespaces: namespaces,
        attributeCount: count, attributes: attributes)
    }
    unsafe sax.endElementNs = { data, _, _, _ in unsafe LibXMLReader.from(data)?.end() }
    let text: charactersSAXFunc = { data, characters, length in
      guard length > 0, let characters = unsafe characters, let data = unsafe data else { return }
      // This is called for each reference, so it has to be cheap.
      unsafe Unmanaged<LibXMLReader>.fromOpaque(data)._withUnsafeGuaranteedRef { reader in
        unsafe reader.text.pointee.append(characters, Int(length))
      }
    }
    unsafe sax.characters = text
    unsafe sax.ignorableWhitespace = text
    unsafe sax.cdataBlock = { data, characters, length in
      guard length > 0, let characters = unsafe characters, let reader = unsafe LibXMLReader.from(data) else { return }
      let section = unsafe Span(_unsafeStart: characters, count: Int(length))
      // A nested beginning tells that the first section may not have been closed.
      if ByteScan.index(of: "<![CDATA[", in: section, from: 0) != nil { return reader.halt() }
      unsafe reader.text.pointee.append(characters, Int(length))
    }
    unsafe sax.comment = { data, comment in unsafe LibXMLReader.from(data)?.look(at: comment) }
    unsafe sax.processingInstruction = { data, target, content in
      guard let reader = unsafe LibXMLReader.from(data) else { return }
      unsafe reader.count(target, after: nil)
      unsafe reader.look(at: content)
    }
    unsafe sax.internalSubset = { data, _, _, _ in unsafe LibXMLReader.from(data)?.halt() }
    unsafe sax.serror = { data, error in
      guard let error = unsafe error?.pointee else { return }
      unsafe LibXMLReader.from(data)?.report(error)
    }
    return unsafe sax
  }

  /// A name as libxml2 passes it; its three addresses are unique per document.
  @safe fileprivate struct NameParts {
    let local: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let uri: UnsafePointer<UInt8>?

    var key: NameTable.Key {
      unsafe .init(name: UInt(bitPattern: local), prefix: UInt(bitPattern: prefix), namespace: UInt(bitPattern: uri))
    }

    var name: XMLName {
      unsafe XMLName(prefix: CText.string(prefix), local: CText.string(local), namespace: CText.string(uri))
    }
  }

  /// Returns the index of a name in ``elements``.
  private func element(_ parts: NameParts) -> Int {
    elementNumbers.value(for: parts.key) {
      let name = admitted(parts.name)
      let role = isFeed ? ElementRole(local: name.local, isPrefixed: !name.prefix.isEmpty) : []
      elements.append(Element(name: name, number: handler.number(ofElement: name), role: role))
      return elements.count - 1
    }
  }

  /// Returns the index of a name in ``attributes``.
  private func attribute(_ parts: NameParts) -> Int {
    attributeNumbers.value(for: parts.key) {
      let name = admitted(parts.name)
      attributes.append(Attribute(name: name, number: handler.number(ofAttribute: name)))
      return attributes.count - 1
    }
  }

  /// Counts a name, which libxml2 keeps to the end.
  private func admitted(_ name: XMLName) -> XMLName {
    if name.written.utf8.count > XMLCharacter.longestName || countOfNames >= limits.names { isBeyondLimits = true }
    return name
  }

  /// Counts a name that is not reported, and halts at one too many.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - prefix: what is before it in the document; nil for the target of an instruction, which only libxml2 keeps.
  private func count(_ name: UnsafePointer<UInt8>?, after prefix: String?) {
    guard let name = unsafe name else { return }
    _ = otherNames.value(for: .init(name: UInt(bitPattern: name), prefix: UInt(prefix?.utf8.count ?? 0))) {
      if let prefix { self.namespaces.append(prefix + (unsafe CText.string(name))) }
      return 0
    }
    if countOfNames > limits.names { halt() }
  }

  private var countOfNames: Int { elements.count + attributes.count + otherNames.count }

  private func start(
    _ parts: NameParts, namespaceCount: Int32, namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    attributeCount: Int32, attributes entries: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  ) {
    let index = element(parts)
    guard hasTagEnd, isExpected(elements[index]), Int(attributeCount) + Int(namespaceCount) <= limits.attributes,
      openNamespaces + Int(namespaceCount) <= Self.mostNamespaces
    else { return halt() }
    indices.removeAll(keepingCapacity: true)
    if let entries = unsafe entries {
      // Five addresses each: local name, prefix, namespace, begin and end of the value.
      for place in 0..<Int(attributeCount) {
        guard let local = unsafe entries[5 * place] else { continue }
        unsafe indices.append(
          attribute(NameParts(local: local, prefix: entries[5 * place + 1], uri: entries[5 * place + 2])))
      }
    }
    if let namespaces = unsafe namespaces {
      for index in 0..<Int(namespaceCount) {
        unsafe count(namespaces[2 * index], after: "xmlns:")
        unsafe count(namespaces[2 * index + 1], after: "")
      }
    }
    if isBeyondLimits { halt() }
    if isHalted { return }
    flushText()
    if let entries = unsafe entries {
      for (place, index) in indices.enumerated() {
        guard let begin = unsafe entries[5 * place + 3], let end = unsafe entries[5 * place + 4] else { continue }
        unsafe handler.attribute(attributes[index].number, Span(_unsafeStart: begin, count: end - begin))
      }
    }
    var declared: [(String, String)] = []
    if let namespaces = unsafe namespaces {
      for index in 0..<Int(namespaceCount) {
        unsafe declared.append((CText.string(namespaces[2 * index]), CText.string(namespaces[2 * index + 1])))
      }
    }
    open.append(Open(element: index, namespaces: declared))
    openNamespaces += declared.count
    if elements[index].role.contains(.entry) { openEntries += 1 }
    handler.startElement(elements[index].number, namespaces: declared, at: position)
    // The `>` is still to be read.
    window.tagEnd = offset + 1
    if !handler.wantsMore { stop() }
  }

  /// Whether the end of the start tag stands here; libxml2 would report a tag that lacks it before the fault.
  private var hasTagEnd: Bool {
    guard let next = unsafe parser?.pointee.input?.pointee.cur else { return false }
    return unsafe next[0] == UInt8(ascii: ">") || (next[0] == UInt8(ascii: "/") && next[1] == UInt8(ascii: ">"))
  }

  /// Whether the element may come here with nothing left open before it, as ``TolerantReader`` sees it.
  private func isExpected(_ element: Element) -> Bool {
    let role = element.role
    guard open.count < OpenElements.deepest else { return false }
    guard isFeed else { return true }
    // An entry spelled otherwise begins a feed without a root element, and is none in one.
    if role.contains(.fragment), !role.contains(.entry) { return false }
    guard let last = open.last else { return !role.isDisjoint(with: [.root, .fragment]) }
    guard role.contains(.entry) || role.contains(.channel) else { return true }
    return !elements[last.element].role.contains(.stray) && !(role.contains(.entry) && openEntries > 0)
  }

  private func end() {
    guard !isHalted, let last = open.last else { return }
    flushText()
    window.tagEnd = offset
    if open.count == 1 {
      hasRootEnded = true
      return
    }
    open.removeLast()
    openNamespaces -= last.namespaces.count
    if elements[last.element].role.contains(.entry) { openEntries -= 1 }
    handler.endElement(elements[last.element].number)
    if !handler.wantsMore { stop() }
  }

  /// Reports the text collected so far.
  private func flushText() {
    guard unsafe text.pointee.count > 0 else { return }
    unsafe text.pointee.use { handler.text($0) }
    unsafe text.pointee.count = 0
  }

  /// Halts at tags in a comment or an instruction, which tell that it may not have been closed.
  private func look(at content: UnsafePointer<UInt8>?) {
    guard let content = unsafe content else { return }
    let bytes = unsafe Span(_unsafeStart: content, count: CText.length(content))
    if ByteScan.index(of: UInt8(ascii: "<"), in: bytes, from: 0) < bytes.count { halt() }
  }

  private func report(_ error: xmlError) {
    // Warnings do not make a document ill-formed; nor does a namespace that is no URI, an error to libxml2.
    guard unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue, unsafe error.code != XML_WAR_NS_URI.rawValue, !isHalted
    else { return }
    guard unsafe error.code == XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue else { return halt() }
    if hasUndeclaredPrefix { return }
    hasUndeclaredPrefix = true
    let prefix = unsafe error.str1.map { unsafe String(cString: $0) } ?? ""
    handler.fault(.undeclared(prefix, at: position))
  }
}

/// The bytes of a document from its last tag on.
private struct Window {
  /// The number of bytes without the end of a tag that are kept.
  private static let most = 128 << 10

  private var bytes: [UInt8] = []
  /// The offset of the bytes in the document, and their place.
  private var start = 0
  private(set) var place = XMLPlace()
  /// The offset in the document of the end of the last tag.
  var tagEnd = 0

  /// Whether there is too much without the end of a tag.
  var isFull: Bool { start + bytes.count - tagEnd > Self.most }

  mutating func append(_ part: ArraySlice<UInt8>) {
    if tagEnd - start > Self.most { forget() }
    bytes += part
  }

  /// Removes what is before the end of the last tag.
  private mutating func forget() {
    let known = bytes
    place.advance(over: known.span.extracting(..<(tagEnd - start)), to: tagEnd)
    bytes.removeFirst(tagEnd - start)
    start = tagEnd
  }

  /// Returns the bytes behind the last tag, whose place ``place`` is then.
  mutating func takeRest() -> [UInt8] {
    forget()
    return bytes
  }
}

/// Text between two tags, joined from the pieces in which libxml2 reports it: one for each reference.
@safe private struct TextBuffer {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  fileprivate var count = 0

  static func make() -> UnsafeMutablePointer<TextBuffer> {
    let buffer = UnsafeMutablePointer<TextBuffer>.allocate(capacity: 1)
    unsafe buffer.initialize(to: TextBuffer(bytes: .allocate(capacity: 4096), capacity: 4096))
    return unsafe buffer
  }

  static func destroy(_ buffer: UnsafeMutablePointer<TextBuffer>) {
    unsafe buffer.pointee.bytes.deallocate()
    unsafe buffer.deallocate()
  }

  private init(bytes: UnsafeMutablePointer<UInt8>, capacity: Int) {
    unsafe self.bytes = unsafe bytes
    self.capacity = capacity
  }

  mutating func append(_ text: UnsafePointer<UInt8>, _ length: Int) {
    if count + length > capacity { grow(to: count + length) }
    unsafe (bytes + count).update(from: text, count: length)
    count += length
  }

  /// Passes the text to a closure.
  func use(_ body: (borrowing Span<UInt8>) -> Void) { unsafe body(Span(_unsafeStart: bytes, count: count)) }

  private mutating func grow(to size: Int) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * size)
    unsafe larger.update(from: bytes, count: count)
    unsafe bytes.deallocate()
    unsafe bytes = unsafe larger
    capacity = 2 * size
  }
}

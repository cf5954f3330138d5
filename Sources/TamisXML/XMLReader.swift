import CLibXML2
package import TamisCore

/// A name in an XML document, as written and with its meaning.
package struct XMLName: Hashable {
  /// The prefix as written, empty when there is none.
  package var prefix: String
  /// The part after the colon.
  package var local: String
  /// The namespace URI of the prefix; empty when there is none or it was never declared.
  package var namespace: String

  package init(prefix: String, local: String, namespace: String) {
    (self.prefix, self.local, self.namespace) = (prefix, local, namespace)
  }
}

/// A position in a document: the line, and the column in characters, both from 1.
package struct XMLPosition {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }
}

/// The context of a text that is the rest of a document.
package struct XMLContext {
  /// The start tags of the open elements, on one line; no events are reported for them.
  package var startTags: [UInt8]
  /// The number of start tags.
  package var count: Int
  /// The position in the document at which the text begins.
  package var position: XMLPosition

  package init(startTags: [UInt8] = [], count: Int = 0, position: XMLPosition = XMLPosition(line: 1, column: 1)) {
    (self.startTags, self.count, self.position) = (startTags, count, position)
  }
}

/// A fault reported by libxml2.
package struct XMLFault {
  /// The message of libxml2, on one line.
  package var message: String
  /// The line, from 1.
  package var line: Int
  /// The column, from 1, as libxml2 counts it.
  package var column: Int
  /// Whether an undeclared namespace prefix was used; the document is well-formed XML otherwise.
  package var isNamespaceFault: Bool
}

/// The receiver of the events of an ``XMLReader``.
///
/// Names are reported as numbers chosen by the handler, which is asked once per distinct name.
package protocol XMLHandler: AnyObject {
  /// Returns the number under which elements of this name are to be reported.
  func number(ofElement name: XMLName) -> Int
  /// Returns the number under which attributes of this name are to be reported.
  func number(ofAttribute name: XMLName) -> Int
  /// Whether reading should continue; asked after each tag.
  var wantsMore: Bool { get }
  /// Reports an attribute of the start tag that is reported next, with references decoded.
  func attribute(_ attribute: Int, _ value: borrowing Span<UInt8>)
  /// Reports a start tag, with the namespaces it declares as (prefix, URI), and the position of its end.
  func startElement(_ element: Int, namespaces: [(String, String)], at position: XMLPosition)
  /// Reports an end tag, written or implied by recovery.
  func endElement(_ element: Int)
  /// Reports text with its references decoded; only a very long run comes in several pieces.
  func text(_ bytes: borrowing Span<UInt8>)
  /// Reports the name and public identifier of the document type declaration.
  func documentType(_ name: String, publicID: String)
  /// Reports a fault; reading continues if possible.
  func fault(_ fault: XMLFault)
}

/// Reads XML piece by piece with libxml2 and reports events; memory is bounded by the largest element.
///
/// No document type is loaded, and no file or connection is opened, whatever the document asks for. Only the five
/// predefined entities of XML are known: the caller has to resolve all others.
@safe package final class XMLReader {
  /// The maximum length of text reported in one piece, in bytes.
  package static let longestText = 1 << 16

  private var parser: xmlParserCtxtPtr?
  private var names = NameTable()
  private var attributeNames = NameTable()
  private let text = unsafe TextBuffer.make()
  private unowned let handler: any XMLHandler
  private let limits: Limits
  private var pieces: () -> [UInt8] = { [] }
  private var piece: [UInt8] = []
  private var consumed = 0
  private var context = XMLContext()
  /// The number of start tags of the context that have not been parsed yet.
  private var unreported = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - handler: the receiver of the events, which must outlive the reader.
  ///   - limits: the limits.
  package init(handler: any XMLHandler, limits: Limits) {
    LibXML2.begin()
    self.handler = handler
    self.limits = limits
  }

  deinit {
    if let parser = unsafe parser { unsafe xmlFreeParserCtxt(parser) }
    unsafe TextBuffer.destroy(text)
  }

  /// Reads a document as UTF-8, whatever encoding it declares.
  ///
  /// - Parameters:
  ///   - context: the context of the text, when it is the rest of a document.
  ///   - next: returns the next bytes, any number of them; none at the end.
  package func read(inside context: XMLContext = XMLContext(), _ next: @escaping () -> [UInt8]) {
    self.context = context
    unreported = context.count
    piece = context.startTags
    pieces = next
    var sax = unsafe Self.callbacks()
    let pull: xmlInputReadCallback = { data, buffer, length in
      guard let reader = unsafe XMLReader.from(data), let buffer = unsafe buffer, length > 0 else { return 0 }
      let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(length))
      return Int32(unsafe reader.fill(target))
    }
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let fresh = unsafe xmlCreateIOParserCtxt(&sax, this, pull, { _ in 0 }, this, XML_CHAR_ENCODING_UTF8)
    else { return }
    unsafe parser = fresh
    let options =
      XML_PARSE_RECOVER.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    _ = unsafe xmlCtxtUseOptions(fresh, Int32(bitPattern: options))
    _ = unsafe xmlParseDocument(fresh)
    flushText()
    pieces = { [] }
  }

  /// Fills a buffer as far as there is input, so that libxml2 does not see where the pieces end.
  private func fill(_ target: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < target.count {
      if consumed == piece.count {
        piece = pieces()
        consumed = 0
        if piece.isEmpty { break }
      }
      let count = min(target.count - filled, piece.count - consumed)
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + count])
        .copyBytes(from: piece[consumed..<consumed + count])
      filled += count
      consumed += count
    }
    return filled
  }

  /// The position of the parser in the document.
  package var position: XMLPosition {
    guard let input = unsafe parser?.pointee.input else { return XMLPosition(line: 0, column: 0) }
    return inDocument(XMLPosition(line: Int(unsafe input.pointee.line), column: Int(unsafe input.pointee.col)))
  }

  /// Returns the position in the document of a position in the parser's input.
  private func inDocument(_ place: XMLPosition) -> XMLPosition {
    let isInFirstLine = place.line == 1
    let before = isInFirstLine ? context.position.column - 1 - ByteScan.characters(in: context.startTags.span) : 0
    return XMLPosition(line: place.line + context.position.line - 1, column: place.column + before)
  }

  /// The number of bytes that the parser has read, up to the end of the current event.
  package var offset: Int {
    guard let input = unsafe parser?.pointee.input else { return 0 }
    return unsafe Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
  }

  /// Stops reading after the current event when the handler wants no more.
  private func stopIfDone() {
    if !handler.wantsMore, let parser = unsafe parser { unsafe xmlStopParser(parser) }
  }

  fileprivate static func from(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<XMLReader>.fromOpaque(data).takeUnretainedValue()
  }
}

// MARK: - Events

extension XMLReader {
  private static func callbacks() -> xmlSAXHandler {
    var sax = unsafe xmlSAXHandler()
    unsafe sax.initialized = XML_SAX2_MAGIC
    unsafe sax.startElementNs = { data, local, prefix, uri, namespaceCount, namespaces, count, _, attributes in
      guard let local = unsafe local else { return }
      unsafe XMLReader.from(data)?.start(
        NameParts(local: local, prefix: prefix, uri: uri), namespaceCount: namespaceCount, namespaces: namespaces,
        attributeCount: count, attributes: attributes)
    }
    unsafe sax.endElementNs = { data, local, prefix, uri in
      guard let local = unsafe local, let reader = unsafe XMLReader.from(data) else { return }
      reader.flushText()
      unsafe reader.handler.endElement(reader.number(of: NameParts(local: local, prefix: prefix, uri: uri)))
      reader.stopIfDone()
    }
    let text: charactersSAXFunc = { data, characters, length in
      guard length > 0, let characters = unsafe characters, let data = unsafe data else { return }
      // This is called for each reference, so it has to be cheap.
      unsafe Unmanaged<XMLReader>.fromOpaque(data)._withUnsafeGuaranteedRef { reader in
        unsafe reader.text.pointee.append(characters, Int(length))
        if unsafe reader.text.pointee.count >= XMLReader.longestText { reader.flushText() }
      }
    }
    unsafe sax.characters = text
    unsafe sax.ignorableWhitespace = text
    unsafe sax.cdataBlock = text
    unsafe sax.internalSubset = { data, name, publicID, _ in
      unsafe XMLReader.from(data)?.handler.documentType(CText.string(name), publicID: CText.string(publicID))
    }
    unsafe sax.serror = { data, error in
      guard let error = unsafe error?.pointee else { return }
      unsafe XMLReader.from(data)?.report(error)
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

  private func number(of parts: NameParts) -> Int {
    names.value(for: parts.key) { handler.number(ofElement: parts.name) }
  }

  private func number(ofAttribute parts: NameParts) -> Int {
    attributeNames.value(for: parts.key) { handler.number(ofAttribute: parts.name) }
  }

  /// Reports the text collected so far.
  private func flushText() {
    guard unsafe text.pointee.count > 0 else { return }
    unsafe text.pointee.use { handler.text($0) }
    unsafe text.pointee.count = 0
  }

  private func start(
    _ parts: NameParts, namespaceCount: Int32, namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    attributeCount: Int32, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  ) {
    if unreported > 0 {
      unreported -= 1
      return
    }
    flushText()
    // After a fault libxml2 drops all references up to the end of the document; this limits the loss to the next tag.
    if let parser = unsafe parser { unsafe parser.pointee.wellFormed = 1 }
    var declared: [(String, String)] = []
    if let namespaces = unsafe namespaces {
      for index in 0..<Int(namespaceCount) {
        unsafe declared.append((CText.string(namespaces[2 * index]), CText.string(namespaces[2 * index + 1])))
      }
    }
    if let attributes = unsafe attributes {
      // Five addresses each: local name, prefix, namespace, begin and end of the value.
      for index in 0..<min(Int(attributeCount), limits.attributes) {
        let entry = unsafe attributes + 5 * index
        guard let local = unsafe entry[0], let begin = unsafe entry[3], let end = unsafe entry[4] else { continue }
        let name = unsafe NameParts(local: local, prefix: entry[1], uri: entry[2])
        unsafe handler.attribute(number(ofAttribute: name), Span(_unsafeStart: begin, count: end - begin))
      }
    }
    handler.startElement(number(of: parts), namespaces: declared, at: position)
    stopIfDone()
  }

  private func report(_ error: xmlError) {
    // Warnings (a relative namespace URI, say) do not make a document ill-formed.
    guard unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    var message = unsafe error.message.map { unsafe String(cString: $0) } ?? "unknown error"
    while message.last == "\n" { message.removeLast() }
    let place = inDocument(XMLPosition(line: Int(unsafe error.line), column: Int(unsafe error.int2)))
    handler.fault(
      XMLFault(
        message: message, line: place.line, column: place.column,
        isNamespaceFault: unsafe error.domain == Int32(XML_FROM_NAMESPACE.rawValue)))
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

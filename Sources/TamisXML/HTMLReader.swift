import CLibXML2
package import TamisCore

/// What ``HTMLReader`` tells while it reads.
///
/// Names arrive as numbers of the handler's own, asked for once per distinct name.
package protocol HTMLHandler: AnyObject {
  /// The number under which an element of this (lower-case) name is to be reported.
  func number(ofElement name: String) -> Int
  /// The number under which an attribute of this (lower-case) name is to be reported.
  func number(ofAttribute name: String) -> Int
  /// A start tag. Each is followed by its end, if need be an implied one.
  func startElement(_ element: Int, _ attributes: borrowing HTMLAttributes)
  /// An end tag, written or implied.
  func endElement(_ element: Int)
  /// Text with its references decoded; a run may come in several pieces.
  func text(_ bytes: borrowing Span<UInt8>)
}

/// libxml2's HTML parser as a source of events: linear in its input, never recursive, one per task, reusable.
///
/// It must be given what ``HTMLHandler`` can be promised about: valid UTF-8 without NUL (libxml2 reads the rest of the
/// input as Latin-1 at the first bad byte, and ends an attribute at a NUL).
@safe package final class HTMLReader {
  /// libxml2 wraps bare text into paragraphs unless a body is open.
  package static let prefix: StaticString = "<html><body>"

  /// The number of the mender's own element, which is never reported.
  private static let guardNumber = -1

  private var context: htmlParserCtxtPtr?
  private var elements = NameTable()
  private var attributes = NameTable()
  private unowned let handler: any HTMLHandler
  private var isInFragment = false
  /// How many elements of the handler are open.
  private var openCount = 0
  private var mender = HTMLMender()

  /// Makes a reader that reports to one handler, which must outlive it.
  package init(handler: any HTMLHandler) {
    LibXML2.begin()
    self.handler = handler
  }

  deinit {
    if let context = unsafe context { unsafe htmlFreeParserCtxt(context) }
  }

  /// Reads one fragment as browsers would, in time linear in its size.
  ///
  /// - Parameters:
  ///   - document: ``HTMLReader/prefix`` followed by the fragment.
  ///   - limits: what a large fragment may have: attributes of a tag, and elements in elements.
  package func read(_ document: [UInt8], limits: Limits) {
    let mended = mender.mend(document, from: Self.prefix.utf8CodeUnitCount, limits: limits) ?? document
    parse(mended.span)
  }

  /// Reads a document as libxml2 does by itself.
  package func parse(_ document: borrowing Span<UInt8>) {
    // The dictionary only grows: hostile input with ever new names gets a new one now and then.
    if elements.count + attributes.count > 4096 { discardContext() }
    guard let context = unsafe preparedContext() else { return }
    (isInFragment, openCount) = (false, 0)
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
    unsafe document.withUnsafeBytes { bytes in
      _ = unsafe htmlCtxtReadMemory(
        context, bytes.bindMemory(to: CChar.self).baseAddress, Int32(clamping: bytes.count), nil, "UTF-8",
        Int32(bitPattern: options))
    }
  }

  /// The line the parser is at, counted from 1.
  package var line: Int {
    guard let input = unsafe context?.pointee.input else { return 0 }
    return Int(unsafe input.pointee.line)
  }

  /// The column the parser is at, in bytes, counted from 1, as the fragment counts.
  package var column: Int {
    guard let input = unsafe context?.pointee.input else { return 0 }
    let column = Int(unsafe input.pointee.col)
    return line == 1 ? max(1, column - Self.prefix.utf8CodeUnitCount) : column
  }

  /// Whether elements of this name have neither content nor end tag.
  package static func isEmpty(_ name: String) -> Bool { isEmptyInHTML4(name) || HTMLElements.void.contains(name) }

  /// libxml2's priority of the end tag of an element, `htmlEndPriority` of its HTMLparser.c (2.9.14): one ends no open element of a
  /// greater weight.
  package static func endWeight(of name: String) -> Int { endWeights[name] ?? 100 }

  private static let endWeights = [
    "div": 150, "td": 160, "th": 160, "tr": 170, "thead": 180, "tbody": 180, "tfoot": 180, "table": 190,
  ]

  /// Elements that are empty to browsers and not to libxml2.
  static let laterEmpty = HTMLElements.void.filter { !isEmptyInHTML4($0) }

  private static func isEmptyInHTML4(_ name: String) -> Bool {
    unsafe name.withCString(encodedAs: UTF8.self) { unsafe htmlTagLookup($0)?.pointee.empty == 1 }
  }

  private func discardContext() {
    if let context = unsafe context { unsafe htmlFreeParserCtxt(context) }
    unsafe context = nil
    elements = NameTable()
    attributes = NameTable()
  }

  private func preparedContext() -> htmlParserCtxtPtr? {
    if let context = unsafe context { return unsafe context }
    guard let fresh = unsafe htmlNewParserCtxt(), let sax = unsafe fresh.pointee.sax else { return nil }
    unsafe sax.pointee = htmlSAXHandler()
    unsafe sax.pointee.startElement = { data, name, attributes in
      guard let name = unsafe name else { return }
      unsafe HTMLReader.from(data)?.start(name, attributes)
    }
    unsafe sax.pointee.endElement = { data, name in
      guard let name = unsafe name else { return }
      unsafe HTMLReader.from(data)?.end(name)
    }
    let text: charactersSAXFunc = { data, characters, length in
      unsafe HTMLReader.from(data)?.text(characters, length)
    }
    unsafe sax.pointee.characters = text
    unsafe sax.pointee.ignorableWhitespace = text
    unsafe sax.pointee.cdataBlock = text
    unsafe fresh.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    unsafe context = fresh
    return unsafe fresh
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> HTMLReader? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<HTMLReader>.fromOpaque(data).takeUnretainedValue()
  }

  private func start(_ name: UnsafePointer<UInt8>, _ list: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    if !isInFragment {
      // The prefix's own html and body. From here on libxml2 is to ignore stray </body> and </html>: its `depth`
      // counts how many of them it still has to.
      if unsafe xmlStrEqual(name, "body") != 0 {
        isInFragment = true
        unsafe context?.pointee.depth = Int32.max / 2
      }
      return
    }
    let element = unsafe number(ofElement: name)
    if element == Self.guardNumber { return }
    openCount += 1
    let reported = unsafe HTMLAttributes(list: list, reader: self)
    handler.startElement(element, reported)
  }

  private func end(_ name: UnsafePointer<UInt8>) {
    guard isInFragment else { return }
    let element = unsafe number(ofElement: name)
    // At the end of the document libxml2 also ends the prefix's own html and body, which are none of the handler's.
    guard element != Self.guardNumber, openCount > 0 else { return }
    openCount -= 1
    handler.endElement(element)
  }

  private func text(_ characters: UnsafePointer<UInt8>?, _ length: Int32) {
    guard isInFragment, length > 0, let characters = unsafe characters else { return }
    unsafe handler.text(Span(_unsafeStart: characters, count: Int(length)))
  }

  private func number(ofElement name: UnsafePointer<UInt8>) -> Int {
    elements.value(for: .init(name: UInt(bitPattern: name))) {
      let text = unsafe CText.string(name)
      return text == HTMLMender.guardName ? Self.guardNumber : handler.number(ofElement: text)
    }
  }

  fileprivate func number(ofAttribute name: UnsafePointer<UInt8>) -> Int {
    attributes.value(for: .init(name: UInt(bitPattern: name))) {
      unsafe handler.number(ofAttribute: CText.string(name))
    }
  }
}

/// The attributes of a start tag, in document order; the first of several with one name counts, as in a browser.
@safe package struct HTMLAttributes: ~Copyable {
  private let list: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let reader: HTMLReader

  fileprivate init(list: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, reader: HTMLReader) {
    unsafe self.list = unsafe list
    self.reader = reader
  }

  /// Calls `body` with the number and the value of each attribute, at most `limit` of them; an attribute without a value
  /// has an empty one.
  package borrowing func forEach(limit: Int, _ body: (Int, borrowing Span<UInt8>) -> Void) {
    guard var next = unsafe list else { return }
    var count = 0
    while let name = unsafe next.pointee, count < limit {
      let number = unsafe reader.number(ofAttribute: name)
      if let value = unsafe next[1] {
        unsafe body(number, Span(_unsafeStart: value, count: CText.length(value)))
      } else {
        body(number, Span())
      }
      unsafe next += 2
      count += 1
    }
  }
}

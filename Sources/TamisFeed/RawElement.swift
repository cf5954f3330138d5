public import TamisCore

extension FeedParser {
  /// An element of a feed as written, for elements that the model does not have.
  public struct Element: Sendable, Hashable {
    /// The name with its prefix, as written.
    public var name: String
    /// The attributes in document order, with names as written.
    public var attributes: [Feed.ExtensionElement.Attribute]
    /// The text directly inside, in one piece and trimmed.
    public var text: String
    /// The elements directly inside, in document order.
    public var children: [FeedParser.Element]

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - name: the name with its prefix.
    ///   - attributes: the attributes in document order.
    ///   - text: the text directly inside.
    ///   - children: the elements directly inside, in document order.
    public init(
      name: String, attributes: [Feed.ExtensionElement.Attribute] = [], text: String = "",
      children: [FeedParser.Element] = []
    ) {
      self.name = name
      self.attributes = attributes
      self.text = text
      self.children = children
    }
  }
}

extension FeedParser {
  /// Reads any XML document as a tree, without requirements on its elements.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - findings: the list that findings are appended to.
  /// - Returns: the document element, with everything in it.
  /// - Throws: ``FeedParser/Failure`` when the document is empty or too large, or has no element.
  public func tree(_ document: FeedDocument, into findings: inout [Finding]) throws(FeedParser.Failure)
    -> FeedParser.Element
  {
    let text = try open(document)
    let reading = RawReading(name: document.name, limits: limits)
    reading.read(text)
    findings += reading.findings
    guard let root = reading.root else {
      let start = Finding.Location(file: document.name, line: 1, column: 1)
      throw FeedParser.Failure(
        .somethingElse, Finding(.error, "parse.not-xml", "there is no element in this file", at: start))
    }
    return root
  }
}

/// A builder of the tree of a document.
private final class RawReading: XMLHandler {
  private(set) var root: FeedParser.Element?
  /// The first fault, and the first part that was left out.
  var findings: [Finding] { [fault, cut].compactMap(\.self) }
  private var fault: Finding?
  private var cut: Finding?
  private let name: String
  private let limits: Limits
  private var names: [String] = []
  private var attributeNames: [String] = []
  /// The attributes of the next start tag.
  private var attributes: [Feed.ExtensionElement.Attribute] = []
  private var open: [(number: Int, element: FeedParser.Element)] = []
  private var texts: [(bytes: [UInt8], isCut: Bool)] = []
  /// The location of the last start tag.
  private var position = XMLPosition(line: 0, column: 0)

  init(name: String, limits: Limits) {
    self.name = name
    self.limits = limits
  }

  func read(_ text: DocumentText) {
    var reader = XMLReader(handler: self, limits: limits, isFeed: false)
    reader.read { text.next() }
    while !open.isEmpty { close() }
  }

  func number(ofElement name: XMLName) -> Int {
    names.append(name.written)
    return names.count - 1
  }

  func number(ofAttribute name: XMLName) -> Int {
    attributeNames.append(name.written)
    return attributeNames.count - 1
  }

  var wantsMore: Bool { true }

  func attribute(_ number: Int, _ value: borrowing Span<UInt8>) {
    attributes.append(
      Feed.ExtensionElement.Attribute(name: attributeNames[number], value: String(value, 0..<value.count)))
  }

  func startElement(_ number: Int, namespaces: [(String, String)], at position: XMLPosition) {
    let declared = namespaces.map { prefix, uri in
      Feed.ExtensionElement.Attribute(name: prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)", value: uri)
    }
    open.append((number, FeedParser.Element(name: names[number], attributes: declared + attributes)))
    attributes = []
    texts.append(([], false))
    self.position = position
  }

  func endElement(_ number: Int) {
    guard let index = open.lastIndex(where: { $0.number == number }) else { return }
    while open.count > index { close() }
  }

  func text(_ bytes: borrowing Span<UInt8>) {
    let last = texts.count - 1
    guard last >= 0, !texts[last].isCut else { return }
    let most = max(0, limits.fieldBytes)
    let room = most - texts[last].bytes.count
    if bytes.count > room {
      texts[last].isCut = true
      let words = "<\(open[last].element.name)> has more than \(most) bytes; its end is left out"
      cut = cut ?? finding("parse.field-too-long", words, line: position.line, column: position.column)
    }
    texts[last].bytes.append(bytes, 0..<UTF8Sequence.boundary(in: bytes, atOrBefore: min(bytes.count, room)))
  }

  func documentType(publicID: String) {}

  func cutOff(at position: XMLPosition) {}

  func fault(_ fault: XMLFault) {
    if fault.kind == .tooManyNames {
      cut = cut ?? finding("parse.many-names", fault.message, line: fault.line, column: fault.column)
    } else {
      let words = "this is not well-formed XML: \(fault.message)"
      self.fault = self.fault ?? finding("parse.ill-formed", words, line: fault.line, column: fault.column)
    }
  }

  private func finding(_ code: String, _ message: String, line: Int, column: Int) -> Finding {
    Finding(.warning, code, message, at: Finding.Location(file: name, line: line, column: column))
  }

  private func close() {
    guard var (_, element) = open.popLast(), let text = texts.popLast()?.bytes else { return }
    element.text = String(streamSafe: text[WhiteSpace.trimmedRange(text.span)])
    if open.isEmpty {
      if root == nil { root = element }
    } else {
      open[open.count - 1].element.children.append(element)
    }
  }
}

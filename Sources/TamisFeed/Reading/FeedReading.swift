import TamisCore
import TamisURL
import TamisXML

/// One XML document being read: hands the parser's events to a ``FeedBuilder``.
final class FeedReading: XMLHandler {
  private(set) var builder: FeedBuilder
  private let limits: Limits
  private let onEntry: (FeedEntry) -> FeedParser.Continuation
  private weak var reader: XMLReader?
  private weak var source: RepairedText?

  init(
    document: FeedDocument, limits: Limits, customFields: [CustomField],
    onEntry: @escaping (FeedEntry) -> FeedParser.Continuation
  ) {
    builder = FeedBuilder(document: document, limits: limits, customFields: customFields)
    self.limits = limits
    self.onEntry = onEntry
  }

  /// Reads the whole text.
  func read(_ text: DocumentText) {
    let reader = XMLReader(handler: self, limits: limits)
    self.reader = reader
    let source = RepairedText(text, limits: limits, isFeed: true)
    self.source = source
    reader.read { source.next() }
    if let fault = source.firstFault {
      builder.noteFault("parse.ill-formed", fault.message, fault.line, fault.column)
    }
    builder.position = (reader.line, reader.column)
    if let failure = source.failure { builder.noteFailure(failure, reader.line, reader.column) }
    builder.finish(skipped: source.skippedRoot)
    handOut()
  }

  /// Hands out the entry that has ended, if one has.
  private func handOut() {
    guard builder.hasFinishedEntry, let entry = builder.takeEntry() else { return }
    if onEntry(entry) == .stop {
      builder.isStopped = true
      reader?.stop()
    }
  }

  // MARK: - Events

  func number(ofElement name: XMLName) -> Int { builder.number(ofElement: name) }

  func number(ofAttribute name: XMLName) -> Int { builder.number(ofAttribute: name) }

  func startElement(_ number: Int, _ attributes: borrowing XMLAttributes, namespaces: [(String, String)]) {
    if !namespaces.isEmpty { builder.declare(namespaces) }
    builder.attributes.removeAll()
    // One access for each: looking up a name may add to the builder's names.
    attributes.forEach { name, value in builder.attributes.add(name, value) }
    if let reader { builder.position = (reader.line, reader.column) }
    builder.startElement(number)
    handOut()
    if !builder.isFeed { reader?.stop() }
  }

  func endElement(_ number: Int) {
    if let end = source?.startOfImpliedEnd, let reader, reader.offset > end {
      builder.position = (reader.line, reader.column)
      builder.cutOff()
    }
    builder.endElement(number)
    handOut()
  }

  func text(_ bytes: borrowing Span<UInt8>) { builder.text(bytes) }

  func documentType(_ name: String, publicID: String) { builder.documentType(publicID: publicID) }

  func fault(_ fault: XMLFault) {
    if fault.isNamespaceFault {
      builder.noteFault("parse.undeclared-prefix", fault.message, fault.line, fault.column)
    } else {
      builder.noteRefusal(fault.message, fault.line, fault.column)
    }
  }
}

/// A document's text with its markup repaired, piece by piece for the XML reader.
final class RepairedText {
  private let text: DocumentText
  private var repair: MarkupRepair
  private var isAtEnd = false

  init(_ text: DocumentText, limits: Limits, isFeed: Bool) {
    self.text = text
    repair = MarkupRepair(limits: limits, isFeed: isFeed)
  }

  /// The first repaired fault.
  var firstFault: MarkupRepair.Fault? { repair.firstFault }

  /// Where the end tags begin, in bytes of all pieces, that the document lacks because it was cut off; nil when it was not.
  var startOfImpliedEnd: Int? { repair.startOfImpliedEnd }

  /// The first element that was left out because no feed begins with it.
  var skippedRoot: String? { repair.skippedRoot }

  /// Why reading ended before the document did.
  var failure: ReadFailure? { text.failure }

  /// The next piece, empty at the end.
  func next() -> [UInt8] {
    while !isAtEnd {
      let piece = text.next()
      isAtEnd = piece.isEmpty
      let repaired = repair.repair(piece, isLast: isAtEnd)
      if !repaired.isEmpty { return repaired }
    }
    return []
  }
}

import TamisCore
import TamisURL
import TamisXML

/// A reading of one XML document, by ``WellFormedReader`` and, from the first irregularity on, by libxml2.
final class FeedReading: XMLHandler {
  private var events: FeedEvents
  private let limits: Limits
  /// The reader of the document from the first irregularity on.
  private weak var reader: XMLReader?
  private weak var source: RepairedText?

  init(
    document: FeedDocument, limits: Limits, customFields: [FeedParser.CustomField],
    onEntry: @escaping (Feed, Feed.Entry) -> FeedParser.Continuation
  ) {
    let builder = FeedBuilder(document: document, limits: limits, customFields: customFields)
    events = FeedEvents(builder: builder, onEntry: onEntry)
    self.limits = limits
  }

  /// The builder with the results.
  var builder: FeedBuilder { events.builder }

  /// Reads the whole text.
  func read(_ text: DocumentText) {
    var wellFormed = WellFormedReader(limits: limits)
    var outcome = WellFormedReader.Outcome.needsInput
    while case .needsInput = outcome { outcome = wellFormed.read(text.next(), into: &events) }
    events.builder.position = wellFormed.position
    var skippedRoot: String?
    if case .outOfOrder = outcome { skippedRoot = readRest(of: text, from: wellFormed.handover()) }
    if let failure = text.failure { events.builder.noteFailure(failure, events.builder.position) }
    events.builder.finish(skipped: skippedRoot)
    events.handOut()
  }

  /// Reads the rest of a text from the first irregularity on.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - handover: the state at which ``WellFormedReader`` stopped.
  /// - Returns: the first element that was left out because no feed begins with it.
  private func readRest(of text: DocumentText, from handover: ParserState) -> String? {
    let reader = XMLReader(handler: self, limits: limits)
    self.reader = reader
    let source = RepairedText(text, limits: limits, isFeed: true, from: handover)
    self.source = source
    reader.read(inside: source.context) { source.next() }
    if let fault = source.firstFault {
      events.builder.noteFault("parse.ill-formed", fault.message, fault.line, fault.column)
    }
    if let excess = source.excess {
      let place = Finding.Location(file: events.builder.name, line: excess.line, column: excess.column)
      events.builder.note(.warning, "parse.many-names", excess.message, at: place)
    }
    events.builder.position = reader.position
    return source.skippedRoot
  }

  // MARK: - Events of libxml2

  func number(ofElement name: XMLName) -> Int { events.number(ofElement: name) }

  func number(ofAttribute name: XMLName) -> Int { events.number(ofAttribute: name) }

  var wantsMore: Bool { events.wantsMore }

  func attribute(_ number: Int, _ value: borrowing Span<UInt8>) { events.attribute(number, value) }

  func startElement(_ number: Int, namespaces: [(String, String)], at position: XMLPosition) {
    events.startElement(number, namespaces: namespaces, at: position)
  }

  func endElement(_ number: Int) {
    if let end = source?.startOfImpliedEnd, let reader, reader.offset > end {
      events.builder.position = reader.position
      events.builder.cutOff()
    }
    events.endElement(number)
  }

  func text(_ bytes: borrowing Span<UInt8>) { events.text(bytes) }

  func documentType(_ name: String, publicID: String) { events.builder.documentType(publicID: publicID) }

  func fault(_ fault: XMLFault) {
    if fault.isNamespaceFault {
      events.builder.noteFault("parse.undeclared-prefix", fault.message, fault.line, fault.column)
    } else {
      events.builder.noteRefusal(fault.message, fault.line, fault.column)
    }
  }
}

/// An adapter that passes events to a ``FeedBuilder`` and hands out each entry that has ended.
struct FeedEvents: XMLEvents {
  var builder: FeedBuilder
  let onEntry: (Feed, Feed.Entry) -> FeedParser.Continuation

  mutating func number(ofElement name: XMLName) -> Int { builder.number(ofElement: name) }

  mutating func number(ofAttribute name: XMLName) -> Int { builder.number(ofAttribute: name) }

  var wantsMore: Bool { builder.isFeed && !builder.isStopped }

  mutating func attribute(_ number: Int, _ value: borrowing Span<UInt8>) { builder.attributes.add(number, value) }

  mutating func startElement(_ number: Int, namespaces: [(String, String)], at position: XMLPosition) {
    if !namespaces.isEmpty { builder.declare(namespaces) }
    builder.position = position
    builder.startElement(number)
    builder.attributes.removeAll()
    handOut()
  }

  mutating func endElement(_ number: Int) {
    builder.endElement(number)
    handOut()
  }

  mutating func text(_ bytes: borrowing Span<UInt8>) { builder.text(bytes) }

  /// Hands out the entry that has ended, if any.
  mutating func handOut() {
    guard builder.hasFinishedEntry, let entry = builder.takeEntry() else { return }
    if onEntry(builder.feed, entry) == .stop { builder.isStopped = true }
  }
}

/// A document's text with its markup repaired, piece by piece for the XML reader.
final class RepairedText {
  private let text: DocumentText
  private var repair: MarkupRepair
  private var isAtEnd = false
  private let handover: ParserState
  private var isAtStart = true

  /// Begins to repair a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - limits: the limits on what is read.
  ///   - isFeed: whether the text is a feed.
  ///   - handover: the state after the part already read.
  init(_ text: DocumentText, limits: Limits, isFeed: Bool, from handover: ParserState = ParserState()) {
    self.text = text
    self.handover = handover
    repair = MarkupRepair(limits: limits, isFeed: isFeed, from: handover)
  }

  /// The open elements at the beginning of the repaired text.
  var context: XMLContext {
    XMLContext(
      startTags: handover.open.startTags, count: handover.open.count, position: handover.position)
  }

  /// The first repaired fault.
  var firstFault: MarkupRepair.Fault? { repair.firstFault }

  /// The first name beyond ``Limits/names``.
  var excess: MarkupRepair.Fault? { repair.excess }

  /// The offset in the output of the end tags that a truncated document lacks, or nil when it was not truncated.
  var startOfImpliedEnd: Int? { repair.startOfImpliedEnd }

  /// The first element that was left out because no feed begins with it.
  var skippedRoot: String? { repair.skippedRoot }

  /// Returns the next piece, empty at the end.
  func next() -> [UInt8] {
    while !isAtEnd {
      let piece = isAtStart && !handover.rest.isEmpty ? handover.rest : text.next()
      isAtStart = false
      isAtEnd = piece.isEmpty
      let repaired = repair.repair(piece, isLast: isAtEnd)
      if !repaired.isEmpty { return repaired }
    }
    return []
  }
}

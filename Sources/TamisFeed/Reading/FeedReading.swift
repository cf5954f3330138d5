import TamisCore

/// A reading of one XML document, which builds the feed and hands out each entry that has ended.
final class FeedReading: XMLHandler {
  /// The builder with the results.
  private(set) var builder: FeedBuilder
  private let limits: Limits
  private let onEntry: (Feed, Feed.Entry) -> FeedParser.Continuation

  init(
    document: FeedDocument, limits: Limits, customFields: [FeedParser.CustomField],
    onEntry: @escaping (Feed, Feed.Entry) -> FeedParser.Continuation
  ) {
    builder = FeedBuilder(document: document, limits: limits, customFields: customFields)
    self.limits = limits
    self.onEntry = onEntry
  }

  /// Reads the whole text.
  func read(_ text: DocumentText) {
    var reader = XMLReader(handler: self, limits: limits, isFeed: true)
    reader.read { text.next() }
    builder.position = reader.position
    if let failure = text.failure { builder.noteFailure(failure, builder.position) }
    builder.finish(skipped: reader.skippedRoot)
    handOut()
  }

  func number(ofElement name: XMLName) -> Int { builder.number(ofElement: name) }

  func number(ofAttribute name: XMLName) -> Int { builder.number(ofAttribute: name) }

  var wantsMore: Bool { builder.isFeed && !builder.isStopped }

  func attribute(_ number: Int, _ value: borrowing Span<UInt8>) { builder.attributes.add(number, value) }

  func startElement(_ number: Int, namespaces: [(String, String)], at position: XMLPosition) {
    if !namespaces.isEmpty { builder.declare(namespaces) }
    builder.position = position
    builder.startElement(number)
    builder.attributes.removeAll()
    handOut()
  }

  func endElement(_ number: Int) {
    builder.endElement(number)
    handOut()
  }

  func text(_ bytes: borrowing Span<UInt8>) { builder.text(bytes) }

  func documentType(publicID: String) { builder.documentType(publicID: publicID) }

  func cutOff(at position: XMLPosition) {
    builder.position = position
    builder.cutOff()
  }

  func fault(_ fault: XMLFault) { builder.note(fault) }

  /// Hands out the entry that has ended, if any.
  private func handOut() {
    guard builder.hasFinishedEntry, let entry = builder.takeEntry() else { return }
    if onEntry(builder.feed, entry) == .stop { builder.isStopped = true }
  }
}

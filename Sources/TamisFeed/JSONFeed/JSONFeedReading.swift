package import TamisCore
package import TamisJSON
import TamisURL

/// One JSON Feed being read: turns the reader's events into fields of the feed and of its items.
///
/// Versions 1.0 and 1.1, <https://www.jsonfeed.org/version/1.1/>. An item is a tree until it ends, then an entry that
/// is passed on; so memory follows the largest item. A value of a wrong type affects only its own field; a syntax error
/// ends the reading.
package final class JSONFeedReading: JSONHandler {
  /// The feed's metadata so far.
  package var feed = Feed()
  /// The findings.
  package var findings: [Finding] { log.findings }
  private var log: FindingLog
  /// How the document ended, as far as it was read.
  package private(set) var ending = Ending.complete
  /// Whether the document has shown that it is a JSON Feed: by its `version`, or by an array of `items`.
  package internal(set) var isFeed = false
  /// The kind of the document's root value, for the message that it is not a feed.
  package private(set) var rootDescription = "missing"

  /// The state: what the next value belongs to.
  private enum State {
    case document
    case feed
    case items
    case end
  }

  let limits: Limits
  private let name: String
  private let onEntry: (FeedEntry) -> FeedParser.Continuation
  private var reader: JSONReader?
  private var state = State.document
  private var member = ""
  private var tree = JSONTree()
  private var isStopped = false
  /// The members of the feed that were read.
  var seen: Set<String> = []
  /// The item that is being turned into an entry, for findings.
  var subject: String?
  /// The base URL that the response gives the whole document, parsed and as text.
  let base: WebURL?
  let baseText: String?

  /// Makes a reading of a document whose bytes are given to ``read(_:)``, in UTF-8.
  package init(document: FeedDocument, limits: Limits, onEntry: @escaping (FeedEntry) -> FeedParser.Continuation) {
    name = document.name
    self.limits = limits
    log = FindingLog(limits: limits)
    self.onEntry = onEntry
    baseText = document.base.flatMap { $0.utf8.count <= limits.baseBytes ? $0 : nil }
    base = baseText.flatMap { WebURL($0) }
    feed.language = document.header("Content-Language")
    reader = JSONReader(handler: self, limits: limits)
    if let base = document.base, base.utf8.count > limits.baseBytes {
      note(
        .warning, "parse.base-too-long",
        "the document's URL has more than \(limits.baseBytes) bytes; addresses are not resolved against it",
        at: SourceLocation(file: name, line: 1, column: 1))
    }
  }

  /// Reads the next part of the document.
  ///
  /// - Returns: whether to continue reading.
  package func read(_ chunk: borrowing Span<UInt8>) -> Bool {
    reader?.read(chunk) ?? false
  }

  /// Ends reading: the document has ended, or the rest is not read.
  ///
  /// - Parameter failure: why it could not be read to its end, if that is so.
  package func finish(failure: ReadFailure? = nil) {
    if let failure {
      note(.error, "read.failed", "reading failed here: \(failure.message); what came before is kept", at: location)
    }
    if isStopped, isFeed { ending = .betweenEntries } else { reader?.finish() }
    if isFeed, feed.version.isEmpty {
      feed.version = "json"
      if feed.fault == nil, !isStopped {
        let start = SourceLocation(file: name, line: 1, column: 1)
        note(
          .note, "parse.json-version", "there is no version; it should be https://jsonfeed.org/version/1.1", at: start)
      }
    }
    // The language may come after the texts.
    let language = feed.language
    if feed.title?.language == nil { feed.title?.language = language }
    if feed.subtitle?.language == nil { feed.subtitle?.language = language }
  }

  private var location: SourceLocation {
    SourceLocation(file: name, line: reader?.line ?? 0, column: reader?.column ?? 0)
  }

  func note(_ severity: Finding.Severity, _ code: String, _ message: String, at location: SourceLocation) {
    log.add(Finding(severity, code, message, at: location, entry: subject))
  }

  // MARK: - Events

  package func null() { take(.null) }

  package func bool(_ value: Bool) { take(.bool(value)) }

  package func number(_ text: borrowing Span<UInt8>) { take(.number(string(of: text))) }

  package func string(_ text: borrowing Span<UInt8>) {
    if reader?.isCut == true {
      note(
        .warning, "parse.json-too-long", "this string has more than \(limits.fieldBytes) bytes; its end is left out",
        at: location)
    }
    take(.string(string(of: text)))
  }

  package func key(_ name: borrowing Span<UInt8>) {
    if tree.isOpen { tree.key(string(of: name)) } else { member = string(of: name) }
  }

  package func startObject() {
    if !tree.isOpen, state == .document {
      state = .feed
      rootDescription = "a JSON object without items"
    } else {
      tree.begin(isObject: true, at: location)
    }
  }

  package func endObject() {
    if tree.isOpen { endTree() } else { state = .end }
  }

  package func startArray() {
    if !tree.isOpen, state == .feed, member == "items" {
      state = .items
      isFeed = true
      noteRepetition(of: "items", at: location, in: &seen)
    } else if state == .document {
      refuse("a JSON array")
    } else {
      tree.begin(isObject: false, at: location)
    }
  }

  package func endArray() {
    if tree.isOpen { endTree() } else { state = .feed }
  }

  package func fault(_ fault: JSONFault) {
    feed.fault = Finding(
      .warning, "parse.ill-formed", "this is not well-formed JSON: \(fault.message); what comes after it is not read",
      at: SourceLocation(file: name, line: fault.line, column: fault.column))
    if state == .items, let start = tree.start {
      ending = .insideLostEntry
      note(.warning, "parse.cut-off", "the end of this item is missing; the item is left out", at: start)
    } else if state != .end {
      ending = .betweenEntries
    }
    tree.discard()
  }

  // MARK: - Values

  /// HTML replaces NUL by U+FFFD.
  private func string(of bytes: borrowing Span<UInt8>) -> String {
    let text = String(bytes, 0..<bytes.count)
    guard text.utf8.contains(0) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
  }

  private func take(_ value: JSONNode.Value) {
    let node = JSONNode(value: value, location: location)
    if tree.isOpen { tree.add(node) } else { finish(node) }
  }

  private func endTree() {
    guard let whole = tree.end() else { return }
    if tree.isCut {
      note(
        .warning, "parse.json-many", "there are more than \(JSONTree.mostNodes) values in here; the rest is left out",
        at: whole.location)
    }
    finish(whole)
  }

  /// Assigns a complete value.
  private func finish(_ node: JSONNode) {
    switch state {
    case .document: refuse(node.kind)
    case .feed: assignFeed(JSONMember(name: member, value: node))
    case .items: finishItem(node)
    case .end: break
    }
  }

  private func finishItem(_ node: JSONNode) {
    guard case .object(let members) = node.value else {
      note(.warning, "parse.json-item", "this item is \(node.kind), not an object; it is left out", at: node.location)
      return
    }
    let entry = entry(of: members, at: node.location)
    if onEntry(entry) == .stop {
      isStopped = true
      reader?.stop()
    }
  }

  private func refuse(_ description: String) {
    rootDescription = description
    state = .end
    isStopped = true
    reader?.stop()
  }
}

import TamisCore
import TamisURL
import TamisXML

/// One document being read: turns the parser's events into fields of the feed and of its entries.
///
/// It does not ask the document to be well-formed. An element ends where its end tag comes, or where one around it ends;
/// an entry also ends where the next one begins.
final class FeedReading: XMLHandler {
  var feed = Feed()
  var findings: [Finding] = []
  private(set) var isFeed = false
  private(set) var rootDescription = "missing"

  let document: FeedDocument
  let limits: Limits
  private let onEntry: (Entry) -> FeedParser.Continuation
  private var isStopped = false
  private var names: [(name: XMLName, element: FeedElement, text: String)] = []
  private var frames: [Frame] = []
  private var scopes: [(scope: Scope, depth: Int)] = []
  var entry: Entry?
  var person: (value: Person, role: FeedElement.PersonRole)?
  /// The feed that the entry being read was taken from.
  var source = Feed()
  /// The picture or the search box that is being read.
  var image = FeedImage()
  /// The chapters and the coordinates that are being read.
  var chapters: [Chapter] = []
  var coordinates = ""
  private var inline = InlineMarkup()
  private weak var reader: XMLReader?
  /// The base URL and the language that the response gives the whole document.
  private let documentBase: String?
  private let documentLanguage: String?

  /// More findings about one document help nobody.
  private static let mostFindings = 1000

  init(document: FeedDocument, limits: Limits, onEntry: @escaping (Entry) -> FeedParser.Continuation) {
    self.document = document
    documentBase = Self.base(of: document)
    documentLanguage = document.header("Content-Language")
    feed.language = documentLanguage
    self.limits = limits
    self.onEntry = onEntry
  }

  /// The document's address with its `Content-Location`, if that is one to fetch from.
  private static func base(of document: FeedDocument) -> String? {
    guard let location = document.header("Content-Location"),
      let url = WebURL(location, base: document.url.flatMap { WebURL($0) }),
      ["http", "https", "ftp"].contains(url.scheme)
    else { return document.url }
    return url.href
  }

  /// Reads the whole document.
  func read(_ input: DocumentEncoding) {
    let reader = XMLReader(handler: self, limits: limits)
    self.reader = reader
    var bytes = input.bytes
    if let place = AmpersandRepair.repair(&bytes) {
      noteFault(
        "parse.ill-formed", "an ampersand that begins no reference must be written &amp;", place.line, place.column)
    }
    reader.read(bytes)
    // What a cut-off document leaves open ends here.
    if entry != nil, !isStopped {
      note(.warning, "parse.cut-off", "the document ends inside this entry; what there is of it is kept", at: location)
    }
    end(toDepth: 0)
  }

  private var location: SourceLocation {
    SourceLocation(file: document.name, line: reader?.line ?? 0, column: reader?.column ?? 0)
  }

  var scope: Scope { scopes.last?.scope ?? .feed }

  /// What a person, a link or a text belongs to that is being read: the feed, an entry, or the entry's source.
  var owner: Scope { scopes.last { $0.scope == .entry || $0.scope == .source }?.scope ?? .feed }

  func note(_ severity: Finding.Severity, _ code: String, _ message: String, at location: SourceLocation) {
    guard findings.count < Self.mostFindings else {
      if findings.count == Self.mostFindings {
        findings.append(
          Finding(.note, "parse.more", "there is more; what is odd after this is not listed", at: location))
      }
      return
    }
    let title = entry.flatMap { $0.id ?? $0.title?.value }.map { String($0.prefix(80)) }
    findings.append(Finding(severity, code, message, at: location, entry: title))
  }

  // MARK: - Events

  func number(of name: XMLName) -> Int {
    let prefix = standardPrefix(name)
    let local = name.local.asciiLowercased()
    names.append((name, FeedElement(prefix: prefix, local: local), prefix.isEmpty ? local : "\(prefix)_\(local)"))
    return names.count - 1
  }

  func startElement(_ number: Int, _ attributes: [XMLAttribute], namespaces: [(String, String)]) {
    for (prefix, uri) in namespaces where !uri.isEmpty {
      feed.namespaces[Namespaces.prefix(of: uri) ?? prefix.asciiLowercased()] = uri
    }
    let name = names[number].name
    if let top = frames.last, top.holdsMarkup, names[number].element != .entry {
      beginInline(number, name, attributes)
      return
    }
    let frame = makeFrame(number, attributes)
    if frames.isEmpty { recognize(frame, name) }
    if frame.element == .entry, let open = scopes.firstIndex(where: { $0.scope == .entry }) {
      note(.warning, "parse.unclosed-entry", "the entry before this one was never closed", at: frame.location)
      end(toDepth: scopes[open].depth)
    }
    if frame.element == .channel { readChannelAttributes(frame) }
    if frame.name == "itunes_category" { assignCategoryAtStart(frame) }
    frames.append(frame)
    enterScope(of: frame)
  }

  func endElement(_ number: Int) {
    if let index = frames.indices.last, inline.end(named: names[number].name, into: &frames[index].text) { return }
    guard let index = frames.lastIndex(where: { $0.number == number }) else { return }
    end(toDepth: index)
  }

  func text(_ bytes: borrowing Span<UInt8>) {
    guard let index = frames.indices.last, frames[index].text.count < limits.fieldBytes else { return }
    if frames[index].kind == .xhtml, frames[index].holdsMarkup {
      InlineMarkup.escape(bytes, into: &frames[index].text)
    } else {
      frames[index].text.append(bytes, 0..<bytes.count)
    }
  }

  func documentType(_ name: String, publicID: String) {
    if publicID.asciiLowercased().contains("netscape") { feed.version = "rss091n" }
  }

  func fault(_ fault: XMLFault) {
    noteFault(
      fault.isNamespaceFault ? "parse.undeclared-prefix" : "parse.ill-formed", fault.message, fault.line, fault.column)
  }

  /// Keeps the fault that stands first in the document, whoever found it.
  private func noteFault(_ code: String, _ message: String, _ line: Int, _ column: Int) {
    if let known = feed.fault?.location, (known.line, known.column) <= (line, column) { return }
    let words = message.split(separator: "\n").first ?? ""
    let place = SourceLocation(file: document.name, line: line, column: column)
    let finding = Finding(.warning, code, "this is not well-formed XML: \(words)", at: place)
    findings.removeAll { $0 == feed.fault }
    feed.fault = finding
    findings.append(finding)
  }

  // MARK: - Elements

  private func standardPrefix(_ name: XMLName) -> String {
    if name.namespace.isEmpty { return name.prefix.asciiLowercased() }
    if let known = Namespaces.prefix(of: name.namespace) { return known }
    return name.prefix.asciiLowercased()
  }

  private func makeFrame(_ number: Int, _ list: [XMLAttribute]) -> Frame {
    let (name, element, text) = names[number]
    let attributes = list.map { attribute -> ExtensionElement.Attribute in
      let prefix = standardPrefix(attribute.name)
      let local = attribute.name.local.asciiLowercased()
      return ExtensionElement.Attribute(name: prefix.isEmpty ? local : "\(prefix)_\(local)", value: attribute.value)
    }
    var frame = Frame(
      number: number, element: element, name: text, attributes: attributes, base: frames.last?.base ?? documentBase,
      language: frames.last == nil ? documentLanguage : frames.last?.language, location: location)
    if let base = frame.attribute("xml_base") ?? frame.attribute("base") { frame.base = safeBase(base, frame.base) }
    if let language = frame.attribute("xml_lang") ?? frame.attribute("lang") {
      frame.language = language.trimmedOrNil().map { String($0.map { $0 == "_" ? "-" : $0 }) }
    }
    if frame.holdsMarkup {
      frame.kind = kind(of: frame, local: name.local.asciiLowercased())
      frame.isBase64 = frame.attribute("mode") == "base64"
    }
    return frame
  }

  private func kind(of frame: Frame, local: String) -> Markup.Kind {
    let fallback = frame.element.defaultKind(local: local)
    guard let type = frame.attribute("type")?.asciiLowercased() else { return fallback }
    switch type {
    case "text", "text/plain": return .text
    case "html", "text/html": return .html
    case "xhtml", "application/xhtml+xml": return .xhtml
    default: return type.hasSuffix("xml") ? .xhtml : fallback
    }
  }

  /// Tells the format by the document's first element.
  private func recognize(_ frame: Frame, _ name: XMLName) {
    rootDescription = "<\(name.prefix.isEmpty ? "" : name.prefix + ":")\(name.local)>"
    isFeed = [.root, .channel, .entry].contains(frame.element)
    feed.version = FeedVersion.of(
      root: name.local.asciiLowercased(), version: frame.attribute("version"), namespaces: feed.namespaces,
      doctype: feed.version)
    feed.language = frame.language ?? feed.language
  }

  /// CDF keeps the channel's page and date in attributes.
  private func readChannelAttributes(_ frame: Frame) {
    if let href = frame.attribute("href").flatMap({ resolve($0, frame.base) }) {
      feed.links.append(Link(href: href))
      feed.link = href
    }
    if let date = frame.attribute("lastmod") { feed.updated = FeedDate(reading: date) }
  }

  private func enterScope(of frame: Frame) {
    let scope: Scope
    switch frame.element {
    case .entry:
      scope = .entry
      entry = Entry(at: frame.location)
      if let about = frame.attribute("rdf_about")?.trimmedOrNil() { entry?.id = about }
    case .image, .textInput:
      scope = frame.element == .image ? .image : .textInput
      image = FeedImage()
    case .source where entry != nil:
      scope = .source
      source = Feed()
    case .person(let role):
      scope = .person
      person = (Person(), role)
    default: return
    }
    scopes.append((scope, frames.count - 1))
  }

  private func beginInline(_ number: Int, _ name: XMLName, _ attributes: [XMLAttribute]) {
    let index = frames.count - 1
    if inline.depth == 0, frames[index].kind != .xhtml {
      // Markup where text was announced: what came before it was text, so it is written as such.
      let before = frames[index].text
      frames[index].text = []
      InlineMarkup.escape(before.span, into: &frames[index].text)
      frames[index].kind = .xhtml
    }
    inline.begin(name, attributes, into: &frames[index].text)
  }

  /// Ends the open elements until `depth` are left, innermost first.
  private func end(toDepth depth: Int) {
    while frames.count > depth {
      if inline.depth > 0 { inline.closeAll(into: &frames[frames.count - 1].text) }
      let frame = frames.removeLast()
      var ended: Scope?
      if let top = scopes.last, top.depth == frames.count {
        ended = top.scope
        scopes.removeLast()
      }
      finish(frame, ended)
    }
  }

  private func finish(_ frame: Frame, _ ended: Scope?) {
    switch ended {
    case .entry:
      if let finished = entry {
        entry = nil
        guard !isStopped else { return }
        if onEntry(finished) == .stop {
          isStopped = true
          reader?.stop()
        }
      }
    case .person: finishPerson(frame)
    case .source: finishSource(frame)
    case .image: finishImage(frame)
    case .textInput: if owner == .feed { feed.textInput = image }
    case .feed: break
    case nil: assign(frame)
    }
  }

  private func finishPerson(_ frame: Frame) {
    guard let (value, role) = person else { return }
    person = nil
    let whole = value.isEmpty ? PersonText.parse(frame.content) : value
    if !whole.isEmpty { add(whole, role) }
  }

  private func finishSource(_ frame: Frame) {
    // RSS's source is an element with a text and a url.
    if let url = frame.attribute("url") { source.link = resolve(url, frame.base) }
    if source.title == nil, !frame.content.isEmpty {
      source.title = Markup(frame.content, kind: .text, language: frame.language)
    }
    entry?.source = source
  }

  private func finishImage(_ frame: Frame) {
    // RSS 1.0's channel only points to its image.
    if image.url == nil {
      image.url = resolve(frame.attribute("rdf_resource") ?? frame.attribute("url") ?? "", frame.base)
    }
    if image.url == nil, let href = frame.attribute("href") { image.url = resolve(href, frame.base) }
    switch owner {
    case .entry:
      entry?.image = image
      if let url = image.url { entry?.media.append(MediaObject(url: url, source: .thumbnail)) }
    case .source: source.image = image
    default: if feed.image?.url == nil { feed.image = image }
    }
  }
}

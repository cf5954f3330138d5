import TamisCore
import TamisURL
import TamisHTML

/// The walker with its reader.
final class FragmentParser: HTMLHandler {
  private(set) var walker: Walker
  /// Whether what is removed is to be reported: without a reader, a report is not worth its cost.
  var reportsRemovals: Bool {
    get { walker.log.isRead }
    set { walker.log.isRead = newValue }
  }
  private let limits: Limits
  private let hooks: Sanitizer.Hooks?
  private lazy var reader = HTMLReader(handler: self)
  /// Reads the replacement of an element by a hook, while the other reader is in the middle of the source.
  private lazy var replacementReader = HTMLReader(handler: self)
  private var isReplacing = false
  private var attributes = AttributeList()
  /// The names of the URLs of the call, `base` or `page`, that are too long to be used.
  private var tooLong: [String] = []

  init(policy: Policy, limits: Limits, hooks: Sanitizer.Hooks? = nil) {
    self.limits = limits
    self.hooks = hooks
    walker = Walker(policy: policy, limits: limits, rewriteURL: hooks?.rewriteURL)
  }

  /// Reads and filters a fragment; afterwards the markup is in the walker's output.
  ///
  /// Its tree is built once. It is walked through once, and once more for each ``Learned/Reading`` that would write something else: four
  /// times at most.
  ///
  /// - Parameters:
  ///   - base: the base of relative URLs, unless it is too long.
  ///   - page: the URL of the page that the fragment is from, for links within it; likewise.
  ///   - isCheck: whether it is markup that was written here, and need not be written again when its pictures stand where
  ///     they would.
  ///   - keepsSides: whether pictures may be aligned beside text.
  func filter(
    _ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL?, for purpose: FactCollector.Purpose,
    isCheck: Bool = false, keepsSides: Bool = true
  ) -> MarkupFacts {
    let (base, page) = (bounded(base, "base"), bounded(page, "page"))
    defer { tooLong.removeAll() }
    let settings = walker.settings
    let improvements = settings.policy.improvements
    let prefix = improvements.idPrefix
    walker.learned.anchors = OwnAnchors(page: prefix == nil ? nil : page.map(settings.urls.withoutTracking))
    walker.learned.lazySources = LazySources()
    walker.learned.boxes = PictureBoxes(
      alignsPictures: improvements.alignsPictures && keepsSides,
      makesFigures: improvements.makesFigures && walker.allowsFigures)
    var facts = read(html, base: base, for: purpose)
    for reading in Learned.Reading.allCases where walker.learned.wants(reading, idPrefix: prefix, isCheck: isCheck) {
      facts = read(html, base: base, for: purpose, isAgain: true)
    }
    return facts
  }

  /// The last markup, changed until reading it again gives the same alignment of pictures.
  ///
  /// The alignment is read from the tags of the source; if these are misplaced so that another reading gives another
  /// alignment, no picture is aligned. Other facts of the last reading are lost. Filters three times at most, and not at
  /// all when no picture is aligned.
  func settled(base: WebURL?) -> [UInt8] {
    var html = Array(walker.output.trimmed())
    guard walker.learned.boxes.hasSides else { return html }
    for _ in 0..<2 {
      _ = filter(html.span, base: base, page: nil, for: .markup, isCheck: true)
      if walker.learned.boxes.isSettled { return html }
      html = Array(walker.output.trimmed())
    }
    _ = filter(html.span, base: base, page: nil, for: .markup, keepsSides: false)
    return Array(walker.output.trimmed())
  }

  private func read(
    _ html: borrowing Span<UInt8>, base: WebURL?, for purpose: FactCollector.Purpose, isAgain: Bool = false
  ) -> MarkupFacts {
    begin(size: html.count, base: base, for: purpose)
    if isAgain { reader.readAgain() } else { reader.readFragment(html, limits: limits) }
    if let unfinished = reader.unfinished {
      walker.place = HTMLReader.Place(offset: unfinished.offset)
      walker.note(.unfinished, unfinished.beginning)
    }
    if reader.isLimited {
      walker.place = HTMLReader.Place()
      walker.note(.limit, "formatting")
    }
    walker.log.locate(reader.location)
    return walker.finish()
  }

  private func begin(size: Int, base: WebURL?, for purpose: FactCollector.Purpose) {
    walker.begin(size: size, base: base, for: purpose)
    for name in tooLong { walker.note(.limit, name) }
  }

  /// The URL if it may be a base; nil when it is too long for that.
  private func bounded(_ url: WebURL?, _ name: String) -> WebURL? {
    guard let url, url.utf8.count > limits.baseBytes else { return url }
    tooLong.append(name)
    return nil
  }

  /// Writes a fragment as the text it is: what is too large to be parsed.
  func writeAsText(_ html: borrowing Span<UInt8>, base: WebURL?) -> MarkupFacts {
    walker.begin(size: html.count, base: base, for: .facts)
    walker.note(.limit, "fragment")
    walker.log.locate { _ in (1, 1) }
    var prepared = HTMLInput.prepared(html) ?? []
    if prepared.isEmpty { prepared.append(html, 0..<html.count) }
    writeAsText(prepared)
    return walker.finish()
  }

  /// Removes the names that the policy does not mention, once there are too many: hostile input can use any number.
  func forgetNames() {
    guard walker.tables.isCrowded else { return }
    walker = Walker(policy: walker.settings.policy, limits: limits, rewriteURL: hooks?.rewriteURL)
    reader = HTMLReader(handler: self)
    replacementReader = HTMLReader(handler: self)
  }

  private func writeAsText(_ prepared: [UInt8]) {
    let text = String(decoding: prepared, as: UTF8.self).decodingCharacterReferences().unicodeScalars.lazy
      .compactMap(HTMLInput.character)
    var bytes: [UInt8] = []
    for scalar in text { bytes.append(scalar: scalar) }
    walker.text(bytes.span)
  }

  // MARK: - Events

  func number(ofElement name: String) -> Int { walker.tables.number(ofElement: name) }

  func number(ofAttribute name: String) -> Int { walker.tables.number(ofAttribute: name) }

  func startElement(_ element: Int, _ list: borrowing HTMLAttributes) {
    // Collected here first: looking up a name may change the walker's tables.
    attributes.removeAll()
    // What a hook puts there stands where the element is that it replaces.
    if !isReplacing { walker.place = reader.current }
    if !walker.source.isDropping {
      let (isCopy, id) = (walker.place.isCopy, walker.tables.known.id)
      list.forEach(limit: limits.attributes) { attribute, value in
        // An element that is opened again has the same attributes; its name in the page is only the first one's.
        if !isCopy || attribute != id { attributes.addOriginal(attribute, value) }
      }
      if let hooks, hooks.seesTags, !isReplacing, handle(element, hooks) { return }
      if walker.place.isMoved {
        let name = walker.tables.text(ofElement: element)
        walker.note(.moved, name)
      }
    }
    walker.startElement(element, with: &attributes)
  }

  func endElement(_ element: Int) { walker.endElement(element) }

  func text(_ bytes: borrowing Span<UInt8>) {
    if !isReplacing, reader.current.isMoved, !walker.source.isDropping {
      walker.place = reader.current
      walker.note(.moved, "text")
    }
    walker.text(bytes)
  }

  // MARK: - Hooks

  /// Calls the hooks for a tag; returns whether they have handled it completely.
  private func handle(_ number: Int, _ hooks: Sanitizer.Hooks) -> Bool {
    let element = walker.tables.text(ofElement: number)
    if let filter = hooks.filterAttribute {
      let originals = attributes
      attributes.removeAll()
      for (attribute, source) in zip(originals.originals, sourceAttributes(of: element, originals)) {
        if let value = filter(source) { attributes.addOriginal(attribute.attribute, Array(value.utf8).span) }
      }
    }
    guard let handle = hooks.handleElement else { return false }
    switch handle(Sanitizer.SourceElement(name: element, attributes: sourceAttributes(of: element, attributes))) {
    case .followPolicy: return false
    case .unwrap: walker.skipElement(number, withContent: false)
    case .drop: walker.skipElement(number, withContent: true)
    case .replace(let html):
      replace(by: Array(html.utf8))
      walker.skipElement(number, withContent: true)
    }
    walker.note(.hook, element)
    return true
  }

  private func sourceAttributes(of element: String, _ list: AttributeList) -> [Sanitizer.SourceAttribute] {
    list.originals.map {
      Sanitizer.SourceAttribute(
        element: element, name: walker.tables.text(ofAttribute: $0.attribute),
        value: String(decoding: list.bytes[$0.value], as: UTF8.self))
    }
  }

  /// Gives markup to the walker as if it were in the source.
  private func replace(by html: [UInt8]) {
    let place = walker.place
    isReplacing = true
    // The replacement has tags of its own, none of which is opened again.
    walker.place = HTMLReader.Place(offset: place.offset)
    defer { (isReplacing, walker.place) = (false, place) }
    replacementReader.readFragment(html.span, limits: limits)
  }
}

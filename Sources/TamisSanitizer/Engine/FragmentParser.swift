import TamisCore
import TamisURL
import TamisXML

/// The walker and the two readers that tell it what a fragment holds: ``OrdinaryMarkup``, and libxml2 for all else.
final class FragmentParser: HTMLHandler {
  private(set) var walker: Walker
  private let limits: Limits
  private var ordinary: OrdinaryMarkup
  private lazy var reader = HTMLReader(handler: self)
  private var document: [UInt8] = []
  private var attributes = AttributeList()
  /// What of the fragment's surroundings is too long to be used.
  private var tooLong: [String] = []

  init(policy: Policy, limits: Limits) {
    self.limits = limits
    walker = Walker(policy: policy, limits: limits)
    ordinary = OrdinaryMarkup(limits: limits)
  }

  /// Reads and filters a fragment; the markup is in the walker's output then.
  ///
  /// - Parameters:
  ///   - base: what URLs are resolved against, unless it is too long.
  ///   - page: the address of the page that the fragment is from, for links within it; likewise.
  ///   - isCheck: whether it is markup that was written here, and need not be written again when its pictures stand where
  ///     they would.
  ///   - keepsSides: whether pictures may stand at a side.
  func filter(
    _ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL?, for purpose: FactCollector.Purpose,
    isCheck: Bool = false, keepsSides: Bool = true
  ) -> MarkupFacts {
    let (base, page) = (bounded(base, "base"), bounded(page, "page"))
    defer { tooLong.removeAll() }
    let prefix = walker.policy.improvements.idPrefix
    walker.anchors = OwnAnchors(page: prefix == nil ? nil : page.map(walker.urls.withoutTracking))
    walker.lazySources = LazySources()
    let improvements = walker.policy.improvements
    walker.boxes = PictureBoxes(
      alignsPictures: improvements.alignsPictures && keepsSides,
      makesFigures: improvements.makesFigures && walker.allowsFigures)
    var facts = read(html, base: base, for: purpose)
    // Some things are known at the end only. Which pictures stay comes first: with them go places.
    if walker.lazySources.wantsSecondReading() { facts = read(html, base: base, for: purpose) }
    if walker.boxes.wantsSecondReading(), !(isCheck && walker.boxes.isSettled) {
      facts = read(html, base: base, for: purpose)
    }
    if let prefix, walker.anchors.wantsSecondReading(prefix: prefix) {
      facts = read(html, base: base, for: purpose)
    }
    return facts
  }

  /// The markup that was written last, in which pictures stand where they would if it were read.
  ///
  /// Where they stand is told by the tags of the source; where these are so far out of place that a reading of the result
  /// would tell otherwise, no picture stands at a side. What else is known of the last reading is lost.
  func settled(base: WebURL?) -> [UInt8] {
    var html = Array(walker.output.trimmed())
    guard walker.boxes.hasSides else { return html }
    for _ in 0..<2 {
      _ = filter(html.span, base: base, page: nil, for: .markup, isCheck: true)
      if walker.boxes.isSettled { return html }
      html = Array(walker.output.trimmed())
    }
    _ = filter(html.span, base: base, page: nil, for: .markup, keepsSides: false)
    return Array(walker.output.trimmed())
  }

  private func read(_ html: borrowing Span<UInt8>, base: WebURL?, for purpose: FactCollector.Purpose) -> MarkupFacts {
    begin(size: html.count, base: base, for: purpose)
    if ordinary.read(html, into: &walker) {
      walker.locateRemovals(in: html)
    } else {
      begin(size: html.count, base: base, for: purpose)
      parse(html)
    }
    return walker.finish()
  }

  private func begin(size: Int, base: WebURL?, for purpose: FactCollector.Purpose) {
    walker.begin(size: size, base: base, for: purpose)
    walker.place = (1, 1)
    for name in tooLong { walker.note(.limit, name) }
  }

  /// A URL that others may be resolved against, nil when it is so long that each of them would be.
  private func bounded(_ url: WebURL?, _ name: String) -> WebURL? {
    guard let url, url.utf8.count > limits.baseBytes else { return url }
    tooLong.append(name)
    return nil
  }

  /// Writes a fragment as the text it is: what is too large to be parsed.
  func writeAsText(_ html: borrowing Span<UInt8>, base: WebURL?) -> MarkupFacts {
    walker.begin(size: html.count, base: base, for: .facts)
    walker.offset = 0
    walker.note(.structure, "fragment")
    walker.locateRemovals(in: html)
    var prepared: [UInt8] = []
    HTMLPreparation.append(html, to: &prepared)
    let text = Array(String(decoding: prepared, as: UTF8.self).decodingCharacterReferences().utf8)
    walker.text(text.span)
    return walker.finish()
  }

  /// Forgets the names that the policy does not mention, once there are too many: hostile input can use ever new ones.
  func forgetNames() {
    guard walker.tables.isCrowded else { return }
    walker = Walker(policy: walker.policy, limits: limits)
    reader = HTMLReader(handler: self)
  }

  private func parse(_ html: borrowing Span<UInt8>) {
    document.removeAll(keepingCapacity: true)
    HTMLReader.prefix.withUTF8Buffer { document.append(contentsOf: $0) }
    HTMLPreparation.append(html, to: &document)
    escapeUnendedDeclaration()
    reader.read(document, limits: limits)
  }

  /// Makes text of a declaration that the fragment cuts off, so that its words are not lost: Universal Feed Parser
  /// shows it too.
  private func escapeUnendedDeclaration() {
    let mark = UInt8(ascii: "!")
    guard let start = document.lastIndex(of: UInt8(ascii: "<")), start + 1 < document.count,
      document[start + 1] == mark,
      !document[(start + 2)...].starts(with: "--".utf8), !document[start...].contains(UInt8(ascii: ">"))
    else { return }
    document.replaceSubrange(start...start, with: "&lt;".utf8)
  }

  // MARK: - What libxml2 tells

  func number(ofElement name: String) -> Int { walker.tables.number(ofElement: name) }

  func number(ofAttribute name: String) -> Int { walker.tables.number(ofAttribute: name) }

  func startElement(_ element: Int, _ list: borrowing HTMLAttributes) {
    // Collected here first: looking up a name may change the walker's tables.
    attributes.removeAll()
    if !walker.isDropping {
      list.forEach(limit: limits.attributes) { attribute, value in attributes.addOriginal(attribute, value) }
    }
    swap(&attributes, &walker.attributes)
    walker.place = (reader.line, reader.column)
    walker.startElement(element)
  }

  func endElement(_ element: Int) { walker.endElement(element) }

  func text(_ bytes: borrowing Span<UInt8>) { walker.text(bytes) }
}

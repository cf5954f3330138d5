import TamisCore
import TamisURL
import TamisHTML

/// A reader combined with a walker, which filters what it reads.
struct FragmentParser: ~Copyable {
  private(set) var walker: Walker
  private let limits: Limits
  private let hooks: Sanitizer.Hooks?
  private var source = MarkupSource()
  /// The reader of the markup with which a hook replaces an element, while the source is being read.
  private var replacement = MarkupSource()
  /// What is being replaced; nil outside of a replacement.
  private var replaced: Replaced?
  /// Whether a hook has changed anything since the beginning of the fragment.
  private var isChanged = false
  private var attributes = AttributeList()
  /// The names of the call's URLs, `base` or `page`, that are too long to be used.
  private var tooLong: [String] = []

  private enum Replaced {
    case element(Int)
    case text
  }

  init(policy: Policy, limits: Limits, hooks: Sanitizer.Hooks? = nil) {
    self.limits = limits
    self.hooks = hooks
    walker = Walker(policy: policy, limits: limits, rewriteURL: hooks?.rewriteURL)
  }

  /// The effect of the selection on the last fragment.
  var selectionUse: SelectionUse { source.selectionUse }

  /// Whether elements of the last fragment are elsewhere than their tags.
  var isMisnested: Bool { source.reader.isMisnested }

  /// Returns what libtidy would have to do with filtered markup, which is read for that.
  mutating func repairBounds(of html: [UInt8]) -> RepairBounds {
    source.reader.readFragment(html.span, limits: limits)
    var bounds = RepairBounds()
    source.reader.builder.tree.visit(&bounds)
    return bounds
  }

  /// The size in bytes of the trees and the output, which are kept for the next fragment.
  var keptBytes: Int {
    source.reader.builder.tree.keptBytes + replacement.reader.builder.tree.keptBytes + walker.output.keptBytes
  }

  /// Sets whether removals are reported, which costs time.
  mutating func reportRemovals(_ isRead: Bool) { walker.log.isRead = isRead }

  /// Reads and filters a fragment; afterwards the markup is in the walker's output.
  ///
  /// The tree is built once. It is looked at before it is walked if it has pictures or links to anchors, and walked
  /// twice if it has invisible characters and parts that go.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - base: the base URL of relative URLs, unless it is too long.
  ///   - page: the URL of the page that contains the fragment, for links within it, unless it is too long.
  ///   - wantsFacts: whether facts are collected.
  ///   - isOwn: whether the fragment is output, of which nothing is hidden: what revealed it can be gone.
  ///   - keepsSides: whether pictures may be aligned beside text.
  ///   - selection: the parts to read; nil for all.
  /// - Returns: the facts of the last reading.
  mutating func filter(
    _ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL?, wantsFacts: Bool,
    isOwn: Bool = false, keepsSides: Bool = true, selection: PreparedSelection? = nil
  ) -> SanitizedHTML.Facts {
    let (base, page) = (bounded(base, "base"), bounded(page, "page"))
    isChanged = false
    defer { tooLong.removeAll() }
    begin(size: html.count, base: base, wantsFacts: false)
    source.read(
      html, limits: limits, &walker.tables, conventions: walker.settings.conventions,
      findsHidden: walker.settings.policy.dropsHidden && !isOwn, selection: selection)
    walker.look(at: &source, page: page, keepsSides: keepsSides)
    let facts = walk(size: html.count, base: base, wantsFacts: wantsFacts)
    return source.wantsSearch() ? walk(size: html.count, base: base, wantsFacts: wantsFacts) : facts
  }

  /// Whether reading the last markup again is known to change nothing.
  var isSettled: Bool { !walker.state.isReshaped && !walker.survey.hasSides }

  /// Returns the last markup as it stays when it is read again; nil when it would still change after four readings.
  ///
  /// A browser may build another tree of it (``Walker/ReadingState/isReshaped``), in which other pictures may be beside
  /// text; therefore the last two readings align none.
  ///
  /// - Parameters:
  ///   - base: the base URL of relative URLs.
  ///   - wantsFacts: whether facts are collected.
  /// - Returns: the markup, and the facts of the last reading; nil when none was needed.
  mutating func settled(base: WebURL?, wantsFacts: Bool) -> (html: [UInt8], facts: SanitizedHTML.Facts?)? {
    var html = Array(walker.output.trimmed())
    var facts: SanitizedHTML.Facts?
    for round in 0..<4 {
      if isSettled { return (html, facts) }
      facts = filter(html.span, base: base, page: nil, wantsFacts: wantsFacts, isOwn: true, keepsSides: round < 2)
      if walker.output.trimmed().elementsEqual(html) { return (html, facts) }
      html = Array(walker.output.trimmed())
    }
    return isSettled ? (html, facts) : nil
  }

  private mutating func walk(size: Int, base: WebURL?, wantsFacts: Bool) -> SanitizedHTML.Facts {
    begin(size: size, base: base, wantsFacts: wantsFacts)
    source.rewind()
    while let event = next() {
      switch event {
      case .start(let name): startElement(name)
      case .end(let name):
        walker.endElement(replaced == nil ? source.number(ofElement: name) : replacement.number(ofElement: name))
      case .text(let range): text(range)
      }
    }
    if let unfinished = source.reader.unfinished {
      walker.place = HTMLReader.Place(offset: unfinished.offset)
      walker.note(.unfinished, unfinished.beginning)
    }
    if source.reader.isMisnested || source.reader.isRearranged { walker.state.isReshaped = true }
    walker.place = HTMLReader.Place()
    if source.reader.isLimited { walker.note(.limit, "formatting") }
    if source.reader.builder.tree.isDrawingCut { walker.note(.limit, "drawing") }
    if source.reader.builder.tree.isFormulaCut { walker.note(.limit, "formula") }
    if let refusal = source.reader.builder.tree.sheets.refusal { walker.note(.limit, "style sheets: \(refusal)") }
    // A part that goes can be what kept two marks of a formula apart.
    if source.reader.builder.tree.hasFormulaMarks
      || (source.reader.builder.tree.hasFormulaMarksInCode && !walker.settings.keepsCode)
    {
      walker.state.isReshaped = true
    }
    isChanged = isChanged || walker.state.hasRewritten
    walker.log.locate(in: &source.reader)
    return walker.finish()
  }

  private mutating func begin(size: Int, base: WebURL?, wantsFacts: Bool) {
    walker.begin(size: size, base: base, wantsFacts: wantsFacts)
    for name in tooLong { walker.note(.limit, name) }
  }

  /// Returns the URL if it may be a base URL; nil when it is too long for that.
  private mutating func bounded(_ url: WebURL?, _ name: String) -> WebURL? {
    guard let url, url.utf8.count > limits.baseBytes else { return url }
    tooLong.append(name)
    return nil
  }

  /// Writes a fragment as plain text, because of a limit.
  mutating func writeAsText(
    _ html: borrowing Span<UInt8>, base: WebURL?, because limit: String
  ) -> SanitizedHTML.Facts {
    walker.begin(size: html.count, base: base, wantsFacts: true)
    walker.note(.limit, limit)
    var prepared = HTMLInput.prepared(html) ?? []
    if prepared.isEmpty { prepared.append(html, 0..<html.count) }
    writeAsText(prepared)
    return walker.finish()
  }

  /// Removes the names that the policy does not mention, once there are too many.
  ///
  /// Hostile input can use any number of names.
  mutating func forgetNames() {
    guard walker.tables.isCrowded else { return }
    let isRead = walker.log.isRead
    walker = Walker(policy: walker.settings.policy, limits: limits, rewriteURL: hooks?.rewriteURL)
    walker.log.isRead = isRead
    source = MarkupSource()
    replacement = MarkupSource()
  }

  private mutating func writeAsText(_ prepared: [UInt8]) {
    let text = String(streamSafe: prepared).decodingCharacterReferences().unicodeScalars.lazy
      .compactMap(HTMLInput.character)
    var bytes: [UInt8] = []
    for scalar in text { bytes.append(scalar: scalar) }
    bytes = InvisibleText.visible(bytes) ?? bytes
    walker.text(bytes.span)
  }

  // MARK: - Events

  /// Returns the next event of the replacement, or else of the source.
  private mutating func next() -> HTMLReader.Event? {
    if let replaced {
      if let event = replacement.reader.next() { return event }
      self.replaced = nil
      walker.place = source.reader.place
      if case .element(let element) = replaced {
        walker.skipElement(element, withContent: true)
        noteHook(element)
      }
    }
    return source.reader.next()
  }

  private mutating func startElement(_ name: Int32) {
    attributes.removeAll()
    if let omission = replaced == nil ? source.omission : replacement.omission { return skip(name, omission) }
    if replaced != nil {
      // The markup of a hook takes the place of the element that it replaces.
      if !walker.source.isDropping { replacement.addAttributes(to: &attributes, without: -1) }
      return walker.startElement(replacement.number(ofElement: name), with: &attributes)
    }
    var element = source.number(ofElement: name)
    walker.place = source.reader.place
    if walker.wantsAttributes {
      // A reopened element has the same attributes; only the first one keeps its id.
      source.addAttributes(to: &attributes, without: walker.place.isCopy ? walker.tables.known.id : -1)
    }
    if !walker.source.isDropping {
      if let handle = hooks?.handleElement {
        guard let changed = handled(element, handle) else { return }
        element = changed
      }
      if walker.place.isMoved { walker.note(.moved, walker.tables.text(ofElement: element)) }
    }
    walker.startElement(element, with: &attributes, walker.survey.decisions[source.reader.entered])
  }

  /// Removes an element with its content.
  private mutating func skip(_ name: Int32, _ omission: (rule: Removal.Rule, selector: String?)) {
    let element = replaced == nil ? source.number(ofElement: name) : replacement.number(ofElement: name)
    if replaced == nil { walker.place = source.reader.place }
    if !walker.source.isDropping {
      walker.note(omission.rule, omission.selector ?? walker.tables.text(ofElement: element))
    }
    walker.skipElement(element, withContent: true)
  }

  /// Leaves out a text; a space at its edges still separates words.
  private mutating func skip(_ range: Range<Int>, _ omission: (rule: Removal.Rule, selector: String?)) {
    if walker.source.isDropping { return }
    if replaced == nil { walker.place = source.reader.place }
    walker.note(omission.rule, omission.selector ?? "text")
    let text = replaced == nil ? source.bytes(range) : replacement.bytes(range)
    if text.first?.isHTMLSpace == true || text.last?.isHTMLSpace == true { walker.text([ASCII.space].span) }
  }

  private mutating func text(_ range: Range<Int>) {
    if let omission = replaced == nil ? source.omission : replacement.omission { return skip(range, omission) }
    if replaced != nil {
      guard let (text, _) = replacement.visible(range) else {
        walker.text(range, of: replacement.reader.builder.tree)
        return
      }
      walker.text(text.span)
      return
    }
    if source.reader.place.isMoved, !walker.source.isDropping {
      walker.place = source.reader.place
      walker.note(.moved, "text")
    }
    if let handle = hooks?.handleText, !walker.source.isDropping, replaces(range, handle) { return }
    guard let (text, what) = source.visible(range) else {
      if walker.text(range, of: source.reader.builder.tree) { source.noteWritten() }
      return
    }
    if !walker.source.isDropping {
      walker.place = source.reader.place
      walker.note(.invisible, "text with \(what.rawValue)")
    }
    if walker.text(text.span) { source.noteWritten() }
  }

  // MARK: - Hooks

  /// The output of hooks.
  struct HookedOutput {
    let markup: ArraySlice<UInt8>
    let facts: SanitizedHTML.Facts
    let log: RemovalLog
    /// Whether a hook has changed anything.
    let isChanged: Bool
    /// The effect of the selection.
    let selectionUse: SelectionUse
    /// Whether the markup needs no further reading, see ``FragmentParser/isSettled``.
    let isSettled: Bool
    /// Whether elements are elsewhere than their tags, so that libtidy may be asked.
    let isMisnested: Bool
  }

  /// Reads and filters a fragment with the hooks, as `filter` does.
  mutating func callHooks(
    _ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL?, wantsFacts: Bool,
    selection: PreparedSelection?
  ) -> HookedOutput {
    forgetNames()
    let facts = filter(html, base: base, page: page, wantsFacts: wantsFacts, selection: selection)
    return HookedOutput(
      markup: walker.output.trimmed(), facts: facts, log: walker.log, isChanged: isChanged,
      selectionUse: source.selectionUse, isSettled: isSettled, isMisnested: isMisnested)
  }

  /// Calls the hook for a tag.
  ///
  /// - Returns: the number of the element to begin, with its attributes in ``attributes``; nil when the hook has
  ///   decided otherwise.
  private mutating func handled(
    _ number: Int, _ handle: (inout Sanitizer.Hooks.Element) -> Sanitizer.Hooks.ElementAction
  ) -> Int? {
    let before = sourceElement(number)
    var element = before
    let action = handle(&element)
    if action == .followPolicy, element == before { return number }
    guard affords(action, element) else {
      walker.note(.limit, "hook")
      return number
    }
    isChanged = true
    switch action {
    case .followPolicy: return changed(number, from: before, to: element)
    case .unwrap: walker.skipElement(number, withContent: false)
    case .drop: walker.skipElement(number, withContent: true)
    case .replace(let html):
      begin(replacement: html, of: .element(number))
      return nil
    }
    noteHook(number)
    return nil
  }

  /// Whether hooks have returned no more than a fragment may have: another answer is not used.
  private mutating func affords(_ action: Sanitizer.Hooks.ElementAction, _ element: Sanitizer.Hooks.Element) -> Bool {
    if case .replace(let html) = action { return walker.affords(ofHooks: html.utf8.count) }
    return walker.affords(
      ofHooks: element.attributes.reduce(element.name.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count })
  }

  private mutating func begin(replacement html: String, of part: Replaced) {
    replacement.read(
      Array(html.utf8).span, limits: limits, &walker.tables, conventions: walker.settings.conventions,
      findsHidden: walker.settings.policy.dropsHidden)
    if replacement.reader.isRearranged { walker.state.isReshaped = true }
    replaced = part
    // The replacement has its own tags, none of which is reopened.
    walker.place = HTMLReader.Place(offset: walker.place.offset)
  }

  /// Gives the current element another name and other attributes; returns its number.
  ///
  /// Names that no document can contain are left out, and attributes that were removed are reported.
  private mutating func changed(
    _ number: Int, from before: Sanitizer.Hooks.Element, to element: Sanitizer.Hooks.Element
  ) -> Int {
    if element.attributes != before.attributes {
      attributes.removeAll()
      for attribute in element.attributes where Policy.isName(attribute.name) {
        let name = walker.tables.number(ofAttribute: attribute.name.asciiLowercased())
        if attributes.original(name) == nil { attributes.addOriginal(name, Array(attribute.value.utf8).span) }
      }
      for attribute in before.attributes where element[attribute.name] == nil {
        walker.note(.hook, "\(before.name)@\(attribute.name)")
      }
    }
    guard element.name != before.name, Policy.isName(element.name) else { return number }
    let other = walker.tables.number(ofElement: element.name.asciiLowercased())
    return [number, other].contains { walker.tables.elements[$0].traits.contains(.void) } ? number : other
  }

  /// Calls the hook for text; returns whether it is replaced.
  private mutating func replaces(
    _ range: Range<Int>, _ handle: (Sanitizer.Hooks.Text) -> Sanitizer.Hooks.TextAction
  ) -> Bool {
    let text = source.text(range)
    guard case .replace(let html) = handle(Sanitizer.Hooks.Text(text, isInLink: walker.open.isInLink)) else {
      return false
    }
    guard walker.affords(ofHooks: html.utf8.count) else {
      walker.note(.limit, "hook")
      return false
    }
    isChanged = true
    walker.place = source.reader.place
    begin(replacement: html, of: .text)
    return true
  }

  private mutating func noteHook(_ element: Int) { walker.note(.hook, walker.tables.text(ofElement: element)) }

  private mutating func sourceElement(_ number: Int) -> Sanitizer.Hooks.Element {
    Sanitizer.Hooks.Element(
      name: walker.tables.text(ofElement: number),
      attributes: attributes.originals.map {
        Sanitizer.Hooks.Attribute(
          name: walker.tables.text(ofAttribute: $0.attribute), value: String(streamSafe: attributes.bytes[$0.value]))
      })
  }
}

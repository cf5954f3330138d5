import TamisCore
import TamisHTML
import TamisURL

/// The policy's improvements of kept elements.
extension Walker {
  /// Changes the attributes of a kept element; returns false when the element is removed after all.
  mutating func improve(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) -> Bool {
    guard namespace == .html else {
      declareNamespaces(entry, namespace)
      // MathML has no links of its own that a relation would mean anything to.
      if namespace == .svg, entry.role == .link { improveLink() }
      return true
    }
    switch entry.role {
    case .image: return improveImage(entry)
    case .link: improveLink()
    case .media:
      if settings.policy.improvements.linksEmbeds { addControls(entry) }
      repairLazyMedia(entry)
    case .mediaSource: repairLazyMedia(entry)
    default: break
    }
    return true
  }

  /// Gives a film, a sound or one of their files the source that a script would set.
  private mutating func repairLazyMedia(_ entry: RuleTables.Element) {
    guard settings.policy.improvements.repairsLazyImages else { return }
    if entry.role == .mediaSource { repairLazySourceSet(entry) }
    guard attributes.value(of: tables.known.src) == nil, open.current?.role != .picture else { return }
    repairLazySource(entry)
    let source = attributes.value(of: tables.known.src)
    if let source, settings.urls.isTracker(source.span) { attributes.remove(tables.known.src) }
  }

  /// Collects the facts of a written element.
  mutating func gatherFacts(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) {
    guard namespace == .html else { return }
    if entry.traits.contains(.heading) { facts.beginHeading() }
    let known = tables.known
    switch entry.role {
    case .link: if let href = attribute(known.href) { facts.beginLink(href) }
    case .image:
      if let image = image() { facts.add(image) }
    case .mediaSource where open.current?.role == .picture:
      let media = attributes.original(tables.number(ofAttribute: "media")).map { String(streamSafe: $0) }
      if media?.contains("dark") == true { return }
      facts.addPictureSources(attributes.value(of: known.srcset).map { SourceSet.parse(Array($0).span) } ?? [])
    case .media, .mediaSource:
      if let poster = attribute(known.poster) { facts.add(poster: poster) }
      for number in [known.src, known.poster] {
        if let url = attribute(number) { facts.add(media: url) }
      }
    case .picture: facts.beginPicture()
    case .figure: facts.beginFigure()
    case .figureCaption: facts.noteCaption()
    default: break
    }
  }

  /// Returns the facts of the picture with this start tag; nil when it shows none.
  private mutating func image() -> SanitizedHTML.Facts.Image? {
    let known = tables.known
    let candidates = attributes.value(of: known.srcset).map { SourceSet.parse(Array($0).span) } ?? []
    guard let source = attribute(known.src) ?? candidates.first.map({ String(streamSafe: $0.url) })
    else { return nil }
    let classes = attributes.original(known.class).map { String(streamSafe: $0).asciiLowercased() } ?? ""
    let styled = attributes.original(known.style).map { PictureStyle($0) }
    var image = SanitizedHTML.Facts.Image(
      source: source, alternative: attribute(known.alt),
      width: attribute(known.width).flatMap(Dimension.pixels) ?? styled?.width,
      height: attribute(known.height).flatMap(Dimension.pixels) ?? styled?.height)
    image.candidates = candidates.map(\.fact)
    image.classes = classes.split(whereSeparator: \.isWhitespace).map(String.init)
    image.isInFigure = open.contains(.figure)
    image.isHidden = attributes.original(known.hidden) != nil || styled?.isTransparent == true
    return image
  }

  /// Returns the kept value of an attribute of the current start tag; nil when it is removed.
  private mutating func attribute(_ number: Int) -> String? {
    attributes.value(of: number).map { String(streamSafe: $0) }
  }

  /// Separates the words before and after a block whose tags are removed.
  mutating func separateBlock() {
    facts.separate()
    guard settings.policy.improvements.separatesBlocks, let last = output.bytes.last, !last.isHTMLSpace else { return }
    if let name = output.endingTagName, let element = tables.knownElement(output.bytes.span, name),
      tables.elements[element].traits.contains(.block)
    {
      return
    }
    output.plainText([ASCII.space].span)
  }

  private mutating func declareNamespaces(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) {
    func declare(_ attribute: Int, _ uri: String) {
      if tables.allows(attribute: attribute, on: entry.number, in: namespace) { attributes.set(attribute, uri.utf8) }
    }
    if let uri = ForeignNames.namespaceURIs[namespace], entry.root != nil { declare(tables.known.xmlns, uri) }
    if attributes.items.contains(where: { tables.text(ofAttribute: $0.attribute).hasPrefix("xlink:") }) {
      declare(tables.known.xmlnsXlink, ForeignNames.xlink)
    }
  }

  /// Gives sound and films the controls that scripts, or playing by themselves, would make unnecessary.
  private mutating func addControls(_ entry: RuleTables.Element) {
    let controls = tables.number(ofAttribute: "controls")
    guard tables.allows(attribute: controls, on: entry.number, in: .html) else { return }
    if attributes.value(of: controls) == nil { attributes.set(controls, []) }
  }

  /// Counts the places of a table that a cell or column of more than one takes; returns false when they are too many.
  ///
  /// A browser fills each place: 250 cells of 1,000 columns and all rows keep it busy for a minute.
  mutating func takePlaces(of item: AttributeList.Item) -> Bool {
    let known = tables.known
    func count(_ attribute: Int, most: Int) -> Int {
      let value = attributes.original(attribute) ?? []
      let digits = value.drop(while: \.isHTMLSpace).prefix { $0.isASCIIDigit || $0 == UInt8(ascii: "+") }
      let number = min(Int(String(decoding: digits, as: UTF8.self)) ?? (digits.isEmpty ? 1 : most), most)
      // No rows are all rows that follow (HTML Standard, 4.9.11).
      return number == 0 && attribute == known.rowspan ? most : number
    }
    // Both spans of a cell are decided with the first.
    if attributes.originals.first(where: { tables.attributes[$0.attribute].isSpan })?.attribute == item.attribute {
      let columns = [known.colspan, known.columnspan, known.span].map { count($0, most: 1000) }.max() ?? 1
      state.tablePlaces += max(columns, 1) * max(count(known.rowspan, most: 65_534), 1)
    }
    return state.tablePlaces <= settings.limits.tablePlaces
  }

  /// Counts elements for which browsers look at all others before them; returns false when they are too many.
  ///
  /// 10,000 `q` or numbered items keep Chromium busy for ten seconds, 300 `track` Firefox, 300 `audio` WebKit.
  mutating func takeCostly(_ cost: Int) -> Bool {
    state.costlyElements += cost
    return state.costlyElements <= settings.limits.costlyElements
  }

  /// Counts the rows and cells of tables; returns false when browsers would lay out too many places.
  mutating func takeCell(of entry: RuleTables.Element) -> Bool {
    switch entry.role {
    case .row: (state.rows, state.cellsOfRow) = (state.rows + 1, 0)
    case .cell: state.cellsOfRow += 1
    default: return true
    }
    state.longestRow = max(state.longestRow, state.cellsOfRow)
    return max(state.rows, 1) * state.longestRow <= settings.limits.tableArea
  }

  private mutating func improveLink() {
    if settings.policy.improvements.linksEmbeds {
      state.embeds.lastLink.target = attributes.value(of: tables.known.href).map(Array.init) ?? []
    }
    guard !settings.linkRelations.isEmpty else { return }
    let rel = tables.known.rel
    guard let href = attributes.value(of: tables.known.href), href.first != UInt8(ascii: "#") else {
      attributes.remove(rel)
      return
    }
    attributes.set(rel, settings.linkRelations)
  }

  private mutating func improveImage(_ entry: RuleTables.Element) -> Bool {
    let (improvements, known) = (settings.policy.improvements, tables.known)
    state.pictures += 1
    guard showsPicture(entry) else { return false }
    if improvements.repairsLazyImages, isEmptyPicture(isInPicture: open.current?.role == .picture) {
      note(.empty, entry)
      return false
    }
    if let rule = state.decision?.removal {
      note(rule, entry)
      return false
    }
    guard improvements.loadsImagesLazily else { return true }
    if attributes.value(of: known.src) != nil || attributes.value(of: known.srcset) != nil {
      attributes.set(known.loading, "lazy".utf8)
    }
    return true
  }

  /// Whether a picture is shown, being neither invisible nor a tracker's; its sources are repaired.
  mutating func showsPicture(_ entry: RuleTables.Element) -> Bool {
    let improvements = settings.policy.improvements
    if improvements.removesTrackingPixels, isTrackingPixel() {
      note(.tracking, entry)
      return false
    }
    if improvements.repairsLazyImages {
      repairLazySource(entry)
      repairLazySourceSet(entry)
      takeSourceFromSet()
    }
    if let source = attributes.value(of: tables.known.src), settings.urls.isTracker(source.span) {
      note(.tracking, entry)
      return false
    }
    return true
  }

  /// Whether a picture is invisible.
  ///
  /// Such a picture is hidden, or is declared with both sides of at most two pixels, or one side of at most one, by
  /// attributes or by its style.
  private mutating func isTrackingPixel() -> Bool {
    func declared(_ number: Int) -> Int? {
      attributes.original(number).flatMap {
        Dimension.pixels(String(streamSafe: $0))
      }
    }
    let style = attributes.original(tables.known.style).map { PictureStyle($0) }
    if style?.isHidden == true { return true }
    let sides = [
      (declared(tables.known.width), declared(tables.known.height)), (style?.mostWidth, style?.mostHeight),
    ]
    return sides.contains { width, height in
      if let width, let height, width <= 2, height <= 2 { return true }
      return width ?? 2 <= 1 || height ?? 2 <= 1
    }
  }

  /// Gives a picture the source that a script would set.
  ///
  /// The source is replaced when it is missing, when it is a known placeholder, or when the class announces lazy
  /// loading.
  private mutating func repairLazySource(_ entry: RuleTables.Element) {
    let source = tables.known.src
    guard tables.allows(attribute: source, on: entry.number, in: .html) else { return }
    let current = attributes.value(of: source)
    let isWaiting = current.map(Self.isPlaceholder) ?? true
    let schemes = schemes(of: source, entry)
    guard let url = lazySource(schemes, isAnyData: isWaiting && entry.role == .image) else { return }
    if let current, !isWaiting, !survey.lazySources.isPlaceholder(current), !isLazyByClass {
      survey.lazySources.note(Array(current))
    } else {
      attributes.set(source, url)
    }
  }

  /// Returns the source that a script would load; nil when there is none.
  ///
  /// - Parameters:
  ///   - schemes: the schemes that the source may have.
  ///   - isAnyData: whether a picture's URL in a `data-` attribute of any name counts.
  /// - Returns: the filtered URL; nil when there is none.
  private mutating func lazySource(_ schemes: Set<String>?, isAnyData: Bool) -> [UInt8]? {
    for attribute in tables.known.lazySources {
      guard let value = attributes.original(attribute), LazySources.looksLikeAddress(value),
        let url = filtered(Array(value), schemes, isImage: true), !url.isEmpty, !Self.isPlaceholder(url[...])
      else { continue }
      return url
    }
    guard isAnyData else { return nil }
    for original in attributes.originals where tables.text(ofAttribute: original.attribute).hasPrefix("data-") {
      let value = Array(attributes.bytes[original.value])
      if LazySources.looksLikePicture(value), let url = filtered(value, schemes, isImage: true) { return url }
    }
    return nil
  }

  /// Whether a word of the class names begins with `lazy`; `lazyloaded` means that the picture is already loaded.
  private var isLazyByClass: Bool {
    mutating get {
      guard let names = attributes.original(tables.known.class) else { return false }
      return names.split(whereSeparator: { !$0.isASCIIAlphanumeric }).contains { word in
        let word = word.map(\.asciiLowercased)
        return word.starts(with: "lazy".utf8) && !word.elementsEqual("lazyloaded".utf8)
      }
    }
  }

  private mutating func repairLazySourceSet(_ entry: RuleTables.Element) {
    let srcset = tables.known.srcset
    guard tables.allows(attribute: srcset, on: entry.number, in: .html) else { return }
    if let current = attributes.value(of: srcset),
      !SourceSet.parse(Array(current).span).allSatisfy({ Self.isPlaceholder($0.url[...]) })
    {
      return
    }
    for attribute in tables.known.lazySourceSets {
      guard let value = attributes.original(attribute),
        let kept = sourceSet(Array(value), schemes(of: srcset, entry))
      else { continue }
      attributes.set(srcset, kept)
      return
    }
    // A placeholder in the set would be shown in place of the source, or of the picture behind this one.
    let isHiding = entry.role == .mediaSource || attributes.value(of: tables.known.src).map(Self.isPlaceholder) == false
    if isHiding, attributes.value(of: srcset) != nil {
      note(.empty, entry, attribute: srcset)
      attributes.remove(srcset)
    }
  }

  /// Replaces a placeholder source with the first real one of the `srcset`.
  private mutating func takeSourceFromSet() {
    let known = tables.known
    guard let source = attributes.value(of: known.src), Self.isPlaceholder(source),
      let set = attributes.value(of: known.srcset)
    else { return }
    let real = SourceSet.parse(Array(set).span).first { !Self.isPlaceholder($0.url[...]) }
    if let real { attributes.set(known.src, real.url) }
  }

  /// Whether a picture has neither a source nor words, and none of the sources of a `picture`.
  mutating func isEmptyPicture(isInPicture: Bool) -> Bool {
    let known = tables.known
    return attributes.value(of: known.src) == nil && attributes.value(of: known.srcset) == nil && !isInPicture
      && attributes.value(of: known.alt)?.allSatisfy(\.isHTMLSpace) ?? true
  }

  /// Whether the current picture shows nothing of its own: its source is a placeholder, or it has none at all.
  var isPlaceholder: Bool {
    mutating get {
      let known = tables.known
      return attributes.value(of: known.src).map(Self.isPlaceholder) ?? (attributes.value(of: known.srcset) == nil)
    }
  }

  /// Whether a source is a tiny inline picture, or has the file name of a placeholder.
  private static func isPlaceholder(_ source: ArraySlice<UInt8>) -> Bool {
    source.starts(with: "data:".utf8) ? source.count < 200 : PlaceholderName.isIn(source.span)
  }
}

/// Calls a hook for the URLs of a tag that is to be written.
///
/// The results are not checked here: all output of hooks is read and filtered once more without them.
extension Walker {
  /// Rewrites the URLs of the current tag.
  mutating func rewriteURLs(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) {
    guard let rewriteURL = settings.rewriteURL else { return }
    let element = tables.text(ofElement: entry.number)
    for item in attributes.items {
      let value = Array(attributes.bytes[item.value])
      let use = Sanitizer.URLUse(element: element, attribute: tables.text(ofAttribute: item.attribute))
      let rewritten: [UInt8]?
      switch tables.attributes[item.attribute].kind(in: namespace) {
      case .url: rewritten = rewrite(value) { rewriteURL($0, use) }
      case .sourceSet:
        let candidates = SourceSet.parse(value.span).compactMap { candidate in
          rewrite(candidate.url) { rewriteURL($0, use) }.map {
            SourceSet.Candidate(url: $0, descriptor: candidate.descriptor)
          }
        }
        rewritten = candidates.isEmpty ? nil : SourceSet.serialize(candidates)
      default: continue
      }
      guard rewritten != value else { continue }
      state.hasRewritten = true
      if let rewritten {
        attributes.set(item.attribute, rewritten)
      } else {
        attributes.remove(item.attribute)
        note(.hook, entry, attribute: item.attribute)
      }
    }
    // Attributes that describe a removed source or link target are removed too.
    let known = tables.known
    if attributes.value(of: known.src) == nil, attributes.value(of: known.srcset) == nil {
      attributes.remove(known.loading)
    }
    if attributes.value(of: known.href) == nil { attributes.remove(known.rel) }
  }

  private static let unknownBase = WebURL("https://base.invalid/")

  /// Returns the rewritten URL; one that depends on its page is unchanged.
  private mutating func rewrite(_ value: [UInt8], _ rewriteURL: (WebURL) -> WebURL?) -> [UInt8]? {
    if value.isEmpty || value.first == UInt8(ascii: "#") { return value }
    if let url = WebURL(utf8: value.span) {
      if url.scheme == "data" { return value }
      let rewritten = rewriteURL(url)
      // The spelling is kept when the URL is the same.
      return rewritten == url ? value : affordable(rewritten?.utf8)
    }
    // `//host/path` leads away from any page.
    guard let url = WebURL(utf8: value.span, base: Self.unknownBase), url.hostname != Self.unknownBase?.hostname else {
      return value
    }
    return affordable(rewriteURL(url)?.utf8)
  }

  private mutating func affordable(_ url: [UInt8]?) -> [UInt8]? {
    url.flatMap { affords(ofHooks: $0.count) ? $0 : nil }
  }

  /// Counts bytes that a hook has returned; returns false when those of a fragment are more than a fragment may have.
  mutating func affords(ofHooks count: Int) -> Bool {
    state.hookBytes += count
    return state.hookBytes <= settings.limits.fragmentBytes
  }
}

extension Walker {
  /// Whether the current text is not part of the line: a ruby annotation, or the source of a formula.
  var isAside: Bool {
    mutating get {
      guard let current = open.current,
        current.role == .rubyPart || current.role == .rubyText || current.namespace == .math
      else { return false }
      return asides.contains(current.element)
    }
  }
}

import TamisCore
import TamisHTML
import TamisURL

/// Decides about each attribute of a start tag.
extension Walker {
  /// Keeps the allowed attributes among ``Walker/attributes``.
  mutating func collect(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) {
    attributes.removeItems()
    if attributes.originals.isEmpty { return }
    var style: AttributeList.Item?
    for index in attributes.originals.indices {
      var original = attributes.originals[index]
      if isLinkOfDrawing(original, entry, namespace) { original.attribute = tables.known.href }
      guard tables.allows(attribute: original.attribute, on: entry.number, in: namespace) else {
        if namespace == .svg, original.attribute == tables.known.style {
          style = original
          continue
        }
        if !isForced(original, entry), !isOwn(original, entry) {
          note(.attribute, entry, attribute: original.attribute)
        }
        continue
      }
      // What hides an element that a reader opens goes, since what opens it may go too.
      if settings.policy.dropsHidden, [tables.known.hidden, tables.known.popover].contains(original.attribute) {
        note(.hidden, entry, attribute: original.attribute)
        continue
      }
      let attribute = tables.attributes[original.attribute]
      var isKept = !attribute.isSpan || takePlaces(of: original)
      if original.attribute == tables.known.value, entry.role == .listItem { isKept = takeCostly(1) }
      if attribute.hasValueRules {
        if isForced(original, entry) { continue }
        isKept = isKept && takeListedValue(of: &original, entry)
      }
      if namespace != .html { isKept = isKept && staysInPlace(original, entry, namespace) }
      isKept = isKept && decide(original, attribute.kind(in: namespace), entry, namespace)
      if !isKept, !state.budget.isExceeded {
        note(refusal(of: original, namespace), entry, attribute: original.attribute)
      }
      noteLimit(entry, attribute: original.attribute)
    }
    if let style, !keepStyle(style, of: entry) { note(.attribute, entry, attribute: style.attribute) }
  }

  /// Whether an attribute is the `xlink:href` of a link without `href`, which has taken its place (SVG 2, 16.1.6); a
  /// policy that allows it keeps it as it is.
  private mutating func isLinkOfDrawing(
    _ item: AttributeList.Item, _ entry: RuleTables.Element, _ namespace: Policy.Namespace
  ) -> Bool {
    namespace == .svg && entry.role == .link && item.attribute == tables.number(ofAttribute: "xlink:href")
      && attributes.original(tables.known.href) == nil
      && !tables.allows(attribute: item.attribute, on: entry.number, in: namespace)
  }

  /// Whether an attribute has the value that the policy forces; one with another value is replaced later, too.
  private func isForced(_ item: AttributeList.Item, _ entry: RuleTables.Element) -> Bool {
    guard tables.attributes[item.attribute].hasValueRules else { return false }
    return tables.valueRules.forced(on: entry.number).contains {
      $0.attribute == item.attribute && attributes.bytes[item.value].elementsEqual($0.value)
    }
  }

  /// Whether an attribute that is not allowed is what the improvements write in its place.
  private func isOwn(_ item: AttributeList.Item, _ entry: RuleTables.Element) -> Bool {
    let value = attributes.bytes[item.value]
    switch entry.role {
    case .link: return item.attribute == tables.known.rel && value.elementsEqual(settings.linkRelations)
    case .image:
      return item.attribute == tables.known.loading && settings.policy.improvements.loadsImagesLazily
        && value.elementsEqual("lazy".utf8)
    default: return false
    }
  }

  /// Gives an attribute the allowed value that it stands for; returns false when there is none.
  private mutating func takeListedValue(of item: inout AttributeList.Item, _ entry: RuleTables.Element) -> Bool {
    let (value, number) = (attributes.bytes[item.value], item.attribute)
    let listed = tables.valueRules.listed(
      value, of: number, on: entry.number, isClass: tables.attributes[number].kind(in: .html) == .classes)
    guard let listed else { return false }
    if !listed.elementsEqual(value) { item = attributes.replacing(item, with: listed) }
    return true
  }

  /// Writes the attributes that the policy forces on an element.
  mutating func force(_ entry: RuleTables.Element) {
    for (attribute, value) in tables.valueRules.forced(on: entry.number) { attributes.set(attribute, value) }
  }

  /// Returns the rule by which an allowed attribute was refused.
  private mutating func refusal(of item: AttributeList.Item, _ namespace: Policy.Namespace) -> Removal.Rule {
    if tables.attributes[item.attribute].isSpan { return .limit }
    if item.attribute == tables.known.value, state.costlyElements > settings.limits.costlyElements { return .limit }
    if namespace == .svg, state.drawing.isExhausted,
      DrawingBounds.references.contains(tables.text(ofAttribute: item.attribute))
    {
      return .limit
    }
    return isUnresolved(item, namespace) ? .relative : .value
  }

  /// Whether a refused attribute holds a URL that a base URL would have made absolute.
  private mutating func isUnresolved(_ item: AttributeList.Item, _ namespace: Policy.Namespace) -> Bool {
    guard state.base == nil, tables.attributes[item.attribute].kind(in: namespace) == .url else { return false }
    let value = Array(attributes.bytes[item.value])
    return !value.allSatisfy(\.isHTMLSpace) && value.first != UInt8(ascii: "#") && WebURL(utf8: value.span) == nil
  }

  /// Keeps an allowed attribute if its value is allowed; returns false when it is removed.
  private mutating func decide(
    _ original: AttributeList.Item, _ kind: AttributeKind, _ entry: RuleTables.Element, _ namespace: Policy.Namespace
  ) -> Bool {
    let original = kind.holdsURLs ? original : visible(original, entry)
    switch kind {
    case .text: attributes.keep(original)
    case .expression:
      guard AttributeKind.isShallow(attributes.bytes[original.value]) else { return false }
      attributes.keep(original)
    case .url: return decideURL(original, entry, isLocalOnly: namespace == .svg && entry.role != .link)
    default: return decide(original, kind, entry, isSVG: namespace == .svg)
    }
    return true
  }

  /// Decides about the less frequent kinds, neither text nor URL; returns false when the attribute is removed.
  private mutating func decide(
    _ original: AttributeList.Item, _ kind: AttributeKind, _ entry: RuleTables.Element, isSVG: Bool
  ) -> Bool {
    let value = Array(attributes.bytes[original.value])
    let kept: [UInt8]?
    switch kind {
    case .text, .url, .expression: kept = value
    // The case of a single letter is the kind of numbers of a list.
    case .keyword: kept = value.count == 1 ? value : value.map(\.asciiLowercased)
    case .urls: kept = urls(value, schemes(of: original.attribute, entry))
    case .sourceSet: kept = sourceSet(value, schemes(of: original.attribute, entry))
    case .style:
      let style = StyleFilter(rules: settings.policy.styles, isSVG: isSVG).filter(value.span)
      kept = style.isEmpty ? nil : style
    case .identifier:
      kept = settings.prefixed(value)
    case .classes:
      let classes = settings.keptClasses(value)
      kept = classes.isEmpty ? nil : classes
    case .localReference: kept = value.isEmpty ? value : settings.localReference(value)
    case .references: kept = settings.references(value)
    case .control: kept = settings.policy.improvements.idPrefix == nil ? nil : settings.references(value)
    case .vocabulary: kept = ForeignNames.vocabularies.contains(String(streamSafe: value)) ? value : nil
    case .paint: kept = Paint(value, prefix: settings.policy.improvements.idPrefix)?.text
    }
    guard let kept else { return false }
    if kept == value { attributes.keep(original) } else { attributes.set(original.attribute, kept) }
    return true
  }

  /// Returns the allowed URLs of a list with white space between them; nil when there are none.
  private mutating func urls(_ value: [UInt8], _ schemes: Set<String>?) -> [UInt8]? {
    var kept: [UInt8] = []
    for url in value.split(whereSeparator: \.isHTMLSpace) {
      guard let url = filtered(Array(url), schemes, isImage: false) else { continue }
      if !kept.isEmpty { kept.append(ASCII.space) }
      kept += url
    }
    return kept.isEmpty ? nil : kept
  }

  /// Returns the schemes that the URLs of an attribute may have; nil when these are the schemes of all URLs.
  func schemes(of attribute: Int, _ entry: RuleTables.Element) -> Set<String>? {
    tables.attributes[attribute].hasValueRules ? tables.valueRules.schemes(of: attribute, on: entry.number) : nil
  }

  /// Returns the allowed candidates of a `srcset`; nil when there are none.
  mutating func sourceSet(_ value: [UInt8], _ schemes: Set<String>?) -> [UInt8]? {
    var candidates: [SourceSet.Candidate] = []
    // Most candidates are from one host, which is asked about once.
    var (host, isTracker) = ([UInt8](), false)
    for candidate in SourceSet.parse(value.span) {
      guard let url = filtered(candidate.url, schemes, isImage: true) else { continue }
      let beginning = url.prefix(Self.hostLength(url))
      if host.isEmpty || !beginning.elementsEqual(host) {
        (host, isTracker) = (Array(beginning), settings.urls.isTracker(url.span))
      }
      if isTracker { continue }
      candidates.append(SourceSet.Candidate(url: url, descriptor: candidate.descriptor))
    }
    return candidates.isEmpty ? nil : SourceSet.serialize(candidates)
  }

  /// The number of bytes up to the path of a URL with a host: up to its third slash.
  private static func hostLength(_ url: [UInt8]) -> Int {
    var slashes = 0
    for (index, byte) in url.enumerated() where byte == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return index }
    }
    return url.count
  }

  private mutating func decideURL(
    _ source: AttributeList.Item, _ entry: RuleTables.Element, isLocalOnly: Bool
  ) -> Bool {
    let isImage = entry.role == .image || entry.role == .mediaSource || entry.role == .media
    let original = isImage || isLocalOnly ? source : withoutInvisible(source, entry)
    if isLocalOnly || tables.attributes[original.attribute].isBase {
      let value = Array(attributes.bytes[original.value])
      guard let kept = settings.localReference(value) else { return false }
      if kept == value { attributes.keep(original) } else { attributes.set(original.attribute, kept) }
      return true
    }
    // A tracking picture of `img` is removed as a whole, later.
    if entry.role == .media || entry.role == .mediaSource,
      settings.urls.isTracker(attributes.bytes.span.extracting(original.value))
    {
      return false
    }
    let schemes = schemes(of: original.attribute, entry)
    if schemes == nil, settings.urls.isPlain(attributes.bytes.span.extracting(original.value)) {
      keepURL(original, entry)
      return true
    }
    if entry.role == .link, survey.anchors.isAsked,
      let name = Self.fragmentReference(attributes.bytes[original.value]),
      let address = survey.anchors.address(of: name)
    {
      guard state.budget.affords(address, insteadOf: original.value.count) else { return false }
      attributes.set(original.attribute, address)
      return true
    }
    if isImage, Self.isPageItself(attributes.bytes[original.value]) { return false }
    if let url = filtered(Array(attributes.bytes[original.value]), schemes, isImage: isImage) {
      attributes.set(original.attribute, url)
      if let kept = attributes.items.last { keepURL(kept, entry) }
      return true
    }
    if settings.policy.urls.leavesRefusedEmpty { attributes.set(original.attribute, []) }
    return false
  }

  /// Returns an attribute without characters that nobody sees.
  private mutating func visible(_ original: AttributeList.Item, _ entry: RuleTables.Element) -> AttributeList.Item {
    guard InvisibleScanner.mayFind(in: attributes.bytes.span.extracting(original.value)),
      let visible = InvisibleText.visible(Array(attributes.bytes[original.value]))
    else { return original }
    note(.invisible, entry, attribute: original.attribute)
    return attributes.replacing(original, with: visible)
  }

  /// Returns an attribute without characters that make its URL look like another.
  ///
  /// The characters go before the URL is read: without them it can be another, even of another scheme.
  private mutating func withoutInvisible(
    _ original: AttributeList.Item, _ entry: RuleTables.Element
  ) -> AttributeList.Item {
    guard InvisibleCharacters.mayBeIn(attributes.bytes.span.extracting(original.value)),
      let visible = InvisibleCharacters.removed(from: Array(attributes.bytes[original.value]))
    else { return original }
    note(.invisible, entry, attribute: original.attribute)
    return attributes.replacing(original, with: visible)
  }

  /// Returns a link of `#name` alone, without the white space that URLs lose (URL Standard, 4.4); nil for other links.
  private static func fragmentReference(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    let trimmed = value.drop { $0 <= ASCII.space }
    guard trimmed.first == UInt8(ascii: "#") else { return nil }
    let end = trimmed.lastIndex { $0 > ASCII.space } ?? trimmed.startIndex
    return trimmed[...end].filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  }

  /// Whether a picture's URL is that of the page, which is no picture and would be loaded again as one.
  private static func isPageItself(_ value: ArraySlice<UInt8>) -> Bool { fragmentReference(value) != nil }

  /// Keeps an allowed URL; a link loses tracking parameters, and the page's URL if its anchor is in the fragment.
  private mutating func keepURL(_ item: AttributeList.Item, _ entry: RuleTables.Element) {
    guard entry.role == .link else {
      if attributes.items.last?.value != item.value { attributes.keep(item) }
      return
    }
    let clean = settings.urls.withoutTracking(attributes.bytes.span.extracting(item.value))
    if clean != nil { note(.tracking, entry, attribute: item.attribute) }
    if survey.anchors.isAsked,
      let own = survey.anchors.link(insteadOf: clean ?? Array(attributes.bytes[item.value]))
    {
      attributes.set(item.attribute, own)
    } else if let clean {
      attributes.set(item.attribute, clean)
    } else if attributes.items.last?.value != item.value {
      attributes.keep(item)
    }
  }

  /// Returns a URL as it is to be written.
  ///
  /// - Parameters:
  ///   - value: the value of an attribute, or a part of one.
  ///   - schemes: the schemes that the URL may have; nil for those of all URLs.
  ///   - isImage: whether the URL is that of a picture.
  /// - Returns: the URL; nil when it is refused, or would make the output grow too much.
  mutating func filtered(_ value: [UInt8], _ schemes: Set<String>?, isImage: Bool) -> [UInt8]? {
    if schemes == nil, settings.urls.isPlain(value.span) { return value }
    if isImage, Self.isPageItself(value[...]) { return nil }
    let filter = URLFilter(
      rules: settings.urls, schemes: schemes ?? settings.policy.urls.schemes, base: state.base,
      allowsImageData: isImage)
    guard let url = filter.filter(value), state.budget.affords(url, insteadOf: value.count)
    else { return nil }
    return url
  }

  /// Reports that a URL was removed because the fragment would have grown too much.
  mutating func noteLimit(_ entry: RuleTables.Element, attribute: Int? = nil) {
    guard state.budget.isExceeded else { return }
    note(.limit, entry, attribute: attribute)
    state.budget.noted()
  }
}

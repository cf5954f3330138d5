import TamisCore
import TamisURL
import TamisXML

/// Decides about each attribute of a start tag.
extension Walker {
  /// Lets those of ``Walker/attributes`` stay that may.
  mutating func collect(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) {
    if attributes.originals.isEmpty { return attributes.removeItems() }
    attributes.removeItems()
    for index in attributes.originals.indices {
      let original = attributes.originals[index]
      guard tables.allows(attribute: original.attribute, on: entry.number, in: namespace) else {
        note(.attribute, entry, attribute: original.attribute)
        continue
      }
      let isKept = decide(original, tables.attributes[original.attribute].kind(in: namespace), entry, namespace)
      if !isKept, !isOverBudget { note(.value, entry, attribute: original.attribute) }
      noteLimit(entry, attribute: original.attribute)
    }
  }

  /// Lets an allowed attribute stay if its value may; false when it goes.
  private mutating func decide(
    _ original: AttributeList.Item, _ kind: AttributeKind, _ entry: RuleTables.Element, _ namespace: Policy.Namespace
  ) -> Bool {
    switch kind {
    case .text: attributes.keep(original)
    case .url: return decideURL(original, entry, isLocalOnly: namespace == .svg && entry.role != .link)
    default: return decide(original, kind, isSVG: namespace == .svg)
    }
    return true
  }

  /// As above, for what is rarer than text and URLs.
  private mutating func decide(_ original: AttributeList.Item, _ kind: AttributeKind, isSVG: Bool) -> Bool {
    let value = Array(attributes.bytes[original.value])
    let kept: [UInt8]?
    switch kind {
    case .text, .url: kept = value
    case .keyword: kept = value.map(\.asciiLowercased)
    case .sourceSet: kept = sourceSet(value)
    case .style:
      let style = StyleFilter(rules: policy.styles, isSVG: isSVG).filter(value.span)
      kept = style.isEmpty ? nil : style
    case .identifier:
      kept = prefixed(value)
      if let kept { anchors.found(place: kept) }
    case .classes:
      let classes = keptClasses(value)
      kept = classes.isEmpty ? nil : classes
    case .localReference: kept = value.isEmpty ? value : localReference(value)
    case .references: kept = references(value)
    case .vocabulary: kept = ForeignNames.vocabularies.contains(String(decoding: value, as: UTF8.self)) ? value : nil
    case .paint: kept = Paint(value, prefix: policy.improvements.idPrefix)?.text
    }
    guard let kept else { return false }
    if kept == value { attributes.keep(original) } else { attributes.set(original.attribute, kept) }
    return true
  }

  /// The candidates of a `srcset` that may stay; nil when none may.
  mutating func sourceSet(_ value: [UInt8]) -> [UInt8]? {
    var candidates: [SourceSet.Candidate] = []
    for candidate in SourceSet.parse(value.span) {
      guard let url = filtered(candidate.url, isImage: true) else { continue }
      candidates.append(SourceSet.Candidate(url: url, descriptor: candidate.descriptor))
    }
    return candidates.isEmpty ? nil : SourceSet.serialize(candidates)
  }

  private mutating func decideURL(
    _ original: AttributeList.Item, _ entry: RuleTables.Element, isLocalOnly: Bool
  ) -> Bool {
    if isLocalOnly || tables.attributes[original.attribute].isBase {
      let value = Array(attributes.bytes[original.value])
      guard let kept = localReference(value) else { return false }
      if kept == value { attributes.keep(original) } else { attributes.set(original.attribute, kept) }
      return true
    }
    if urls.isPlain(attributes.bytes.span.extracting(original.value)) {
      keepURL(original, entry)
      return true
    }
    if entry.role == .link, anchors.isAsked, attributes.bytes[original.value].first == UInt8(ascii: "#"),
      let address = anchors.address(of: attributes.bytes[original.value])
    {
      guard isAffordable(address, insteadOf: original.value.count) else { return false }
      attributes.set(original.attribute, address)
      return true
    }
    let isImage = entry.role == .image || entry.role == .mediaSource || entry.role == .media
    if let url = filtered(Array(attributes.bytes[original.value]), isImage: isImage) {
      attributes.set(original.attribute, url)
      if let kept = attributes.items.last { keepURL(kept, entry) }
      return true
    }
    if policy.urls.leavesRefusedEmpty { attributes.set(original.attribute, []) }
    return false
  }

  /// Keeps a URL that was found good, a link's without what follows readers, and without the page it is in.
  private mutating func keepURL(_ item: AttributeList.Item, _ entry: RuleTables.Element) {
    guard entry.role == .link else {
      if attributes.items.last?.value != item.value { attributes.keep(item) }
      return
    }
    let clean = urls.withoutTracking(attributes.bytes.span.extracting(item.value))
    if clean != nil { note(.tracking, entry, attribute: item.attribute) }
    if anchors.isAsked, let prefix = policy.improvements.idPrefix,
      let place = anchors.place(of: clean ?? Array(attributes.bytes[item.value]))
    {
      let own = place.starts(with: prefix.utf8) ? [] : Array(prefix.utf8)
      attributes.set(item.attribute, [UInt8(ascii: "#")] + own + place)
    } else if let clean {
      attributes.set(item.attribute, clean)
    } else if attributes.items.last?.value != item.value {
      attributes.keep(item)
    }
  }

  /// A URL as it is to be written; nil when it is refused, or would make the output grow too much.
  mutating func filtered(_ value: [UInt8], isImage: Bool) -> [UInt8]? {
    guard let url = URLFilter(rules: urls, base: base, allowsImageData: isImage).filter(value),
      isAffordable(url, insteadOf: value.count)
    else { return nil }
    return url
  }

  /// Whether a URL may be written in the place of one that has `length` bytes; from then on it counts.
  ///
  /// Without this a page of short links would grow by the length of its base for each of them.
  private mutating func isAffordable(_ url: [UInt8], insteadOf length: Int) -> Bool {
    let growth = url.count - length
    guard growth > 0 else { return true }
    isOverBudget = growth > resolvingBudget
    if !isOverBudget { resolvingBudget -= growth }
    return !isOverBudget
  }

  /// Puts on the report that an address went because it would have grown too much.
  mutating func noteLimit(_ entry: RuleTables.Element, attribute: Int? = nil) {
    if isOverBudget { note(.limit, entry, attribute: attribute) }
    isOverBudget = false
  }

  /// An `id` or `name` with the policy's prefix, which keeps it from shadowing what the page around it uses.
  private func prefixed(_ value: [UInt8]) -> [UInt8]? {
    guard let prefix = policy.improvements.idPrefix else { return value }
    let name = value.filter { !$0.isHTMLSpace }
    if name.isEmpty { return nil }
    return name.starts(with: prefix.utf8) ? name : Array(prefix.utf8) + name
  }

  /// `#name` with the prefix that the name's element has; nil when it is anything else.
  private func localReference(_ value: [UInt8]) -> [UInt8]? {
    let mark = UInt8(ascii: "#")
    guard value.first == mark else { return nil }
    return value.count == 1 ? value : prefixed(Array(value.dropFirst())).map { [mark] + $0 }
  }

  /// Names of elements with the prefix that these have; nil when there is none.
  private func references(_ value: [UInt8]) -> [UInt8]? {
    guard policy.improvements.idPrefix != nil else { return value }
    let names = value.split(whereSeparator: \.isHTMLSpace).compactMap { prefixed(Array($0)) }
    return names.isEmpty ? nil : Array(names.joined(separator: [ASCII.space]))
  }

  private func keptClasses(_ value: [UInt8]) -> [UInt8] {
    guard let prefixes = policy.improvements.classPrefixes else { return value }
    let kept = value.split(whereSeparator: \.isHTMLSpace).filter { name in
      prefixes.contains { name.starts(with: $0.utf8) }
    }
    return Array(kept.joined(separator: [ASCII.space]))
  }
}

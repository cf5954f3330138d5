import TamisCore
import TamisURL
import TamisXML

/// Decides about each attribute of a start tag.
extension Walker {
  /// Fills ``Walker/attributes`` with what may stay of `list`.
  func collect(
    _ list: borrowing HTMLAttributes, of element: Int, _ entry: RuleTables.Element, _ namespace: Policy.Namespace
  ) {
    list.forEach(limit: limits.attributes) { attribute, value in attributes.addOriginal(attribute, value) }
    for original in attributes.originals {
      let rules = tables.attributes[original.attribute]
      guard rules.isAllowed(on: element, in: namespace) else {
        note(.attribute, "\(entry.text)@\(rules.text)")
        continue
      }
      if !decide(original, rules.kind, entry, namespace) { note(.value, "\(entry.text)@\(rules.text)") }
    }
  }

  /// Lets an allowed attribute stay if its value may; false when it goes.
  private func decide(
    _ original: AttributeList.Item, _ kind: AttributeKind, _ entry: RuleTables.Element, _ namespace: Policy.Namespace
  ) -> Bool {
    let value = attributes.bytes[original.value]
    switch kind {
    case .text: attributes.keep(original)
    case .keyword: attributes.set(original.attribute, value.map(\.asciiLowercased))
    case .url:
      let isLocalOnly = namespace == .svg && entry.role != .link
      return decideURL(original, entry, isLocalOnly: isLocalOnly)
    case .sourceSet:
      let candidates = SourceSet.parse(value.span).compactMap { candidate -> SourceSet.Candidate? in
        guard let url = urlFilter(isImage: true).filter(candidate.url) else { return nil }
        return SourceSet.Candidate(url: url, descriptor: candidate.descriptor)
      }
      guard !candidates.isEmpty else { return false }
      attributes.set(original.attribute, SourceSet.serialize(candidates))
    case .style:
      let style = StyleFilter(rules: policy.styles, isSVG: namespace == .svg).filter(value.span)
      guard !style.isEmpty else { return false }
      attributes.set(original.attribute, style)
    case .identifier:
      guard let name = prefixed(value) else { return false }
      attributes.set(original.attribute, name)
    case .classes:
      let kept = keptClasses(value)
      guard !kept.isEmpty else { return false }
      attributes.set(original.attribute, kept)
    case .localReference:
      guard value.isEmpty || value.first == UInt8(ascii: "#") else { return false }
      attributes.keep(original)
    case .paint:
      guard StyleFilter.isHarmlessPaint(value.span) else { return false }
      attributes.keep(original)
    }
    return true
  }

  private func decideURL(_ original: AttributeList.Item, _ entry: RuleTables.Element, isLocalOnly: Bool) -> Bool {
    let value = attributes.bytes[original.value]
    if isLocalOnly || tables.attributes[original.attribute].text == "xml:base" {
      guard value.first == UInt8(ascii: "#") else { return false }
      attributes.keep(original)
      return true
    }
    let isImage = entry.role == .image || entry.role == .mediaSource || entry.role == .media
    if let url = urlFilter(isImage: isImage).filter(Array(value)) {
      attributes.set(original.attribute, url)
      return true
    }
    if policy.urls.leavesRefusedEmpty { attributes.set(original.attribute, []) }
    return false
  }

  func urlFilter(isImage: Bool) -> URLFilter {
    URLFilter(
      rules: policy.urls, base: base, fragmentPrefix: policy.improvements.idPrefix, allowsImageData: isImage)
  }

  /// An `id` or `name` with the policy's prefix, which keeps it from shadowing what the page around it uses.
  private func prefixed(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    guard let prefix = policy.improvements.idPrefix else { return Array(value) }
    let name = value.filter { !$0.isHTMLSpace }
    if name.isEmpty { return nil }
    return name.starts(with: prefix.utf8) ? name : Array(prefix.utf8) + name
  }

  private func keptClasses(_ value: ArraySlice<UInt8>) -> [UInt8] {
    guard let prefixes = policy.improvements.classPrefixes else { return Array(value) }
    let kept = value.split(whereSeparator: \.isHTMLSpace).filter { name in
      prefixes.contains { name.starts(with: $0.utf8) }
    }
    return Array(kept.joined(separator: [ASCII.space]))
  }
}

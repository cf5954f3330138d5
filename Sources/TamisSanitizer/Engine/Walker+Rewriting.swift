import TamisCore
import TamisURL

/// Calls a hook for the URLs of a tag that is to be written.
///
/// Its results are not checked here: everything that is written with hooks is read and filtered once more without them.
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

  /// The rewritten URL; one that depends on the page that it is in is unchanged.
  private mutating func rewrite(_ value: [UInt8], _ rewriteURL: (WebURL) -> WebURL?) -> [UInt8]? {
    if value.isEmpty || value.first == UInt8(ascii: "#") { return value }
    if let url = WebURL(utf8: value.span) {
      if url.scheme == "data" { return value }
      let rewritten = rewriteURL(url)
      // Keeps the spelling when the URL is the same.
      return rewritten == url ? value : rewritten?.utf8
    }
    // `//host/path` leads away from the page, whatever that is.
    guard let url = WebURL(utf8: value.span, base: Self.unknownBase), url.hostname != Self.unknownBase?.hostname else {
      return value
    }
    return rewriteURL(url)?.utf8
  }
}

import TamisCore
import TamisTidy
import TamisURL
import TamisXML

/// The order of work in one fragment: read and filter, let libtidy repair what is untidy, filter again.
///
/// Used by one task at a time; ``Sanitizer`` sees to that, which is what makes the `@unchecked` true.
final class Engine: @unchecked Sendable {
  private let policy: Policy
  private let limits: Limits
  private let parser: FragmentParser

  init(policy: Policy, limits: Limits) {
    self.policy = policy
    self.limits = limits
    parser = FragmentParser(policy: policy, limits: limits)
  }

  func sanitize(_ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL? = nil, wantsFacts: Bool = true)
    -> Sanitizer.Result
  {
    parser.forgetNames()
    let isText = html.count > limits.fragmentBytes
    let facts =
      isText
      ? parser.writeAsText(html, base: base)
      : parser.filter(html, base: base, page: page, for: wantsFacts ? .facts : .markup)
    let removed = (parser.walker.removals, parser.walker.removalCounts)
    guard !isText else { return Self.result(parser.walker.output.trimmed(), facts, removed, .notAsked) }
    let filtered = parser.settled(base: base)
    guard wantsRepair(facts) else { return Self.result(filtered[...], facts, removed, .notAsked) }
    switch repair(filtered, base) {
    case .notNeeded: return Self.result(filtered[...], facts, removed, .notAsked)
    case .refused: return Self.result(filtered[...], facts, removed, .refused)
    case .accepted(let html, let facts): return Self.result(html[...], facts, removed, .accepted)
    }
  }

  private static func result(
    _ html: ArraySlice<UInt8>, _ facts: MarkupFacts, _ removed: ([Removal], [Removal.Rule: Int]),
    _ tidy: Sanitizer.TidyOutcome
  ) -> Sanitizer.Result {
    Sanitizer.Result(
      html: SanitizedHTML(sanitizerOutput: String(decoding: html, as: UTF8.self)), facts: facts, removals: removed.0,
      removalCounts: removed.1, tidy: tidy)
  }

  private func wantsRepair(_ facts: MarkupFacts) -> Bool {
    switch policy.tidy {
    case .never: false
    case .repair: facts.isUntidy
    case .always: true
    }
  }

  private enum Repair {
    /// Filtering has made it tidy.
    case notNeeded
    /// It loses something, would look different after another repair, or cannot be trusted to libtidy.
    case refused
    case accepted(html: [UInt8], facts: MarkupFacts)
  }

  /// Markup that was filtered once more.
  private struct Filtered {
    let html: [UInt8]
    let facts: MarkupFacts
    /// The elements, by number.
    let extents: [FactCollector.Extent]
    /// Whether libtidy can be trusted with it.
    let canBeRepaired: Bool

    /// Whether all that a reader sees in `other` is here too: text, links, pictures and media, and no fewer elements of a
    /// kind, which hold no less.
    func keepsEverything(of other: Filtered) -> Bool {
      facts.keepsEverything(of: other.facts)
        && other.extents.indices.allSatisfy { number in
          let own = number < extents.count ? extents[number] : FactCollector.Extent()
          return own.count >= other.extents[number].count && own.content >= other.extents[number].content
        }
    }
  }

  /// libtidy's repair of filtered markup, filtered again.
  ///
  /// Everything here is decided by the filtered markup alone, read once more, and by nothing that was in the input: so the
  /// same is decided when the output is sanitized again.
  private func repair(_ filtered: [UInt8], _ base: WebURL?) -> Repair {
    let own = filterAgain(filtered, base)
    guard wantsRepair(own.facts) else { return .notNeeded }
    guard let first = repairOnce(own, base), first.keepsEverything(of: own) else { return .refused }
    if !wantsRepair(first.facts) { return .accepted(html: first.html, facts: first.facts) }
    guard let second = repairOnce(first, base), second.html == first.html else { return .refused }
    return .accepted(html: first.html, facts: first.facts)
  }

  private func repairOnce(_ markup: Filtered, _ base: WebURL?) -> Filtered? {
    guard markup.canBeRepaired, let repaired = TidyRepairer.repair(markup.html.span, of: vocabulary(of: markup)),
      repaired.count <= Walker.sizeLimit(ofInput: markup.html.count)
    else { return nil }
    return filterAgain(repaired, base)
  }

  /// The elements of the markup, which are all allowed: libtidy would take away those that it does not know.
  private func vocabulary(of markup: Filtered) -> TidyRepairer.Vocabulary {
    var vocabulary = TidyRepairer.Vocabulary()
    for number in markup.extents.indices where markup.extents[number].count > 0 {
      let name = parser.walker.tables.text(ofElement: number)
      let element = parser.walker.tables.elements[number]
      if element.html != .keep || element.traits.contains(.void) { continue }
      if element.traits.contains(.closesParagraph) {
        vocabulary.blocks.append(name)
      } else {
        vocabulary.inline.append(name)
      }
    }
    return vocabulary
  }

  private func filterAgain(_ markup: [UInt8], _ base: WebURL?) -> Filtered {
    let facts = parser.filter(markup.span, base: base, page: nil, for: .comparison)
    let collected = parser.walker.facts
    let repairedSize = parser.walker.output.count + parser.walker.repairGrowth
    return Filtered(
      html: parser.settled(base: base), facts: facts, extents: collected.extents,
      canBeRepaired: !collected.isTooUntidy && repairedSize <= Walker.sizeLimit(ofInput: markup.count))
  }
}

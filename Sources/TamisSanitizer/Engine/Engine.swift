import TamisCore
import TamisHTML
import TamisTidy
import TamisURL

/// Runs the steps for one fragment: reads and filters it, lets libtidy repair untidy markup, and filters again.
///
/// An engine is used by one task at a time, which ``Sanitizer`` ensures; therefore `@unchecked` is correct.
final class Engine: @unchecked Sendable {
  private let policy: Policy
  private let limits: Limits
  /// Whether libtidy repairs, if the rules ask for it.
  private let repairs: Bool
  private var parser: FragmentParser
  /// The parser that calls hooks; nil when there are none.
  private var hooked: FragmentParser?

  init(policy: Policy, limits: Limits, hooks: Sanitizer.Hooks?, repairs: Bool) {
    (self.policy, self.limits, self.repairs) = (policy, limits, repairs)
    parser = FragmentParser(policy: policy, limits: limits)
    if let hooks { hooked = FragmentParser(policy: policy, limits: limits, hooks: hooks) }
  }

  /// The size in bytes of the largest buffers, which are kept for the next fragment.
  var keptBytes: Int { parser.keptBytes + (hooked?.keptBytes ?? 0) }

  /// Sanitizes a fragment.
  ///
  /// Without `wantsFacts` only the markup of the result is meaningful.
  ///
  /// Most fragments need one tree and one walk through it. Facts that are known only at the end can require up to four
  /// walks (``FragmentParser/filter(_:base:page:for:isCheck:keepsSides:selection:)``). Pictures beside text need one to
  /// three more trees (``FragmentParser/settled(base:)``). Untidy markup needs one more tree, and one for each of
  /// libtidy's repairs, at most two, of which the first may need one for its pictures: eight trees at worst. Hooks need
  /// the tree that is walked with them, and all of this for their output.
  func sanitize(
    _ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL? = nil, wantsFacts: Bool = true,
    selection: PreparedSelection? = nil
  ) -> Sanitizer.Result {
    parser.reportRemovals(wantsFacts)
    hooked?.reportRemovals(wantsFacts)
    guard html.count <= limits.fragmentBytes,
      let output = hooked?.callHooks(
        html, base: base, page: page, for: wantsFacts ? .facts : .markup, selection: selection)
    else { return sanitizeWithoutHooks(html, base: base, page: page, wantsFacts: wantsFacts, selection) }
    if output.isChanged {
      // The output of hooks is as untrusted as the source.
      var result = sanitizeWithoutHooks(output.markup.span, base: base, page: nil, wantsFacts: wantsFacts, nil)
      result.add(output.log)
      result.selectionUse = output.selectionUse
      return result
    }
    // Hooks that have changed nothing leave what comes out without them.
    if output.isSettled, !wantsRepair(output.facts) {
      var result = Self.result(output.markup, output.facts, output.log, .notAsked)
      result.selectionUse = output.selectionUse
      return result
    }
    return sanitizeWithoutHooks(html, base: base, page: page, wantsFacts: wantsFacts, selection)
  }

  private func sanitizeWithoutHooks(
    _ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL?, wantsFacts: Bool, _ selection: PreparedSelection?
  ) -> Sanitizer.Result {
    parser.forgetNames()
    let isText = html.count > limits.fragmentBytes
    let facts =
      isText
      ? parser.writeAsText(html, base: base)
      : parser.filter(html, base: base, page: page, for: wantsFacts ? .facts : .markup, selection: selection)
    let (log, use) = (parser.walker.log, parser.selectionUse)
    guard !isText else { return Self.result(parser.walker.output.trimmed(), facts, log, .notAsked) }
    var result = settled(facts, log, base: base)
    result.selectionUse = use
    return result
  }

  /// Returns the filtered markup, repaired by libtidy where that is wanted.
  private func settled(_ facts: SanitizedHTML.Facts, _ log: RemovalLog, base: WebURL?) -> Sanitizer.Result {
    let filtered = parser.settled(base: base)
    guard wantsRepair(facts) else { return Self.result(filtered[...], facts, log, .notAsked) }
    switch repair(filtered, base) {
    case .notNeeded: return Self.result(filtered[...], facts, log, .notAsked)
    case .refused: return Self.result(filtered[...], facts, log, .refused)
    case .accepted(let html, let facts): return Self.result(html[...], facts, log, .accepted)
    }
  }

  private static func result(
    _ html: ArraySlice<UInt8>, _ facts: SanitizedHTML.Facts, _ log: RemovalLog, _ tidy: Sanitizer.TidyOutcome
  ) -> Sanitizer.Result {
    Sanitizer.Result(
      html: SanitizedHTML(sanitizerOutput: String(html.span, 0..<html.count)), facts: facts, removals: log.removals,
      removalCounts: log.counts, tidy: tidy)
  }

  private func wantsRepair(_ facts: SanitizedHTML.Facts) -> Bool {
    guard repairs else { return false }
    return switch policy.tidy {
    case .never: false
    case .repair: facts.isUntidy
    case .always: true
    }
  }

  private enum Repair {
    /// The filtered markup is tidy.
    case notNeeded
    /// The repair loses something or is not stable, or the markup cannot be given to libtidy.
    case refused
    case accepted(html: [UInt8], facts: SanitizedHTML.Facts)
  }

  /// Filtered markup, read again.
  private struct Filtered {
    let html: [UInt8]
    let facts: SanitizedHTML.Facts
    /// The extents of the elements, by number.
    let extents: [FactCollector.Extent]
    /// Whether the markup is safe to give to libtidy.
    let canBeRepaired: Bool

    /// Whether all visible content of `other` is in this markup too.
    ///
    /// The content is the text, links, pictures and media; each kind of element must also be as frequent and have as
    /// much content.
    func keepsEverything(of other: Filtered) -> Bool {
      facts.keepsEverything(of: other.facts)
        && other.extents.indices.allSatisfy { number in
          let own = number < extents.count ? extents[number] : FactCollector.Extent()
          return own.count >= other.extents[number].count && own.content >= other.extents[number].content
        }
    }
  }

  /// Returns libtidy's repair of filtered markup, filtered again.
  ///
  /// All decisions here depend on the filtered markup alone, which is read again, and not on the input. Sanitizing the
  /// output again therefore makes the same decisions.
  private func repair(_ filtered: [UInt8], _ base: WebURL?) -> Repair {
    let own = filterAgain(filtered, base)
    guard wantsRepair(own.facts) else { return .notNeeded }
    guard let first = repairOnce(own, base), parser.isSettled(first.html, base: base), first.keepsEverything(of: own)
    else { return .refused }
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

  /// Returns the elements of the markup, all of which are allowed; libtidy would remove those that it does not know.
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
    let repairedSize = parser.walker.output.count + parser.walker.state.repairGrowth
    return Filtered(
      html: Array(parser.walker.output.trimmed()), facts: facts, extents: collected.extents,
      canBeRepaired: !collected.isTooUntidy && repairedSize <= Walker.sizeLimit(ofInput: markup.count)
        && collected.misplacements * markup.count <= TidyRepairer.maximumWork)
  }
}

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
      : parser.filter(html, base: base, page: page, wantsFacts: wantsFacts)
    let removed = (parser.walker.removals, parser.walker.removalCounts)
    guard !isText, wantsRepair(facts) else {
      return Self.result(parser.walker.output.trimmed(), facts, removed, .notAsked)
    }
    let filtered = Array(parser.walker.output.trimmed())
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

  /// libtidy's repair of filtered markup, filtered again.
  ///
  /// Everything here is decided by the filtered markup alone, read once more, and by nothing that was in the input: so the
  /// same is decided when the output is sanitized again.
  private func repair(_ filtered: [UInt8], _ base: WebURL?) -> Repair {
    let own = filterAgain(filtered, base)
    guard wantsRepair(own.facts) else { return .notNeeded }
    guard !parser.walker.facts.isTooUntidy, let first = repairOnce(filtered, base),
      first.facts.keepsEverything(of: own.facts)
    else { return .refused }
    if !wantsRepair(first.facts) { return .accepted(html: first.html, facts: first.facts) }
    guard !parser.walker.facts.isTooUntidy, let second = repairOnce(first.html, base), second.html == first.html else {
      return .refused
    }
    return .accepted(html: first.html, facts: first.facts)
  }

  private func repairOnce(_ markup: [UInt8], _ base: WebURL?) -> (html: [UInt8], facts: MarkupFacts)? {
    // libtidy writes open formatting into every block below it.
    guard let repaired = TidyRepairer.repair(markup.span),
      repaired.count <= Walker.sizeLimit(ofInput: markup.count)
    else { return nil }
    return filterAgain(repaired, base)
  }

  private func filterAgain(_ markup: [UInt8], _ base: WebURL?) -> (html: [UInt8], facts: MarkupFacts) {
    let facts = parser.filter(markup.span, base: base, page: nil, wantsFacts: true)
    return (Array(parser.walker.output.trimmed()), facts)
  }
}

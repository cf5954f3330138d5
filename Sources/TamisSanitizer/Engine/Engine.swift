import TamisCore
import TamisHTML
import TamisURL

/// Runs the steps for one fragment: reads and filters it until a browser reads the output as it is written, and lets
/// libtidy repair misnested markup.
///
/// The steps, with what each makes of a fragment under the rules `reading`:
///
///     source                                 <p>Read <b>the <i>new</b> book</i><table><b>x
///     HTMLReader: a browser's tree           p("Read " b("the " i("new")) i(" book")) b("x") table()
///     Walker.look: pictures, anchors         nothing to decide
///     Walker: what the policy allows         <p>Read <b>the <i>new</i></b><i> book</i></p><b>x</b><table></table>
///     FragmentParser.settled: read again,    the same, since these tags build the tree that is written
///       as elements are not where their
///       tags are
///     RepairBounds, TidyRepairer             not asked, as no block is where none may be
///
/// An engine is used by one task at a time, which ``Sanitizer`` ensures; therefore `@unchecked` is correct.
final class Engine: @unchecked Sendable {
  private let policy: Policy
  private let limits: Limits
  private var parser: FragmentParser
  /// The parser that calls hooks; nil when there are none.
  private var hooked: FragmentParser?

  init(policy: Policy, limits: Limits, hooks: Sanitizer.Hooks?) {
    (self.policy, self.limits) = (policy, limits)
    parser = FragmentParser(policy: policy, limits: limits)
    if let hooks { hooked = FragmentParser(policy: policy, limits: limits, hooks: hooks) }
  }

  /// The size in bytes of the largest buffers, which are kept for the next fragment.
  var keptBytes: Int { parser.keptBytes + (hooked?.keptBytes ?? 0) }

  /// Sanitizes a fragment.
  ///
  /// Without `wantsFacts` only the markup of the result is meaningful.
  ///
  /// Most fragments need one tree and one walk through it (`FragmentParser.filter`). Where an element is left out
  /// without which a browser may build another tree, and where pictures are beside text, the output needs one to four
  /// more trees (`FragmentParser.settled`). Markup for libtidy is read once more, and what libtidy makes of it like a
  /// fragment. Hooks need the tree that is walked with them, and all of this for their output.
  func sanitize(
    _ html: borrowing Span<UInt8>, base: WebURL?, page: WebURL? = nil, wantsFacts: Bool = true,
    selection: PreparedSelection? = nil
  ) -> Sanitizer.Result {
    parser.reportRemovals(wantsFacts)
    hooked?.reportRemovals(wantsFacts)
    guard html.count <= limits.fragmentBytes,
      let output = hooked?.callHooks(html, base: base, page: page, wantsFacts: wantsFacts, selection: selection)
    else { return sanitizeWithoutHooks(html, base: base, page: page, wantsFacts: wantsFacts, selection) }
    if output.isChanged {
      // The output of hooks is as untrusted as the source.
      var result = sanitizeWithoutHooks(output.markup.span, base: base, page: nil, wantsFacts: wantsFacts, nil)
      result.add(output.log)
      result.selectionUse = output.selectionUse
      return result
    }
    // Hooks that have changed nothing leave what comes out without them.
    if output.isSettled, !wantsRepair(isMisnested: output.isMisnested) {
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
    var facts =
      isText
      ? parser.writeAsText(html, base: base, because: "fragment")
      : parser.filter(html, base: base, page: page, wantsFacts: wantsFacts, selection: selection)
    let (log, use) = (parser.walker.log, parser.selectionUse)
    guard !isText else { return Self.result(parser.walker.output.trimmed(), facts, log, .notAsked) }
    let (isSettled, wantsRepair) = (parser.isSettled, wantsRepair(isMisnested: parser.isMisnested))
    guard let settled = parser.settled(base: base, wantsFacts: wantsFacts || wantsRepair) else {
      let facts = parser.writeAsText(html, base: base, because: "nesting")
      let (text, log) = (Array(parser.walker.output.trimmed()), parser.walker.log)
      guard policy.tidy == .always else { return Self.result(text[...], facts, log, .notAsked) }
      // libtidy collapses the white space of a text too, when it is sanitized again.
      let repaired = repaired(
        text, parser.repairBounds(of: text), Filtered(html: text, facts: facts, elements: []), base)
      return Self.result(repaired?.html[...] ?? text[...], facts, log, repaired == nil ? .refused : .accepted)
    }
    let settlingLog = parser.walker.log
    // In `<table><a><table></table>x` the `x` stands before the outer table, but only once the markup is read again.
    if let text = settled.facts?.text { facts.text = text }
    var outcome = Sanitizer.TidyOutcome.notAsked
    var output = (html: settled.html, facts: facts)
    if wantsRepair {
      let elements = parser.walker.facts.elements
      let bounds = parser.repairBounds(of: settled.html)
      // Most of what is misnested in the source is in its place in the tree, as in `<p>a<b>b<p>c`.
      if policy.tidy == .always || bounds.hasFault {
        // What libtidy may not lose is known if the facts of the markup were wanted.
        let known = (settled.facts ?? (wantsFacts ? facts : nil)).map {
          Filtered(html: settled.html, facts: $0, elements: elements)
        }
        let repaired = repaired(settled.html, bounds, known, base)
        outcome = repaired == nil ? .refused : .accepted
        if let repaired { output = (repaired.html, repaired.facts) }
      }
    }
    var result = Self.result(output.html[...], output.facts, settlingLog, outcome)
    if !isSettled { result.add(log) }
    result.selectionUse = use
    return result
  }

  private static func result(
    _ html: ArraySlice<UInt8>, _ facts: SanitizedHTML.Facts, _ log: RemovalLog, _ tidy: Sanitizer.TidyOutcome
  ) -> Sanitizer.Result {
    Sanitizer.Result(
      html: SanitizedHTML(sanitizerOutput: String(html.span, 0..<html.count)), facts: facts, removals: log.removals,
      removalCounts: log.counts, tidy: tidy)
  }

  // MARK: - Repair

  private func wantsRepair(isMisnested: Bool) -> Bool {
    switch policy.tidy {
    case .never: false
    case .broken: isMisnested
    case .always: true
    }
  }

  /// Markup that is read again, with the content that a repair could lose.
  private struct Filtered {
    let html: [UInt8]
    let facts: SanitizedHTML.Facts
    /// How many elements of each kind it has, by number.
    let elements: [Int]

    /// Whether all words, links, pictures, media and elements of `other` are in this markup too.
    func keepsEverything(of other: Filtered) -> Bool {
      facts.keepsEverything(of: other.facts)
        && other.elements.indices.allSatisfy { other.elements[$0] <= ($0 < elements.count ? elements[$0] : 0) }
    }
  }

  /// Returns libtidy's repair of filtered markup, filtered again; nil when it is refused.
  ///
  /// A repair is refused when it loses something or is not stable, or when the markup cannot be given to libtidy.
  /// `known` is the markup with its content, if that is known.
  ///
  /// What is misnested in the source is not in the filtered markup, and no longer in the repair: both are sanitized
  /// again without libtidy, unless the policy says `always`. Then the repair of the repair has to be the same.
  private func repaired(_ html: [UInt8], _ bounds: RepairBounds, _ known: Filtered?, _ base: WebURL?) -> Filtered? {
    guard let repaired = repairedOnce(html, bounds, base), let before = known ?? filterAgain(html, base),
      repaired.keepsEverything(of: before)
    else { return nil }
    guard policy.tidy == .always else { return repaired }
    let again = repairedOnce(repaired.html, parser.repairBounds(of: repaired.html), base)
    return again?.html == repaired.html ? repaired : nil
  }

  private func repairedOnce(_ html: [UInt8], _ bounds: RepairBounds, _ base: WebURL?) -> Filtered? {
    guard bounds.allowRepair(ofSize: html.count), let repaired = TidyRepairer.repair(html.span),
      repaired.count <= Walker.sizeLimit(ofInput: html.count)
    else { return nil }
    return filterAgain(repaired, base)
  }

  private func filterAgain(_ markup: [UInt8], _ base: WebURL?) -> Filtered? {
    let facts = parser.filter(markup.span, base: base, page: nil, wantsFacts: true, isOwn: true)
    return parser.settled(base: base, wantsFacts: true).map {
      Filtered(html: $0.html, facts: $0.facts ?? facts, elements: parser.walker.facts.elements)
    }
  }
}

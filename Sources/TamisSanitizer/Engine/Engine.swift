import TamisCore
import TamisTidy
import TamisURL
import TamisXML

/// The order of work in one fragment: prepare, parse and filter, let libtidy repair what is untidy, filter again.
///
/// Used by one task at a time; ``Sanitizer`` sees to that, which is what makes the `@unchecked` true.
final class Engine: @unchecked Sendable {
  private let walker: Walker
  private let reader: HTMLReader
  private let limits: Limits
  private var document: [UInt8] = []

  init(policy: Policy, limits: Limits) {
    self.limits = limits
    walker = Walker(policy: policy, limits: limits)
    reader = HTMLReader(handler: walker)
    walker.position = { [unowned reader] in (reader.line, reader.column) }
  }

  func sanitize(_ html: borrowing Span<UInt8>, base: WebURL?) -> Sanitizer.Result {
    prepare(html)
    let isText = html.count > limits.fragmentBytes
    let facts = isText ? writeAsText(html, base) : filter(base)
    let filtered = Array(walker.output.trimmed())
    let removals = walker.removals
    guard !isText, let repaired = repair(filtered, facts, base) else {
      let wasAsked = !isText && wantsRepair(facts)
      return result(filtered, facts, removals, wasAsked ? .refused : .notAsked)
    }
    return result(repaired.html, repaired.facts, removals, .accepted)
  }

  private func result(
    _ html: [UInt8], _ facts: MarkupFacts, _ removals: [Removal], _ tidy: Sanitizer.TidyOutcome
  ) -> Sanitizer.Result {
    Sanitizer.Result(
      html: SanitizedHTML(sanitizerOutput: String(decoding: html, as: UTF8.self)), facts: facts, removals: removals,
      tidy: tidy)
  }

  private func prepare(_ html: borrowing Span<UInt8>) {
    document.removeAll(keepingCapacity: true)
    HTMLReader.prefix.withUTF8Buffer { document.append(contentsOf: $0) }
    Preparation.append(html, to: &document)
    if document.count > TagBounds.threshold { document = TagBounds.apply(to: document, limits: limits) }
  }

  /// Parses and filters the prepared document.
  private func filter(_ base: WebURL?) -> MarkupFacts {
    walker.begin(size: document.count, base: base)
    let start = HTMLReader.prefix.utf8CodeUnitCount
    // Text without a tag or a reference needs no parser.
    let isPlain = !document[start...].contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
    if isPlain { walker.text(document.span.extracting(start...)) } else { reader.read(document.span) }
    return walker.finish()
  }

  /// What is too large to be parsed is shown as it is.
  private func writeAsText(_ html: borrowing Span<UInt8>, _ base: WebURL?) -> MarkupFacts {
    walker.begin(size: html.count, base: base)
    walker.note(.structure, "fragment")
    let plain = String(decoding: document.dropFirst(HTMLReader.prefix.utf8CodeUnitCount), as: UTF8.self)
    let text = Array(plain.decodingCharacterReferences().utf8)
    walker.text(text.span)
    return walker.finish()
  }

  private func wantsRepair(_ facts: MarkupFacts) -> Bool {
    switch walker.policy.tidy {
    case .never: false
    case .repair: facts.isUntidy
    case .always: true
    }
  }

  /// libtidy's repair of filtered markup, filtered again; nil when it was not asked, or loses something, or would look
  /// different after another repair.
  ///
  /// Everything here is decided by the filtered markup alone, read once more, and by nothing that was in the input: so the
  /// same is decided when the output is sanitized again.
  private func repair(
    _ filtered: [UInt8], _ facts: MarkupFacts, _ base: WebURL?
  ) -> (html: [UInt8], facts: MarkupFacts)? {
    guard wantsRepair(facts) else { return nil }
    let own = filterAgain(filtered, base)
    guard !walker.facts.isTooUntidy, wantsRepair(own.facts), let first = repairOnce(filtered, base),
      first.facts.keepsEverything(of: own.facts)
    else { return nil }
    if !wantsRepair(first.facts) { return first }
    guard !walker.facts.isTooUntidy, let second = repairOnce(first.html, base), second.html == first.html else {
      return nil
    }
    return first
  }

  private func repairOnce(_ markup: [UInt8], _ base: WebURL?) -> (html: [UInt8], facts: MarkupFacts)? {
    TidyRepairer.repair(markup.span).map { filterAgain($0, base) }
  }

  private func filterAgain(_ markup: [UInt8], _ base: WebURL?) -> (html: [UInt8], facts: MarkupFacts) {
    prepare(markup.span)
    let facts = filter(base)
    return (Array(walker.output.trimmed()), facts)
  }
}

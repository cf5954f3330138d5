import TamisCheck
import TamisCore
import TamisSanitizer
import TamisURL

/// One configuration of the sanitizer, and what must hold for whatever it is given.
struct Probe: Sendable {
  let name: String
  private let sanitizer: Sanitizer
  private let untidied: Sanitizer
  private let contract: OutputContract
  private let base: WebURL?

  static let all: [Probe] = Policy.shippedNames.compactMap { Sanitizer.shipped(named: $0) }.flatMap { sanitizer in
    Policy.TidyMode.allCases.flatMap { mode in
      [nil, WebURL("https://feed.example/dir/page?q#f")].map { Probe(sanitizer.with(tidy: mode), mode, base: $0) }
    }
  }

  /// Returns the probe that the first byte of an input chooses, and the rest of the input.
  static func chosen(by input: [UInt8]) -> (probe: Probe, rest: ArraySlice<UInt8>)? {
    input.first.map { (all[Int($0) % all.count], input.dropFirst()) }
  }

  private init(_ sanitizer: Sanitizer, _ mode: Policy.TidyMode, base: WebURL?) {
    name = "[\(sanitizer.policy.name), tidy \(mode)\(base.map { ", base \($0)" } ?? "")]"
    self.sanitizer = sanitizer
    untidied = sanitizer.with(tidy: .never)
    contract = OutputContract(policy: sanitizer.policy)
    self.base = base
  }

  /// Returns what is wrong with the output for a fragment, with both; nil when nothing is.
  func fault(in fragment: [UInt8]) -> String? {
    let result = sanitizer.sanitize(utf8: fragment.span, base: base, page: base)
    guard let fault = fault(of: result, fragment) else { return nil }
    let input = String(decoding: fragment, as: UTF8.self).debugDescription
    return "\(name) \(fault)\n  in: \(input)\n  out: \(String(result.html.string.prefix(4000)).debugDescription)"
  }

  private func fault(of result: Sanitizer.Result, _ fragment: [UInt8]) -> String? {
    if let breach = contract.breach(of: result.html, by: sanitizer, base: base, page: base) {
      return String("\(breach)".prefix(300))
    }
    if result.html.string.utf8.count > 8 * fragment.count + 256 << 10 { return "the output is too large" }
    if result.removals.contains(where: { $0.line < 1 || $0.column < 1 }) { return "a removal has no place" }
    if result.removalCounts.values.reduce(0, +) < result.removals.count { return "removals are not counted" }
    guard result.tidy == .accepted else { return nil }
    // What tidy repairs has all that it had before. Not comparable: where elements nest too deeply, cells for strays
    // take their room, and a frame in a link that is opened again in such a cell is no link.
    let before = untidied.sanitize(utf8: fragment.span, base: base, page: base)
    guard before.removalCounts[.structure] == nil, result.removalCounts[.structure] == nil, before.facts.embeds.isEmpty
    else { return nil }
    return letters(before.facts) == letters(result.facts) ? nil : "tidy lost '\(before.facts.text)'"
  }

  private func letters(_ facts: SanitizedHTML.Facts) -> [UInt8] { facts.text.utf8.filter { $0 > 0x20 } }
}

import Tamis

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

  private init(_ sanitizer: Sanitizer, _ mode: Policy.TidyMode, base: WebURL?) {
    name = "[\(sanitizer.policy.name), tidy \(mode)\(base.map { ", base \($0)" } ?? "")]"
    self.sanitizer = sanitizer
    untidied = sanitizer.with(tidy: .never)
    contract = OutputContract(policy: sanitizer.policy)
    self.base = base
  }

  func check(_ fragment: [UInt8]) {
    let result = sanitizer.sanitize(utf8: fragment.span, base: base, page: base)
    if let breach = contract.breach(of: result.html, by: sanitizer, base: base, page: base) {
      fail("\(String("\(breach)".prefix(300)))", fragment, result)
    }
    if result.html.string.utf8.count > 8 * fragment.count + 256 << 10 {
      fail("the output is too large", fragment, result)
    }
    if result.removals.contains(where: { $0.line < 1 || $0.column < 1 }) {
      fail("a removal has no place", fragment, result)
    }
    if result.removalCounts.values.reduce(0, +) < result.removals.count {
      fail("removals are not counted", fragment, result)
    }
    guard result.tidy == .accepted else { return }
    // What tidy repairs has all that it had before. Not comparable: where elements nest too deeply, cells for strays
    // take their room, and a frame in a link that is opened again in such a cell is no link.
    let before = untidied.sanitize(utf8: fragment.span, base: base, page: base)
    guard before.removalCounts[.structure] == nil, result.removalCounts[.structure] == nil, before.facts.embeds.isEmpty
    else { return }
    if letters(before.facts) != letters(result.facts) { fail("tidy lost '\(before.facts.text)'", fragment, result) }
  }

  private func letters(_ facts: SanitizedHTML.Facts) -> [UInt8] { facts.text.utf8.filter { $0 > 0x20 } }

  private func fail(_ message: String, _ fragment: [UInt8], _ result: Sanitizer.Result) -> Never {
    let input = String(decoding: fragment, as: UTF8.self).debugDescription
    let output = String(result.html.string.prefix(4000)).debugDescription
    fatalError("\(name) \(message)\n  in: \(input)\n  out: \(output)")
  }
}

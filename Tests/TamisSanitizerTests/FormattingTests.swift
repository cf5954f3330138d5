import Foundation
import TamisCheck
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

/// Each character has the formatting and the blocks around it that a browser gives it, as far as the rules allow them.
///
/// The browser is the one of `TamisCheck`, which shares neither code nor lists with what the sanitizer reads with.
@Suite struct FormattingTests {
  /// The rules `reading` without improvements and repairs, with what is hidden, and with the other elements that end or
  /// bound elements.
  ///
  /// Improving and repairing moves and replaces elements on purpose. Where the tags of elements that end or bound
  /// others are removed, what is in them may stand where no markup can put it.
  static let policy: Policy = {
    var policy = Policy.reading
    policy.improvements = Policy.Improvements()
    (policy.tidy, policy.dropsHidden) = (.never, false)
    policy.allow("button", "dir", "form", "listing", "marquee", "menu", "nobr", "textarea")
    return policy
  }()

  /// Whether an input is compared.
  ///
  /// What no two readers agree on is not: `select` by engine, `noscript`, frames and `template` by what is shown; SVG
  /// and MathML have text that is not shown, and formulas are told once. Characters that HTML does not have are left
  /// out, whether they are written or referred to by number.
  private static func isCompared(_ input: String) -> Bool {
    let lower = input.lowercased()
    let names = [
      "select", "option", "optgroup", "noscript", "iframe", "template", "svg", "math", "frameset", "noembed",
      "noframes",
    ]
    return !names.contains { lower.contains("<\($0)") } && !lower.contains("&#") && !lower.contains("&zwj;")
      && !lower.contains("mathjax") && !lower.contains("math/")
      && input.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) || $0.value >= 0xA0 }
      && lower.count(where: { $0 == "<" }) < 100
  }

  /// Returns a text without characters that browsers show as nothing, which texts lose.
  private static func withoutInvisible(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          ![
            0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xE0000...0xE01EF,
          ].contains { $0.contains(scalar.value) }
        }))
  }

  private static func verdict(_ name: String) -> BrowserReading.Verdict {
    if policy.elements[.html]?.contains(name) == true { return .kept }
    return ["script", "style"].contains(name) || policy.droppedElements.contains(name) ? .dropped : .unwrapped
  }

  @Test func formattingMatchesBrowserReading() throws {
    let suite = CheckSuite(paths: [Fixtures.url("Sanitizer").path])
    let sanitizer = try Sanitizer(policy: Self.policy)
    let mutator = Mutator(seed: 7)
    var compared = 0
    for each in suite.cases {
      let variants = (0..<40).map { mutator.variant($0, of: each.input, named: each.name) }
      for input in [each.input] + variants {
        let source = Self.withoutInvisible(String(decoding: input, as: UTF8.self))
        guard Self.isCompared(source) else { continue }
        let output = sanitizer.sanitize(source).html.string
        let (wanted, found) = (BrowserReading.runs(of: source, Self.verdict), BrowserReading.runs(of: output))
        if wanted.canBeWritten {
          compared += 1
          #expect(wanted.runs == found, "\(each.location) \(each.name)\n\(source)\n\(output)")
        } else {
          #expect(
            wanted.runs.flatMap(\.text) == found.flatMap(\.text), "\(each.location) \(each.name)\n\(source)\n\(output)")
        }
      }
    }
    #expect(compared > 8000)
  }
}

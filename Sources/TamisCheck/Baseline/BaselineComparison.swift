import TamisCore
package import TamisSanitizer

/// How two outputs of one input differ.
package struct BaselineComparison: Sendable, Hashable {
  /// What a difference means to the reader, the gravest first.
  package enum Class: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Something that acts, loads or follows readers is there that was not.
    case riskier
    /// Visible text, a link, a picture or a medium is gone.
    case lossier
    /// Something that acts, loads or follows readers is gone.
    case safer
    /// Visible text, a link, a picture or a medium is there that was not.
    case fuller
    /// None of these: only the markup is another.
    case cosmetic

    /// The gravest first.
    package static func < (lhs: Class, rhs: Class) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// What the difference means; of several meanings the gravest.
  package let meaning: Class
  /// What is gone or there now, in words; empty when it is cosmetic.
  package let evidence: [String]

  /// Compares an output with what came out before; nil when they are the same.
  ///
  /// - Parameter policies: the rules that made them; who follows readers by any of them, or by the reading rules, does.
  package init?(before: String, now: String, policies: [Policy] = []) {
    self.init(before: before, now: now, known: OutputInventory.Known(policies))
  }

  init?(before: String, now: String, known: OutputInventory.Known) {
    guard !before.utf8.elementsEqual(now.utf8) else { return nil }
    let (old, new) = (OutputInventory(before, known: known), OutputInventory(now, known: known))
    let added = Self.surplus(of: new.risks, over: old.risks)
    let lost = Self.content(
      words: Self.surplus(of: old.words, over: new.words),
      resources: Self.surplus(of: old.resources, over: new.resources))
    let removed = Self.surplus(of: old.risks, over: new.risks)
    let gained = Self.content(
      words: Self.surplus(of: new.words, over: old.words),
      resources: Self.surplus(of: new.resources, over: old.resources))
    if !added.isEmpty {
      (meaning, evidence) = (.riskier, added.map { "new: \($0)" } + lost.map { "gone: \($0)" })
    } else if !lost.isEmpty {
      (meaning, evidence) = (.lossier, lost.map { "gone: \($0)" })
    } else if !removed.isEmpty {
      (meaning, evidence) = (.safer, removed.map { "gone: \($0)" })
    } else if !gained.isEmpty {
      (meaning, evidence) = (.fuller, gained.map { "new: \($0)" })
    } else {
      (meaning, evidence) = (.cosmetic, [])
    }
  }

  /// What one has more of than the other, by name.
  private static func surplus(of one: [String: Int], over other: [String: Int]) -> [String] {
    one.filter { $0.value > other[$0.key] ?? 0 }.map(\.key).sorted()
  }

  private static func content(words: [String], resources: [String]) -> [String] {
    guard !words.isEmpty else { return resources }
    let shown = words.prefix(6).joined(separator: " ") + (words.count > 6 ? " …" : "")
    return ["the words '\(shown)'"] + resources
  }
}

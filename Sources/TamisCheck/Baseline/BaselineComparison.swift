import TamisCore
package import TamisSanitizer

/// A comparison of two outputs for one input.
package struct BaselineComparison: Sendable, Hashable {
  /// The meaning of a difference for the reader, most severe first.
  package enum Class: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Something that acts, loads or tracks is new.
    case riskier
    /// Visible text, a link, a picture or a medium is missing.
    case lossier
    /// Something that acts, loads or tracks is gone.
    case safer
    /// Visible text, a link, a picture or a medium is new.
    case fuller
    /// Only the markup differs.
    case cosmetic

    /// Orders classes by severity, most severe first.
    package static func < (lhs: Class, rhs: Class) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// The most severe meaning of the difference.
  package let meaning: Class
  /// The missing and new parts, in words; empty when the difference is cosmetic.
  package let evidence: [String]

  /// Compares an output with an earlier one; nil when they are the same.
  ///
  /// - Parameters:
  ///   - before: the earlier output.
  ///   - now: the current output.
  ///   - policies: the rules that produced them; their lists of trackers apply in addition to those of the reading
  ///     rules.
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

  /// Returns the keys with a higher count in one dictionary than in the other.
  private static func surplus(of one: [String: Int], over other: [String: Int]) -> [String] {
    one.filter { $0.value > other[$0.key] ?? 0 }.map(\.key).sorted()
  }

  private static func content(words: [String], resources: [String]) -> [String] {
    guard !words.isEmpty else { return resources }
    let shown = words.prefix(6).joined(separator: " ") + (words.count > 6 ? " …" : "")
    return ["the words '\(shown)'"] + resources
  }
}

/// The plural forms of a language.
///
/// Rules are in CLDR's syntax (Unicode Technical Standard #35, part 3, "Language Plural Rules",
/// https://www.unicode.org/reports/tr35/tr35-numbers.html#Language_Plural_Rules), so that they can be copied from its
/// charts. Only whole numbers are counted here: the operands `n` and `i` are the number, and `v`, `w`, `f`, `t`, `c`
/// and `e` are 0.
struct PluralRules: Sendable {
  /// A plural category, in the order in which the rules are tried.
  enum Category: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other
  }

  /// A part of a rule, `n % 100 = 3..10`.
  private struct Relation: Sendable {
    var isNumber: Bool
    var modulus: Int?
    var isNegated: Bool
    var ranges: [ClosedRange<Int>]

    func holds(_ number: Int) -> Bool {
      let value = isNumber ? number : 0
      let operand = modulus.map { value % $0 } ?? value
      return ranges.contains { $0.contains(operand) } != isNegated
    }
  }

  /// The rule of each category: groups of relations, of which one group has to hold completely.
  private var rules: [(category: Category, groups: [[Relation]])] = []

  /// The categories of the language; the last is ``Category/other``, which every language has.
  var categories: [Category] { rules.map(\.category) + [.other] }

  /// Whether a category already has a rule.
  func hasRule(for category: Category) -> Bool { rules.contains { $0.category == category } }

  /// Returns the category of a number.
  func category(of number: Int) -> Category {
    let number = number == .min ? .max : abs(number)
    return rules.first { $0.groups.contains { $0.allSatisfy { $0.holds(number) } } }?.category ?? .other
  }

  /// Adds the rule of a category, such as `v = 0 and i % 10 = 2..4 and i % 100 != 12..14`, or returns false when it is
  /// invalid.
  mutating func add(_ category: Category, _ rule: String) -> Bool {
    var groups: [[Relation]] = [[]]
    var words: [Substring] = []
    for word in (rule + " and").split(separator: " ") {
      guard word == "and" || word == "or" else {
        words.append(word)
        continue
      }
      guard let relation = Self.relation(words) else { return false }
      groups[groups.count - 1].append(relation)
      if word == "or" { groups.append([]) }
      words = []
    }
    let order = Category.allCases
    rules.append((category, groups))
    rules.sort { (order.firstIndex(of: $0.category) ?? 0) < (order.firstIndex(of: $1.category) ?? 0) }
    return true
  }

  private static func relation(_ words: [Substring]) -> Relation? {
    var rest = words[...]
    guard let operand = rest.popFirst(), operand.count == 1, "nivwftce".contains(operand) else { return nil }
    var modulus: Int?
    if rest.first == "%" {
      guard rest.count > 1, let number = Int(rest[rest.startIndex + 1]), number > 0 else { return nil }
      modulus = number
      rest = rest.dropFirst(2)
    }
    guard let sign = rest.popFirst(), sign == "=" || sign == "!=" else { return nil }
    var ranges: [ClosedRange<Int>] = []
    for part in rest.joined().split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, 0 <= first, first <= last else {
        return nil
      }
      ranges.append(first...last)
    }
    return Relation(
      isNumber: operand == "n" || operand == "i", modulus: modulus, isNegated: sign == "!=", ranges: ranges)
  }
}

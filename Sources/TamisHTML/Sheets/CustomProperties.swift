import TamisCore

/// What the sheets of a page define for it as a whole: custom properties (CSS Custom Properties for Cascading Variables
/// Module Level 1, 3), and the names of animations.
struct CustomProperties: Sendable {
  /// The maximum number of references that are resolved in one value, and the maximum length of the result in bytes.
  private static let (most, longest) = (20, 1000)

  /// The values by name; nil for those that some elements have otherwise.
  private var values: [String: String?] = [:]
  /// Whether a property that no sheet at hand has may be in one that is not.
  private let hasOthers: Bool

  /// Whether names differ in case, which is not told apart: then elements are not asked for their own values.
  var hasCapitals = false
  private let animations: Set<String>
  private let registered: [String: Registration]

  /// What `@property` says of a property.
  struct Registration: Sendable {
    var isInherited: Bool
    /// The value that it has where none is declared; nil for none.
    var value: String?
  }

  init(hasOthers: Bool, animations: Set<String> = [], registered: [String: Registration] = [:]) {
    (self.hasOthers, self.animations, self.registered) = (hasOthers, animations, registered)
  }

  /// Whether the elements in an element have its value of a property.
  func isInherited(_ name: String) -> Bool { registered[name]?.isInherited ?? true }

  /// Returns the names of the properties that declarations refer to.
  static func names(in css: some Collection<UInt8>) -> Set<String> {
    let text = String(streamSafe: css).asciiLowercased()
    var (names, start): (Set<String>, Int) = ([], 0)
    while names.count < most, let found = ByteScan.index(of: "var(", in: text.utf8.span, from: start) {
      let rest = text.utf8.dropFirst(found + 4).drop(while: \.isHTMLSpace)
      let name = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ")") && !$0.isHTMLSpace }
      names.insert(String(name) ?? "")
      start = found + 4
    }
    return names
  }

  /// Whether no animation of a value is defined, so that nothing is animated.
  func knowsNoAnimation(of value: String) -> Bool {
    !hasOthers && !StyleValue.words(value).contains { animations.contains(String($0)) }
  }

  /// Notes a declaration.
  ///
  /// - Parameters:
  ///   - name: the name with its hyphens.
  ///   - value: the value in lower case; nil when it is not that of the whole page, or too long.
  mutating func note(_ name: String, _ value: String?) {
    if let known = values[name], known != value {
      values[name] = .some(nil)
    } else {
      values[name] = .some(value)
    }
  }

  /// Returns a value with the values of properties in the place of `var(--name, fallback)`.
  ///
  /// - Parameters:
  ///   - value: a value in lower case.
  ///   - local: the values that an element has of the properties that its style refers to; nil when they are not known.
  /// - Returns: the value; with a reference left when one cannot be resolved, and then it may be anything.
  func resolved(_ value: String, _ local: [String: String]?) -> String {
    guard ByteScan.index(of: "var(", in: value.utf8.span, from: 0) != nil else { return value }
    var bytes = Array(value.utf8)
    for _ in 0..<Self.most {
      guard let start = ByteScan.index(of: "var(", in: bytes.span, from: 0), bytes.count <= Self.longest,
        let end = closing(bytes, start + 3), let replacement = replacement(bytes[(start + 4)..<end], local)
      else { break }
      bytes.replaceSubrange(start...end, with: replacement)
    }
    return String(streamSafe: bytes).trimmed()
  }

  /// Returns what a reference stands for; nil when that is not known.
  private func replacement(_ inner: ArraySlice<UInt8>, _ local: [String: String]?) -> [UInt8]? {
    let comma = inner.firstIndex(of: UInt8(ascii: ","))
    let name = String(streamSafe: inner[..<(comma ?? inner.endIndex)]).trimmed()
    if let own = local?[name] { return Array(own.utf8) }
    switch values[name] {
    case .some(.some(let known)) where registered[name]?.isInherited != false: return Array(known.utf8)
    case .some where local == nil: return nil
    default: break
    }
    if let first = registered[name]?.value { return Array(first.utf8) }
    return hasOthers ? nil : comma.map { Array(inner[($0 + 1)...]) }
  }

  private func closing(_ bytes: [UInt8], _ open: Int) -> Int? {
    var depth = 0
    for index in open..<bytes.count {
      if bytes[index] == UInt8(ascii: "(") { depth += 1 }
      if bytes[index] == UInt8(ascii: ")") {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }
}

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

  /// The properties that animations change, by their names.
  private let animations: [String: Set<HidingProperty>]
  private let registered: [String: Registration]

  /// What `@property` says of a property (CSS Properties and Values API Level 1, 2).
  struct Registration: Sendable {
    private static let descriptors = NameIndex(["syntax", "inherits", "initial-value"])

    private(set) var isInherited = true
    /// The value that it has where none is declared.
    private(set) var value = CustomProperties.unknown

    /// Reads the declarations; nil when they are not those of a registration.
    init?(_ css: ArraySlice<UInt8>) {
      var found: [String: String] = [:]
      var declarations = InlineStyle(css, of: Self.descriptors)
      while let declaration = declarations.next() { found[declaration.name] = declaration.value }
      guard let syntax = found["syntax"], let inherits = found["inherits"], let first = found["initial-value"],
        inherits == "true" || inherits == "false"
      else { return nil }
      isInherited = inherits == "true"
      switch Self.fits(first, String(syntax.dropFirst().dropLast())) {
      case .yes: value = first
      case .no: return nil
      case .maybe: break
      }
    }

    /// Whether a value is one of a syntax.
    private static func fits(_ value: String, _ syntax: String) -> Truth {
      switch syntax.trimmed() {
      case "*": .yes
      case "<number>": Truth(StyleValue.number(value)?.rest.isEmpty == true)
      case "<length>": Truth(StyleValue.length(value) != nil)
      case "<percentage>": Truth(StyleValue.number(value)?.rest == "%")
      case "<color>": CSSColor(value) == nil ? .maybe : .yes
      default: .maybe
      }
    }
  }

  init(hasOthers: Bool, animations: [String: [ArraySlice<UInt8>]] = [:], registered: [String: Registration] = [:]) {
    (self.hasOthers, self.registered) = (hasOthers, registered)
    self.animations = animations.mapValues { blocks in
      blocks.reduce(into: []) { $0.formUnion(Self.properties(inKeyframes: $1)) }
    }
  }

  /// A value that stays a reference, so that what is made of it may be anything.
  static let unknown = "var()"

  /// Whether the elements in an element have its value of a property.
  func isInherited(_ name: String) -> Bool { registered[name]?.isInherited ?? true }

  /// Returns the names of the properties that a value refers to, as ``InlineStyle`` has it.
  static func names(in value: String) -> Set<String> {
    var (names, start): (Set<String>, Int) = ([], 0)
    while names.count < most, let found = ByteScan.index(of: "var(", in: value.utf8.span, from: start) {
      let rest = value.utf8.dropFirst(found + 4).drop(while: \.isHTMLSpace)
      let name = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ")") && !$0.isHTMLSpace }
      names.insert(String(name) ?? "")
      start = found + 4
    }
    return names
  }

  private static let animationNames = NameIndex(["animation"])

  /// The name of an animation without quotation marks, and with what ``InlineStyle`` has for an escape.
  static func animationName(_ css: ArraySlice<UInt8>) -> String {
    var style = InlineStyle((Array("animation:".utf8) + css)[...], of: animationNames)
    return style.next()?.value.filter { $0 != "\"" && $0 != "'" } ?? ""
  }

  /// Returns the properties that animations change; nil when one is not at hand, or which it is is not known.
  ///
  /// - Parameter value: the value of `animation`, or that of `animation-name`.
  /// - Returns: the properties.
  func changes(byAnimation value: String) -> Set<HidingProperty>? {
    if ByteScan.index(of: "var(", in: value.utf8.span, from: 0) != nil { return nil }
    var (changed, isKnown): (Set<HidingProperty>, Bool) = ([], false)
    for word in StyleValue.words(value.filter { $0 != "\"" && $0 != "'" }) {
      guard let properties = animations[String(word)] else { continue }
      isKnown = true
      changed.formUnion(properties)
    }
    // A name in quotation marks can have spaces.
    if !isKnown, animations.keys.contains(where: { $0.contains(" ") || $0.contains(",") }) { return nil }
    return isKnown || !hasOthers ? changed : nil
  }

  /// Returns the properties that keyframes declare: `{from{opacity:0}to{opacity:1}}`.
  private static func properties(inKeyframes css: ArraySlice<UInt8>) -> Set<HidingProperty> {
    let css = Array(css)
    // A comment or an escape can hide any name.
    if css.contains(UInt8(ascii: "\\")) || ByteScan.index(of: "/*", in: css.span, from: 0) != nil {
      return Set(HidingProperty.allCases)
    }
    var changed: Set<HidingProperty> = []
    var start = 0
    for index in css.indices {
      switch css[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"): start = index + 1
      case UInt8(ascii: ":"):
        var name = start..<index
        while let first = name.first, css[first].isHTMLSpace { name = (first + 1)..<index }
        while let last = name.last, css[last].isHTMLSpace { name = name.lowerBound..<last }
        // Others can be made of a custom property.
        if css[name].starts(with: "--".utf8) { return Set(HidingProperty.allCases) }
        guard let property = HidingProperty(css.span, name) else { continue }
        var longhands: [(property: HidingProperty, value: String)] = []
        HidingStyle.addLonghands(of: property, "0", to: &longhands)
        changed.formUnion(longhands.map(\.property))
      default: break
      }
    }
    return changed
  }

  /// Notes a declaration.
  ///
  /// - Parameters:
  ///   - name: the name with its hyphens.
  ///   - value: the value as ``InlineStyle`` has it; nil when it is not that of the whole page, or too long.
  mutating func note(_ name: String, _ value: String?) {
    let value = value.map { HidingStyle.general.contains($0) } == true ? nil : value
    if let known = values[name], known != value {
      values[name] = .some(nil)
    } else {
      values[name] = .some(value)
    }
  }

  /// Returns a value with the values of properties in the place of `var(--name, fallback)`.
  ///
  /// - Parameters:
  ///   - value: a value as ``InlineStyle`` has it.
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
    if let registration = registered[name] { return Array(registration.value.utf8) }
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

/// Turns a formula in TeX into MathML: `\frac{a}2` into `<mfrac><mi>a</mi><mn>2</mn></mfrac>`.
///
/// The common part of LaTeX's mathematics is known, with what the AMS packages add; of what a macro defines nothing is.
/// The elements are those of MathML Core.
package struct TeXParser {
  /// What is not known: a command, or something in the wrong place.
  struct Unknown: Error {}

  /// The maximum number of groups within groups.
  private static let mostGroups = 60

  var scanner: TeXScanner
  /// The style of letters here; nil for that of a variable.
  var variant: TeXVariant?
  /// Whether scripts of large operators are below and above them.
  var isDisplayed: Bool
  private var depth = 0

  /// Reads a formula.
  ///
  /// - Parameters:
  ///   - source: the TeX without the marks around it.
  ///   - isDisplayed: whether it stands in a line of its own.
  /// - Returns: `math` with the TeX as its annotation; nil when something in it is not known.
  package static func math(_ source: String, isDisplayed: Bool) -> MathNode? {
    var parser = TeXParser(
      scanner: TeXScanner(Array(source.unicodeScalars)), variant: nil, isDisplayed: isDisplayed, depth: 0)
    guard let nodes = try? parser.whole(), !nodes.isEmpty else { return nil }
    let annotation = MathNode(.annotation, text: source, ["encoding": "application/x-tex"])
    let math = MathNode(.math, [MathNode(.semantics, [MathNode(.mrow, nodes), annotation])])
    return isDisplayed ? math.with(["display": "block"]) : math
  }

  // MARK: - Lists

  /// Reads what stands in a group, a cell or the whole formula, up to the token that ends it, which is left.
  mutating func expression() throws(Unknown) -> [MathNode] {
    depth += 1
    if depth > Self.mostGroups { throw Unknown() }
    let (outerVariant, outerDisplay) = (variant, isDisplayed)
    defer { (depth, variant, isDisplayed) = (depth - 1, outerVariant, outerDisplay) }
    var nodes: [MathNode] = []
    while true {
      let token = scanner.peek()
      if isEnd(token) { return nodes }
      if case .command(let name) = token, let rest = try infixOrSwitch(name, nodes) { return rest }
      append(try scripted(), to: &nodes)
    }
  }

  private func isEnd(_ token: TeXScanner.Token) -> Bool {
    switch token {
    case .end, .character("}"), .character("&"): true
    case .command(let name): ["\\", "cr", "right", "middle", "end", "newline", ")", "]"].contains(name)
    case .character: false
    }
  }

  /// Reads the rest of a list behind a command that holds for it: `a \over b`, `\displaystyle x`, `\bf x`.
  ///
  /// - Returns: the whole list; nil for other commands.
  private mutating func infixOrSwitch(_ name: String, _ nodes: [MathNode]) throws(Unknown) -> [MathNode]? {
    if let fraction = Self.infixes[name] {
      _ = scanner.next()
      let (above, below) = (MathNode.row(nodes), MathNode.row(try expression()))
      return [fenced(fraction.fences, Self.fraction(above, below, hasLine: fraction.hasLine))]
    }
    if let style = Self.styles[name] {
      _ = scanner.next()
      isDisplayed = style.display
      let rest = try expression()
      return nodes + [
        MathNode(.mstyle, rest).with(["scriptlevel": style.level, "displaystyle": style.display ? "true" : "false"])
      ]
    }
    if let variant = TeXVariant.switches[name] {
      _ = scanner.next()
      self.variant = variant
      return nil
    }
    if name == "color" {
      _ = scanner.next()
      guard let color = scanner.braced() else { throw Unknown() }
      return nodes + [MathNode(.mstyle, try expression()).with(["mathcolor": color])]
    }
    return nil
  }

  private static let infixes: [String: (fences: (String, String), hasLine: Bool)] = [
    "over": (("", ""), true), "atop": (("", ""), false), "choose": (("(", ")"), false), "brace": (("{", "}"), false),
    "brack": (("[", "]"), false),
  ]

  private static let styles: [String: (display: Bool, level: String)] = [
    "displaystyle": (true, "0"), "textstyle": (false, "0"), "scriptstyle": (false, "1"),
    "scriptscriptstyle": (false, "2"),
  ]

  /// Appends an element to a list; digits are one number, letters of an upright word are one name.
  private func append(_ node: MathNode?, to nodes: inout [MathNode]) {
    guard var node else { return }
    guard let last = nodes.last else { return nodes.append(node) }
    if last.name == .mn, last.isDigits, node.base.name == .mn || node == Self.point {
      // 12^2 is the square of 12, not 1 and a square.
      node.prependToBase(last.text)
      nodes[nodes.count - 1] = node
    } else if last.name == .mtext, node.name == .mtext {
      nodes[nodes.count - 1].text += node.text
    } else if variant == .upright, last.isLetters, node.isLetters {
      nodes[nodes.count - 1] = MathNode(.mi, text: last.text + node.text)
    } else {
      nodes.append(node)
    }
  }

  private static let point = MathNode(.mo, text: ".")

  // MARK: - Scripts

  /// What a script can stand at.
  struct Nucleus {
    var node: MathNode
    /// Whether scripts stand below and above it, not beside it.
    var hasLimits = false
    /// Whether it is the name of a function, behind which its argument stands.
    var isFunction = false
  }

  /// Reads a symbol with its scripts; nil for a command that shows nothing.
  private mutating func scripted() throws(Unknown) -> MathNode? {
    let token = scanner.peek()
    var nucleus: Nucleus?
    if token != .character("^"), token != .character("_"), token != .character("'") {
      nucleus = try self.nucleus(scanner.next())
      if nucleus == nil { return nil }
    }
    var (below, above, primes): (MathNode?, MathNode?, Int) = (nil, nil, 0)
    loop: while true {
      switch scanner.peek() {
      case .command("limits"): nucleus?.hasLimits = true
      case .command("nolimits"): nucleus?.hasLimits = false
      case .command("displaylimits"): break
      case .character("'"): primes += 1
      case .character("_") where below == nil:
        _ = scanner.next()
        below = try argument(isScript: true)
        continue
      case .character("^") where above == nil:
        _ = scanner.next()
        above = try argument(isScript: true)
        continue
      case .character("^"), .character("_"): throw Unknown()
      default: break loop
      }
      _ = scanner.next()
    }
    if primes > 0 {
      let prime = MathNode(.mo, text: ["", "′", "″", "‴", "⁗"][min(primes, 4)])
      above = above.map { .row([prime] + ($0.name == .mrow ? $0.children : [$0])) } ?? prime
    }
    return Self.scripted(nucleus, below, above)
  }

  private static func scripted(_ nucleus: Nucleus?, _ below: MathNode?, _ above: MathNode?) -> MathNode {
    guard let nucleus else { return scripts(MathNode(.mrow), false, below, above) }
    let node = scripts(nucleus.node, nucleus.hasLimits, below, above)
    return nucleus.isFunction ? MathNode(.mrow, [node, MathNode(.mo, text: "\u{2061}")]) : node
  }

  private static func scripts(_ base: MathNode, _ areLimits: Bool, _ below: MathNode?, _ above: MathNode?) -> MathNode {
    switch (below, above) {
    case (nil, nil): base
    case (let below?, nil): MathNode(areLimits ? .munder : .msub, [base, below])
    case (nil, let above?): MathNode(areLimits ? .mover : .msup, [base, above])
    case (let below?, let above?): MathNode(areLimits ? .munderover : .msubsup, [base, below, above])
    }
  }

  // MARK: - Arguments

  /// Reads the argument of a command: a group, or one symbol.
  mutating func argument(isScript: Bool = false) throws(Unknown) -> MathNode {
    let outer = isDisplayed
    if isScript { isDisplayed = false }
    defer { isDisplayed = outer }
    if scanner.take("{") { return .row(try group()) }
    let token = scanner.next()
    depth += 1
    defer { depth -= 1 }
    if depth > Self.mostGroups || isEnd(token) { throw Unknown() }
    return try nucleus(token)?.node ?? MathNode(.mrow)
  }

  /// Reads the rest of a group behind its brace.
  mutating func group() throws(Unknown) -> [MathNode] {
    let nodes = try expression()
    if !scanner.take("}") { throw Unknown() }
    return nodes
  }

  /// Reads an argument with letters of a style.
  mutating func argument(in variant: TeXVariant) throws(Unknown) -> MathNode {
    let outer = self.variant
    self.variant = outer.map { variant.combined(with: $0) } ?? variant
    defer { self.variant = outer }
    return try argument()
  }

  /// Reads the symbol, group or command that begins with a token; nil for a command that shows nothing.
  mutating func nucleus(_ token: TeXScanner.Token) throws(Unknown) -> Nucleus? {
    switch token {
    case .character("{"): return Nucleus(node: .row(try group()))
    case .character(let scalar): return Nucleus(node: try character(scalar))
    case .command(let name): return try command(name)
    case .end: throw Unknown()
    }
  }

  // MARK: - Characters

  private func character(_ scalar: Unicode.Scalar) throws(Unknown) -> MathNode {
    switch scalar {
    case "0"..."9": return MathNode(.mn, text: String(variant?.character(scalar) ?? scalar))
    case "-": return MathNode(.mo, text: "−")
    case "*": return MathNode(.mo, text: "∗")
    case "`": return MathNode(.mo, text: "‘")
    case "(", ")", "[", "]", "|": return MathNode(.mo, text: String(scalar), ["stretchy": "false"])
    case "~": return MathNode(.mtext, text: "\u{A0}")
    case "^", "_", "#", "$", "\\", "}", "&": throw Unknown()
    default:
      if scalar.value >= 0x2E80, scalar.value < 0x1D400 { return MathNode(.mtext, text: String(scalar)) }
      return scalar.properties.isAlphabetic ? letter(scalar) : MathNode(.mo, text: String(scalar))
    }
  }

  /// A letter in the style that holds here; of a variable, which is italic, when none does.
  func letter(_ scalar: Unicode.Scalar, isUpright: Bool = false) -> MathNode {
    let style = isUpright && variant == .boldItalic ? .bold : variant
    if let styled = style?.character(scalar) { return MathNode(.mi, text: String(styled)) }
    let isUpright = variant == .upright || (variant != .italic && isUpright)
    return MathNode(.mi, text: String(scalar), isUpright ? ["mathvariant": "normal"] : [:])
  }
}

extension TeXVariant {
  /// This style within another one: bold script in bold.
  fileprivate func combined(with outer: TeXVariant) -> TeXVariant {
    switch (self, outer) {
    case (.script, .bold), (.script, .boldItalic), (.boldItalic, .script), (.bold, .script): .boldScript
    case (.fraktur, .bold), (.fraktur, .boldItalic), (.boldItalic, .fraktur), (.bold, .fraktur): .boldFraktur
    case (.upright, .boldItalic), (.upright, .bold): .bold
    case (.italic, .bold): .boldItalic
    default: self
    }
  }
}

extension MathNode {
  fileprivate var isDigits: Bool { text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) || $0 == "." } }

  fileprivate var isLetters: Bool { name == .mi && text.unicodeScalars.allSatisfy(\.properties.isAlphabetic) }

  /// The element that scripts stand at, or the element itself.
  fileprivate var base: MathNode {
    switch name {
    case .msub, .msup, .msubsup: children[0].isDigits ? children[0] : self
    default: self
    }
  }

  fileprivate mutating func prependToBase(_ digits: String) {
    if name == .mn || name == .mo {
      (name, text) = (.mn, digits + text)
    } else {
      children[0].text = digits + children[0].text
    }
  }
}

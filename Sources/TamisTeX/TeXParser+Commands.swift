extension TeXParser {
  /// Reads what belongs to a command; nil for a command that shows nothing.
  mutating func command(_ name: String) throws(Unknown) -> Nucleus? {
    if let symbol = TeXSymbols.table[name] { return try read(symbol) }
    if let variant = TeXVariant.commands[name] { return Nucleus(node: try argument(in: variant)) }
    if let width = Self.spaces[name] { return width < 0 ? nil : Nucleus(node: Self.space(width)) }
    if let size = Self.sizes[name] { return Nucleus(node: try delimiter(size: size)) }
    if Self.textCommands.contains(name) { return Nucleus(node: try text()) }
    if Self.silent.contains(name) { return nil }
    if let fraction = Self.fractions[name] { return Nucleus(node: try self.fraction(fraction)) }
    if let notation = Self.enclosures[name] {
      return Nucleus(node: MathNode(.menclose, [try argument()]).with(["notation": notation]))
    }
    return try structure(name)
  }

  // MARK: - Symbols

  private mutating func read(_ symbol: TeXSymbol) throws(Unknown) -> Nucleus {
    switch symbol.kind {
    case .variable, .sign:
      guard let scalar = symbol.text.unicodeScalars.first, scalar.properties.isAlphabetic || scalar.value > 0x2100
      else {
        return Nucleus(node: MathNode(.mi, text: symbol.text, ["mathvariant": "normal"]))
      }
      return Nucleus(node: letter(scalar, isUpright: symbol.kind == .sign))
    case .operator, .integral: return Nucleus(node: MathNode(.mo, text: symbol.text))
    case .large: return Nucleus(node: MathNode(.mo, text: symbol.text), hasLimits: isDisplayed)
    case .fence: return Nucleus(node: MathNode(.mo, text: symbol.text, ["stretchy": "false"]))
    case .function: return Nucleus(node: MathNode(.mi, text: symbol.text), isFunction: true)
    case .limitFunction:
      return Nucleus(node: MathNode(.mi, text: symbol.text), hasLimits: isDisplayed, isFunction: true)
    case .accent, .accentBelow: return try accent(symbol)
    case .arrow:
      let below = scanner.bracketed()
      let under = try below.map { (source) throws(Unknown) in try inner(source) }
      let arrow = MathNode(.mo, text: symbol.text, ["stretchy": "true"])
      let over = try argument(isScript: true)
      return Nucleus(node: under.map { MathNode(.munderover, [arrow, $0, over]) } ?? MathNode(.mover, [arrow, over]))
    }
  }

  private mutating func accent(_ symbol: TeXSymbol) throws(Unknown) -> Nucleus {
    let base = try argument()
    let mark = MathNode(.mo, text: symbol.text, ["stretchy": Self.isStretched(symbol.text) ? "true" : "false"])
    let node =
      symbol.kind == .accent
      ? MathNode(.mover, [base, mark]).with(["accent": "true"])
      : MathNode(.munder, [base, mark]).with(["accentunder": "true"])
    return Nucleus(node: node, hasLimits: Self.braces.contains(symbol.text))
  }

  private static let braces: Set = ["⏞", "⏟", "⏜", "⏝", "⎴", "⎵", "⏠", "⏡"]

  private static func isStretched(_ mark: String) -> Bool {
    braces.contains(mark) || ["‾", "→", "←", "↔", "⇒", "↼", "⇀"].contains(mark)
  }

  /// Reads a source that was taken as a whole, such as what stands in brackets.
  private mutating func inner(_ source: String) throws(Unknown) -> MathNode {
    let outer = scanner
    scanner = TeXScanner(Array(source.unicodeScalars))
    defer { scanner = outer }
    let nodes = try expression()
    if scanner.next() != .end { throw Unknown() }
    return .row(nodes)
  }

  // MARK: - Spaces

  /// The width in em of what commands leave free; MathML has none below zero.
  private static let spaces: [String: Double] = [
    ",": 0.1667, "thinspace": 0.1667, ":": 0.2222, ">": 0.2222, "medspace": 0.2222, ";": 0.2778, "thickspace": 0.2778,
    "!": -0.1667,
    "negthinspace": -0.1667, "negmedspace": -0.2222, "negthickspace": -0.2778, " ": 0.25, "space": 0.25, "\n": 0.25,
    "nobreakspace": 0.25, "enspace": 0.5, "quad": 1, "qquad": 2,
  ]

  private static func space(_ width: Double) -> MathNode {
    let parts = Int(width * 10000 + 0.5)
    var digits = String(parts % 10000)
    digits = String(repeating: "0", count: 4 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    let number = "\(parts / 10000)" + (digits.isEmpty ? "" : "." + digits)
    return MathNode(.mspace, text: "", ["width": number + "em"])
  }

  /// Commands that show nothing: for numbers of equations, for breaks, for the size of letters.
  private static let silent: Set<String> = [
    "nonumber", "notag", "relax", "null", "strut", "mathstrut", "allowbreak", "nobreak", "noindent", "centering",
    "protect",
    "displaylimits", "/", "-", "tiny", "scriptsize", "footnotesize", "small", "normalsize", "large", "Large", "LARGE",
    "huge",
    "Huge", "mathsurround", "hfill", "hfil", "smallskip", "medskip", "bigskip", "par", "nolinebreak", "linebreak",
    "normalfont",
    "hline", "inline", "bg_white", "bgroup", "egroup",
  ]

  // MARK: - Fences

  private static let sizes: [String: String] = Dictionary(
    uniqueKeysWithValues: [("big", "1.2em"), ("Big", "1.8em"), ("bigg", "2.4em"), ("Bigg", "3em")].flatMap {
      name, size in
      ["", "l", "r", "m"].map { (name + $0, size) }
    })

  private mutating func delimiter(size: String) throws(Unknown) -> MathNode {
    MathNode(.mo, text: try delimiter(), ["stretchy": "true", "minsize": size, "maxsize": size])
  }

  /// Reads the delimiter behind `\left` and its like; empty for a period.
  private mutating func delimiter() throws(Unknown) -> String {
    switch scanner.next() {
    case .character("."): return ""
    case .character("<"): return "⟨"
    case .character(">"): return "⟩"
    case .character(let scalar) where "()[]|/".unicodeScalars.contains(scalar): return String(scalar)
    case .command(let name):
      guard let symbol = TeXSymbols.table[name], [.fence, .sign, .operator].contains(symbol.kind) else {
        throw Unknown()
      }
      return symbol.text
    default: throw Unknown()
    }
  }

  private mutating func leftAndRight() throws(Unknown) -> MathNode {
    func fence(_ text: String) -> [MathNode] {
      text.isEmpty ? [] : [MathNode(.mo, text: text, ["fence": "true", "stretchy": "true"])]
    }
    var nodes = fence(try delimiter())
    while true {
      nodes += try expression()
      switch scanner.next() {
      case .command("middle"): nodes += fence(try delimiter())
      case .command("right"):
        return MathNode(.mrow, nodes + fence(try delimiter()))
      default: throw Unknown()
      }
    }
  }

  func fenced(_ fences: (String, String), _ node: MathNode) -> MathNode {
    if fences.0.isEmpty, fences.1.isEmpty { return node }
    func fence(_ text: String) -> [MathNode] { text.isEmpty ? [] : [MathNode(.mo, text: text, ["fence": "true"])] }
    return MathNode(.mrow, fence(fences.0) + [node] + fence(fences.1))
  }

  // MARK: - Fractions

  private struct Fraction {
    var fences = ("", "")
    var hasLine = true
    var display: Bool?
  }

  private static let fractions: [String: Fraction] = [
    "frac": Fraction(), "dfrac": Fraction(display: true), "tfrac": Fraction(display: false),
    "cfrac": Fraction(display: true),
    "binom": Fraction(fences: ("(", ")"), hasLine: false),
    "dbinom": Fraction(fences: ("(", ")"), hasLine: false, display: true),
    "tbinom": Fraction(fences: ("(", ")"), hasLine: false, display: false), "nicefrac": Fraction(), "sfrac": Fraction(),
  ]

  static func fraction(_ above: MathNode, _ below: MathNode, hasLine: Bool) -> MathNode {
    MathNode(.mfrac, [above, below]).with(hasLine ? [:] : ["linethickness": "0"])
  }

  private mutating func fraction(_ kind: Fraction) throws(Unknown) -> MathNode {
    _ = scanner.bracketed()
    let above = try argument()
    var node = Self.fraction(above, try argument(), hasLine: kind.hasLine)
    if let display = kind.display {
      node = MathNode(.mstyle, [node]).with(["displaystyle": display ? "true" : "false", "scriptlevel": "0"])
    }
    return fenced(kind.fences, node)
  }

  // MARK: - Text

  private static let textCommands: Set<String> = [
    "text", "mbox", "hbox", "textrm", "textbf", "textit", "textsf", "texttt", "textup", "textnormal", "textmd", "emph",
    "intertext", "textsc",
  ]

  /// Reads words within a formula, with formulas in them: `\text{if $x$ is odd}`.
  private mutating func text() throws(Unknown) -> MathNode {
    guard scanner.take("{") else {
      guard case .character(let scalar) = scanner.next() else { throw Unknown() }
      return MathNode(.mtext, text: String(scalar))
    }
    var (nodes, text, depth): ([MathNode], String, Int) = ([], "", 1)
    func read() -> [MathNode] { text.isEmpty ? [] : [MathNode(.mtext, text: text)] }
    while true {
      switch scanner.raw() {
      case .end: throw Unknown()
      case .character("{"): depth += 1
      case .character("}"):
        depth -= 1
        if depth == 0 { return .row(nodes + read()) }
      case .character("$"):
        nodes += read()
        text = ""
        nodes.append(try formulaInText())
      case .character("~"): text += "\u{A0}"
      case .character(let scalar):
        // Spaces at the ends of an element of MathML are not shown.
        text.unicodeScalars.append(scalar.properties.isWhitespace ? "\u{A0}" : scalar)
      case .command(let name): text += try words(of: name)
      }
    }
  }

  private mutating func formulaInText() throws(Unknown) -> MathNode {
    var source = String.UnicodeScalarView()
    while true {
      switch scanner.raw() {
      case .end: throw Unknown()
      case .character("$"): return try inner(String(source))
      case .character(let scalar): source.append(scalar)
      case .command(let name): source += "\\\(name) ".unicodeScalars
      }
    }
  }

  /// The words of a command within text: `\%`, `\textbf` before its group, `\ldots`.
  private mutating func words(of name: String) throws(Unknown) -> String {
    if Self.textCommands.contains(name) || TeXVariant.switches[name] != nil || Self.silent.contains(name) { return "" }
    if Self.spaces[name] != nil { return "\u{A0}" }
    if let accent = Self.textAccents[name], case .character(let letter) = scanner.next(), letter != "{" {
      return String(letter) + accent
    }
    guard let symbol = TeXSymbols.table[name], [.sign, .variable, .operator, .fence].contains(symbol.kind) else {
      throw Unknown()
    }
    return symbol.text
  }

  private static let textAccents = [
    "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "\"": "\u{308}", "~": "\u{303}", "=": "\u{304}",
  ]

  // MARK: - Structures

  private static let enclosures = [
    "boxed": "box", "fbox": "box", "cancel": "updiagonalstrike", "bcancel": "downdiagonalstrike",
    "xcancel": "updiagonalstrike downdiagonalstrike", "sout": "horizontalstrike",
  ]

  private mutating func structure(_ name: String) throws(Unknown) -> Nucleus? {
    switch name {
    case "left": return Nucleus(node: try leftAndRight())
    case "begin": return Nucleus(node: try environment())
    case "sqrt": return Nucleus(node: try root())
    case "not": return Nucleus(node: try negated())
    case "operatorname", "operatorname*":
      return Nucleus(node: try functionName(), hasLimits: name.hasSuffix("*") && isDisplayed, isFunction: true)
    case "mathop": return Nucleus(node: try argument(), hasLimits: isDisplayed)
    case "mathrel", "mathbin", "mathord", "mathopen", "mathclose", "mathpunct", "mathinner", "ensuremath", "smash",
      "mathrlap",
      "mathllap", "mathclap", "rlap", "llap", "hphantom", "vphantom", "phantom":
      return Nucleus(node: try wrapped(name))
    case "overset", "stackrel", "underset": return Nucleus(node: try stacked(name))
    case "hspace", "hspace*", "kern", "mkern", "hskip", "mskip", "mspace":
      return try spaceOfLength().map { Nucleus(node: $0) }
    case "bmod", "pmod", "mod", "pod": return Nucleus(node: try modulus(name))
    case "textcolor":
      guard let color = scanner.braced() else { throw Unknown() }
      return Nucleus(node: MathNode(.mstyle, [try argument()]).with(["mathcolor": color]))
    case "tag", "tag*": return Nucleus(node: try tag(hasFences: name == "tag"))
    case "label":
      if scanner.braced() == nil { throw Unknown() }
      return nil
    case "substack": return Nucleus(node: try rows("substack", endsWithBrace: true))
    case "bra", "ket", "braket", "Bra", "Ket", "Braket": return Nucleus(node: try braket(name.lowercased()))
    case "genfrac": return Nucleus(node: try generalFraction())
    case "LaTeX", "TeX", "KaTeX": return Nucleus(node: MathNode(.mtext, text: name))
    default: throw Unknown()
    }
  }

  private mutating func root() throws(Unknown) -> MathNode {
    let degree = scanner.bracketed()
    let index = try degree.map { (source) throws(Unknown) in try inner(source) }
    let radicand = try argument()
    return index.map { MathNode(.mroot, [radicand, $0]) } ?? MathNode(.msqrt, [radicand])
  }

  /// The relations that have a character of their own when they are negated; others get a stroke over them.
  private static let negations = [
    "=": "≠", "∈": "∉", "∋": "∌", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "⊂": "⊄", "⊃": "⊅", "⊆": "⊈", "⊇": "⊉",
    "≡": "≢",
    "∼": "≁", "≃": "≄", "≅": "≇", "≈": "≉", "∣": "∤", "|": "∤", "∥": "∦", "∃": "∄", "→": "↛", "←": "↚", "↔": "↮",
    "⇒": "⇏",
    "⇔": "⇎", "⇐": "⇍", "≺": "⊀", "≻": "⊁", "⊢": "⊬", "⊨": "⊭",
  ]

  private mutating func negated() throws(Unknown) -> MathNode {
    var node = try argument()
    guard node.children.isEmpty, !node.text.isEmpty else { throw Unknown() }
    node.text = Self.negations[node.text] ?? node.text + "\u{338}"
    return node
  }

  /// The name of a function in letters, with thin spaces between its words; a row when there is more than letters.
  private mutating func functionName() throws(Unknown) -> MathNode {
    let written = try argument(in: .upright)
    var name = ""
    for node in written.name == .mrow ? written.children : [written] {
      switch node.name {
      case .mi, .mn, .mo, .mtext: name += node.text == "−" ? "-" : node.text
      case .mspace: name += "\u{2009}"
      default: return written
      }
    }
    return MathNode(.mi, text: name, name.unicodeScalars.count == 1 ? ["mathvariant": "normal"] : [:])
  }

  private mutating func wrapped(_ name: String) throws(Unknown) -> MathNode {
    let node = try argument()
    switch name {
    case "phantom", "hphantom", "vphantom": return MathNode(.mphantom, [node])
    case "mathrel", "mathbin":
      return node.name == .mi && node.children.isEmpty ? MathNode(.mo, text: node.text) : node
    default: return node
    }
  }

  private mutating func stacked(_ name: String) throws(Unknown) -> MathNode {
    let script = try argument(isScript: true)
    let base = try argument()
    return MathNode(name == "underset" ? .munder : .mover, [base, script])
  }

  private mutating func spaceOfLength() throws(Unknown) -> MathNode? {
    let isBraced = scanner.take("{")
    guard let width = scanner.length(), !isBraced || scanner.take("}"), abs(width) < 100 else { throw Unknown() }
    return width < 0 ? nil : Self.space(width)
  }

  private mutating func modulus(_ name: String) throws(Unknown) -> MathNode {
    let mod = MathNode(.mi, text: "mod")
    if name == "bmod" { return MathNode(.mo, text: "mod", ["lspace": "0.22em", "rspace": "0.22em"]) }
    let number = try argument()
    if name == "mod" { return MathNode(.mrow, [Self.space(0.6667), mod, Self.space(0.3333), number]) }
    let open = MathNode(.mo, text: "(", ["stretchy": "false"])
    let inside = name == "pmod" ? [mod, Self.space(0.3333), number] : [number]
    return MathNode(.mrow, [Self.space(0.4444), open] + inside + [MathNode(.mo, text: ")", ["stretchy": "false"])])
  }

  /// The number of an equation, behind it.
  private mutating func tag(hasFences: Bool) throws(Unknown) -> MathNode {
    guard let number = scanner.braced() else { throw Unknown() }
    let plain = number.filter { $0 != "$" && $0 != "{" && $0 != "}" }
    if plain.contains("\\") { throw Unknown() }
    return MathNode(.mrow, [Self.space(2), MathNode(.mtext, text: hasFences ? "(\(plain))" : plain)])
  }

  private mutating func braket(_ name: String) throws(Unknown) -> MathNode {
    func fence(_ text: String) -> MathNode { MathNode(.mo, text: text, ["stretchy": "false"]) }
    let inside = try argument()
    let (left, right) = (name == "ket" ? "|" : "⟨", name == "bra" ? "|" : "⟩")
    return MathNode(.mrow, [fence(left), inside, fence(right)])
  }

  /// Reads `\genfrac{(}{)}{0pt}{}{n}{k}`: fences, thickness, style, parts.
  private mutating func generalFraction() throws(Unknown) -> MathNode {
    var fences: [String] = []
    for _ in 0..<2 {
      let isBraced = scanner.take("{")
      fences.append(isBraced && scanner.take("}") ? "" : try delimiter())
      if isBraced, !fences[fences.count - 1].isEmpty, !scanner.take("}") { throw Unknown() }
    }
    guard let thickness = scanner.braced(), scanner.braced() != nil else { throw Unknown() }
    let above = try argument()
    let fraction = Self.fraction(above, try argument(), hasLine: !thickness.hasPrefix("0"))
    return fenced((fences[0], fences[1]), fraction)
  }
}

extension TeXParser {
  /// How an environment such as `\begin{cases}` is laid out.
  private struct Layout {
    var fences = ("", "")
    /// The sides that cells stand at, repeated as often as there are columns; `c`, `l` or `r`.
    var sides: [Character] = ["c"]
    /// Whether fractions and large operators in its cells are as large as in a displayed formula.
    var isDisplayed = false
    /// Whether an argument comes behind its name, as the sides of columns do.
    var hasArgument = false
    /// Whether all of it is one formula, in rows if there are several.
    var isWhole = false
  }

  private static let layouts: [String: Layout] = {
    var layouts: [String: Layout] = [
      "matrix": Layout(), "smallmatrix": Layout(), "pmatrix": Layout(fences: ("(", ")")),
      "bmatrix": Layout(fences: ("[", "]")), "Bmatrix": Layout(fences: ("{", "}")),
      "vmatrix": Layout(fences: ("|", "|")),
      "Vmatrix": Layout(fences: ("‖", "‖")), "cases": Layout(fences: ("{", ""), sides: ["l"]),
      "dcases": Layout(fences: ("{", ""), sides: ["l"], isDisplayed: true),
      "rcases": Layout(fences: ("", "}"), sides: ["l"]),
      "array": Layout(hasArgument: true), "darray": Layout(isDisplayed: true, hasArgument: true),
      "subarray": Layout(hasArgument: true), "substack": Layout(),
    ]
    for name in ["aligned", "align", "align*", "split", "flalign", "flalign*", "eqnarray", "eqnarray*"] {
      layouts[name] = Layout(sides: name.hasPrefix("eqn") ? ["r", "c", "l"] : ["r", "l"], isDisplayed: true)
    }
    for name in ["alignedat", "alignat", "alignat*"] {
      layouts[name] = Layout(sides: ["r", "l"], isDisplayed: true, hasArgument: true)
    }
    for name in ["gathered", "gather", "gather*", "multline", "multline*"] { layouts[name] = Layout(isDisplayed: true) }
    for name in ["equation", "equation*", "displaymath", "math"] {
      layouts[name] = Layout(isDisplayed: true, isWhole: true)
    }
    return layouts
  }()

  /// Reads the whole formula; with a break of lines in it, as rows of a table.
  mutating func whole() throws(Unknown) -> [MathNode] {
    let rows = try table()
    if scanner.next() != .end { throw Unknown() }
    if rows.count == 1, rows[0].count == 1 { return rows[0][0] }
    let isAligned = rows.contains { $0.count > 1 }
    return [Self.table(rows, Layout(sides: isAligned ? ["r", "l"] : ["l"], isDisplayed: isDisplayed))]
  }

  mutating func environment() throws(Unknown) -> MathNode {
    guard let name = scanner.braced(), Self.layouts[name] != nil else { throw Unknown() }
    return try rows(name, endsWithBrace: false)
  }

  /// Reads the rows of an environment, to `\end` with its name or, of `\substack{a\\b}`, to the brace.
  mutating func rows(_ name: String, endsWithBrace: Bool) throws(Unknown) -> MathNode {
    guard var layout = Self.layouts[name], !endsWithBrace || scanner.take("{") else { throw Unknown() }
    _ = scanner.bracketed()
    if layout.hasArgument {
      guard let argument = scanner.braced() else { throw Unknown() }
      let sides = argument.filter { "clr".contains($0) }
      if !sides.isEmpty { layout.sides = Array(sides) }
    }
    let outer = isDisplayed
    isDisplayed = layout.isDisplayed
    let table = try table()
    isDisplayed = outer
    if endsWithBrace {
      if !scanner.take("}") { throw Unknown() }
    } else if scanner.next() != .command("end") || scanner.braced() != name {
      throw Unknown()
    }
    if layout.isWhole, table.count == 1, table[0].count == 1 { return .row(table[0][0]) }
    return fenced(layout.fences, Self.table(table, layout))
  }

  private static func table(_ rows: [[[MathNode]]], _ layout: Layout) -> MathNode {
    let columns = rows.map(\.count).max() ?? 0
    let sides = (0..<columns).map { column in
      switch layout.sides[column % layout.sides.count] {
      case "l": "left"
      case "r": "right"
      default: "center"
      }
    }
    let table = MathNode(.mtable, rows.map { MathNode(.mtr, $0.map { MathNode(.mtd, $0) }) })
    return table.with([
      "columnalign": sides.joined(separator: " "), "displaystyle": layout.isDisplayed ? "true" : "false",
    ])
  }

  /// Reads rows of cells up to what ends them.
  private mutating func table() throws(Unknown) -> [[[MathNode]]] {
    var rows: [[[MathNode]]] = [[]]
    while true {
      while case .command(let line) = scanner.peek(), Self.lines.contains(line) {
        _ = scanner.next()
        if line == "cline" { _ = scanner.braced() }
      }
      rows[rows.count - 1].append(try expression())
      switch scanner.peek() {
      case .character("&"): _ = scanner.next()
      case .command("\\"), .command("cr"), .command("newline"):
        _ = scanner.next()
        _ = scanner.take("*")
        _ = scanner.bracketed()
        rows.append([])
      default:
        // A break behind the last row begins no other.
        if rows.count > 1, rows[rows.count - 1].allSatisfy(\.isEmpty) { rows.removeLast() }
        return rows
      }
    }
  }

  private static let lines: Set = ["hline", "hdashline", "cline", "toprule", "midrule", "bottomrule"]
}

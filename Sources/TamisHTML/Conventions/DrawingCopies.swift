import TamisCore

extension HTMLTree {
  /// Puts what a drawing uses again where it is used: `<path id="a" d="M0 0h6"/><use href="#a" x="5"/>` becomes
  /// `<path id="a" d="M0 0h6"/><g transform="translate(5,0)"><path d="M0 0h6"/></g>`.
  ///
  /// matplotlib, cairo and MathJax draw each letter so. What `use` shows would be a document of its own, which may be
  /// elsewhere; a copy cannot (SVG 2, 5.6).
  ///
  /// - Parameter budget: the number of nodes that may still be copied; negative when there would be more.
  mutating func copyUsedDrawings(_ budget: inout Int) {
    let use = knownNumber(ofElement: "use")
    guard use >= 0 else { return }
    let uses = nodes.indices.filter { nodes[$0].name == use && nodes[$0].namespace == .svg }.map { Int32($0) }
    if uses.isEmpty { return }
    var drawn: [ArraySlice<UInt8>: Int32] = [:]
    for node in nodes.indices where nodes[node].kind == .element && nodes[node].namespace == .svg {
      guard let id = value(of: "id", Int32(node)), !id.isEmpty, drawn[bytes[id]] == nil else { continue }
      drawn[bytes[id]] = Int32(node)
    }
    for node in uses { expand(node, drawn, depth: 0, &budget) }
  }

  /// The maximum number of uses in what is used.
  private static let deepest = 4

  private mutating func expand(
    _ use: Int32, _ drawn: [ArraySlice<UInt8>: Int32], depth: Int, _ budget: inout Int
  ) {
    guard let target = target(of: use, drawn), depth < Self.deepest, budget > 0 else { return }
    let isSymbol = text(ofElement: nodes[Int(target)].name) == "symbol"
    let (x, y) = (number("x", of: use), number("y", of: use))
    if x != "0" || y != "0" {
      let own = value(of: "transform", use).map { Array(bytes[$0]) + [ASCII.space] } ?? []
      set("transform", store(own + "translate(\(x),\(y))".utf8), of: use)
    }
    rename(drawn: use, "g")
    isRearranged = true
    defer { remove(["href", "xlink:href", "x", "y", "width", "height"], of: use) }
    if !isSymbol { return copy(target, into: use, drawn, depth, &budget) }
    // A symbol is a drawing of its own size (SVG 2, 5.5).
    let inner = copy(target, without: ["id", "x", "y"])
    rename(drawn: inner, "svg")
    for name in ["width", "height"] {
      if let size = value(of: name, use) { set(name, size, of: inner) }
    }
    insert(inner, into: use)
    for child in children(of: target) { copy(child, into: inner, drawn, depth, &budget) }
  }

  private mutating func copy(
    _ node: Int32, into parent: Int32, _ drawn: [ArraySlice<UInt8>: Int32], _ depth: Int, _ budget: inout Int
  ) {
    budget -= 1
    if budget < 0 { return }
    let copy = copy(node, without: ["id"])
    insert(copy, into: parent)
    if target(of: copy, drawn) != nil { return expand(copy, drawn, depth: depth + 1, &budget) }
    // What is used may hold its user.
    for child in children(of: node) where child != copy { self.copy(child, into: copy, drawn, depth, &budget) }
  }

  /// Returns the element that a `use` shows; nil for other elements, and for one in another document.
  private func target(of node: Int32, _ drawn: [ArraySlice<UInt8>: Int32]) -> Int32? {
    guard nodes[Int(node)].kind == .element, text(ofElement: nodes[Int(node)].name) == "use",
      let address = value(of: "href", node) ?? value(of: "xlink:href", node),
      bytes[address].first == UInt8(ascii: "#")
    else { return nil }
    return drawn[bytes[address].dropFirst()]
  }

  /// Returns an attribute that is a number or a length in pixels, without its unit; "0" for any other.
  private func number(_ name: String, of node: Int32) -> String {
    guard let value = value(of: name, node), value.count < 30 else { return "0" }
    let text = String(streamSafe: bytes[value]).trimmed()
    let number = text.hasSuffix("px") ? String(text.dropLast(2)) : text
    return Double(number).map { $0.isFinite && $0 != 0 ? number : "0" } ?? "0"
  }
}

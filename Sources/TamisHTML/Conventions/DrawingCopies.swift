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
    for use in uses {
      if budget <= 0 {
        budget = -1
        return
      }
      expand(use, drawn, &budget)
    }
  }

  /// The maximum number of uses in what is used.
  private static let deepest = 4

  /// A node that is to be copied into another, and the number of uses around it.
  private typealias Copy = (node: Int32, parent: Int32, depth: Int)

  private mutating func expand(_ use: Int32, _ drawn: [ArraySlice<UInt8>: Int32], _ budget: inout Int) {
    guard let target = target(of: use, drawn), !isInside(use, target) else { return }
    var waiting = begin(use, showing: target, depth: 0)
    while let (node, parent, depth) = waiting.popLast() {
      budget -= 1
      if budget < 0 { return }
      let copy = copy(node, without: ["id"])
      insert(copy, into: parent)
      // What is used may use its user.
      if depth < Self.deepest, let target = self.target(of: copy, drawn), !isInside(use, target) {
        waiting += begin(copy, showing: target, depth: depth)
      } else {
        waiting += children(of: node).reversed().map { ($0, copy, depth) }
      }
    }
  }

  /// Makes a group of a `use`; returns what is to be copied into it, the last first.
  private mutating func begin(_ use: Int32, showing target: Int32, depth: Int) -> [Copy] {
    let (x, y) = (number("x", of: use), number("y", of: use))
    if x != "0" || y != "0" {
      let own = value(of: "transform", use).map { Array(bytes[$0]) + [ASCII.space] } ?? []
      set("transform", store(own + "translate(\(x),\(y))".utf8), of: use)
    }
    rename(drawn: use, "g")
    isRearranged = true
    defer { remove(["href", "xlink:href", "x", "y", "width", "height"], of: use) }
    guard text(ofElement: nodes[Int(target)].name) == "symbol" else { return [(target, use, depth + 1)] }
    // A symbol is a drawing of its own size (SVG 2, 5.5), but for one whose edges do not cut it, as cairo's glyphs.
    let isOpen = value(of: "overflow", target).map { bytes[$0].elementsEqual("visible".utf8) } ?? false
    let inner = copy(target, without: ["id", "x", "y"])
    rename(drawn: inner, isOpen && value(of: "viewbox", target) == nil ? "g" : "svg")
    for name in ["width", "height"] {
      if let size = value(of: name, use) { set(name, size, of: inner) }
    }
    insert(inner, into: use)
    return children(of: target).reversed().map { ($0, inner, depth + 1) }
  }

  private func isInside(_ node: Int32, _ outer: Int32) -> Bool {
    var node = node
    while node > 0, node != outer { node = nodes[Int(node)].parent }
    return node == outer
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

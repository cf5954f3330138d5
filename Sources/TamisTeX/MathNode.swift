/// An element of MathML with what is in it.
package struct MathNode: Equatable, Sendable {
  /// The name of an element.
  package enum Name: String, Sendable {
    case annotation, math, menclose, mfrac, mi, mn, mo, mover, mpadded, mphantom, mroot, mrow, mspace, msqrt, mstyle,
      msub,
      msubsup, msup, mtable, mtd, mtext, mtr, munder, munderover, semantics
  }

  package var name: Name
  package var attributes: [Attribute] = []
  package var text = ""
  package var children: [MathNode] = []

  /// An attribute, such as `mathvariant="normal"`.
  package struct Attribute: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  init(_ name: Name, _ children: [MathNode]) { (self.name, self.children) = (name, children) }

  init(_ name: Name, text: String = "", _ attributes: KeyValuePairs<String, String> = [:]) {
    (self.name, self.text) = (name, text)
    self.attributes = attributes.map { Attribute(name: $0.key, value: $0.value) }
  }

  func with(_ attributes: KeyValuePairs<String, String>) -> MathNode {
    var node = self
    node.attributes += attributes.map { Attribute(name: $0.key, value: $0.value) }
    return node
  }

  /// The only node of a list, or a row of them.
  static func row(_ nodes: [MathNode]) -> MathNode { nodes.count == 1 ? nodes[0] : MathNode(.mrow, nodes) }
}

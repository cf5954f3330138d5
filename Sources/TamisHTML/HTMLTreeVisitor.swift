/// A pass over a tree in document order.
package protocol HTMLTreeVisitor {
  /// Handles a node; returns whether its children are visited and ``leave(_:of:)`` follows.
  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool

  /// Handles the end of a node whose children were visited.
  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree)
}

extension HTMLTree {
  /// Visits all nodes but the document itself, or those inside of a node.
  package func visit(_ visitor: inout some HTMLTreeVisitor, in root: Int32 = 0) {
    var node = nodes[Int(root)].first
    while node > 0 {
      if visitor.enter(node, of: self) {
        if nodes[Int(node)].first >= 0 {
          node = nodes[Int(node)].first
          continue
        }
        visitor.leave(node, of: self)
      }
      while node > 0, nodes[Int(node)].next < 0 {
        node = nodes[Int(node)].parent
        if node == root { return }
        if node > 0 { visitor.leave(node, of: self) }
      }
      if node > 0 { node = nodes[Int(node)].next }
    }
  }
}

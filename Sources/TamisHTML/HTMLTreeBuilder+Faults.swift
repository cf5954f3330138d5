/// The first difference between a source and the tree that is built of it, such as `</b>` that ends nothing.
///
/// A source without one is built as its tags nest.
package struct NestingFault: Sendable {
  /// A kind of faults.
  package enum Kind: Sendable {
    /// A tag is missing or superfluous.
    case balance
    /// Something is moved, left out or duplicated.
    case structure
  }
  package let kind: Kind
  /// The fault in words, such as `<i> is not ended before </b>`.
  package let message: String
}

/// The observation of nesting, token by token.
extension HTMLTreeBuilder {
  /// Elements whose end tag may be missing, or which have none in the source (HTML Standard, 13.1.2.4).
  private static let endsByItself = HTMLNames.allImpliedEnds.union([.html, .head, .body])

  /// The state before a token, with which the state behind it is compared.
  struct Observation {
    var stack: [Int32]
    var nodes: Int
    var copies: Int
  }

  /// Begins to observe a token; the stack has at most ``HTMLOptions/deepest`` elements.
  mutating func observation(of token: Token) -> Observation? {
    guard notesFaults else { return nil }
    if token.isStart([.html, .body]), context >= 0, !hasOpen(.template) { pageAttributes.append(token.attributes) }
    if fault != nil { return nil }
    if token.kind == .end { noteEnd(token) }
    return Observation(stack: stack, nodes: tree.nodes.count, copies: copyCount)
  }

  /// Notes what a token has changed otherwise than the source says.
  mutating func compare(_ before: Observation?, _ token: Token) {
    guard let before else { return }
    if token.kind == .start { noteStart(token, before.nodes, before.stack) }
    let added = tree.nodes[before.nodes...]
    if copyCount != before.copies, let copy = added.first(where: { $0.origin == .copy }) {
      note(.structure, "<\(tree.text(ofElement: copy.name))> goes on behind the element in which it was opened")
    }
    if let node = added.first(where: { $0.isMoved && $0.origin == .tag }) {
      let what = node.kind == .text ? "text" : "<\(tree.text(ofElement: node.name))>"
      note(.structure, "\(what) is moved before the table")
    }
    if isTooDeep { note(.structure, "it is nested deeper than browsers nest") }
  }

  private mutating func note(_ kind: NestingFault.Kind, _ message: String) {
    if fault == nil { fault = NestingFault(kind: kind, message: message) }
  }

  private func text(_ node: Int32) -> String { tree.text(ofElement: tree.nodes[Int(node)].name) }

  private func endsByItself(_ node: Int32) -> Bool { Self.endsByItself.contains(name(node)) }

  /// Notes an end tag that ends nothing, or others than the innermost element.
  private mutating func noteEnd(_ token: Token) {
    if token.known == .p || token.known == .br, let node = stack.last, tree.nodes[Int(node)].namespace != .html {
      return note(.structure, "an end tag of HTML ends <\(text(node))>")
    }
    // An end tag of formatting ends no other element by itself.
    let isFormatting = HTMLNames.formatting.contains(token.known)
    let innermost = stack.last { isFormatting || tree.nodes[Int($0)].name == token.name || !endsByItself($0) }
    if let innermost, tree.nodes[Int(innermost)].name == token.name { return }
    if token.known == .body || token.known == .html, stack.count > 1, name(stack[1]) == .body { return }
    let tag = "</\(tree.text(ofElement: token.name))>"
    guard let innermost, stack.contains(where: { tree.nodes[Int($0)].name == token.name }) else {
      return note(.balance, "\(tag) ends nothing that is open")
    }
    note(.balance, "<\(text(innermost))> is not ended before \(tag)")
  }

  /// Notes a start tag that makes no element, another one, or ends what is not ended by it in the source.
  private mutating func noteStart(_ token: Token, _ nodes: Int, _ before: [Int32]) {
    let name = tree.text(ofElement: token.name)
    guard let node = tree.nodes[nodes...].first(where: { $0.kind == .element && $0.origin == .tag }) else {
      return note(.structure, "<\(name)> is ignored inside <\(before.last.map { text($0) } ?? "html")>")
    }
    if node.name != token.name { note(.structure, "<\(name)> is read as <\(tree.text(ofElement: node.name))>") }
    let common = zip(before, stack).prefix { $0 == $1 }.count
    guard let outer = before[common...].first else {
      // A form in a table has no content.
      if stack.count <= before.count, node.namespace == .html, !HTMLNames.void.contains(token.known) {
        note(.structure, "<\(name)> is ignored inside <\(before.last.map { text($0) } ?? "html")>")
      }
      return
    }
    if !endsByItself(outer) { return note(.structure, "<\(name)> ends <\(text(outer))>") }
    if let inner = before[common...].last(where: { !endsByItself($0) }) {
      note(.balance, "<\(text(inner))> is not ended before </\(text(outer))>")
    }
  }

  /// Notes what is open at the end of the source.
  mutating func noteUnended() {
    if tokenizer.unfinished != nil { return note(.balance, "a tag or a comment is not ended") }
    guard let node = stack.dropFirst(context >= 0 ? 1 : 0).last(where: { !endsByItself($0) }) else { return }
    note(.balance, "<\(text(node))> is not ended")
  }
}

/// The list of active formatting elements (13.2.4.3) and the adoption agency (13.2.6.4.7).
extension HTMLTreeBuilder {
  static let marker: Int32 = -1

  /// Notes a formatting element; of four that are alike since the last marker the first is forgotten, and so is the first of too many
  /// (``mostFormatting``).
  mutating func noteFormatting(_ node: Int32) {
    var (count, alike, first) = (0, 0, 0)
    for index in formatting.indices.reversed() {
      let other = formatting[index]
      if other == Self.marker { break }
      count += 1
      let (one, two) = (tree.nodes[Int(node)], tree.nodes[Int(other)])
      if one.name == two.name, one.namespace == two.namespace, tree.haveEqualAttributes(node, other) {
        (alike, first) = (alike + 1, index)
      }
    }
    if alike >= 3 {
      formatting.remove(at: first)
    } else if count >= mostFormatting {
      formatting.remove(at: formatting.count - count)
    }
    formatting.append(node)
  }

  /// Opens again what was open when something around it ended.
  mutating func reconstructFormatting() {
    guard let last = formatting.last, last != Self.marker, !stack.contains(last) else { return }
    var index = formatting.count - 1
    while index > 0, formatting[index - 1] != Self.marker, !stack.contains(formatting[index - 1]) { index -= 1 }
    while index < formatting.count {
      guard allowsCopy else {
        isLimited = true
        return
      }
      copyCount += 1
      formatting[index] = insert(clone(formatting[index]))
      index += 1
    }
  }

  private mutating func clone(_ node: Int32) -> Token {
    tree.noteCopy(of: node)
    let node = tree.nodes[Int(node)]
    return Token(
      kind: .start, name: node.name, attributes: node.content, origin: .copy, location: node.location)
  }

  mutating func clearFormatting() {
    while let last = formatting.popLast() { if last == Self.marker { return } }
  }

  func lastFormatting(_ name: HTMLName) -> Int? {
    for index in formatting.indices.reversed() {
      if formatting[index] == Self.marker { return nil }
      if self.name(formatting[index]) == name { return index }
    }
    return nil
  }

  /// The adoption agency algorithm.
  mutating func adopt(_ token: Token, _ subject: HTMLName) {
    if isCurrent(subject), let node = stack.last, !formatting.contains(node) { return pop() }
    for _ in 0..<8 {
      guard let entry = lastFormatting(subject) else { return otherEnd(token) }
      let element = formatting[entry]
      guard let position = stack.lastIndex(of: element) else {
        formatting.remove(at: entry)
        return
      }
      if !isInScope(node: element) { return }
      guard let furthest = stack[(position + 1)...].firstIndex(where: { isSpecial($0) }) else {
        stack.removeSubrange(position...)
        formatting.remove(at: entry)
        return
      }
      adopt(element, at: position, entry, furthest)
    }
  }

  private mutating func adopt(_ element: Int32, at position: Int, _ entry: Int, _ furthest: Int) {
    let (block, ancestor) = (stack[furthest], stack[position - 1])
    // The place where the clone goes: behind an entry, or where the element was.
    var bookmark = entry
    var (last, index) = (block, furthest)
    for count in 1... {
      index -= 1
      var node = stack[index]
      if node == element { break }
      var known = formatting.firstIndex(of: node)
      if count > 3, let forgotten = known {
        formatting.remove(at: forgotten)
        if forgotten < bookmark { bookmark -= 1 }
        known = nil
      }
      guard let known else {
        stack.remove(at: index)
        continue
      }
      let copy = clone(node)
      node = tree.addElement(copy.name, .html, copy.attributes, .copy, at: copy.location)
      formatting[known] = node
      stack[index] = node
      if last == block { bookmark = known + 1 }
      tree.remove(last)
      tree.insert(last, into: node)
      last = node
    }
    tree.remove(last)
    let place = place(in: ancestor)
    tree.insert(last, into: place.parent, before: place.before)
    let copy = clone(element)
    let new = tree.addElement(copy.name, .html, copy.attributes, .copy, at: copy.location)
    tree.moveChildren(of: block, to: new)
    tree.insert(new, into: block)
    if let old = formatting.firstIndex(of: element) {
      formatting.remove(at: old)
      if old < bookmark { bookmark -= 1 }
    }
    formatting.insert(new, at: min(bookmark, formatting.count))
    stack.removeAll { $0 == element }
    if let below = stack.lastIndex(of: block) { stack.insert(new, at: below + 1) }
  }

  /// Any other end tag.
  mutating func otherEnd(_ token: Token) {
    for index in stack.indices.reversed() {
      let node = tree.nodes[Int(stack[index])]
      if node.namespace == .html, node.name == token.name {
        generateImpliedEnds(except: token.known)
        if index < stack.count { stack.removeSubrange(index...) }
        return
      }
      if isSpecial(stack[index]) { return }
    }
  }
}

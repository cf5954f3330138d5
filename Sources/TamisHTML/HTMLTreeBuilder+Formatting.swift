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
    if mostFormatting <= 0 { return }
    if alike >= 3 {
      deactivate(at: first)
    } else if count >= mostFormatting {
      deactivate(at: formatting.count - count)
    }
    formatting.append(node)
    tree.noteActive(node, true)
  }

  /// Takes an element out of the list.
  private mutating func deactivate(at index: Int) { tree.noteActive(formatting.remove(at: index), false) }

  /// Takes an element out of the list, if it is there.
  mutating func deactivate(_ node: Int32) {
    if let index = activeIndex(of: node) { deactivate(at: index) }
  }

  /// Where an element is in the list, near its end for those that are open.
  private func activeIndex(of node: Int32) -> Int? {
    tree.nodes[Int(node)].isActive ? formatting.lastIndex(of: node) : nil
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
      replace(at: index, by: insert(clone(formatting[index])))
      index += 1
    }
  }

  private mutating func replace(at index: Int, by node: Int32) {
    tree.noteActive(formatting[index], false)
    tree.noteActive(node, true)
    formatting[index] = node
  }

  private mutating func clone(_ node: Int32) -> Token {
    // Whoever reads the tree reads the attributes of each copy.
    copyCount += 1 + tree.attributeBytes(of: node) / 64
    tree.noteCopy(of: node)
    let node = tree.nodes[Int(node)]
    return Token(
      kind: .start, name: node.name, attributes: node.content, origin: .copy, location: node.location)
  }

  mutating func clearFormatting() {
    while let last = formatting.popLast(), last != Self.marker { tree.noteActive(last, false) }
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
    if isCurrent(subject), let node = stack.last, !tree.nodes[Int(node)].isActive { return pop() }
    for _ in 0..<8 {
      guard let entry = lastFormatting(subject) else { return otherEnd(token) }
      let element = formatting[entry]
      guard let position = stack.lastIndex(of: element) else {
        deactivate(at: entry)
        return
      }
      if !isInScope(node: element) { return }
      guard let furthest = stack[(position + 1)...].firstIndex(where: { isSpecial($0) }) else {
        stack.removeSubrange(position...)
        deactivate(at: entry)
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
      var known = activeIndex(of: node)
      if count > 3, let forgotten = known {
        deactivate(at: forgotten)
        if forgotten < bookmark { bookmark -= 1 }
        known = nil
      }
      guard let known else {
        stack.remove(at: index)
        continue
      }
      let copy = clone(node)
      node = tree.addElement(copy.name, .html, copy.attributes, .copy, at: copy.location)
      replace(at: known, by: node)
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
    if let old = activeIndex(of: element) {
      deactivate(at: old)
      if old < bookmark { bookmark -= 1 }
    }
    formatting.insert(new, at: min(bookmark, formatting.count))
    tree.noteActive(new, true)
    stack.removeAll { $0 == element }
    if let below = stack.lastIndex(of: block) { stack.insert(new, at: below + 1) }
  }

  /// Any other end tag.
  mutating func otherEnd(_ token: Token) {
    for index in stack.indices.reversed() {
      let node = tree.nodes[Int(stack[index])]
      if node.namespace == .html, node.name == token.name {
        generateImpliedEnds(except: token.known)
        stack.removeSubrange(index...)
        return
      }
      if isSpecial(stack[index]) { return }
    }
  }
}

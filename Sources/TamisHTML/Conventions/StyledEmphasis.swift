import TamisCore

extension HTMLTree {
  /// Gives inline elements the emphasis that their styles say: `<span style="font-weight:700">never</span>` becomes
  /// `<b>never</b>`, and `<b style="font-weight:normal">`, which Google Docs puts around all that is copied there,
  /// goes.
  mutating func readStyledEmphasis() {
    let style = knownNumber(ofAttribute: "style")
    guard style >= 0, attributes.contains(where: { $0.name == style }) else { return }
    for node in nodes.indices.map({ Int32($0) }) where nodes[Int(node)].first >= 0 {
      guard let name = htmlName(node), let css = value(of: "style", node), css.count < Self.longestStyle else {
        continue
      }
      if Self.inlineElements.contains(name) {
        let style = EmphasisStyle(bytes[css])
        if style.isBlock { separate(node) }
        apply(style, to: node, name)
      } else if Self.blockElements.contains(name), EmphasisStyle(bytes[css]).isStruck == true {
        wrap(node, in: [.s])
      }
    }
  }

  /// The maximum length of a style in bytes; no longer one is about words.
  private static let longestStyle = 1000
  private static let inlineElements: HTMLNames = [
    .a, .b, .code, .em, .font, .i, .s, .small, .span, .strike, .strong, .sub, .sup, .tt, .u,
  ]

  /// The blocks whose words can be struck as a whole: what turns the sense round must not get lost.
  private static let blockElements: HTMLNames = [
    .blockquote, .dd, .div, .dt, .figcaption, .h1, .h2, .h3, .h4, .h5, .h6, .li, .p, .td, .th,
  ]

  /// Puts line breaks around an element that its style makes a block.
  private mutating func separate(_ node: Int32) {
    let parent = nodes[Int(node)].parent
    if parent < 0 || isInside(node, [.pre]) { return }
    let (before, behind) = (neighbour(of: node, \.previous), neighbour(of: node, \.next))
    if isInLine(before) { _ = insert(.br, into: parent, before: node) }
    if isInLine(behind) { _ = insert(.br, into: parent, before: behind) }
  }

  /// Returns the sibling before or behind a node that is more than white space; -1 when there is none.
  private func neighbour(of node: Int32, _ step: KeyPath<Node, Int32>) -> Int32 {
    var other = nodes[Int(node)][keyPath: step]
    while other >= 0, nodes[Int(other)].kind == .text, isBlank(text: other) {
      other = nodes[Int(other)][keyPath: step]
    }
    return other
  }

  /// Whether a node is text, or an element in a line of text.
  private func isInLine(_ node: Int32) -> Bool {
    if node < 0 { return false }
    return nodes[Int(node)].kind == .text || htmlName(node).map { Self.inlineElements.contains($0) } ?? false
  }

  private mutating func apply(_ style: EmphasisStyle, to node: Int32, _ name: HTMLName) {
    var wanted = style.elements.filter { !says($0.element, name) && !isInside(node, $0.same) }.map(\.element)
    let isNone = style.takes(name)
    if isNone || name == .span || name == .font {
      if let first = wanted.first, onlyElement(of: node) != first {
        rename(node, first)
        wanted.removeFirst()
      } else if isNone {
        if wanted.isEmpty { return unwrap(node) }
        rename(node, .span)
      }
    }
    wrap(node, in: wanted)
  }

  /// Puts elements around the content of a node, unless it is in such a one already.
  private mutating func wrap(_ node: Int32, in elements: [HTMLName]) {
    var node = node
    for element in elements {
      if onlyElement(of: node) != element {
        let new = insert(element, into: node)
        while nodes[Int(node)].first != new {
          let child = nodes[Int(node)].first
          remove(child)
          insert(child, into: new)
        }
      }
      node = nodes[Int(node)].first
    }
  }

  private mutating func unwrap(_ node: Int32) {
    let parent = nodes[Int(node)].parent
    if parent < 0 { return }
    moveChildren(of: node, to: parent, before: node)
    remove(node)
    isRearranged = true
  }

  private func onlyElement(of node: Int32) -> HTMLName? {
    let first = nodes[Int(node)].first
    return first >= 0 && nodes[Int(first)].next < 0 ? htmlName(first) : nil
  }

  private func says(_ element: HTMLName, _ name: HTMLName) -> Bool {
    switch name {
    case .strong: element == .b
    case .em: element == .i
    case .strike: element == .s
    case .a: element == .u
    default: element == name
    }
  }

  /// The number of elements around one that are asked whether they say the same.
  private static let reach = 8

  private func isInside(_ node: Int32, _ names: HTMLNames) -> Bool {
    var node = nodes[Int(node)].parent
    for _ in 0..<Self.reach where node > 0 {
      if let name = htmlName(node), names.contains(name) { return true }
      node = nodes[Int(node)].parent
    }
    return false
  }
}

/// The emphasis that an inline style gives or takes; nil where it says nothing.
private struct EmphasisStyle {
  private var isBold: Bool?
  private var isItalic: Bool?
  private var isUnderlined: Bool?
  private(set) var isStruck: Bool?
  /// Whether the element is a block.
  private(set) var isBlock = false
  private var level: HTMLName?

  private static let properties = NameIndex([
    "display", "font-weight", "font-style", "text-decoration", "text-decoration-line", "vertical-align",
  ])

  init(_ css: ArraySlice<UInt8>) {
    var declarations = InlineStyle(css, of: Self.properties)
    while let declaration = declarations.next() {
      switch declaration.name {
      case "display": isBlock = declaration.value == "block"
      case "font-weight": isBold = Self.isBold(declaration.value) ?? isBold
      case "font-style":
        let isSlanted = declaration.value.hasPrefix("italic") || declaration.value.hasPrefix("oblique")
        isItalic = isSlanted ? true : declaration.value == "normal" ? false : isItalic
      case "vertical-align": level = declaration.value == "super" ? .sup : declaration.value == "sub" ? .sub : nil
      default:
        let words = declaration.value.split(separator: " ")
        (isUnderlined, isStruck) = (words.contains("underline"), words.contains("line-through"))
      }
    }
  }

  private static func isBold(_ value: String) -> Bool? {
    switch value {
    case "bold", "bolder": true
    case "normal", "lighter": false
    default: Int(value).map { $0 >= 600 }
    }
  }

  private static let headings: HTMLNames = [.h1, .h2, .h3, .h4, .h5, .h6, .th, .dt]

  /// The elements that say the emphasis that the style gives, outermost first, each with those around it that do.
  var elements: [(element: HTMLName, same: HTMLNames)] {
    var elements: [(element: HTMLName, same: HTMLNames)] = []
    if isBold == true { elements.append((.b, Self.headings.union([.b, .strong]))) }
    if isItalic == true { elements.append((.i, [.i, .em])) }
    if isUnderlined == true { elements.append((.u, [.u, .a])) }
    if isStruck == true { elements.append((.s, [.s, .strike])) }
    if let level { elements.append((level, [.sup, .sub])) }
    return elements
  }

  /// Whether the style takes the emphasis of an element.
  func takes(_ name: HTMLName) -> Bool {
    switch name {
    case .b, .strong: isBold == false
    case .i, .em: isItalic == false
    case .u: isUnderlined == false
    case .s, .strike: isStruck == false
    default: false
    }
  }
}

import TamisCore

/// The parts of a fragment that its author has hidden: elements that browsers do not paint, and texts that nobody sees.
///
/// What hides is read from inline styles and attributes; no style sheets are applied. An element that only hides its
/// text goes as a whole when nothing else of it is seen. One pass over the tree, and none over one without hiding
/// attributes.
package struct HiddenParts: Sendable {
  /// What matters of an element by its name.
  package struct Kind: OptionSet, Sendable {
    package let rawValue: UInt16

    /// The element is removed with its content in any case.
    static let isDropped = Kind(rawValue: 1 << 0)
    /// The element is a block in which lines begin.
    static let isBlock = Kind(rawValue: 1 << 1)
    /// The element is part of a table, and moves others when it goes.
    static let isTablePart = Kind(rawValue: 1 << 2)
    /// The element shows something that is no text.
    static let isReplaced = Kind(rawValue: 1 << 3)
    static let isPicture = Kind(rawValue: 1 << 4)
    static let isDrawing = Kind(rawValue: 1 << 5)
    static let isButton = Kind(rawValue: 1 << 6)
    /// The text before and after the element is separated.
    static let separates = Kind(rawValue: 1 << 7)
    /// Browsers give the element a padding at its sides (HTML Standard, 15.3.7).
    static let isPadded = Kind(rawValue: 1 << 8)
    /// The element holds text in a drawing.
    static let isDrawnText = Kind(rawValue: 1 << 9)

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Finds the kind of an element by its name in lower case.
    package init(_ name: String) {
      self = Self.byName[name] ?? (name.utf8.contains(UInt8(ascii: "-")) ? .isReplaced : [])
    }

    private static let byName: [String: Kind] = {
      var kinds: [String: Kind] = [:]
      for (kind, names) in table {
        for name in names { kinds[name, default: []].insert(kind) }
      }
      return kinds
    }()

    private static let table: [(Kind, Set<String>)] = [
      (
        .isDropped, ElementTable.words("script style template noframes noembed frameset title textarea select datalist")
      ),
      (.isBlock, ElementTable.endingParagraphs.subtracting(["table"])),
      (.isTablePart, ElementTable.tableParts),
      (
        .isReplaced,
        ElementTable.words("img image svg video audio iframe object embed canvas area applet amp-img input hr")
      ),
      (.isPicture, ["img", "image", "amp-img"]),
      (.isDrawing, ["svg"]),
      (.isButton, ["button"]),
      (.isDrawnText, ["foreignobject", "text", "tspan", "textpath"]),
      (.isPadded, ["ul", "ol", "menu", "dir", "fieldset"]),
      (.separates, ElementTable.blocks.union(ElementTable.tableParts)),
    ]
  }

  /// Whether each node is hidden; empty when none is.
  private var isHidden: [Bool] = []
  private var styles = KnownStyles()

  /// Makes a value that hides nothing.
  package init() {}

  /// Returns whether a node is hidden.
  package func contains(_ node: Int32) -> Bool { !isHidden.isEmpty && isHidden[Int(node)] }

  /// Finds the hidden parts of a tree.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - kinds: the kinds of elements, by the tree's numbers of their names.
  ///   - isPage: whether the tree is that of a page, whose scripts show some of what is hidden.
  package mutating func find(in tree: borrowing HTMLTree, _ kinds: [Kind], isPage: Bool = false) {
    isHidden = []
    let names = HidingNames(tree)
    guard names.mayHide(tree) else { return }
    var pass = HidingPass(names, kinds, Revealing(tree, isPage: isPage), nodeCount: tree.nodes.count)
    // Swapped, since two owners of the cache would copy it.
    swap(&pass.styles, &styles)
    tree.visit(&pass)
    swap(&pass.styles, &styles)
    if pass.hasFound { isHidden = pass.isHidden }
  }
}

/// A cache of short styles; most feeds repeat a few in every entry.
private struct KnownStyles {
  /// The maximum number of styles, and the maximum length of one in bytes.
  private static let most = (styles: 100, bytes: 200)

  private var byText: [ArraySlice<UInt8>: HidingStyle] = [:]

  /// Returns the style of an attribute's value; nil when it is too long for the cache.
  mutating func style(_ css: ArraySlice<UInt8>) -> HidingStyle? {
    guard css.count <= Self.most.bytes else { return nil }
    if let known = byText[css] { return known }
    let style = HidingStyle(css)
    if byText.count == Self.most.styles { byText.removeAll() }
    // A copy, since a slice would keep the whole tree in memory.
    byText[Array(css)[...]] = style
    return style
  }
}

/// The tree's numbers of the names that matter; -1 for those that it does not have.
private struct HidingNames {
  let style: Int32
  let hidden: Int32
  let popover: Int32
  let open: Int32
  let color: Int32
  let background: Int32
  let size: Int32
  let href: Int32
  let classes: Int32
  let font: Int32
  let mark: Int32
  let dialog: Int32

  init(_ tree: borrowing HTMLTree) {
    style = tree.knownNumber(ofAttribute: "style")
    hidden = tree.knownNumber(ofAttribute: "hidden")
    popover = tree.knownNumber(ofAttribute: "popover")
    open = tree.knownNumber(ofAttribute: "open")
    color = tree.knownNumber(ofAttribute: "color")
    background = tree.knownNumber(ofAttribute: "bgcolor")
    size = tree.knownNumber(ofAttribute: "size")
    href = tree.knownNumber(ofAttribute: "href")
    classes = tree.knownNumber(ofAttribute: "class")
    font = tree.knownNumber(ofElement: "font")
    mark = tree.knownNumber(ofElement: "mark")
    dialog = tree.knownNumber(ofElement: "dialog")
  }

  /// Whether a tree has an attribute or an element that can hide.
  func mayHide(_ tree: borrowing HTMLTree) -> Bool {
    for index in tree.attributes.indices {
      let name = tree.attributes[index].name
      if name == style || name == hidden || name == popover { return true }
    }
    guard dialog >= 0 else { return false }
    for index in tree.nodes.indices where tree.nodes[index].name == dialog { return true }
    return false
  }
}

/// One pass over a tree.
private struct HidingPass: HTMLTreeVisitor {
  /// What an element hands down to the text in it.
  private struct Inherited {
    /// Whether `visibility` hides.
    var isInvisible = false
    /// Whether the size of text is zero.
    var isTiny = false
    /// Whether the declared indentation leads out of the page, and whether that of the present lines does.
    var indentsOut = false
    var isIndentedOut = false
    /// Whether a box without an area cuts what is here, and whether it cuts absolute and fixed boxes that begin here.
    var isCut = false
    var cutsAbsoluteBoxes = false
    var cutsFixedBoxes = false
    var color = HidingStyle.TextColor.visible
    /// Whether letters are seen without their color.
    var drawsOtherwise = false

    var hidesText: Bool { isInvisible || isTiny || isIndentedOut || isCut || color != .visible && !drawsOtherwise }
  }

  private struct Frame {
    var inherited: Inherited
    /// Whether anything of the element is seen, and whether anything of it is hidden.
    var shows = false
    var hides = false
    /// Whether the element has lines of its own, and whether the lines around it end before it.
    var hasLines = false
    var breaksLine = false
  }

  private let names: HidingNames
  private let kinds: [HiddenParts.Kind]
  private let revealing: Revealing
  /// The elements around the present node, with the fragment itself as the first.
  private var frames = [Frame(inherited: Inherited())]
  private(set) var isHidden: [Bool]
  private(set) var hasFound = false
  /// The short styles.
  var styles = KnownStyles()
  /// The long styles of formatting that is reopened, by the offset of the value that its copies share.
  private var longStyles: [Int: HidingStyle] = [:]

  init(_ names: HidingNames, _ kinds: [HiddenParts.Kind], _ revealing: Revealing, nodeCount: Int) {
    (self.names, self.kinds, self.revealing) = (names, kinds, revealing)
    isHidden = Array(repeating: false, count: nodeCount)
  }

  mutating func enter(_ index: Int32, of tree: borrowing HTMLTree) -> Bool {
    let node = tree.nodes[Int(index)]
    let last = frames.count - 1
    guard node.kind == .element else {
      if node.kind == .text, !tree.isBlank(text: index) {
        if frames[last].inherited.hidesText {
          hide(index)
        } else {
          frames[last].shows = true
        }
      }
      return false
    }
    let kind = kinds[Int(node.name)]
    if kind.contains(.isDropped), node.namespace == .html { return false }
    if HTMLName(rawValue: Int(node.name)) == .br { endLine() }
    var frame = Frame(inherited: frames[last].inherited)
    if node.namespace != .svg || kind.contains(.isDrawing) || kind.contains(.isDrawnText) {
      guard read(index, node, kind, tree, &frame) else {
        hide(index)
        return false
      }
    }
    if kind.contains(.isReplaced) {
      if frame.inherited.isCut || frame.inherited.isInvisible && !kind.contains(.isPicture) {
        hide(index)
        return false
      }
      frames[last].shows = true
    }
    frames.append(frame)
    return true
  }

  mutating func leave(_ index: Int32, of tree: borrowing HTMLTree) {
    let frame = frames.removeLast()
    let isCut = frame.inherited.isCut
    let isTablePart = kinds[Int(tree.nodes[Int(index)].name)].contains(.isTablePart) && !isCut
    if frame.hides || isCut, !frame.shows, !isTablePart, frame.inherited.hidesText {
      hide(index)
    } else if frame.shows || isTablePart {
      frames[frames.count - 1].shows = true
    }
    if frame.breaksLine { endLine() }
  }

  /// Ends the first line of the block around the present node: the next ones are not indented.
  private mutating func endLine() {
    for index in frames.indices.reversed() where frames[index].inherited.isIndentedOut {
      frames[index].inherited.isIndentedOut = false
      if frames[index].hasLines { return }
    }
  }

  private mutating func hide(_ node: Int32) {
    isHidden[Int(node)] = true
    frames[frames.count - 1].hides = true
    hasFound = true
  }

  // MARK: - Elements

  /// Reads the attributes of an element; returns false when the element is not painted.
  private mutating func read(
    _ index: Int32, _ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree,
    _ frame: inout Frame
  ) -> Bool {
    let style = style(node, tree)
    var inherited = frame.inherited
    defer { frame.inherited = inherited }
    let extent = hiddenExtent(index, node, kind, tree, style)
    let isRevealed = extent != nil && revealing.reveals(index, of: tree)
    if extent == .all { return isRevealed }
    let isBlock = kind.contains(.isBlock) || kind.contains(.isTablePart)
    frame.hasLines = style?.isBox(isBlock: isBlock) ?? isBlock
    frame.breaksLine = style?.breaksLine(isBlock: isBlock) ?? isBlock
    if let style { cut(&inherited, style, isFlat: extent == .flow && !isRevealed, isBox: frame.hasLines) }
    if let hidesText = style?.hidesText {
      inherited.isInvisible = hidesText && !revealing.reveals(index, of: tree)
    }
    // Letters of a drawing have colors and sizes of their own, and tables in quirks mode those of the page.
    if kind.contains(.isDrawing) || tree.isInQuirksMode && HTMLName(rawValue: Int(node.name)) == .table {
      (inherited.isTiny, inherited.indentsOut, inherited.color) = (false, false, .visible)
    }
    inherited.isTiny = style?.isTiny ?? (setsSize(node, kind, tree) ? false : inherited.isTiny)
    inherited.indentsOut = style?.indentsOut ?? inherited.indentsOut
    if frame.hasLines { inherited.isIndentedOut = inherited.indentsOut }
    inherited.drawsOtherwise = inherited.drawsOtherwise || style?.drawsOtherwise == true
    inherited.color = color(node, kind, tree, style, inherited.color)
    return true
  }

  /// Follows which boxes without an area cut what is in an element.
  private func cut(_ inherited: inout Inherited, _ style: HidingStyle, isFlat: Bool, isBox: Bool) {
    if style.isFixed {
      inherited.isCut = inherited.cutsFixedBoxes
    } else if style.isPositioned {
      inherited.isCut = inherited.cutsAbsoluteBoxes
    }
    if isFlat { inherited.isCut = true }
    if style.placesAbsoluteBoxes(isBox: isBox) { inherited.cutsAbsoluteBoxes = inherited.isCut }
    if style.placesFixedBoxes(isBox: isBox) { inherited.cutsFixedBoxes = inherited.isCut }
  }

  private mutating func style(_ node: HTMLTree.Node, _ tree: borrowing HTMLTree) -> HidingStyle? {
    guard let css = value(names.style, node, tree) else { return nil }
    if let style = styles.style(css) ?? longStyles[css.startIndex] { return style }
    let style = HidingStyle(css)
    if node.isCopied || node.origin == .copy { longStyles[css.startIndex] = style }
    return style
  }

  private func hiddenExtent(
    _ index: Int32, _ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree, _ style: HidingStyle?
  ) -> HidingStyle.Extent? {
    if style?.display == nil, node.namespace == .html {
      if let hidden = value(names.hidden, node, tree), !hidden.lowercased.elementsEqual("until-found".utf8) {
        return .all
      }
      if value(names.popover, node, tree) != nil { return .all }
      if node.name == names.dialog, value(names.open, node, tree) == nil { return .all }
    }
    // A picture fades in, and the rules for pictures know those that only count.
    guard let style, !kind.contains(.isPicture) else { return nil }
    return style.hiddenExtent(
      isBlock: kind.contains(.isBlock), isPadded: kind.contains(.isPadded),
      isForScreenReaders: value(names.classes, node, tree).map(Self.isForScreenReaders) ?? false,
      fadesIn: revealing.fadesIn || isBoxOfPicture(index, tree))
  }

  /// The maximum number of nodes of a box around a picture; it bounds the search in boxes in boxes.
  private static let mostNodesOfBox = 32

  /// Whether an element has a picture, and no text but its caption: scripts let such boxes fade in.
  private func isBoxOfPicture(_ index: Int32, _ tree: borrowing HTMLTree) -> Bool {
    var (node, count, hasPicture) = (tree.nodes[Int(index)].first, 0, false)
    while node >= 0 {
      count += 1
      let (inner, kind) = (tree.nodes[Int(node)], tree.nodes[Int(node)].kind)
      if count > Self.mostNodesOfBox || kind == .text && !tree.isBlank(text: node) { return false }
      let isPicture = kind == .element && kinds[Int(inner.name)].contains(.isPicture)
      hasPicture = hasPicture || isPicture
      if kind == .element, !isPicture, HTMLName(rawValue: Int(inner.name)) != .figcaption, inner.first >= 0 {
        node = inner.first
        continue
      }
      while node != index, tree.nodes[Int(node)].next < 0 { node = tree.nodes[Int(node)].parent }
      node = node == index ? -1 : tree.nodes[Int(node)].next
    }
    return hasPicture
  }

  /// Whether an element has a text size of its own in every browser.
  private func setsSize(_ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree) -> Bool {
    kind.contains(.isButton) || node.name == names.font && value(names.size, node, tree) != nil
  }

  private func color(
    _ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree, _ style: HidingStyle?,
    _ inherited: HidingStyle.TextColor
  ) -> HidingStyle.TextColor {
    let attribute = node.name == names.font ? value(names.color, node, tree).flatMap { Self.legacyColor($0) } : nil
    let background = value(names.background, node, tree).flatMap { Self.legacyColor($0) }
    if attribute != nil || style != nil,
      let own = (style ?? HidingStyle([])).textColor(attribute: attribute, background: background)
    {
      return own
    }
    // Links, controls and marked text have colors of the browser.
    if node.name == names.mark || node.name == names.dialog || kind.contains(.isButton)
      || HTMLName(rawValue: Int(node.name)) == .a && value(names.href, node, tree) != nil
    {
      return .visible
    }
    return inherited == .lost && (background != nil || style?.hasBackground == true) ? .visible : inherited
  }

  /// Returns the color of an attribute, which has no functions and needs no number sign (HTML Standard, 2.4.6).
  private static func legacyColor(_ value: ArraySlice<UInt8>) -> CSSColor? {
    let text = String(streamSafe: value.lowercased)
    let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
    if digits.utf8.count == 3 || digits.utf8.count == 6, let color = CSSColor("#" + digits) { return color }
    return text == "transparent" || StyleValue.isFunction(text) ? nil : CSSColor(text)
  }

  private func value(_ name: Int32, _ node: HTMLTree.Node, _ tree: borrowing HTMLTree) -> ArraySlice<UInt8>? {
    // The content of other nodes is not a list of attributes.
    guard name >= 0, node.kind == .element else { return nil }
    for index in node.content where tree.attributes[Int(index)].name == name {
      return tree.bytes[tree.attributes[Int(index)].value]
    }
    return nil
  }

  /// The class names of blog and mail systems for text that is read aloud.
  private static let screenReaderClasses: Set<String> = [
    "a11y-hidden", "assistive-text", "element-invisible", "hidden-accessible", "offscreen", "screen-reader",
    "screen-reader-only", "screen-reader-text", "show-for-sr", "sr-only", "sronly", "u-visually-hidden",
    "visually-hidden", "visuallyhidden",
  ]

  private static func isForScreenReaders(_ classes: ArraySlice<UInt8>) -> Bool {
    classes.split(whereSeparator: \.isHTMLSpace).contains {
      $0.count < 24 && screenReaderClasses.contains(String(streamSafe: $0.lowercased))
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without ASCII white space at both ends, in lower case.
  fileprivate var lowercased: [UInt8] {
    let rest = drop(while: \.isHTMLSpace)
    return rest.prefix(rest.lastIndex { !$0.isHTMLSpace }.map { $0 + 1 - rest.startIndex } ?? 0).map(\.asciiLowercased)
  }
}

import TamisCore

/// The parts of a fragment that its author has hidden: elements that browsers do not paint, and texts that nobody sees.
///
/// What hides is read from inline styles, attributes, and the sheets of the tree (``SheetStyles``). An element that
/// only hides its text goes as a whole when nothing else of it is seen.
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
  package mutating func find(in tree: inout HTMLTree, _ kinds: [Kind], isPage: Bool = false) {
    // A fragment with the tags of a document is one.
    let isPage = isPage || !tree.documentTags.isEmpty
    find(tree, kinds, isPage: isPage)
    guard isPage, !isHidden.isEmpty, !tree.sheets.isEmpty else { return }
    var prose = ProseSizes(isHidden: isHidden)
    tree.visit(&prose)
    guard prose.hidden * Self.mostProse > prose.all else { return }
    tree.refuseSheets()
    find(tree, kinds, isPage: isPage)
  }

  /// The largest part of the prose of a page that its sheets hide: one in this number.
  private static let mostProse = 5

  private mutating func find(_ tree: borrowing HTMLTree, _ kinds: [Kind], isPage: Bool) {
    isHidden = []
    let names = HidingNames(tree)
    guard !tree.sheets.isEmpty || names.mayHide(tree) else { return }
    var pass = HidingPass(names, kinds, Revealing(tree, isPage: isPage), tree, isPage: isPage)
    // Swapped, since two owners of the cache would copy it.
    swap(&pass.styles, &styles)
    tree.visit(&pass)
    swap(&pass.styles, &styles)
    if pass.hasFound { isHidden = pass.isHidden }
  }
}

/// A pass that adds up the sizes of texts outside of links, menus and forms.
private struct ProseSizes: HTMLTreeVisitor {
  let isHidden: [Bool]
  /// The bytes of all such text, and of what of it is hidden.
  private(set) var all = 0
  private(set) var hidden = 0
  /// The number of hidden elements that are open.
  private var depth = 0

  init(isHidden: [Bool]) { self.isHidden = isHidden }

  mutating func enter(_ index: Int32, of tree: borrowing HTMLTree) -> Bool {
    let node = tree.nodes[Int(index)]
    if node.kind == .text {
      let size = tree.isBlank(text: index) ? 0 : tree.count(ofText: index)
      all += size
      if depth > 0 || isHidden[Int(index)] { hidden += size }
      return false
    }
    guard node.kind == .element, node.namespace == .html else { return false }
    switch HTMLName(rawValue: Int(node.name)) {
    case .a, .nav, .footer, .aside, .form, .dialog, .button, .script, .style, .template, .noscript, .iframe, .select,
      .textarea, .title:
      return false
    default: break
    }
    if isHidden[Int(index)] { depth += 1 }
    return true
  }

  mutating func leave(_ index: Int32, of tree: borrowing HTMLTree) { if isHidden[Int(index)] { depth -= 1 } }
}

/// A cache of short styles; most feeds repeat a few in every entry.
private struct KnownStyles {
  /// The maximum number of styles, and the maximum length of one in bytes.
  static let most = (styles: 100, bytes: 200)

  private var byText: [ArraySlice<UInt8>: StyleAnswers] = [:]

  /// Returns the style of an attribute's value; nil when it is too long for the cache.
  mutating func style(_ css: ArraySlice<UInt8>) -> StyleAnswers? {
    guard css.count <= Self.most.bytes else { return nil }
    if let known = byText[css] { return known }
    let style = StyleAnswers(HidingStyle(css))
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
  let picture: Int32
  let size: Int32
  let href: Int32
  let classes: Int32
  let font: Int32
  let mark: Int32
  let dialog: Int32

  init(_ tree: borrowing HTMLTree) {
    style = tree.sheets.policy.forbidsAttributes ? -1 : tree.knownNumber(ofAttribute: "style")
    hidden = tree.knownNumber(ofAttribute: "hidden")
    popover = tree.knownNumber(ofAttribute: "popover")
    open = tree.knownNumber(ofAttribute: "open")
    color = tree.knownNumber(ofAttribute: "color")
    background = tree.knownNumber(ofAttribute: "bgcolor")
    picture = tree.knownNumber(ofAttribute: "background")
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
    /// The color of text; nil when it is not known, or that of the browser.
    var color: CSSColor?
    /// Whether text of this color cannot be seen on what is behind it.
    var isLost = false
    /// Whether letters are seen without their color.
    var drawsOtherwise = false
    /// The opacity of the elements around.
    var opacity = 1.0
    /// Whether lines have no height, in a box that cuts what exceeds it.
    var isLineCut = false

    var hidesText: Bool {
      isInvisible || isTiny || isIndentedOut || isCut || isLineCut || opacity <= CSSColor.leastVisible
        || isLost && !drawsOtherwise
    }

    /// Whether nothing is handed down that a style could end.
    var isPlain: Bool {
      !isInvisible && !isTiny && !indentsOut && !isCut && !cutsAbsoluteBoxes && !cutsFixedBoxes && color == nil
        && !isLineCut && opacity == 1
    }
  }

  /// What is behind the text of an element.
  private enum Background {
    /// What is behind the element around it.
    case inherited
    case known(CSSColor)
    case unknown
  }

  private struct Frame {
    var inherited: Inherited
    /// Whether anything of the element is seen, and whether anything of it is hidden.
    var shows = false
    var hides = false
    /// Whether the element has lines of its own, and whether the lines around it end before it.
    var hasLines = false
    var breaksLine = false
    /// The element; -1 for the fragment.
    var node: Int32 = -1
    /// What it has behind its text; nil before that is asked for.
    var background: Background?
  }

  private let names: HidingNames
  private let kinds: [HiddenParts.Kind]
  private let revealing: Revealing
  /// The elements around the present node, with the fragment itself as the first.
  private var frames = [Frame(inherited: Inherited(), background: .unknown)]
  private(set) var isHidden: [Bool]
  private(set) var hasFound = false
  /// The short styles.
  var styles = KnownStyles()
  /// The styles that sheets make alone, and with short inline styles.
  private var sheetStyles: [StyleAnswers?]
  private var bothStyles: [Both: StyleAnswers] = [:]
  private var lookups = 0
  /// Whether a table has columns, which can have backgrounds.
  private let hasColumns: Bool
  /// Whether nothing but the styles of `html` and `body` says what is behind the page.
  private let isGroundKnown: Bool

  private struct Both: Hashable {
    var number: Int
    var css: ArraySlice<UInt8>
  }
  /// The long styles of formatting that is reopened, by the offset of the value that its copies share.
  private var longStyles: [Int: StyleAnswers] = [:]

  init(
    _ names: HidingNames, _ kinds: [HiddenParts.Kind], _ revealing: Revealing, _ tree: borrowing HTMLTree, isPage: Bool
  ) {
    (self.names, self.kinds, self.revealing) = (names, kinds, revealing)
    isHidden = Array(repeating: false, count: tree.nodes.count)
    sheetStyles = Array(repeating: nil, count: tree.sheets.styles.count)
    hasColumns = tree.nodes.indices.contains {
      tree.htmlName(Int32($0)) == .col || tree.htmlName(Int32($0)) == .colgroup
    }
    // The canvas of a page; that of a fragment is elsewhere.
    isGroundKnown = tree.sheets.isGroundKnown && !tree.mayHaveOtherGround
    if isGroundKnown, isPage || !tree.documentTags.isEmpty { frames[0].background = canvas(tree) }
  }

  /// Returns the background of a page, as far as the tags `html` and `body` of a fragment say otherwise.
  private func canvas(_ tree: borrowing HTMLTree) -> Background {
    for index in tree.documentTags.joined() {
      let attribute = tree.attributes[Int(index)]
      let value = tree.bytes[attribute.value]
      if attribute.name == names.background, let color = Self.legacyColor(value) { return .known(color) }
      if attribute.name == names.picture { return .unknown }
      if attribute.name == names.style {
        switch HidingStyle(value).background {
        case .known(let color): return .known(color)
        case .unknown: return .unknown
        case .inherited: break
        }
      }
    }
    return CSSColor("white").map { .known($0) } ?? .unknown
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
    var frame = Frame(inherited: frames[last].inherited, node: index)
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
    let style = style(index, node, tree, frame.inherited)
    var inherited = frame.inherited
    defer { frame.inherited = inherited }
    // A page that hides itself as a whole waits for a script.
    let name = HTMLName(rawValue: Int(node.name))
    let isWhole = name == .html || name == .body
    let extent = isWhole ? nil : hiddenExtent(index, node, kind, tree, style)
    let isRevealed = extent != nil && revealing.reveals(index, of: tree)
    if extent == .all { return isRevealed }
    let isBlock = kind.contains(.isBlock) || kind.contains(.isTablePart)
    frame.hasLines = style?.isBox(isBlock: isBlock) ?? isBlock
    frame.breaksLine = style?.breaksLine(isBlock: isBlock) ?? isBlock
    if let style { cut(&inherited, style, isFlat: extent == .flow && !isRevealed, isBox: frame.hasLines) }
    if !isWhole, let hidesText = style?.hidesText {
      inherited.isInvisible = hidesText && !revealing.reveals(index, of: tree)
    }
    // Letters of a drawing have colors and sizes of their own, and tables in quirks mode those of the page.
    if kind.contains(.isDrawing) || tree.isInQuirksMode && HTMLName(rawValue: Int(node.name)) == .table {
      (inherited.isTiny, inherited.indentsOut, inherited.color, inherited.isLost) = (false, false, nil, false)
    }
    if let style {
      // An element that is transparent by itself has been decided about.
      if style.share > CSSColor.leastVisible, !isWhole { inherited.opacity *= style.share }
      if let hasNoLines = style.hasNoLines {
        let cuts = style.cuts && !tree.hasReplaced(in: index, kinds)
        inherited.isLineCut = hasNoLines && (cuts || inherited.isLineCut)
      }
      // A padding makes room for lines that have no height.
      if style.isPaddedAbove { inherited.isLineCut = false }
    }
    inherited.isTiny = style?.isTiny ?? (setsSize(node, kind, tree) ? false : inherited.isTiny)
    inherited.indentsOut = style?.indentsOut ?? inherited.indentsOut
    if frame.hasLines { inherited.isIndentedOut = inherited.indentsOut }
    inherited.drawsOtherwise = inherited.drawsOtherwise || style?.drawsOtherwise == true
    readColor(index, node, kind, tree, style, &inherited)
    return true
  }

  /// Follows which boxes without an area cut what is in an element.
  private func cut(_ inherited: inout Inherited, _ style: StyleAnswers, isFlat: Bool, isBox: Bool) {
    if style.isFixed {
      inherited.isCut = inherited.cutsFixedBoxes
    } else if style.isPositioned {
      inherited.isCut = inherited.cutsAbsoluteBoxes
    }
    if isFlat { inherited.isCut = true }
    if style.placesAbsoluteBoxes(isBox: isBox) { inherited.cutsAbsoluteBoxes = inherited.isCut }
    if style.placesFixedBoxes(isBox: isBox) { inherited.cutsFixedBoxes = inherited.isCut }
  }

  /// Returns the style of an element; nil when it has none, or none that could change what is handed down to it.
  private mutating func style(
    _ index: Int32, _ node: HTMLTree.Node, _ tree: borrowing HTMLTree, _ inherited: Inherited
  ) -> StyleAnswers? {
    let css = value(names.style, node, tree)
    guard let number = tree.sheets.style(of: index) else { return css.map { inlineStyle($0, node) } }
    if tree.sheets.styles[number].traits.refers, lookups < Self.mostLookups {
      let local = custom(number, index, css, tree)
      return StyleAnswers(HidingStyle(tree.sheets.styles[number], of: tree.sheets, inline: css, local))
    }
    if let css { return bothStyles(number, css, tree) }
    if inherited.isPlain, tree.sheets.styles[number].traits.hides.isEmpty, !isHiddenByAttribute(node, tree) {
      return nil
    }
    return sheetStyle(number, tree)
  }

  /// The maximum number of searches for custom properties in the elements around one; with more, they are not known.
  private static let mostLookups = 5000

  /// Returns the values of the custom properties that the style of an element refers to.
  private mutating func custom(
    _ number: Int, _ index: Int32, _ css: ArraySlice<UInt8>?, _ tree: borrowing HTMLTree
  ) -> [String: String] {
    var wanted: Set<String> = []
    for source in tree.sheets.styles[number].sources {
      if let names = tree.sheets.references[source.order] { wanted.formUnion(names) }
    }
    var values: [String: String] = [:]
    var known: Set<String> = []
    while let name = wanted.subtracting(known).min(), known.count < 20 {
      known.insert(name)
      guard let value = custom(name, index, tree) else { continue }
      values[name] = value
      wanted.formUnion(CustomProperties.names(in: value))
    }
    return values
  }

  private mutating func custom(_ name: String, _ index: Int32, _ tree: borrowing HTMLTree) -> String? {
    var nodes = [index]
    if tree.sheets.customProperties.isInherited(name) { nodes += frames.reversed().map(\.node).filter { $0 >= 0 } }
    for node in nodes {
      lookups += 1
      let style = tree.sheets.style(of: node).map { tree.sheets.styles[$0] }
      let inline = value(names.style, tree.nodes[Int(node)], tree)
      if let value = HidingStyle.value(of: name, style, of: tree.sheets, inline: inline) {
        return HidingStyle.general.contains(value) ? CustomProperties.unknown : value
      }
    }
    return nil
  }

  private mutating func bothStyles(_ number: Int, _ css: ArraySlice<UInt8>, _ tree: borrowing HTMLTree) -> StyleAnswers
  {
    let key = Both(number: number, css: css)
    if let known = bothStyles[key] { return known }
    let style = StyleAnswers(HidingStyle(tree.sheets.styles[number], of: tree.sheets, inline: css))
    if css.count <= KnownStyles.most.bytes { bothStyles[key] = style }
    return style
  }

  private mutating func sheetStyle(_ number: Int, _ tree: borrowing HTMLTree) -> StyleAnswers {
    if let known = sheetStyles[number] { return known }
    let style = StyleAnswers(HidingStyle(tree.sheets.styles[number], of: tree.sheets, inline: nil))
    sheetStyles[number] = style
    return style
  }

  private mutating func inlineStyle(_ css: ArraySlice<UInt8>, _ node: HTMLTree.Node) -> StyleAnswers {
    if let style = styles.style(css) ?? longStyles[css.startIndex] { return style }
    let style = StyleAnswers(HidingStyle(css))
    if node.isCopied || node.origin == .copy { longStyles[css.startIndex] = style }
    return style
  }

  private func hiddenExtent(
    _ index: Int32, _ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree, _ style: StyleAnswers?
  ) -> StyleAnswers.Extent? {
    if style?.declaresDisplay != true || node.name == names.dialog && style?.revertsDisplay == true,
      node.namespace == .html
    {
      if isHiddenByAttribute(node, tree) { return .all }
    }
    // A picture fades in, and the rules for pictures know those that only count.
    guard let style, !kind.contains(.isPicture) else { return nil }
    return style.hiddenExtent(
      isBlock: kind.contains(.isBlock), isPadded: kind.contains(.isPadded),
      isForScreenReaders: value(names.classes, node, tree).map(Self.isForScreenReaders) ?? false,
      fadesIn: revealing.fadesIn || isBoxOfPicture(index, tree))
  }

  /// Whether an element is not shown unless a style says so.
  private func isHiddenByAttribute(_ node: HTMLTree.Node, _ tree: borrowing HTMLTree) -> Bool {
    if let hidden = value(names.hidden, node, tree), !hidden.lowercased.elementsEqual("until-found".utf8) {
      return true
    }
    return value(names.popover, node, tree) != nil
      || node.name == names.dialog && value(names.open, node, tree) == nil
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

  /// Reads the color of the text in an element, and whether it is that of what is behind it.
  private mutating func readColor(
    _ index: Int32, _ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree, _ style: StyleAnswers?,
    _ inherited: inout Inherited
  ) {
    let attribute = node.name == names.font ? value(names.color, node, tree).flatMap { Self.legacyColor($0) } : nil
    var isChanged = true
    switch style?.textColor ?? .inherited {
    case .known(let color): inherited.color = color
    case .unknown: inherited.color = nil
    case .inherited where attribute != nil: inherited.color = attribute
    case .inherited where hasOwnColors(node, kind, tree): inherited.color = nil
    case .inherited: isChanged = false
    }
    if style?.isOnItsColor == true {
      inherited.isLost = true
      return
    }
    guard let color = inherited.color else {
      if isChanged { inherited.isLost = false }
      return
    }
    let own = background(of: index, node, kind, tree, style)
    if case .inherited = own, !isChanged { return }
    inherited.isLost = color.isTransparent
    switch own {
    case .known(let other): inherited.isLost = inherited.isLost || color.isLost(on: other)
    case .unknown: break
    case .inherited: inherited.isLost = inherited.isLost || backgroundAround(tree).map { color.isLost(on: $0) } ?? false
    }
  }

  /// Whether an element has colors of the browser: links, controls and marked text.
  private func hasOwnColors(_ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree) -> Bool {
    node.name == names.mark || node.name == names.dialog || kind.contains(.isButton)
      || HTMLName(rawValue: Int(node.name)) == .a && value(names.href, node, tree) != nil
  }

  private func background(
    of index: Int32, _ node: HTMLTree.Node, _ kind: HiddenParts.Kind, _ tree: borrowing HTMLTree, _ style: StyleAnswers?
  ) -> Background {
    let name = HTMLName(rawValue: Int(node.name))
    if name == .html || name == .body, !isGroundKnown { return .unknown }
    switch style?.background ?? .inherited {
    case .known(let color): return .known(color)
    case .unknown: return .unknown
    case .inherited: break
    }
    if style?.declaresBackground != true,
      let color = value(names.background, node, tree).flatMap({ Self.legacyColor($0) })
    {
      return .known(color)
    }
    if value(names.picture, node, tree) != nil || kind.contains(.isReplaced) { return .unknown }
    if node.name == names.mark || node.name == names.dialog || kind.contains(.isButton) { return .unknown }
    // A cell lies on its column too.
    if hasColumns, name == .td || name == .th { return .unknown }
    return style?.isLaid == true ? .unknown : .inherited
  }

  /// Returns the color behind the elements that are open; nil when it is not known.
  private mutating func backgroundAround(_ tree: borrowing HTMLTree) -> CSSColor? {
    for index in frames.indices.reversed() {
      let background = frames[index].background ?? openBackground(frames[index].node, tree)
      frames[index].background = background
      switch background {
      case .known(let color): return color
      case .unknown: return nil
      case .inherited: break
      }
    }
    return nil
  }

  private mutating func openBackground(_ index: Int32, _ tree: borrowing HTMLTree) -> Background {
    let node = tree.nodes[Int(index)]
    let css = value(names.style, node, tree)
    var style: StyleAnswers?
    if let number = tree.sheets.style(of: index) {
      style = css.map { bothStyles(number, $0, tree) } ?? sheetStyle(number, tree)
    } else if let css {
      style = inlineStyle(css, node)
    }
    return background(of: index, node, kinds[Int(node.name)], tree, style)
  }

  /// Returns the color of an attribute, which has no functions and needs no number sign (HTML Standard, 2.4.6).
  static func legacyColor(_ value: ArraySlice<UInt8>) -> CSSColor? {
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

extension HTMLTree {
  /// The number of nodes among which a picture is looked for.
  private static let mostNodesOfLines = 100

  /// Whether something other than text is in an element, or may be.
  fileprivate func hasReplaced(in element: Int32, _ kinds: [HiddenParts.Kind]) -> Bool {
    var (node, count) = (nodes[Int(element)].first, 0)
    while node >= 0, node != element {
      count += 1
      let isElement = nodes[Int(node)].kind == .element
      if count > Self.mostNodesOfLines || isElement && kinds[Int(nodes[Int(node)].name)].contains(.isReplaced) {
        return true
      }
      if isElement, nodes[Int(node)].first >= 0 {
        node = nodes[Int(node)].first
        continue
      }
      while node != element, nodes[Int(node)].next < 0 { node = nodes[Int(node)].parent }
      if node != element { node = nodes[Int(node)].next }
    }
    return false
  }

  /// The maximum number of colors in ``backgrounds``.
  private static let mostBackgrounds = 100

  /// Whether something may lie behind the whole page, or the browser may choose dark colors.
  fileprivate var mayHaveOtherGround: Bool {
    let words: [StaticString] = [
      "z-index:-", "z-index: -", "scheme:dark", "scheme: dark", "light dark", "dark light", "content=dark",
      "content=\"dark",
    ]
    return words.contains { ByteScan.index(of: $0, in: bytes.span, from: 0) != nil }
  }

  /// The colors of backgrounds that attributes and inline styles say.
  var backgrounds: [CSSColor] {
    let (style, background) = (knownNumber(ofAttribute: "style"), knownNumber(ofAttribute: "bgcolor"))
    var colors: [CSSColor] = []
    for index in attributes.indices where colors.count < Self.mostBackgrounds {
      let value = bytes[attributes[index].value]
      if attributes[index].name == background {
        if let color = HidingPass.legacyColor(value) { colors.append(color) }
      } else if attributes[index].name == style, ByteScan.contains(Array("background".utf8), in: value) {
        if case .known(let color) = HidingStyle(value).background { colors.append(color) }
      }
    }
    return colors
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without ASCII white space at both ends, in lower case.
  fileprivate var lowercased: [UInt8] {
    let rest = drop(while: \.isHTMLSpace)
    return rest.prefix(rest.lastIndex { !$0.isHTMLSpace }.map { $0 + 1 - rest.startIndex } ?? 0).map(\.asciiLowercased)
  }
}

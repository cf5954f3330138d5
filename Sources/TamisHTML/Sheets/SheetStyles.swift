import TamisCore

/// What the style sheets of a tree say of its elements, as far as it can hide them.
///
/// Sheets are those of `style` elements, and linked ones that are at hand; none is fetched. Elements of which the same
/// rules say the same share a style.
package struct SheetStyles: Sendable {
  /// Declarations that apply to an element, with what decides between them (CSS Cascading and Inheritance Level 5, 6).
  struct Source: Sendable {
    var layer: Int32
    var specificity: Int32
    /// The number of the rule, whose declarations are in ``SheetStyles/declarations``.
    var order: Int32
    var standing: Standing
    /// The number of elements up to the root of the scope (CSS Cascading and Inheritance Level 6, 2.4.2).
    var distance: Int32
  }

  /// The declarations of all rules that say something of an element, and what these may do together.
  struct Style: Sendable {
    var sources: [Source]
    var traits: SheetTraits
  }

  /// Whether declarations apply.
  enum Standing: Int8, Sendable {
    case applies
    /// Whether they apply depends on what is not known.
    case isUnsure
    /// They do in another state of the page, as when a script sets a class.
    case isState
  }

  /// The reason why no sheet is applied.
  package enum Refusal: String, Sendable {
    /// The sheets are longer than ``Limits/sheetBytes``.
    case bytes
    /// Their selectors take more comparisons than ``Limits/sheetSteps``.
    case steps
    /// They would hide more than a fifth of the page's prose, which scripts show then.
    case share
  }

  /// The declarations of the rules, each read once.
  private(set) var declarations: [Int32: HidingStyle.Declarations] = [:]
  /// The names of the custom properties to which each rule refers.
  private(set) var references: [Int32: Set<String>] = [:]
  /// The different styles.
  private(set) var styles: [Style] = []
  /// Whether all sheets of the page are at hand, so that the color of its ground can be known.
  private(set) var isGroundKnown = true
  /// The custom properties of the page.
  private(set) var customProperties = CustomProperties(hasOthers: true)
  /// The reason why they are not applied; nil when they are.
  package private(set) var refusal: Refusal?
  private var styleOfNode: [Int32] = []
  /// What the page says of the styles that a browser may apply.
  private(set) var policy = StylePolicy()

  /// Makes a value for a tree without sheets.
  init() {}

  /// Whether no element has a style.
  var isEmpty: Bool { styles.isEmpty }

  /// The number of the style of a node; nil when no rule says anything of it.
  func style(of node: Int32) -> Int? {
    guard Int(node) < styleOfNode.count, styleOfNode[Int(node)] >= 0 else { return nil }
    return Int(styleOfNode[Int(node)])
  }

  /// Forgets all styles, for a reason.
  mutating func refuse(_ reason: Refusal) {
    (styles, styleOfNode) = ([], [])
    refusal = reason
  }

  /// Says that a node is a copy of another.
  mutating func noteCopy(_ copy: Int32, of node: Int32) {
    guard let style = style(of: node) else { return }
    while styleOfNode.count <= Int(copy) { styleOfNode.append(-1) }
    styleOfNode[Int(copy)] = Int32(style)
  }

  // MARK: - Finding

  /// Reads the sheets of a tree and applies them.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - limits: the limits of sheets.
  ///   - isFragment: whether the tree is that of a fragment.
  ///   - linked: what finds sheets that are linked; nil for none.
  init(_ tree: borrowing HTMLTree, _ limits: Limits, isFragment: Bool, _ linked: LinkedSheets.Finder?) {
    let (sheets, isComplete) = Self.sheets(of: tree, linked)
    policy = StylePolicy(tree)
    if sheets.isEmpty { return }
    guard sheets.reduce(0, { $0 + ($1.text?.count ?? tree.count(ofTextsIn: $1.node)) }) <= limits.sheetBytes else {
      refusal = .bytes
      return
    }
    var reader = SheetReader(PageWords(tree), knowsRoot: !isFragment || !tree.documentTags.isEmpty)
    for sheet in sheets {
      reader.read(
        sheet.text ?? tree.textOfSheet(sheet.node), isUnsure: sheet.isUnsure || policy.forbidsSheets,
        in: tree.nodes[Int(sheet.node)].parent)
    }
    reader.findLostColors(besides: tree)
    guard !reader.rules.isEmpty,
      tree.mayBeHidden || reader.rules.contains(where: { !$0.traits.hides.isEmpty })
    else { return }
    var pass = SheetPass(reader, tree, steps: limits.sheetSteps, isFragment: isFragment)
    tree.visit(&pass)
    guard pass.matcher.steps >= 0 else {
      refusal = .steps
      return
    }
    (styles, styleOfNode) = (pass.styles, pass.styleOfNode)
    for style in styles {
      for source in style.sources where declarations[source.order] == nil {
        let rule = reader.rules[Int(source.order)]
        let read = HidingStyle.Declarations(reader.css[rule.declarations])
        declarations[source.order] = read
        if rule.traits.refers {
          references[source.order] = read.list.reduce(into: []) { $0.formUnion(CustomProperties.names(in: $1.value)) }
        }
      }
    }
    isGroundKnown = isComplete
    readCustomProperties(reader, tree, isComplete: isComplete)
  }

  /// A sheet of the page.
  private struct Sheet {
    /// The `style` or `link` element.
    var node: Int32
    /// Whether it is not known if the sheet applies.
    var isUnsure: Bool
    /// The text of a sheet that is linked; nil for that of the element.
    var text: [UInt8]?
  }

  /// Returns the sheets that apply to a screen, and whether these are all that the page names.
  private static func sheets(
    of tree: borrowing HTMLTree, _ linked: LinkedSheets.Finder?
  ) -> (list: [Sheet], isComplete: Bool) {
    var sheets: [Sheet] = []
    var isComplete = true
    var titles = SheetTitles()
    let link = Int32(HTMLName.link.rawValue)
    let style = Int32(HTMLName.style.rawValue)
    for node in tree.nodes.indices where tree.nodes[node].kind == .element {
      if tree.nodes[node].name == link, tree.isStyleSheet(Int32(node)) {
        let media = SheetCondition.media(tree.plainValue(of: "media", Int32(node)))
        if let text = tree.dataSheet(Int32(node)) ?? tree.linkedSheet(Int32(node), linked) {
          let isOn = titles.isOn(Int32(node), tree) && tree.isCSS(Int32(node)) && media != .no
          if isOn { sheets.append(Sheet(node: Int32(node), isUnsure: media == .maybe, text: text)) }
        } else {
          isComplete = false
        }
      }
      guard tree.nodes[node].name == style, tree.nodes[node].namespace != .math, tree.isCSS(Int32(node)),
        tree.nodes[node].first >= 0
      else { continue }
      let media = SheetCondition.media(tree.plainValue(of: "media", Int32(node)))
      if !titles.isOn(Int32(node), tree) || media == .no { continue }
      switch tree.fallbackAround(Int32(node)) {
      case .none: sheets.append(Sheet(node: Int32(node), isUnsure: media == .maybe))
      // Scripts run for those who read the page.
      case .noscript: sheets.append(Sheet(node: Int32(node), isUnsure: true))
      case .other: break
      }
    }
    return (sheets, isComplete)
  }

  /// The maximum length in bytes of a value of a custom property.
  private static let longestValue = 200
  private static let noNames = NameIndex()

  private mutating func readCustomProperties(
    _ reader: SheetReader, _ tree: borrowing HTMLTree, isComplete: Bool
  ) {
    customProperties = CustomProperties(
      hasOthers: !isComplete, animations: reader.animations.mapValues { $0.map { reader.css[$0] } },
      registered: reader.registered)
    guard ByteScan.index(of: "var(", in: reader.css.span, from: 0) != nil else { return }
    // Elements that declare a property themselves do not have that of the page.
    let style = tree.knownNumber(ofAttribute: "style")
    for attribute in tree.attributes where attribute.name == style {
      let css = tree.bytes[attribute.value]
      guard ByteScan.index(of: "--", in: css.span, from: 0) != nil else { continue }
      var declarations = InlineStyle(css, of: Self.noNames, wantsCustom: true)
      while let declaration = declarations.next() { customProperties.note(declaration.name, nil) }
    }
    for property in reader.customProperties {
      var declarations = InlineStyle(reader.css[property.declaration], of: Self.noNames, wantsCustom: true)
      guard let declaration = declarations.next() else { continue }
      let isKnown = property.isOfRoot && declaration.value.utf8.count <= Self.longestValue
      customProperties.note(declaration.name, isKnown ? declaration.value : nil)
    }
  }
}

/// The title of the sheets that apply, which is that of the first one with a title: others are alternatives, which a
/// reader chooses (CSS Object Model Module Level 1, 6.2).
private struct SheetTitles {
  private var preferred: String?

  mutating func isOn(_ node: Int32, _ tree: borrowing HTMLTree) -> Bool {
    let title = tree.plainValue(of: "title", node)
    if title.isEmpty { return true }
    if preferred == nil { preferred = title }
    return title == preferred
  }
}

extension HTMLTree {
  /// Whether the tree has attributes and elements that hide.
  fileprivate var mayBeHidden: Bool {
    let names = ["hidden", "style", "popover"].map { (name: String) in knownNumber(ofAttribute: name) }
    return attributes.indices.contains { names.contains(attributes[$0].name) }
      || nodes.indices.contains { htmlName(Int32($0)) == .dialog }
  }

  /// What is around a node that is shown to some alone.
  fileprivate enum Fallback { case none, noscript, other }

  fileprivate func fallbackAround(_ node: Int32) -> Fallback {
    var node = nodes[Int(node)].parent
    while node > 0 {
      switch htmlName(node) {
      case .noscript: return .noscript
      case .template, .iframe: return .other
      default: node = nodes[Int(node)].parent
      }
    }
    return .none
  }

  /// Whether the sheet of an element is one of CSS, by its attribute, in which spaces count.
  fileprivate func isCSS(_ node: Int32) -> Bool {
    guard let type = value(of: "type", node) else { return true }
    return type.isEmpty || bytes[type].map(\.asciiLowercased).elementsEqual("text/css".utf8)
  }

  /// Whether a `link` names a style sheet.
  fileprivate func isStyleSheet(_ node: Int32) -> Bool {
    ByteScan.index(of: "stylesheet", in: plainValue(of: "rel", node).utf8.span, from: 0) != nil
  }

  /// The value of an attribute in lower case without white space at its ends.
  fileprivate func plainValue(of name: String, _ node: Int32) -> String {
    value(of: name, node).map { String(streamSafe: bytes[$0.prefix(2000)]).trimmed().asciiLowercased() } ?? ""
  }

  /// The sheet in the address of a `link`; nil when it is elsewhere.
  fileprivate func dataSheet(_ node: Int32) -> [UInt8]? {
    guard plainValue(of: "rel", node) == "stylesheet", value(of: "disabled", node) == nil else { return nil }
    return value(of: "href", node).flatMap { DataSheet.text(of: bytes[$0].drop(while: \.isHTMLSpace)) }
  }

  /// The sheet that a `link` names, when it is at hand.
  fileprivate func linkedSheet(_ node: Int32, _ linked: LinkedSheets.Finder?) -> [UInt8]? {
    guard let linked, plainValue(of: "rel", node) == "stylesheet", value(of: "disabled", node) == nil,
      let href = value(of: "href", node)
    else { return nil }
    let base = nodes.indices.first { nodes[$0].kind == .element && htmlName(Int32($0)) == .base }
    return linked(
      String(streamSafe: bytes[href]),
      base.flatMap { value(of: "href", Int32($0)) }.map { String(streamSafe: bytes[$0]) })
  }

  /// The size in bytes of the texts that are children of a node.
  fileprivate func count(ofTextsIn node: Int32) -> Int {
    children(of: node).reduce(0) { $0 + (nodes[Int($1)].kind == .text ? count(ofText: $1) : 0) }
  }

  /// The text of a sheet.
  fileprivate func textOfSheet(_ node: Int32) -> [UInt8] {
    var text: [UInt8] = []
    for child in children(of: node) where nodes[Int(child)].kind == .text {
      var piece = nodes[Int(child)].content.lowerBound
      while piece >= 0 {
        text += bytes[pieces[Int(piece)].range]
        piece = pieces[Int(piece)].next
      }
    }
    return text
  }
}

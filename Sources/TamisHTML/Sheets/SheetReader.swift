import TamisCore

/// A reader of the rules of style sheets (CSS Syntax Module Level 3, 5; CSS Nesting Module).
///
/// A run of declarations is a rule of its own: `a{color:red; b{top:0} left:0}` has three. Rules whose declarations can
/// hide nothing, and keep nothing from being hidden, are left out; so are at-rules that are not conditions or layers.
struct SheetReader {
  /// A run of declarations, with the selectors of their elements.
  struct Rule {
    /// The selectors, in ``SheetReader/table``.
    var selectors: Range<Int32>
    /// The declarations in ``SheetReader/css``.
    var declarations: Range<Int>
    /// The layer, in ``SheetReader/layers``.
    var layer: Int
    /// Whether it applies is not known, or only without scripts.
    var isUnsure: Bool
    var traits: SheetTraits
  }

  /// A declaration of a color.
  private struct Color {
    var rule: Int
    var value: Range<Int>
    var isBackground: Bool
  }

  /// A declaration of a custom property, such as `--main: red`.
  struct CustomProperty {
    var declaration: Range<Int>
    /// Whether the whole page has it.
    var isOfRoot: Bool
  }

  private struct Layer {
    var inner: [Int] = []
    var byName: [String: Int] = [:]
  }

  /// A rule whose block is read.
  ///
  /// Its selectors are read when a declaration matters, or a rule in it does.
  private final class OpenRule {
    let prelude: Range<Int>
    let outer: OpenRule?
    let scope: SelectorTable.Scope?
    private var selectors: SelectorTable.List?
    private var isRead = false

    init(_ prelude: Range<Int>, in outer: OpenRule?, _ scope: SelectorTable.Scope?) {
      (self.prelude, self.outer, self.scope) = (prelude, outer, scope)
    }

    /// The selectors; nil when browsers drop the rule.
    func selectors(_ table: SelectorTable, _ css: [UInt8]) -> SelectorTable.List? {
      if isRead { return selectors }
      isRead = true
      let parents = outer?.selectors(table, css)
      if outer == nil || parents != nil { selectors = table.add(css, prelude, in: parents, scope) }
      return selectors
    }
  }

  /// Where rules stand.
  private struct Context {
    var layer = 0
    var isUnsure = false
    /// The rule around; nil outside of rules.
    var rule: OpenRule?
    /// The part of the page to which they are limited.
    var scope: SelectorTable.Scope?
    var depth = 0
    /// The element that the sheet is in.
    var parent: Int32
  }

  /// The maximum depth of blocks in blocks.
  private static let deepest = 32
  private static let deepestImport = 4
  private static let (mostLayers, mostCustomProperties) = (1000, 20_000)

  private(set) var css: [UInt8] = []
  let table: SelectorTable
  private(set) var rules: [Rule] = []
  private(set) var customProperties: [CustomProperty] = []
  private var colors: [Color] = []
  /// Whether some declarations may hide by a reference to a custom property.
  private(set) var hasReferences = false
  /// What is said of custom properties by name.
  private(set) var registered: [String: CustomProperties.Registration] = [:]
  /// The blocks of `@keyframes` by the names of their animations.
  private(set) var animations: [String: [Range<Int>]] = [:]
  /// The layers; the first is that of all rules outside of layers.
  private var layers = [Layer()]
  /// The conditions of `@media` that are decided; sheets repeat a few.
  private var media: [String: Truth] = [:]
  private var index = 0
  private var end = 0
  /// Whether the sheet that is read has had a rule, behind which nothing is imported.
  private var hasRule = false
  /// Whether the sheet has a namespace for selectors without a prefix, of which nothing is sure then.
  private var hasDefaultNamespace = false
  /// The number of sheets in whose addresses this one is.
  private var importDepth = 0

  init(_ words: PageWords, knowsRoot: Bool) { table = SelectorTable(words, knowsRoot: knowsRoot) }

  /// Reads a sheet.
  ///
  /// - Parameters:
  ///   - sheet: the text of the sheet.
  ///   - isUnsure: whether it is not known if it applies.
  ///   - parent: the element that the sheet is in, which `@scope` without selectors means.
  mutating func read(_ sheet: some Collection<UInt8>, isUnsure: Bool, in parent: Int32) {
    let (hadRule, hadDefault) = (hasRule, hasDefaultNamespace)
    (index, hasRule, hasDefaultNamespace) = (css.count, false, false)
    css += sheet
    end = css.count
    readRules(Context(isUnsure: isUnsure, parent: parent))
    (hasRule, hasDefaultNamespace) = (hadRule, hadDefault)
  }

  /// The order of each layer: what is later wins; the inner ones come before what is in the outer one itself.
  var layerOrder: [Int32] {
    var order = [Int32](repeating: 0, count: layers.count)
    var count: Int32 = 0
    func number(_ layer: Int) {
      for inner in layers[layer].inner { number(inner) }
      order[layer] = count
      count += 1
    }
    number(0)
    return order
  }

  // MARK: - Blocks

  /// Reads rules up to the end of a block or of the sheet.
  private mutating func readRules(_ context: Context) {
    var (run, traits, firstColor): (Int?, SheetTraits, Int) = (nil, SheetTraits(), 0)
    func flush(_ reader: inout SheetReader, _ stop: Int) {
      guard let start = run else { return }
      if !traits.isEmpty, let selectors = context.rule?.selectors(reader.table, reader.css), !selectors.range.isEmpty {
        reader.rules.append(
          Rule(
            selectors: selectors.range, declarations: start..<stop, layer: context.layer,
            isUnsure: context.isUnsure || reader.hasDefaultNamespace, traits: traits))
      } else {
        reader.colors.removeSubrange(firstColor...)
      }
      (run, traits) = (nil, SheetTraits())
    }
    while true {
      skipSpace()
      guard index < end else { break }
      let start = index
      switch css[index] {
      // Outside of declarations it belongs to the selectors of the next rule, which is dropped.
      case UInt8(ascii: ";") where context.rule != nil: index += 1
      case UInt8(ascii: "}"):
        if context.depth > 0 {
          flush(&self, start)
          index += 1
          return
        }
        // Outside of blocks it belongs to the selectors of the next rule, which is dropped.
        readRule(context)
      case UInt8(ascii: "@"):
        flush(&self, start)
        readAtRule(context)
      default:
        if context.depth == 0, skipMark() { continue }
        let colorCount = colors.count
        if context.rule != nil, let more = readDeclaration(context) {
          if run == nil { (run, firstColor) = (start, colorCount) }
          traits.formUnion(more)
          hasReferences = hasReferences || more.refers
        } else {
          flush(&self, start)
          readRule(context)
        }
      }
    }
    flush(&self, index)
  }

  private func isRoot(_ context: Context) -> Bool {
    guard let rule = context.rule, !context.isUnsure, let selectors = rule.selectors(table, css) else { return false }
    return !selectors.range.isEmpty && selectors.range.allSatisfy { table.selectors[Int($0)].isRoot }
  }

  /// Skips `<!--` and `-->`, in which old pages set a sheet.
  private mutating func skipMark() -> Bool {
    for mark in ["<!--", "-->"] where css[index..<min(index + mark.utf8.count, end)].elementsEqual(mark.utf8) {
      index += mark.utf8.count
      return true
    }
    return false
  }

  /// Reads a declaration; returns what it may do, or nil, without moving, before a nested rule.
  private mutating func readDeclaration(_ context: Context) -> SheetTraits? {
    let start = index
    var colon: Int?
    var hasEscape = false
    let isCustom = index + 1 < end && css[index] == UInt8(ascii: "-") && css[index + 1] == UInt8(ascii: "-")
    while index < end {
      skipPlain()
      if index >= end { break }
      switch css[index] {
      case UInt8(ascii: ";"), UInt8(ascii: "}"):
        return note(start, colon, hasEscape: hasEscape, isCustom: isCustom, context)
      case UInt8(ascii: "{"):
        if isCustom {
          skipBlock()
        } else {
          index = start
          return nil
        }
      case UInt8(ascii: ":"):
        if colon == nil { colon = index }
        index += 1
      case UInt8(ascii: "\\"):
        hasEscape = true
        skipToken()
      case UInt8(ascii: "/"):
        hasEscape = hasEscape || index + 1 < end && css[index + 1] == UInt8(ascii: "*")
        skipToken()
      default: skipToken()
      }
    }
    return note(start, colon, hasEscape: hasEscape, isCustom: isCustom, context)
  }

  private mutating func note(
    _ start: Int, _ colon: Int?, hasEscape: Bool, isCustom: Bool, _ context: Context
  ) -> SheetTraits {
    guard let colon else { return SheetTraits() }
    var stop = colon
    while stop > start, css[stop - 1].isHTMLSpace { stop -= 1 }
    if isCustom {
      if customProperties.count < Self.mostCustomProperties {
        customProperties.append(CustomProperty(declaration: start..<index, isOfRoot: isRoot(context)))
      }
      return .custom
    }
    let traits = SheetTraits(css.span, start..<stop, colon + 1..<index, hasEscape: hasEscape)
    if traits.hasColor || traits.hasBackground {
      colors.append(Color(rule: rules.count, value: colon + 1..<index, isBackground: traits.hasBackground))
    }
    return traits
  }

  /// The maximum number of different colors that are compared; with more, each may be lost.
  private static let mostColors = 500

  /// Marks the rules whose text has the color of a background.
  ///
  /// - Parameter tree: the tree, whose attributes have other colors of backgrounds.
  mutating func findLostColors(besides tree: borrowing HTMLTree) {
    var backgrounds: [CSSColor] = [CSSColor("white"), CSSColor("black")].compactMap { $0 } + tree.backgrounds
    var known = NameIndex()
    for color in colors where color.isBackground && known.number(of: css.span, color.value) == nil {
      let value = String(streamSafe: css[color.value])
      known.add(value)
      for word in StyleValue.words(value.asciiLowercased()) {
        if let one = CSSColor(word) { backgrounds.append(one) }
      }
    }
    let isFull = backgrounds.count > Self.mostColors
    known = NameIndex()
    var isLost: [Bool] = []
    for color in colors where !color.isBackground && color.rule < rules.count {
      var mayBeLost = true
      if let number = known.number(of: css.span, color.value) {
        mayBeLost = isLost[number]
      } else if !isFull, isLost.count < Self.mostColors {
        mayBeLost = Self.mayBeLost(css[color.value], backgrounds)
        known.add(String(streamSafe: css[color.value]))
        isLost.append(mayBeLost)
      }
      if mayBeLost { rules[color.rule].traits.hides.insert(.color) }
    }
  }

  private static func mayBeLost(_ value: ArraySlice<UInt8>, _ backgrounds: [CSSColor]) -> Bool {
    let text = String(streamSafe: value).asciiLowercased()
    guard let word = StyleValue.words(text).first, let color = CSSColor(word.prefix { $0 != "!" }.trimmed()) else {
      return StyleValue.isFunction(text)
    }
    return color.isTransparent || backgrounds.contains { color.isLost(on: $0) }
  }

  private mutating func readRule(_ context: Context) {
    let start = index
    guard skipPrelude(stopsAtSemicolon: context.rule != nil, isInBlock: context.depth > 0) else { return }
    let prelude = start..<index
    hasRule = true
    guard context.depth < Self.deepest else { return skipBlock() }
    index += 1
    var inner = context
    (inner.rule, inner.depth) = (OpenRule(prelude, in: context.rule, context.scope), context.depth + 1)
    readRules(inner)
  }

  // MARK: - At-rules

  private mutating func readAtRule(_ context: Context) {
    index += 1
    let nameStart = index
    while index < end, css[index].isASCIIAlphanumeric || css[index] == UInt8(ascii: "-") { index += 1 }
    let name = String(streamSafe: css[nameStart..<index]).asciiLowercased()
    let start = index
    let hasBlock = skipPrelude(stopsAtSemicolon: true, isInBlock: true)
    let prelude = Self.plain(css[start..<index])
    guard hasBlock else {
      if index < end, css[index] == UInt8(ascii: ";") { index += 1 }
      if name == "namespace" {
        if prelude.trimmed().contains(" ") { table.hasNamespaces = true } else { hasDefaultNamespace = true }
      }
      if name == "layer" {
        for one in Self.plain(css[start..<index], keepsCase: true).split(separator: ",") {
          _ = layer(one.trimmed(), in: context.layer)
        }
      }
      // Only other imports, and layers, stand before one.
      if name == "import", hasRule { return }
      if name == "import", prelude.hasSuffix(")") || prelude.hasSuffix("\"") || prelude.hasSuffix("'"),
        importDepth < Self.deepestImport, let sheet = importedSheet(start)
      {
        let (after, stop) = (index, end)
        importDepth += 1
        read(sheet, isUnsure: context.isUnsure, in: context.parent)
        importDepth -= 1
        (index, end) = (after, stop)
        return
      }
      // The sheet is not at hand, but its layer has its place.
      if name == "import", let open = ByteScan.index(of: " layer(", in: prelude.utf8.span, from: 0) {
        _ = layer(String(prelude.utf8.dropFirst(open + 7).prefix { $0 != UInt8(ascii: ")") }) ?? "", in: context.layer)
      }
      return
    }
    hasRule = hasRule || name != "layer"
    var inner = context
    inner.depth += 1
    var truth = Truth.yes
    switch name {
    case "media":
      truth = media[prelude] ?? SheetCondition.media(prelude)
      media[prelude] = truth
    case "supports": truth = SheetCondition.supports(prelude)
    case "layer":
      if prelude.contains(",") {
        truth = .no
      } else {
        inner.layer = layer(Self.plain(css[start..<index], keepsCase: true).trimmed(), in: context.layer)
      }
    case "container": truth = .maybe
    case "scope":
      guard let scope = scope(css, start..<index, in: context.parent) else { return skipBlock() }
      // What a limit means by `:scope`, and a scope in a scope, is not followed.
      if context.scope != nil || scope.limits != nil && prelude.contains(":scope") { truth = .maybe }
      inner.scope = scope
    case "property":
      register(prelude.trimmed())
      truth = .no
    case "keyframes", "-webkit-keyframes":
      let block = index
      let name = CustomProperties.animationName(css[start..<index])
      skipBlock()
      return animations[name, default: []].append(block..<index)
    default: truth = .no
    }
    guard truth != .no, context.depth < Self.deepest else { return skipBlock() }
    inner.isUnsure = inner.isUnsure || truth == .maybe
    index += 1
    readRules(inner)
  }

  /// Returns the sheet whose address is all that an `@import` says, when it is in the address.
  private func importedSheet(_ start: Int) -> [UInt8]? {
    guard index > start, css[index - 1] == UInt8(ascii: ";") else { return nil }
    let marks: Set<UInt8> = Set(" ();\"'".utf8)
    var address = css[start..<index].drop { marks.contains($0) || $0.isHTMLSpace }
    if address.prefix(4).map(\.asciiLowercased).elementsEqual("url(".utf8) {
      address = address.dropFirst(4).drop { marks.contains($0) }
    }
    return DataSheet.text(of: address.prefix { !marks.contains($0) })
  }

  /// Reads what `@property` says of a custom property; its block begins here.
  private mutating func register(_ name: String) {
    let start = index
    skipBlock()
    if registered.count < Self.mostCustomProperties,
      let registration = CustomProperties.Registration(css[(start + 1)..<max(start + 1, index - 1)])
    {
      registered[name] = registration
    }
    index = start
  }

  /// Reads `(.card) to (.inner)` of `@scope` (CSS Cascading and Inheritance Level 6, 2.5); nil for what is not decided.
  private mutating func scope(_ css: [UInt8], _ prelude: Range<Int>, in parent: Int32) -> SelectorTable.Scope? {
    if css[prelude].allSatisfy(\.isHTMLSpace) {
      return table.add(SelectorTable.Scope(roots: table.add(node: parent), limits: nil))
    }
    var lists: [SelectorTable.List] = []
    var start = prelude.lowerBound
    while let open = css[start..<prelude.upperBound].firstIndex(of: UInt8(ascii: "(")) {
      var (close, depth) = (open, 0)
      repeat {
        if css[close] == UInt8(ascii: "(") { depth += 1 } else if css[close] == UInt8(ascii: ")") { depth -= 1 }
        close += 1
      } while depth > 0 && close < prelude.upperBound
      guard depth == 0, let list = table.add(css, open + 1..<close - 1) else { return nil }
      lists.append(list)
      start = close
    }
    guard let roots = lists.first, lists.count <= 2 else { return nil }
    return table.add(SelectorTable.Scope(roots: roots, limits: lists.count == 2 ? lists[1] : nil))
  }

  /// Returns the number of a layer, `a` or `a.b`; one without a name is new.
  private mutating func layer(_ name: String, in outer: Int) -> Int {
    var layer = outer
    for part in name.isEmpty ? [""] : name.split(separator: ".").map(String.init) {
      if !part.isEmpty, let known = layers[layer].byName[part] {
        layer = known
      } else if layers.count < Self.mostLayers {
        layers.append(Layer())
        layers[layer].inner.append(layers.count - 1)
        if !part.isEmpty { layers[layer].byName[part] = layers.count - 1 }
        layer = layers.count - 1
      }
    }
    return layer
  }

  /// Returns a text in lower case, unless case matters, with one space for white space and comments.
  private static func plain(_ text: ArraySlice<UInt8>, keepsCase: Bool = false) -> String {
    var (plain, index): ([UInt8], Int) = ([], text.startIndex)
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "/"), index + 1 < text.endIndex, text[index + 1] == UInt8(ascii: "*") {
        index += 2
        while index < text.endIndex, text[index] != UInt8(ascii: "/") || text[index - 1] != UInt8(ascii: "*") {
          index += 1
        }
        index += 1
        if plain.last != ASCII.space { plain.append(ASCII.space) }
        continue
      }
      let byte = text[index].isHTMLSpace ? ASCII.space : keepsCase ? text[index] : text[index].asciiLowercased
      if byte != ASCII.space || plain.last != ASCII.space { plain.append(byte) }
      index += 1
    }
    return String(streamSafe: plain)
  }

  // MARK: - Tokens

  private mutating func skipSpace() {
    while index < end {
      if css[index].isHTMLSpace {
        index += 1
      } else if css[index] == UInt8(ascii: "/"), index + 1 < end, css[index + 1] == UInt8(ascii: "*") {
        skipComment()
      } else {
        return
      }
    }
  }

  /// The bytes that begin or end something: `"'()/:;[\]{}`.
  private static let marks: (low: UInt64, high: UInt64) = {
    var marks: (low: UInt64, high: UInt64) = (0, 0)
    for byte in "\"'()/:;[\\]{}".utf8 {
      if byte < 64 { marks.low |= 1 << UInt64(byte) } else { marks.high |= 1 << UInt64(byte - 64) }
    }
    return marks
  }()

  /// Moves to the next byte that begins or ends something.
  private mutating func skipPlain() {
    let marks = Self.marks
    var place = index
    let stop = end
    css.withUnsafeBufferPointer { bytes in
      while place < stop {
        let byte = bytes[place]
        if byte < 128, (byte < 64 ? marks.low : marks.high) >> UInt64(byte & 63) & 1 != 0 { break }
        place += 1
      }
    }
    index = place
  }

  private mutating func skipComment() {
    let close = ByteScan.index(of: "*/" as StaticString, in: css.span.extracting(0..<end), from: index + 2)
    index = close.map { $0 + 2 } ?? end
  }

  /// Moves to the block of a rule; returns false when it has none.
  private mutating func skipPrelude(stopsAtSemicolon: Bool, isInBlock: Bool) -> Bool {
    while index < end {
      skipPlain()
      if index >= end { break }
      switch css[index] {
      case UInt8(ascii: "{"): return true
      case UInt8(ascii: ";") where stopsAtSemicolon: return false
      case UInt8(ascii: "}") where isInBlock: return false
      default: skipToken()
      }
    }
    return false
  }

  /// Moves behind the block that begins here.
  private mutating func skipBlock() {
    var closers = [UInt8]()
    repeat {
      guard index < end else { return }
      switch css[index] {
      case UInt8(ascii: "{"):
        closers.append(UInt8(ascii: "}"))
        index += 1
      case UInt8(ascii: "}"):
        closers.removeLast()
        index += 1
      default: skipToken()
      }
    } while !closers.isEmpty
  }

  /// Moves behind a string, a comment, an escape, brackets with what is in them, or one other byte.
  private mutating func skipToken() {
    switch css[index] {
    case UInt8(ascii: "/") where index + 1 < end && css[index + 1] == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "\\"): index = min(index + 2, end)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString()
    case UInt8(ascii: "("), UInt8(ascii: "["): skipBrackets()
    default: index += 1
    }
  }

  private mutating func skipString() {
    let quote = css[index]
    index += 1
    while index < end, css[index] != quote {
      // A line break ends a string that is not closed.
      if css[index] == ASCII.lineFeed { return }
      index += css[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index + 1, end)
  }

  /// The end of brackets in which there are no others, nor strings and comments: `(1px, 2px)`; nil for others.
  private var plainClosing: Int? {
    let closer = css[index] == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "]")
    var place = index + 1
    while place < end {
      switch css[place] {
      case closer: return place
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"):
        return nil
      default: place += 1
      }
    }
    return nil
  }

  /// Skips brackets; in `url(` without quotation marks nothing has a meaning but the parenthesis that closes it.
  private mutating func skipBrackets() {
    if css[index] == UInt8(ascii: "("), index >= 3, css[index - 1].asciiLowercased == UInt8(ascii: "l"),
      css[index - 2].asciiLowercased == UInt8(ascii: "r"), css[index - 3].asciiLowercased == UInt8(ascii: "u")
    {
      var probe = index + 1
      while probe < end, css[probe].isHTMLSpace { probe += 1 }
      if probe < end, css[probe] != UInt8(ascii: "\""), css[probe] != UInt8(ascii: "'") {
        while probe < end, css[probe] != UInt8(ascii: ")") { probe += css[probe] == UInt8(ascii: "\\") ? 2 : 1 }
        index = min(probe + 1, end)
        return
      }
    }
    if let close = plainClosing {
      index = close + 1
      return
    }
    var closers: [UInt8] = []
    repeat {
      guard index < end else { return }
      let byte = css[index]
      switch byte {
      case UInt8(ascii: "("): closers.append(UInt8(ascii: ")"))
      case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
      case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        skipString()
        continue
      case UInt8(ascii: "\\"):
        index = min(index + 2, end)
        continue
      case UInt8(ascii: "/") where index + 1 < end && css[index + 1] == UInt8(ascii: "*"):
        skipComment()
        continue
      default: if byte == closers.last { closers.removeLast() }
      }
      index += 1
    } while !closers.isEmpty
  }
}

import TamisCore

/// Reads lists of selectors as browsers do.
///
/// A list with a part that they do not know is dropped as a whole, except in `:is` and `:where`, where the part is.
struct SheetSelectorParser {
  /// Where a list stands.
  enum Place { case rule, function, forgiving, relative }

  /// The maximum depth of lists in lists.
  private static let deepest = 8

  private let css: [UInt8]
  private let end: Int
  private let words: PageWords
  private let parents: SelectorTable.List?
  private let scope: SelectorTable.Scope?
  private var index: Int
  private var depth = 0

  /// A selector that is being read.
  private struct Draft {
    var specificity = 0
    var hasParent = false
    /// Whether it names a pseudo-element, which has no text of the page, or one with words of the element, which may
    /// be seen when the others are not.
    var (isPseudo, isPartOfText) = (false, false)
    /// Whether it asks for a class that names a state.
    var namesState = false
    /// Whether all it says is a name of the page as a whole.
    var isRoot = false
  }

  /// The tests of the selectors that are being read, and where each of their compounds begins, the outer ones first.
  private var tests: [SelectorTable.Test] = []
  private var parts: [(start: Int, combinator: SelectorTable.Combinator)] = []
  /// Whether a list is an argument of `:has`, in which no other stands.
  private var isInHas = false

  init(
    _ css: [UInt8], _ range: Range<Int>, _ words: PageWords, _ parents: SelectorTable.List?,
    _ scope: SelectorTable.Scope?
  ) {
    (self.css, end, self.words, self.parents, self.scope) = (css, range.upperBound, words, parents, scope)
    index = range.lowerBound
    tests.reserveCapacity(16)
    parts.reserveCapacity(8)
  }

  /// Reads a list up to the end, or to a parenthesis that closes it.
  mutating func list(_ place: Place, _ table: SelectorTable) -> SelectorTable.List? {
    if depth > Self.deepest { return nil }
    var (list, specificity): ([SelectorTable.Selector], Int) = ([], 0)
    while true {
      let (start, firstPart, firstTest) = (index, parts.count, tests.count)
      var draft = Draft()
      if selector(place, &draft, table) {
        specificity = max(specificity, draft.specificity)
        if place != .rule || !isHopeless(firstPart, table) {
          list.append(
            table.selector(
              parts[firstPart...], tests, specificity: draft.specificity, namesState: draft.namesState,
              isRoot: draft.isRoot))
        }
        parts.removeSubrange(firstPart...)
        tests.removeSubrange(firstTest...)
      } else if place == .forgiving {
        parts.removeSubrange(firstPart...)
        tests.removeSubrange(firstTest...)
        index = start
        skipToComma()
      } else {
        return nil
      }
      guard next == UInt8(ascii: ",") else { break }
      index += 1
    }
    skipSpace()
    if depth == 0, index < end { return nil }
    let isImpossible = list.allSatisfy(\.isImpossible)
    return SelectorTable.List(range: table.add(list), specificity: specificity, isImpossible: isImpossible)
  }

  /// Whether no element of the page can match in any of its states: scripts set classes and attributes, and give no
  /// element another name or id.
  ///
  /// - Parameters:
  ///   - first: the first of the compounds of the selector in ``parts``.
  ///   - table: the table.
  /// - Returns: whether none can.
  private func isHopeless(_ first: Int, _ table: SelectorTable) -> Bool {
    var stop = tests.count
    for part in parts[first...].reversed() {
      let (own, isSubject) = (part.start..<stop, stop == tests.count)
      stop = part.start
      guard isSubject || table.knowsRoot else { return false }
      var (isAbsent, hasAbsentClass, isNamed) = (false, false, false)
      for test in tests[own] {
        switch test {
        // Attributes of the root of a fragment are not known.
        case .root where !table.knowsRoot: return false
        case .type(let name):
          let isOfRoot = name == HTMLName.html.rawValue || name == HTMLName.body.rawValue
          if isOfRoot, !table.knowsRoot { return false }
          isAbsent = isAbsent || name < 0
        case .id(let id):
          isAbsent = isAbsent || id < 0
          isNamed = isNamed || id >= 0
        case .word(let word):
          hasAbsentClass = hasAbsentClass || word < 0
          isNamed = isNamed || word >= 0
        case .attribute(let name, _): isNamed = isNamed || name >= 0
        case .never: isAbsent = true
        default: break
        }
      }
      if isAbsent || isSubject && hasAbsentClass && !isNamed { return true }
    }
    return false
  }

  private mutating func skipToComma() {
    var depth = 0
    while index < end {
      switch css[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return }
      case UInt8(ascii: "\\"): index += 1
      case let quote where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"): _ = string()
      default: break
      }
      index += 1
    }
    index = min(index, end)
  }

  // MARK: - One selector

  /// Reads a selector into ``parts`` and ``tests``; false when it is none.
  private mutating func selector(_ place: Place, _ draft: inout Draft, _ table: SelectorTable) -> Bool {
    let first = parts.count
    skipSpace()
    var combinator = combinator(afterSpace: false)
    if place == .relative {
      parts.append((tests.count, .descendant))
      tests.append(.anchor)
    } else if combinator != nil {
      // A nested rule may begin with a combinator; what is before it is the rule around.
      guard place == .rule, parents != nil else { return false }
      parts.append((tests.count, .descendant))
      addParents(&draft)
    }
    while true {
      parts.append((tests.count, combinator ?? .descendant))
      guard compound(&draft, table) else { return false }
      let hasSpace = skipSpace()
      if next == nil || next == UInt8(ascii: ",") || next == UInt8(ascii: ")") { break }
      combinator = self.combinator(afterSpace: hasSpace)
      if combinator == nil { return false }
    }
    if place == .rule, parents != nil, !draft.hasParent { addParentsAround(first, &draft) }
    draft.isRoot = draft.isRoot && parts.count == first + 1
    if place == .rule, let scope {
      tests.append(.scope(scope.number))
      draft.isRoot = false
    }
    if draft.isPseudo { tests.append(draft.isPartOfText ? .state : .never) }
    return true
  }

  /// Adds the rule around as a test of the present compound.
  private mutating func addParents(_ draft: inout Draft) {
    guard let parents else { return }
    tests.append(.any(parents))
    draft.specificity += parents.specificity
    draft.hasParent = true
  }

  /// Adds the rule around as the outermost compound: `a { b {} }` is `a b`.
  private mutating func addParentsAround(_ first: Int, _ draft: inout Draft) {
    guard let parents else { return }
    let start = parts[first].start
    for part in first..<parts.count { parts[part].start += 1 }
    parts.insert((start, .descendant), at: first)
    tests.insert(.any(parents), at: start)
    draft.specificity += parents.specificity
  }

  private mutating func combinator(afterSpace hasSpace: Bool) -> SelectorTable.Combinator? {
    let combinator: SelectorTable.Combinator
    switch next {
    case UInt8(ascii: ">"): combinator = .child
    case UInt8(ascii: "+"): combinator = .next
    case UInt8(ascii: "~"): combinator = .later
    default: return hasSpace ? .descendant : nil
    }
    index += 1
    skipSpace()
    return combinator
  }

  /// Reads the conditions for one element; false when there are none, or others than are known.
  private mutating func compound(_ draft: inout Draft, _ table: SelectorTable) -> Bool {
    let (start, first) = (index, tests.count)
    if next == UInt8(ascii: "*") || next == UInt8(ascii: "|") || startsName {
      guard type(&draft, table) else { return false }
    }
    while let byte = next {
      if skipComment() { continue }
      if draft.isPseudo, byte != UInt8(ascii: ":") { break }
      switch byte {
      case UInt8(ascii: "."):
        index += 1
        guard let name = nameRange() else { return false }
        draft.specificity += Specificity.word
        let word = number(of: name, in: .classes)
        if word < 0, SelectorTable.isState(css, name) { draft.namesState = true }
        tests.append(.word(word))
      case UInt8(ascii: "#"):
        index += 1
        guard let name = nameRange() else { return false }
        draft.specificity += Specificity.id
        tests.append(.id(number(of: name, in: .ids)))
      case UInt8(ascii: "["):
        guard let test = attribute(table, &draft) else { return false }
        draft.specificity += Specificity.word
        tests.append(test)
      case UInt8(ascii: "&"):
        index += 1
        if parents == nil { tests.append(.root) }
        addParents(&draft)
      case UInt8(ascii: ":"):
        guard pseudo(&draft, table) else { return false }
        if tests.count == first + 1, start + 5 == index, case .root = tests[first] { draft.isRoot = true }
        continue
      default: return start != index
      }
      draft.isRoot = false
    }
    return start != index
  }

  /// Reads `a`, `*`, `*|a`, `|a` or, where a sheet declares namespaces, `svg|a`.
  private mutating func type(_ draft: inout Draft, _ table: SelectorTable) -> Bool {
    let isName = next != UInt8(ascii: "*") && next != UInt8(ascii: "|")
    var name: Range<Int>?
    if isName {
      name = nameRange()
      if name == nil { return false }
    } else if next == UInt8(ascii: "*") {
      index += 1
    }
    if next == UInt8(ascii: "|"), index + 1 < end, css[index + 1] != UInt8(ascii: "=") {
      if isName {
        guard table.hasNamespaces else { return false }
        // Which namespace it is does not matter here.
        tests.append(.state)
      }
      index += 1
      if next == UInt8(ascii: "*") {
        index += 1
        return true
      }
      name = nameRange()
      if name == nil { return false }
    }
    guard let name else {
      draft.isRoot = true
      return true
    }
    draft.specificity += Specificity.type
    let number = number(of: name, in: .elements)
    tests.append(.type(number))
    draft.isRoot = isName && (number == HTMLName.html.rawValue || number == HTMLName.body.rawValue)
    return true
  }

  /// The page's number of a name; -1 for none.
  private func number(of name: Range<Int>, in list: PageWords.List) -> Int32 {
    hasEscape ? words.number(of: decoded, of: list) : words.number(of: css, name, in: list)
  }

  private mutating func attribute(_ table: SelectorTable, _ draft: inout Draft) -> SelectorTable.Test? {
    index += 1
    skipSpace()
    if next == UInt8(ascii: "*") || next == UInt8(ascii: "|") {
      while next == UInt8(ascii: "*") || next == UInt8(ascii: "|") { index += 1 }
    }
    guard let name = name() else { return nil }
    skipSpace()
    let lowerName = String(streamSafe: name).asciiLowercased()
    let number = words.number(of: name, of: .attributes)
    if SelectorTable.stateAttributes.contains(lowerName) || lowerName == "open" { draft.namesState = true }
    if next == UInt8(ascii: "]") {
      index += 1
      return .attribute(number, table.add(SelectorTable.TextComparison(comparison: .exists, text: [])))
    }
    guard let comparison = comparison() else { return nil }
    skipSpace()
    guard let value = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") ? string() : self.name() else {
      return nil
    }
    skipSpace()
    var ignoresCase = CSSSelector.Attribute(name: lowerName).ignoresCase
    if let flag = next.map(\.asciiLowercased), flag == UInt8(ascii: "i") || flag == UInt8(ascii: "s") {
      ignoresCase = flag == UInt8(ascii: "i")
      index += 1
      skipSpace()
    }
    // The end of a sheet closes what is open.
    if next == UInt8(ascii: "]") { index += 1 } else if next != nil { return nil }
    let text = SelectorTable.TextComparison(
      comparison: comparison, text: ignoresCase ? value.map(\.asciiLowercased) : value, ignoresCase: ignoresCase)
    return .attribute(number, table.add(text))
  }

  private mutating func comparison() -> SelectorTable.Comparison? {
    let sign = next
    index += 1
    if sign == UInt8(ascii: "=") { return .equals }
    guard next == UInt8(ascii: "=") else { return nil }
    index += 1
    switch sign {
    case UInt8(ascii: "~"): return .word
    case UInt8(ascii: "|"): return .dash
    case UInt8(ascii: "^"): return .begins
    case UInt8(ascii: "$"): return .ends
    case UInt8(ascii: "*"): return .contains
    default: return nil
    }
  }

  // MARK: - Pseudo-classes

  private static let legacyElements = NameIndex(["before", "after", "first-line", "first-letter"])
  private static let partsOfText = NameIndex(["first-line", "first-letter"])
  private static let elements = NameIndex([
    "before", "after", "first-line", "first-letter", "marker", "selection", "placeholder", "backdrop", "cue",
    "file-selector-button", "target-text", "search-text", "spelling-error", "grammar-error", "details-content",
    "view-transition", "scroll-marker", "scroll-marker-group", "scroll-button", "column", "checkmark", "picker-icon",
    "interest-hint",
  ])
  private static let elementFunctions = NameIndex([
    "part", "slotted", "highlight", "picker", "scroll-button", "cue", "view-transition-group",
    "view-transition-image-pair", "view-transition-old", "view-transition-new", "view-transition-group-children",
  ])
  private static let states = NameIndex([
    "hover", "active", "focus", "focus-visible", "focus-within", "target", "checked", "indeterminate", "default",
    "valid", "invalid", "in-range", "out-of-range", "user-valid", "user-invalid", "open", "popover-open", "modal",
    "fullscreen", "-webkit-full-screen", "playing", "paused", "muted", "autofill", "-webkit-autofill", "visited",
    "picture-in-picture", "enabled", "optional", "read-only", "read-write",
    "placeholder-shown", "target-current", "active-view-transition", "buffering", "seeking", "stalled", "volume-locked",
    "target-before", "target-after", "interest-source", "interest-target", "past", "future", "current", "xr-overlay",
  ])

  /// Reads a pseudo-class or a pseudo-element; false for one that browsers do not know.
  private mutating func pseudo(_ draft: inout Draft, _ table: SelectorTable) -> Bool {
    index += 1
    let isElement = next == UInt8(ascii: ":")
    if isElement { index += 1 }
    guard let name = nameRange() else { return false }
    if next == UInt8(ascii: "("), !isElement {
      index += 1
      depth += 1
      let isKnown = function(keyword(name), &draft, table)
      depth -= 1
      skipSpace()
      if next == UInt8(ascii: ")") { index += 1 } else if next != nil { return false }
      return isKnown
    }
    if isElement || isAmong(Self.legacyElements, name) {
      let known = next == UInt8(ascii: "(") ? Self.elementFunctions : Self.elements
      guard isAmong(known, name) || keyword(name).hasPrefix("-webkit-") else { return false }
      if next == UInt8(ascii: "(") { skipParentheses() }
      draft.specificity += Specificity.type
      (draft.isPseudo, draft.isPartOfText) = (true, isAmong(Self.partsOfText, name))
      return true
    }
    draft.specificity += Specificity.word
    if isAmong(Self.states, name) {
      tests.append(.state)
      return true
    }
    return pseudoClass(keyword(name), table)
  }

  /// Whether the last identifier is one of some.
  private func isAmong(_ names: NameIndex, _ range: Range<Int>) -> Bool {
    if !hasEscape, css[range].allSatisfy({ $0.asciiLowercased == $0 }) {
      return names.number(of: css.span, range) != nil
    }
    return names.number(of: keyword(range)) != nil
  }

  private mutating func pseudoClass(_ name: String, _ table: SelectorTable) -> Bool {
    func position(isFromEnd: Bool = false, isOfType: Bool = false) -> SelectorTable.Test {
      table.add(SelectorTable.Position(step: 0, offset: 1, isFromEnd: isFromEnd, isOfType: isOfType))
    }
    switch name {
    case "root": tests.append(.root)
    case "scope": tests.append(scope.map { .any($0.roots) } ?? .root)
    case "empty": tests.append(.empty)
    case "link", "any-link", "-webkit-any-link": tests.append(.link)
    case "first-child": tests.append(position())
    case "last-child": tests.append(position(isFromEnd: true))
    case "only-child": tests += [position(), position(isFromEnd: true)]
    case "first-of-type": tests.append(position(isOfType: true))
    case "last-of-type": tests.append(position(isFromEnd: true, isOfType: true))
    case "only-of-type": tests += [position(isOfType: true), position(isFromEnd: true, isOfType: true)]
    case "defined": tests.append(.defined)
    case "disabled", "required":
      let number = words.number(of: Array(name.utf8), of: .attributes)
      tests.append(.attribute(number, table.add(SelectorTable.TextComparison(comparison: .exists, text: []))))
    case "host": tests.append(.never)
    default: return false
    }
    return true
  }

  private mutating func function(_ name: String, _ draft: inout Draft, _ table: SelectorTable) -> Bool {
    switch name {
    case "is", "where", "-webkit-any":
      guard let list = list(name == "-webkit-any" ? .function : .forgiving, table) else { return false }
      if name != "where" { draft.specificity += list.specificity }
      tests.append(.any(list))
    case "not":
      guard let list = list(.function, table) else { return false }
      draft.specificity += list.specificity
      tests.append(.any(list.range.lowerBound, list.range.upperBound, isNegated: true))
    case "has":
      if isInHas { return false }
      isInHas = true
      defer { isInHas = false }
      guard let list = list(.relative, table) else { return false }
      draft.specificity += list.specificity
      tests.append(.has(list.range.lowerBound, list.range.upperBound))
    case "lang":
      draft.specificity += Specificity.word
      return language(table)
    case "dir":
      draft.specificity += Specificity.word
      skipSpace()
      let word = keyword()
      tests.append(word == "ltr" || word == "rtl" ? .direction(isFromRight: word == "rtl") : .never)
    case "state", "active-view-transition-type":
      draft.specificity += Specificity.word
      skipToClosing()
      tests.append(.state)
    case "host", "host-context":
      skipToClosing()
      tests.append(.never)
    default: return position(name, &draft, table)
    }
    return true
  }

  /// Reads the arguments of `:lang`.
  private mutating func language(_ table: SelectorTable) -> Bool {
    skipSpace()
    guard let tag = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") ? string() : name() else { return false }
    skipSpace()
    if next == UInt8(ascii: ",") {
      skipToClosing()
      tests.append(.state)
    } else {
      let text = SelectorTable.TextComparison(comparison: .dash, text: tag.map(\.asciiLowercased))
      tests.append(.language(table.add(text)))
    }
    return true
  }

  private mutating func position(_ name: String, _ draft: inout Draft, _ table: SelectorTable) -> Bool {
    guard ["nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"].contains(name),
      let (step, offset) = formula()
    else { return false }
    draft.specificity += Specificity.word
    skipSpace()
    var among: Range<Int32>?
    if next.map(\.asciiLowercased) == UInt8(ascii: "o"), name.hasSuffix("child") {
      guard keyword() == "of", skipSpace(), let list = list(.function, table) else { return false }
      draft.specificity += list.specificity
      among = list.range
    }
    tests.append(
      table.add(
        SelectorTable.Position(
          step: step, offset: offset, isFromEnd: name.contains("last"), isOfType: name.hasSuffix("type"), among: among))
    )
    return true
  }

  /// Reads `2n+1`, `odd`, `even` or a number (CSS Syntax Module Level 3, 6.2).
  private mutating func formula() -> (step: Int, offset: Int)? {
    skipSpace()
    var text: [UInt8] = []
    while let byte = next.map(\.asciiLowercased), byte != UInt8(ascii: ")") {
      if byte.isHTMLSpace {
        skipSpace()
        // What may follow a space is a sign, or a number behind one.
        guard let sign = next else { break }
        let continues =
          sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") || text.last == UInt8(ascii: "+")
          || text.last == UInt8(ascii: "-")
        if !continues { break }
        continue
      }
      text.append(byte)
      index += 1
      // A sign is part of the number that it begins.
      if text.count == 1, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), next?.isHTMLSpace == true {
        return nil
      }
    }
    let word = String(decoding: text, as: UTF8.self)
    if word == "odd" { return (2, 1) }
    if word == "even" { return (2, 0) }
    guard let letter = word.firstIndex(of: "n") else { return Int(word).map { (0, clamped($0)) } }
    let (head, tail) = (word[..<letter], word[word.index(after: letter)...])
    let step = head == "" || head == "+" ? 1 : head == "-" ? -1 : Int(head)
    let offset = tail == "" ? 0 : Int(tail)
    guard let step, let offset, tail == "" || tail.hasPrefix("+") || tail.hasPrefix("-") else { return nil }
    return (clamped(step), clamped(offset))
  }

  private func clamped(_ number: Int) -> Int { max(-1_000_000, min(number, 1_000_000)) }

  // MARK: - Bytes

  private var next: UInt8? { index < end ? css[index] : nil }

  private mutating func skipToClosing() {
    var depth = 0
    while let byte = next {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") {
        if depth == 0 { return }
        depth -= 1
      }
      index += 1
    }
  }

  private mutating func skipParentheses() {
    index += 1
    skipToClosing()
    if index < end { index += 1 }
  }

  /// Skips white space and comments; returns whether there was white space.
  @discardableResult private mutating func skipSpace() -> Bool {
    var hasSpace = false
    while let byte = next {
      if byte.isHTMLSpace {
        index += 1
        hasSpace = true
      } else if !skipComment() {
        break
      }
    }
    return hasSpace
  }

  private mutating func skipComment() -> Bool {
    guard next == UInt8(ascii: "/"), index + 1 < end, css[index + 1] == UInt8(ascii: "*") else { return false }
    index += 3
    while index < end, css[index] != UInt8(ascii: "/") || css[index - 1] != UInt8(ascii: "*") { index += 1 }
    index = min(index + 1, end)
    return true
  }

  private var startsName: Bool {
    guard let byte = next else { return false }
    return byte.isASCIILetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte >= 0x80
      || byte == UInt8(ascii: "\\")
  }

  /// Whether the last identifier has escapes, and what it is with them.
  private var hasEscape = false
  private var decoded: [UInt8] = []

  /// Reads an identifier (CSS Syntax Module Level 3, 4.3.11), and its text if it has escapes.
  private mutating func nameRange() -> Range<Int>? {
    guard startsName else { return nil }
    let start = index
    hasEscape = false
    skipName()
    // A hyphen alone, or one before a digit, begins no name.
    if css[start] == UInt8(ascii: "-"), next != UInt8(ascii: "\\") {
      if index == start + 1 || css[start + 1].isASCIIDigit { return nil }
    }
    guard next == UInt8(ascii: "\\") else { return start..<index }
    var text = Array(css[start..<index])
    while next == UInt8(ascii: "\\") {
      guard escape(&text) else { return nil }
      let rest = index
      skipName()
      text += css[rest..<index]
    }
    (hasEscape, decoded) = (true, text)
    return start..<index
  }

  private mutating func skipName() {
    var place = index
    let stop = end
    css.withUnsafeBufferPointer { bytes in
      while place < stop {
        let byte = bytes[place]
        if !byte.isASCIIAlphanumeric, byte != 0x2D, byte != 0x5F, byte < 0x80 { break }
        place += 1
      }
    }
    index = place
  }

  /// Reads an identifier; returns its text.
  private mutating func name() -> [UInt8]? { nameRange().map { hasEscape ? decoded : Array(css[$0]) } }

  /// Reads an identifier; returns its text in lower case.
  private mutating func keyword() -> String? { nameRange().map { keyword($0) } }

  /// The last identifier, which is at a place, in lower case.
  private func keyword(_ range: Range<Int>) -> String {
    String(streamSafe: hasEscape ? decoded[...] : css[range]).asciiLowercased()
  }

  private mutating func escape(_ name: inout [UInt8]) -> Bool {
    index += 1
    guard let byte = next, byte != ASCII.lineFeed else { return false }
    if byte.hexDigitValue == nil {
      name.append(byte)
      index += 1
      return true
    }
    var (value, count) = (UInt32(0), 0)
    while let digit = next?.hexDigitValue, count < 6 {
      value = value << 4 | UInt32(digit)
      (index, count) = (index + 1, count + 1)
    }
    if let space = next, space.isHTMLSpace { index += 1 }
    name += Array(String(Unicode.Scalar(value == 0 ? 0xFFFD : value) ?? "\u{FFFD}").utf8)
    return true
  }

  /// Reads a string; nil when it has a line break.
  private mutating func string() -> [UInt8]? {
    let quote = css[index]
    index += 1
    var text: [UInt8] = []
    while let byte = next, byte != quote {
      if byte == ASCII.lineFeed { return nil }
      if byte == UInt8(ascii: "\\") {
        if index + 1 < end, css[index + 1] == ASCII.lineFeed {
          index += 2
        } else if !escape(&text) {
          return nil
        }
      } else {
        text.append(byte)
        index += 1
      }
    }
    index = min(index + 1, end)
    return text
  }
}

import TamisCore

/// Bounds what a large fragment can cost libxml2: its time grows with the number of attributes of a tag times itself, and
/// with the number of end tags times the depth they are looked for in.
///
/// Removes the attributes of a tag beyond the limit, start tags nested deeper than any that the walker writes, and end tags
/// that end nothing. What is removed here is only tags, and what is left is parsed and filtered like everything else: a
/// tag that is read differently here than by libxml2 costs at most itself.
///
/// Comments go too: browsers end some of them earlier than libxml2 does, and what follows must not be lost with them. And
/// `</br>` becomes the line break that browsers make of it (HTML Standard, 13.2.6.4.7).
struct TagBounds {
  /// Fragments up to this size, in bytes, cost little whatever is in them.
  private static let threshold = 1 << 15

  /// Whether a prepared document needs it: it is large, has comments that parsers end at different places, or a `</br>`.
  static func areNeeded(for document: [UInt8]) -> Bool {
    if document.count > threshold { return true }
    let document = document.span
    let (mark, slash) = (UInt8(ascii: "!"), UInt8(ascii: "/"))
    var index = ByteScan.index(of: mark, or: slash, in: document, from: 0)
    while index < document.count {
      if document[index] == mark ? endsEarly(document, at: index) : isEndOfLineBreak(document, at: index) {
        return true
      }
      index = ByteScan.index(of: mark, or: slash, in: document, from: index + 1)
    }
    return false
  }

  private static func isEndOfLineBreak(_ document: borrowing Span<UInt8>, at index: Int) -> Bool {
    index > 0 && index + 2 < document.count && document[index - 1] == UInt8(ascii: "<")
      && document[index + 1].asciiLowercased == UInt8(ascii: "b")
      && document[index + 2].asciiLowercased == UInt8(ascii: "r")
  }

  /// Whether the exclamation mark at `index` is that of `<!-->`, `<!--->` or `--!>`, each of which ends a comment in a
  /// browser (HTML Standard, 13.2.5.43 to 13.2.5.52).
  private static func endsEarly(_ document: borrowing Span<UInt8>, at index: Int) -> Bool {
    let (dash, end) = (UInt8(ascii: "-"), UInt8(ascii: ">"))
    func byte(_ offset: Int) -> UInt8 {
      index + offset >= 0 && index + offset < document.count ? document[index + offset] : 0
    }
    if byte(-1) == dash, byte(-2) == dash, byte(1) == end { return true }
    guard byte(-1) == UInt8(ascii: "<"), byte(1) == dash, byte(2) == dash else { return false }
    return byte(3) == end || (byte(3) == dash && byte(4) == end)
  }

  private let input: [UInt8]
  private let maximumDepth: Int
  private let maximumAttributes: Int
  private var output: [UInt8] = []
  private var copied = 0
  /// Where the last `<br>` ended.
  private var lineBreakEnd = -1
  private var index = 0
  /// Numbers of names as they are written, and of names in lower case that have none of their own.
  private var names: [ArraySlice<UInt8>: Int] = [:]
  private var others: [String: Int] = [:]
  /// The open elements, by number of their names.
  private var open: [Int] = []
  /// The start tags that were removed and whose end tags have not come.
  private var removed: [Int] = []

  /// Bounds a prepared document.
  static func apply(to document: [UInt8], limits: Limits) -> [UInt8] {
    var bounds = TagBounds(document, limits)
    bounds.scan()
    return bounds.output
  }

  private init(_ document: [UInt8], _ limits: Limits) {
    input = document
    // Twice the walker's depth: elements that it unwraps count here.
    maximumDepth = 2 * limits.fragmentDepth
    maximumAttributes = limits.attributes
    output.reserveCapacity(document.count)
  }

  private mutating func scan() {
    while let start = input[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      guard index < input.count else { break }
      if input[index] == UInt8(ascii: "!"), input[index...].starts(with: "!--".utf8) {
        index += 3
        skipComment()
        remove(from: start)
      } else if input[index] == UInt8(ascii: "/") {
        index += 1
        endTag(from: start)
      } else if input[index].isASCIILetter {
        startTag(from: start)
      }
    }
    output.append(contentsOf: input[copied...])
  }

  private mutating func startTag(from start: Int) {
    let name = readName()
    let attributesEnd = skipAttributes()
    let isClosed = index > start && input[index - 1] == UInt8(ascii: "/")
    if index < input.count { index += 1 }
    if let attributesEnd {
      output.append(contentsOf: input[copied..<attributesEnd])
      copied = index - 1
    }
    let number = number(of: name)
    if number == Self.lineBreak { lineBreakEnd = index }
    if !isClosed, !Self.void.contains(number) {
      endImplied(before: number)
      if open.count >= maximumDepth {
        removed.append(number)
        remove(from: start)
      } else {
        open.append(number)
      }
    }
    if number == Self.script { skip(past: "</script") } else if number == Self.style { skip(past: "</style") }
  }

  private mutating func endTag(from start: Int) {
    guard index < input.count, input[index].isASCIILetter else { return }
    let number = number(of: readName())
    while index < input.count, input[index] != UInt8(ascii: ">") { index += 1 }
    if index < input.count { index += 1 }
    if number == Self.lineBreak {
      remove(from: start)
      // `<br></br>` is meant as one.
      if lineBreakEnd != start { output.append(contentsOf: "<br>".utf8) }
    } else if number == removed.last {
      removed.removeLast()
      remove(from: start)
    } else if let depth = open.lastIndex(of: number) {
      open.removeLast(open.count - depth)
      removed.removeAll()
    } else {
      remove(from: start)
    }
  }

  /// Leaves out what stands from `start` up to where the scan is.
  private mutating func remove(from start: Int) {
    if start > copied { output.append(contentsOf: input[copied..<start]) }
    copied = index
  }

  private mutating func readName() -> ArraySlice<UInt8> {
    let start = index
    while index < input.count, !input[index].isHTMLSpace, input[index] != UInt8(ascii: ">"),
      input[index] != UInt8(ascii: "/")
    {
      index += 1
    }
    return input[start..<index]
  }

  /// Goes to the `>` of the tag; answers where the attributes that are too many begin.
  private mutating func skipAttributes() -> Int? {
    var count = 0
    var excess: Int?
    while index < input.count, input[index] != UInt8(ascii: ">") {
      if input[index].isHTMLSpace || input[index] == UInt8(ascii: "/") {
        index += 1
        continue
      }
      count += 1
      if count > maximumAttributes, excess == nil { excess = index }
      skipAttribute()
    }
    return excess
  }

  private mutating func skipAttribute() {
    while index < input.count, !input[index].isHTMLSpace, input[index] != UInt8(ascii: ">"),
      input[index] != UInt8(ascii: "=")
    {
      index += 1
    }
    while index < input.count, input[index].isHTMLSpace { index += 1 }
    guard index < input.count, input[index] == UInt8(ascii: "=") else { return }
    index += 1
    while index < input.count, input[index].isHTMLSpace { index += 1 }
    guard index < input.count else { return }
    let quote = input[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index = input[(index + 1)...].firstIndex(of: quote).map { $0 + 1 } ?? input.count
    } else {
      while index < input.count, !input[index].isHTMLSpace, input[index] != UInt8(ascii: ">") { index += 1 }
    }
  }

  /// Goes behind the end of a comment, as a browser finds it.
  private mutating func skipComment() {
    let (dash, end) = (UInt8(ascii: "-"), UInt8(ascii: ">"))
    let start = index
    while let next = input[index...].firstIndex(of: end) {
      index = next + 1
      let content = input[start..<next]
      let isEnd =
        content.isEmpty || content.elementsEqual([dash]) || content.suffix(2).elementsEqual([dash, dash])
        || content.suffix(3).elementsEqual([dash, dash, UInt8(ascii: "!")])
      if isEnd { return }
    }
    index = input.count
  }

  /// Goes behind the next place of `text`, to the end when there is none.
  private mutating func skip(past text: StaticString) {
    let wanted = text.withUTF8Buffer { Array($0) }
    while let next = input[index...].firstIndex(of: wanted[0]) {
      let isFound = input[next...].prefix(wanted.count).lazy.map(\.asciiLowercased).elementsEqual(wanted)
      index = isFound ? next : next + 1
      if isFound { return }
    }
    index = input.count
  }

  // MARK: - Names

  private mutating func number(of name: ArraySlice<UInt8>) -> Int {
    if let known = names[name] { return known }
    let lower = String(decoding: name, as: UTF8.self).asciiLowercased()
    let number = Self.known[lower] ?? others[lower] ?? Self.list.count + others.count
    if Self.known[lower] == nil { others[lower] = number }
    names[name] = number
    return number
  }

  /// Ends what the start of an element ends by itself, as far as long lists and tables go.
  private mutating func endImplied(before number: Int) {
    guard let group = Self.ends[number] else { return }
    for depth in open.indices.reversed() {
      if group.contains(open[depth]) {
        open.removeLast(open.count - depth)
        return
      }
      if Self.containers.contains(open[depth]) { return }
    }
  }

  private static let list = [
    "script", "style", "p", "li", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot", "option", "a", "ul", "ol",
    "dl",
    "table", "select", "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track",
    "wbr",
  ]
  private static let known = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, $0) })
  private static func numbers(_ names: String...) -> Set<Int> { Set(names.compactMap { known[$0] }) }

  private static let lineBreak = known["br"]
  private static let script = 0
  private static let style = 1
  private static let void = numbers(
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
  private static let containers = numbers("ul", "ol", "dl", "table", "select")
  private static let ends: [Int: Set<Int>] = {
    var ends: [Int: Set<Int>] = [:]
    let groups: [(String, Set<Int>)] = [
      ("p", numbers("p")), ("li", numbers("li")), ("dt", numbers("dt", "dd")), ("dd", numbers("dt", "dd")),
      ("option", numbers("option")), ("a", numbers("a")), ("td", numbers("td", "th")), ("th", numbers("td", "th")),
      ("tr", numbers("tr")), ("tbody", numbers("tbody", "thead", "tfoot")),
      ("thead", numbers("tbody", "thead", "tfoot")), ("tfoot", numbers("tbody", "thead", "tfoot")),
    ]
    for (name, group) in groups { if let number = known[name] { ends[number] = group } }
    return ends
  }()
}

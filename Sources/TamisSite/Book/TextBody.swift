import TamisCore

/// A body as plain text in lines: quotations and lists with marks, links with numbers, code unchanged.
struct TextBody {
  private let source: [UInt8]
  private var text: LineText
  /// The distinct targets of links, in order.
  private(set) var links: [String] = []
  private var numbers: [String: Int] = [:]
  private var words = ""
  private var blocks: [Block] = []
  private var targets: [String?] = []
  private var preformattedDepth = 0
  private var skippedDepth = 0
  private var isTight = false

  /// A block with the text before each of its lines.
  private struct Block {
    var name: String
    var mark = ""
    /// The sign of an item, before its first line.
    var sign: String?
    /// The number of the next item of a list.
    var count: Int?
  }

  private static let blockNames = ElementTable.endingParagraphs.union(["tr", "caption", "body"])
  /// The maximum number of blocks whose marks precede a line; more would leave no space for it.
  private static let deepest = 8

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - body: the body.
  ///   - text: the text that the lines are appended to.
  ///   - known: the links that already have numbers.
  init(_ body: PageBody, into text: LineText, known: [String] = []) {
    source = body.bytes
    (self.text, links) = (text, known)
    for (index, link) in known.enumerated() { numbers[link] = index + 1 }
  }

  /// Returns the text with the body.
  mutating func written() -> LineText {
    for token in MarkupTokens(source) {
      switch token {
      case .text(let range): if skippedDepth == 0 { add(source[range]) }
      case .tag(let tag): if tag.isEnd { end(tag) } else { start(tag) }
      }
    }
    flush()
    return text
  }

  /// Returns the number of a link, counted from 1.
  private mutating func number(of address: String) -> Int {
    if let number = numbers[address] { return number }
    links.append(address)
    numbers[address] = links.count
    return links.count
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: MarkupText.unescaped(bytes), as: UTF8.self)
    if preformattedDepth > 0 {
      words += text
      return
    }
    for scalar in LineText.plain(text).unicodeScalars {
      if scalar == " " || scalar == "\n" || scalar == "\t" {
        if !words.isEmpty, words.unicodeScalars.last != " ", words.unicodeScalars.last != "\n" { words += " " }
      } else {
        words.unicodeScalars.append(scalar)
      }
    }
  }

  private mutating func start(_ tag: MarkupTag) {
    if tag.name == "annotation" { skippedDepth += 1 }
    if skippedDepth > 0 { return }
    switch tag.name {
    case "br": words += "\n"
    case "hr":
      flush()
      text.gap()
      text.line(marks + "* * *")
      text.gap()
    case "a": targets.append(tag.value("href", source).map { Self.text(source[$0]) })
    case "img":
      let alternative = tag.value("alt", source).map { Self.text(source[$0]) } ?? ""
      if !alternative.isEmpty { words += "[\(LineText.plain(alternative))]" }
    case "td", "th": if !words.isEmpty { words += " | " }
    case let name where Self.blockNames.contains(name): open(tag)
    default: break
    }
  }

  private mutating func open(_ tag: MarkupTag) {
    flush()
    var block = Block(name: tag.name)
    switch tag.name {
    case "blockquote": block.mark = "> "
    case "pre":
      preformattedDepth += 1
      block.mark = "    "
    case "dd": block.mark = "    "
    case "ol":
      block.count = tag.value("start", source).flatMap { Int(Self.text(source[$0])) } ?? 1
    case "li":
      let count = blocks.last?.count
      block.sign = count.map { "\($0). " } ?? "- "
      block.mark = String(repeating: " ", count: block.sign?.count ?? 2)
      if let count { blocks[blocks.count - 1].count = count &+ 1 }
    case "h2", "h3", "h4", "h5", "h6": block.sign = String(repeating: "#", count: tag.name == "h2" ? 1 : 2) + " "
    default: break
    }
    let isInList = ["li", "tr", "dd", "ul", "ol", "table"].contains(tag.name) && !blocks.isEmpty
    if !(isInList && isTight) && tag.name != "li" && tag.name != "tr" { text.gap() }
    isTight = tag.name == "li" || tag.name == "tr"
    blocks.append(block)
  }

  private mutating func end(_ tag: MarkupTag) {
    if tag.name == "annotation" {
      skippedDepth = max(0, skippedDepth - 1)
      return
    }
    if skippedDepth > 0 { return }
    if tag.name == "a", let target = targets.popLast() {
      if let target, !target.isEmpty, !target.hasPrefix("#") { words += "[\(number(of: target))]" }
      return
    }
    guard Self.blockNames.contains(tag.name), blocks.last?.name == tag.name else { return }
    flush()
    if tag.name == "pre" { preformattedDepth -= 1 }
    blocks.removeLast()
    isTight = tag.name == "li" || tag.name == "tr"
    if !isTight { text.gap() }
  }

  private var marks: String { blocks.suffix(Self.deepest).map(\.mark).joined() }

  /// Writes the collected words.
  private mutating func flush() {
    defer { words = "" }
    guard words.contains(where: { !$0.isWhitespace }) else { return }
    let rest = marks
    var first = rest
    if let sign = blocks.last(where: { $0.sign != nil || $0.mark != "" })?.sign {
      first = String(rest.dropLast(blocks.last { !$0.mark.isEmpty }?.sign == nil ? 0 : sign.count)) + sign
      for index in blocks.indices where blocks[index].sign != nil { blocks[index].sign = nil }
    }
    if preformattedDepth > 0 {
      for line in words.split(separator: "\n", omittingEmptySubsequences: false) {
        let plain = LineText.plain(String(line).replacing("\t", with: "    "))
        if !plain.isEmpty || !text.bytes.isEmpty { text.line(rest + plain) }
      }
    } else {
      text.paragraph(words, first: first, rest: rest)
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: MarkupText.unescaped(bytes), as: UTF8.self)
  }
}

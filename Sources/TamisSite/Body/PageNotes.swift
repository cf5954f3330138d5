import TamisCore
import TamisHTML

/// The body of a post in which each mark of a footnote also opens the note in a popover.
///
///     <sup><a href="#n1" id="r1">1</a></sup>
///
/// becomes
///
///     <sup><span class="noteref" id="r1"><a href="#n1">1</a>
///       <button type="button" hidden popovertarget="popover-1">1</button></span></sup>
///     …
///     <div class="note" id="popover-1" popover hidden><a href="#n1">1</a> The note.</div>
///
/// The style sheet shows the button in place of the link, in browsers with popovers and not on paper. Without it, both
/// stay hidden, and the link leads to the note in its list.
struct PageNotes {
  private(set) var body: PageBody

  /// The maximum size of a note that has a popover, in bytes.
  static let longest = 10_000

  private let source: [UInt8]
  private let roles: [Int: Footnotes.Role]
  /// The notes by their numbers, without those that are too long or have more than text.
  private var notes: [Int: Note] = [:]
  private var output: [UInt8] = []
  private var copied = 0

  private struct Note {
    /// The address of the note in its list, escaped, and the text of its first mark.
    var target: ArraySlice<UInt8> = []
    var label: [UInt8] = []
    var content: [UInt8] = []
  }

  init(_ body: PageBody) {
    self.body = body
    source = body.bytes
    roles = Footnotes.roles(in: source)
    if roles.isEmpty { return }
    readNotes()
    if notes.isEmpty { return }
    markReferences()
    output += source[copied...]
    for (number, note) in notes.sorted(by: { $0.key < $1.key }) where !note.label.isEmpty {
      write("<div class=\"note\" id=\"popover-\(number + 1)\" popover hidden><a href=\"")
      output += note.target
      write("\">")
      output += note.label
      write("</a> ")
      output += note.content
      write("</div>")
    }
    self.body = PageBody(source: output)
  }

  private mutating func write(_ text: String) { output += text.utf8 }

  // MARK: - Notes

  private mutating func readNotes() {
    var tokens = MarkupTokens(source)
    while let tag = tokens.nextTag() {
      guard !tag.isEnd, case .note(let number)? = roles[tag.end], notes[number] == nil else { continue }
      let end = self.end(of: tag)
      if end - tag.end <= Self.longest, let content = content(tag.end..<end) { notes[number] = Note(content: content) }
    }
  }

  /// Returns the offset of the end tag of an element.
  private func end(of start: MarkupTag) -> Int {
    var (tokens, depth) = (MarkupTokens(source, from: start.end), 1)
    while let tag = tokens.nextTag() {
      guard tag.name == start.name else { continue }
      depth += tag.isEnd ? -1 : 1
      if depth == 0 { return tag.start }
    }
    return source.count
  }

  /// The elements that are not shown twice.
  private static let single: Set = ["audio", "iframe", "img", "picture", "svg", "table", "video"]

  /// Returns the content of a note without its links back and without ids; nil when it has more than text.
  private func content(_ range: Range<Int>) -> [UInt8]? {
    var (content, tokens): ([UInt8], _) = ([], MarkupTokens(source, from: range.lowerBound))
    while tokens.position < range.upperBound, let token = tokens.next() {
      switch token {
      case .text(let text): content += source[text]
      case .tag(let tag):
        if Self.single.contains(tag.name) { return nil }
        if !tag.isEnd, case .backlink? = roles[tag.end] {
          tokens.position = end(of: tag)
          _ = tokens.next()
        } else {
          content += withoutIDs(tag)
        }
      }
    }
    return content
  }

  private func withoutIDs(_ tag: MarkupTag) -> [UInt8] {
    var kept = Array(source[tag.start..<tag.nameEnd])
    tag.eachAttribute(source) {
      let name = source[$0.name]
      if !name.elementsEqual("id".utf8), !name.elementsEqual("name".utf8) { kept += source[$0.whole] }
    }
    return kept + source[tag.contentEnd..<tag.end]
  }

  // MARK: - References

  /// The elements in which no button can stand.
  private static let closed: Set = ["math", "summary", "svg"]

  private mutating func markReferences() {
    var (tokens, closed) = (MarkupTokens(source), 0)
    while let tag = tokens.nextTag() {
      if Self.closed.contains(tag.name) { closed += tag.isEnd ? -1 : 1 }
      guard closed == 0, tag.name == "a", !tag.isEnd, case .reference(let number)? = roles[tag.end],
        notes[number] != nil,
        let target = tag.value("href", source)
      else { continue }
      let end = end(of: tag)
      let label = MarkupTokens(source, from: tag.end, to: end).reduce(into: [UInt8]()) {
        if case .text(let range) = $1 { $0 += source[range] }
      }
      if notes[number]?.label.isEmpty == true {
        notes[number]?.target = source[target]
        notes[number]?.label = label
      }
      output += source[copied..<tag.start]
      write("<span class=\"noteref\"")
      if let id = tag.value("id", source) { output += Array(" id=\"".utf8) + source[id] + [UInt8(ascii: "\"")] }
      write(">")
      output += withoutIDs(tag) + source[tag.end..<end]
      write("</a><button type=\"button\" hidden popovertarget=\"popover-\(number + 1)\">")
      output += label
      write("</button></span>")
      tokens.position = end
      copied = tokens.nextTag()?.end ?? source.count
    }
  }
}

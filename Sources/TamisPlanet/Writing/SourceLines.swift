import TamisCore

/// A text as lines with their ends, each of which can be changed without affecting the others; lines and columns count
/// from 1.
struct SourceLines {
  private var lines: [ArraySlice<UInt8>]
  private let lineEnd: [UInt8]

  init(_ bytes: [UInt8]) {
    lines = []
    var start = 0
    for index in bytes.indices where bytes[index] == ASCII.lineFeed {
      lines.append(bytes[start...index])
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    let isWindows = lines.first?.suffix(2).elementsEqual([ASCII.carriageReturn, ASCII.lineFeed]) == true
    lineEnd = isWindows ? [ASCII.carriageReturn, ASCII.lineFeed] : [ASCII.lineFeed]
  }

  var count: Int { lines.count }

  var bytes: [UInt8] { Array(lines.joined()) }

  // MARK: - Questions

  /// Returns the number of the line after the last one before `line` that is neither empty nor a comment.
  func endOfContent(before line: Int) -> Int {
    var end = min(line, count + 1)
    while end > 1 {
      guard let first = lines[end - 2].first(where: { !$0.isHTMLSpace }), first != UInt8(ascii: "#") else {
        end -= 1
        continue
      }
      break
    }
    return end
  }

  /// Whether there is a list hyphen at a position, with only spaces before it.
  func startsWithHyphen(_ line: Int, _ column: Int) -> Bool {
    let text = text(line)
    return text.prefix(column - 1).allSatisfy { $0 == ASCII.space }
      && text.dropFirst(column - 1).first == UInt8(ascii: "-")
  }

  /// Whether an item begins at a position, with only its hyphen and spaces before it.
  func isItem(_ line: Int, _ column: Int) -> Bool {
    text(line).prefix(column - 1).filter { $0 != ASCII.space }.elementsEqual([UInt8(ascii: "-")])
  }

  /// Returns the comment, or an empty text, after empty brackets at a position; nil when there is anything else.
  func behindEmptyBrackets(_ line: Int, _ column: Int) -> String? {
    let rest = text(line).dropFirst(column - 1)
    guard rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")),
      rest[..<end].dropFirst().allSatisfy({ $0 == ASCII.space })
    else { return nil }
    let behind = String(decoding: rest[(end + 1)...], as: UTF8.self).trimmed()
    return behind.isEmpty || behind.hasPrefix("#") ? behind : nil
  }

  /// Returns a line, without the byte order mark if it is the first.
  private func text(_ line: Int) -> ArraySlice<UInt8> {
    guard lines.indices.contains(line - 1) else { return [] }
    return line == 1 ? lines[0].withoutByteOrderMark : lines[line - 1]
  }

  // MARK: - Changes

  mutating func insert(_ new: [String], before line: Int) {
    let index = min(line, count + 1) - 1
    if index == count, let last = lines.last, last.last != ASCII.lineFeed { lines[count - 1] = last + lineEnd }
    lines.insert(contentsOf: new.map { ArraySlice(Array($0.utf8) + lineEnd) }, at: index)
  }

  mutating func remove(_ range: ClosedRange<Int>) { lines.removeSubrange(range.lowerBound - 1...range.upperBound - 1) }

  /// Inserts text after the first colon in a line from a column on.
  mutating func insert(_ new: String, behindColonIn line: Int, from column: Int) {
    let text = lines[line - 1]
    let mark = text.count - self.text(line).count
    guard let colon = text.dropFirst(mark + column - 1).firstIndex(of: UInt8(ascii: ":")) else { return }
    lines[line - 1] = text[...colon] + Array(new.utf8) + text[(colon + 1)...]
  }

  /// Replaces the rest of a line from a column on.
  mutating func replaceEnd(of line: Int, from column: Int, with rest: String) {
    let text = lines[line - 1]
    let mark = text.count - self.text(line).count
    var kept = text.prefix(mark + column - 1)
    while kept.last == ASCII.space { kept.removeLast() }
    lines[line - 1] = kept + Array((rest.isEmpty ? "" : "  " + rest).utf8) + lineEnd
  }
}

/// Writes JSON (RFC 8259) on one line into a buffer, without an intermediate tree.
package struct JSONWriter: Sendable {
  /// The bytes that were written and not yet taken.
  package private(set) var bytes: [UInt8] = []
  /// The keys of the open objects, as hashes.
  private var keys: [UInt64] = []
  private var objects: [OpenObject] = []

  private struct OpenObject {
    /// The number of keys before its own.
    var firstKey: Int
    /// The keys that were added to a set for lookup, when there are too many for a linear search.
    var many: Set<UInt64> = []
    var counted = 0
  }

  /// Whether text is escaped for HTML (HTML Standard, 13.3) before it is written; ``string(html:)`` is not escaped.
  package var escapesHTML = false

  /// The last byte that was taken.
  private var lastTaken: UInt8?

  /// Makes an empty writer.
  package init() {}

  /// Empties the buffer after its bytes were taken; writing continues.
  package mutating func removeAll() {
    lastTaken = bytes.last ?? lastTaken
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: - Values

  /// Returns an object whose members `body` writes.
  package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(body)
    return writer.bytes
  }

  /// Returns an object whose members `body` writes, as a line.
  package static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var line = object(body)
    line.append(ASCII.lineFeed)
    return line
  }

  /// Writes an object whose members `body` writes.
  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Begins an object.
  package mutating func beginObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
    objects.append(OpenObject(firstKey: keys.count))
  }

  /// Ends the innermost object.
  package mutating func endObject() {
    if let object = objects.popLast() { keys.removeLast(keys.count - object.firstKey) }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes an array whose elements `body` writes.
  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    beginArray()
    body(&self)
    endArray()
  }

  /// Begins an array.
  package mutating func beginArray() {
    separate()
    bytes.append(UInt8(ascii: "["))
  }

  /// Ends the innermost array.
  package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

  /// Writes `null`.
  package mutating func null() { plain("null") }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) { plain(value ? "true" : "false") }

  /// Writes a whole number.
  package mutating func int(_ value: Int64) {
    separate()
    // Digit by digit, without a string for each number: most values of a parsed feed are parts of dates.
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var place: UInt64 = 1
    while value.magnitude / place >= 10 { place *= 10 }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value.magnitude / place % 10))
      place /= 10
    }
  }

  /// Writes a number; one that JSON cannot represent becomes `null`.
  package mutating func number(_ value: Double) {
    separate()
    bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
  }

  /// Writes a string and returns its range in the buffer, quotes included.
  @discardableResult package mutating func string(_ text: String) -> Range<Int> {
    separate()
    let start = bytes.count
    quote(text)
    return start..<bytes.count
  }

  /// Writes a string that already is HTML and returns its range in the buffer, quotes included.
  @discardableResult package mutating func string(html: String) -> Range<Int> {
    let escapes = escapesHTML
    escapesHTML = false
    defer { escapesHTML = escapes }
    return string(html)
  }

  /// Writes a string from UTF-8 bytes.
  package mutating func string(utf8 text: borrowing Span<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    escape(text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a value that already is JSON.
  package mutating func json(_ value: borrowing Span<UInt8>) {
    separate()
    bytes.append(value, 0..<value.count)
  }

  /// Writes the bytes at `range` a second time.
  package mutating func again(_ range: Range<Int>) {
    separate()
    let copy = Array(bytes[range])
    bytes.append(contentsOf: copy)
  }

  // MARK: - Members

  /// Writes a constant key, which needs no escaping; its value must come next.
  ///
  /// - Parameters:
  ///   - name: the key, or the beginning of it.
  ///   - ending: the end of the key, for keys that differ only there.
  package mutating func key(_ name: StaticString, _ ending: StaticString = "") {
    separate()
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    if ending.utf8CodeUnitCount > 0 { ending.withUTF8Buffer { bytes.append(contentsOf: $0) } }
    keys.append(NameHash.of(bytes.span, start..<bytes.count))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a string under a constant key, and nothing for nil.
  package mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    key(name)
    string(text)
  }

  /// Writes a whole number under a constant key, and nothing for nil.
  package mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    key(name)
    int(Int64(value))
  }

  /// Writes a number under a constant key, and nothing for nil.
  package mutating func member(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    key(name)
    number(value)
  }

  /// Writes `true` or `false` under a constant key, and nothing for nil.
  package mutating func member(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    bool(value)
  }

  /// Writes a string under a constant key, and null for nil.
  package mutating func nullable(_ name: StaticString, _ text: String?) {
    key(name)
    if let text { string(text) } else { null() }
  }

  /// Writes a whole number under a constant key, and null for nil.
  package mutating func nullable(_ name: StaticString, _ value: Int?) {
    key(name)
    if let value { int(Int64(value)) } else { null() }
  }

  /// Writes a number under a constant key, and null for nil.
  package mutating func nullable(_ name: StaticString, _ value: Double?) {
    key(name)
    if let value { number(value) } else { null() }
  }

  /// Writes an array of strings under a constant key.
  package mutating func member(_ name: StaticString, _ texts: [String]) {
    array(name) { writer in for text in texts { writer.string(text) } }
  }

  /// Writes an array under a constant key, whose elements `body` writes.
  package mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
    array(body)
  }

  /// Writes an object under a constant key, whose members `body` writes.
  package mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// Writes a key, whose value must come next.
  @_disfavoredOverload package mutating func key(_ name: String) {
    separate()
    quote(name)
    keys.append(Self.hash(of: name))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a string under a key, and nothing for nil.
  ///
  /// - Parameters:
  ///   - name: the key.
  ///   - text: the value; nil to write no member.
  @_disfavoredOverload package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    string(text)
  }

  /// Returns whether the innermost object has a member with this name.
  package mutating func has(_ name: String) -> Bool {
    let hash = Self.hash(of: name)
    guard let first = objects.last?.firstKey else { return false }
    if keys.count - first <= 32 { return keys[first...].contains(hash) }
    let last = objects.count - 1
    for key in keys[(first + objects[last].counted)...] { objects[last].many.insert(key) }
    objects[last].counted = keys.count - first
    return objects[last].many.contains(hash)
  }

  private static func hash(of name: String) -> UInt64 {
    var name = name
    return name.withUTF8 { NameHash.of($0.span, 0..<$0.count) }
  }

  /// Escapes Unicode's line ends (U+0085, U+2028, U+2029) in the bytes from an offset on.
  ///
  /// JSON does not require it, but some readers of JSON lines break lines there. These characters occur only in
  /// strings.
  package mutating func escapeLineEnds(from offset: Int) {
    var ends: [(index: Int, length: Int)] = []
    var index = offset
    while true {
      // In UTF-8: C2 85, E2 80 A8 and E2 80 A9.
      index = ByteScan.index(of: 0xE2, or: 0xC2, in: bytes.span, from: index)
      guard index + 1 < bytes.count else { break }
      if bytes[index] == 0xC2, bytes[index + 1] == 0x85 { ends.append((index, 2)) }
      if bytes[index] == 0xE2, bytes[index + 1] == 0x80, index + 2 < bytes.count, bytes[index + 2] | 1 == 0xA9 {
        ends.append((index, 3))
      }
      index += 1
    }
    guard let first = ends.first else { return }
    let old = bytes
    bytes.removeLast(bytes.count - first.index)
    for (number, end) in ends.enumerated() {
      let escape: StaticString = end.length == 2 ? "\\u0085" : old[end.index + 2] == 0xA8 ? "\\u2028" : "\\u2029"
      escape.withUTF8Buffer { bytes.append(contentsOf: $0) }
      let next = number + 1 < ends.count ? ends[number + 1].index : old.count
      bytes.append(contentsOf: old[end.index + end.length..<next])
    }
  }

  // MARK: - Bytes

  private mutating func plain(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a comma, unless an object, an array, a member or a line has just begun.
  private mutating func separate() {
    switch bytes.last ?? lastTaken {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), ASCII.lineFeed: break
    default: bytes.append(UInt8(ascii: ","))
    }
  }

  /// Ends a line.
  package mutating func endLine() { bytes.append(ASCII.lineFeed) }

  /// Begins a new line before the next value of an array or member of an object.
  package mutating func breakLine() {
    separate()
    bytes.append(ASCII.lineFeed)
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    if escapesHTML {
      Self.escapedForHTML(text).withUnsafeBufferPointer { escape($0.span) }
    } else {
      text.withUTF8 { escape($0.span) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns the text escaped for content and for quoted attributes.
  private static func escapedForHTML(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "'"): output += "&#39;".utf8
      default: output.append(byte)
      }
    }
    return output
  }

  private mutating func escape(_ text: borrowing Span<UInt8>) {
    var runStart = 0
    // U+007F to U+009F (in UTF-8: 7F, and C2 before the number) need no escape in JSON, but terminals obey them.
    var control = ByteScan.index(of: 0x7F, or: 0xC2, in: text, from: 0)
    while true {
      let index = ByteScan.indexOfJSONEscape(in: text, from: runStart)
      while control < index {
        let isDelete = text[control] == 0x7F
        let next = control + (isDelete ? 1 : 2)
        if isDelete || next <= text.count && text[control + 1] < 0xA0 {
          bytes.append(text, runStart..<control)
          bytes.append(UInt8(ascii: "\\"))
          number(ofControl: text[next - 1])
          runStart = next
        }
        control = ByteScan.index(of: 0x7F, or: 0xC2, in: text, from: min(next, text.count))
      }
      bytes.append(text, runStart..<index)
      if index == text.count { return }
      let byte = text[index]
      runStart = index + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
      case ASCII.lineFeed: bytes.append(UInt8(ascii: "n"))
      case ASCII.tab: bytes.append(UInt8(ascii: "t"))
      case ASCII.carriageReturn: bytes.append(UInt8(ascii: "r"))
      default: number(ofControl: byte)
      }
    }
  }

  /// Writes what stands behind the backslash of a control character.
  private mutating func number(ofControl byte: UInt8) {
    let digits: StaticString = "0123456789abcdef"
    bytes.append(contentsOf: "u00".utf8)
    digits.withUTF8Buffer { digits in
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}

import TamisCore

/// A generator of variants of inputs, like those that an attacker would try next.
///
/// The same seed, input, name, number and other inputs give the same variant, in every run and on every machine.
package struct Mutator: Sendable {
  private let seed: UInt64

  /// Creates a mutator.
  package init(seed: UInt64) { self.seed = seed }

  /// Returns a variant of an input.
  ///
  /// - Parameters:
  ///   - number: the number of the variant.
  ///   - input: the input.
  ///   - name: the name of the case.
  ///   - others: inputs to take parts from.
  /// - Returns: the input with one to three changes; the same for the same number, name and seed.
  package func variant(_ number: Int, of input: [UInt8], named name: String, others: [[UInt8]] = []) -> [UInt8] {
    var generator = Generator(state: seed &+ Self.hash(name) &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    var output = input
    for _ in 0..<(1 + generator.next(3)) { output = Self.change(output, &generator, others) }
    return output
  }

  /// The SplitMix64 generator (Steele, Lea, Flood, 2014).
  private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }

    mutating func next(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }
  }

  private static func hash(_ name: String) -> UInt64 {
    // FNV-1a, which is not seeded by the process.
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func change(_ input: [UInt8], _ generator: inout Generator, _ others: [[UInt8]]) -> [UInt8] {
    guard !input.isEmpty else { return input }
    switch generator.next(9) {
    case 0: return flippedCase(input, &generator)
    case 1: return asReference(input, &generator)
    case 2: return nested(input, &generator)
    case 3: return Array(input[..<generator.next(input.count)])
    case 4: return reordered(input, &generator)
    case 5: return inserted(input, &generator)
    case 6: return repeated(input, &generator)
    case 7: return replacedName(input, &generator)
    default:
      guard !others.isEmpty else { return nested(input, &generator) }
      let other = generator.pick(others)
      return Array(input[..<generator.next(input.count + 1)]) + other[generator.next(other.count + 1)...]
    }
  }

  /// Returns the input with the case of some letters flipped.
  private static func flippedCase(_ input: [UInt8], _ generator: inout Generator) -> [UInt8] {
    input.map { $0.isASCIILetter && generator.next(3) == 0 ? $0 ^ 0x20 : $0 }
  }

  /// Returns the input with a character replaced by a reference to it.
  private static func asReference(_ input: [UInt8], _ generator: inout Generator) -> [UInt8] {
    let index = generator.next(input.count)
    guard input[index] < 0x80 else { return input }
    let code = Int(input[index])
    let reference = generator.pick([
      "&#\(code);", "&#\(code)", "&#x\(String(code, radix: 16));", "&#X000\(String(code, radix: 16))", "&amp;#\(code);",
      "%\(String(code, radix: 16))",
    ])
    return Array(input[..<index]) + reference.utf8 + input[(index + 1)...]
  }

  private static let wrappers: [(String, String)] = [
    ("<svg>", "</svg>"), ("<math>", "</math>"), ("<svg><desc>", "</desc></svg>"), ("<svg><title>", "</title>"),
    ("<math><mi>", "</mi></math>"), ("<math><annotation-xml encoding=text/html>", ""), ("<svg><foreignObject>", ""),
    ("<table>", "</table>"), ("<table><tr><td>", ""), ("<select>", "</select>"), ("<noscript>", "</noscript>"),
    ("<template>", "</template>"), ("<textarea>", "</textarea>"), ("<title>", "</title>"), ("<style>", "</style>"),
    ("<a href=x>", "</a>"), ("<form>", "</form>"), ("<p>", ""), ("<b><i>", "</b>"), ("<pre>\n", "</pre>"),
    ("<!--", "-->"),
    ("<![CDATA[", "]]>"), ("<p title=\"", "\">"), ("<xmp>", ""), ("<ul><li>", ""), ("<button>", ""),
    ("<iframe>", "</iframe>"),
  ]

  /// Returns the input inside another element, or nested many times.
  private static func nested(_ input: [UInt8], _ generator: inout Generator) -> [UInt8] {
    let (open, close) = generator.pick(wrappers)
    let depth = generator.next(8) == 0 ? 1 + generator.next(300) : 1
    let (before, after) = (String(repeating: open, count: depth), String(repeating: close, count: depth))
    return Array(before.utf8) + input + Array(after.utf8)
  }

  /// Returns the input with the attributes of one tag reversed.
  private static func reordered(_ input: [UInt8], _ generator: inout Generator) -> [UInt8] {
    var pieces = MarkupPieces.split(String(decoding: input, as: UTF8.self)).map(String.init)
    let tags = pieces.indices.filter { MarkupPieces.startTag(pieces[$0][...]).map { $0.attributes.count > 1 } ?? false }
    guard !tags.isEmpty else { return input }
    let index = generator.pick(tags)
    guard let tag = MarkupPieces.startTag(pieces[index][...]) else { return input }
    let attributes = tag.attributes.reversed().map { " \($0.name)\($0.value.isEmpty ? "" : "=\($0.value)")" }
    pieces[index] = "<\(tag.name)\(attributes.joined())>"
    return Array(pieces.joined().utf8)
  }

  private static let insertions = [
    "\0", "\t", "\n", "\r\n", "\u{c}", " ", "/", "<", ">", "\"", "'", "`", "&", ";", "=", "<!--", "-->", "--!>",
    "<!-->", "]]>",
    "</", "<?", "<!", "\u{a0}", "\u{ad}", "\u{200b}", "\u{feff}", "\u{2028}", "javascript:", "data:text/html,", "url(",
    "/*",
    "*/", "\\", "expression(", "onerror=x ", " style=", "</p>", "</table>", "</svg>", "</noscript>", "</title>",
    "</style>",
    "</textarea>", "</select>",
  ]

  private static func inserted(_ input: [UInt8], _ generator: inout Generator) -> [UInt8] {
    let index = generator.next(input.count + 1)
    return Array(input[..<index]) + generator.pick(insertions).utf8 + input[index...]
  }

  /// Returns the input with a part of it repeated once or many times.
  private static func repeated(_ input: [UInt8], _ generator: inout Generator) -> [UInt8] {
    let start = generator.next(input.count)
    let end = start + 1 + generator.next(min(40, input.count - start))
    let count = generator.next(6) == 0 ? 200 : 1
    let copies = Array(repeating: input[start..<min(end, input.count)], count: count).joined()
    return Array(input[..<start]) + copies + input[start...]
  }

  private static let names = [
    "script", "style", "svg", "math", "a", "img", "iframe", "table", "tr", "td", "select", "option", "template",
    "noscript",
    "title", "desc", "foreignObject", "use", "animate", "set", "mi", "mtext", "annotation-xml", "mglyph", "form",
    "input", "p",
    "li", "dd", "plaintext", "xmp", "textarea", "frameset", "body", "html", "head", "base", "link", "meta", "object",
    "image",
  ]

  /// Returns the input with the name of one tag replaced.
  private static func replacedName(_ input: [UInt8], _ generator: inout Generator) -> [UInt8] {
    let starts = input.indices.dropLast().filter { input[$0] == UInt8(ascii: "<") && input[$0 + 1].isASCIILetter }
    guard !starts.isEmpty else { return input }
    let start = generator.pick(starts) + 1
    let end = input[start...].firstIndex { !$0.isASCIIAlphanumeric } ?? input.endIndex
    return Array(input[..<start]) + generator.pick(names).utf8 + input[end...]
  }
}

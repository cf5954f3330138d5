import TamisCore

/// The bounds on what a browser draws for a drawing or formula: how much, and where.
///
/// What one element defines, others draw again: a marker at each vertex, a clip path for each element. References
/// inside definitions would multiply like entities of XML that refer to each other, so that a few KB keep a browser
/// busy for hours.
struct DrawingBounds {
  private let limits: Limits
  /// The definition around the current position; nil outside.
  private var definition: (id: Int, start: Int, bytes: Int)?
  private var references = 0
  private var markedVertices = 0
  /// The size in bytes of the largest definition so far.
  private var largest = 0
  private var dashes = 0.0
  /// The open elements whose lines have dashes, with the mean length of those.
  private var patterns: [(id: Int, length: Double)] = []

  init(_ limits: Limits) { self.limits = limits }

  /// Whether the current position is inside a definition.
  var isInDefinition: Bool { definition != nil }

  /// Notes an open element that is drawn where others refer to it.
  ///
  /// - Parameters:
  ///   - id: the id of the open element.
  ///   - start: the offset of its start tag in the output.
  ///   - isMarker: whether it is drawn at each vertex.
  mutating func beginDefinition(_ id: Int, at start: Int, isMarker: Bool) {
    if definition == nil { definition = (id, start, isMarker ? limits.markerBytes : limits.clipBytes) }
  }

  /// Notes the end of an element, with the size of the output up to there.
  mutating func end(_ id: Int, at output: Int) {
    if let definition, definition.id == id {
      largest = max(largest, output - definition.start)
      self.definition = nil
    }
    if patterns.last?.id == id { patterns.removeLast() }
  }

  // MARK: - Dashes

  /// The length of the pattern of dashes that an element inherits; nil for none.
  var pattern: Double? { patterns.last?.length }

  /// Notes an open element whose lines have dashes.
  mutating func beginPattern(_ length: Double, _ id: Int) { patterns.append((id, length)) }

  /// Counts the dashes of a line; returns false when there are too many.
  ///
  /// - Parameters:
  ///   - length: the length of the line.
  ///   - pattern: the mean length of its dashes and gaps, in the same unit.
  /// - Returns: whether the dashes are within the limit of the fragment.
  mutating func takeDashes(along length: Double, pattern: Double) -> Bool {
    let count = length / pattern
    guard count.isFinite, dashes + count <= Double(limits.dashes) else { return false }
    dashes += count
    return true
  }

  /// Returns the mean length of the dashes and gaps of a pattern; nil for a line without dashes, 0 when it is not
  /// known.
  static func patternLength(_ value: some Collection<UInt8>) -> Double? {
    let words = String(decoding: value, as: UTF8.self).split { $0 == "," || $0.isWhitespace }
    if words.isEmpty || words == ["none"] { return nil }
    var sum = 0.0
    for word in words {
      var numbers = NumberScanner(Array(word.utf8))
      // A share of the drawing's size, and units other than pixels, are not known here.
      guard let number = numbers.next(), numbers.isAtEnd || word.hasSuffix("px") else { return 0 }
      sum += number
    }
    // Without a length of more than nothing the line is whole.
    return sum > 0 ? sum / Double(words.count) : nil
  }

  /// Whether the definition around the current position has room for an element.
  ///
  /// - Parameters:
  ///   - bytes: the size of its attributes.
  ///   - output: the size of the output so far.
  /// - Returns: true outside definitions.
  func hasRoom(for bytes: Int, at output: Int) -> Bool {
    definition.map { isWithinBounds(output - $0.start + bytes, most: $0.bytes) } ?? true
  }

  /// Whether all references together may draw definitions of this size.
  ///
  /// Each is drawn anew: 550 uses of a path of 14 KB took a browser 11 seconds.
  private func isWithinBounds(_ size: Int, most: Int) -> Bool {
    size <= most && (references * size + 15) / 16 <= limits.clipBytes
  }

  /// Whether more references were asked for than there may be.
  var isExhausted: Bool {
    references > limits.drawingReferences || markedVertices > limits.markedVertices
      || !isWithinBounds(largest, most: .max)
  }

  /// Counts a reference to a definition; returns false when there are too many.
  mutating func takeReference() -> Bool {
    references += 1
    return references <= limits.drawingReferences && isWithinBounds(largest, most: .max)
  }

  /// Counts the vertices at which a line has markers; returns false when there are too many.
  ///
  /// - Parameter line: the line's data, in which each vertex has at least a number or a letter.
  /// - Returns: whether the vertices are within the limit of the fragment.
  mutating func takeVertices(of line: some Collection<UInt8>) -> Bool {
    var (count, isInNumber) = (0, false)
    for byte in line {
      let isNumber = byte.isASCIIDigit || byte == UInt8(ascii: ".")
      if byte.isASCIILetter || isNumber && !isInNumber { count += 1 }
      isInNumber = isNumber
    }
    markedVertices += count
    return markedVertices <= limits.markedVertices
  }

  // MARK: - Names

  /// The elements that are drawn where others refer to them, except gradients, which hold no elements that are drawn.
  static let definitions: Set<String> = ["clippath", "filter", "hatch", "marker", "mask", "pattern", "symbol"]

  /// The shapes, which have no content that would inherit from them.
  static let shapes = markedLines.union(["circle", "ellipse", "rect", "text", "tspan"])

  /// The shapes that have markers at their vertices (SVG 2, 11.6.4).
  static let markedLines: Set<String> = ["line", "path", "polygon", "polyline"]

  /// The attributes that draw or apply a definition.
  static let references: Set<String> = [
    "clip-path", "filter", "marker", "marker-end", "marker-mid", "marker-start", "mask",
  ]

  /// The attributes of `mpadded` by which its content leaves the place that is left for it (MathML Core, 3.3.6).
  private static let paddings: Set<String> = ["depth", "height", "lspace", "voffset", "width"]
  /// The attributes of MathML that are lengths, which engines may take when they are negative.
  private static let lengths: Set<String> = ["depth", "height", "lspace", "rspace", "width"]

  /// Whether an attribute of MathML leaves a formula in its place; it could cover the page around it.
  static func keepsPlace(_ name: String, _ value: some Collection<UInt8>, of element: String) -> Bool {
    if name == "voffset" || element == "mpadded" && paddings.contains(name) { return false }
    if name == "linethickness" { return isLine(value) }
    guard lengths.contains(name) || name == "scriptlevel" else { return true }
    // Names of negative lengths, such as `negativethinmathspace`, wherever they stand in what may be no length at all.
    return !value.contains(UInt8(ascii: "-"))
      && !String(decoding: value, as: UTF8.self).asciiLowercased().contains("negative")
  }

  /// Whether the thickness of a fraction's line (MathML 3, 3.3.2.2) is that of a line, not of a box that covers others.
  private static func isLine(_ value: some Collection<UInt8>) -> Bool {
    let text = String(decoding: value, as: UTF8.self).trimmed().asciiLowercased()
    if ["thin", "medium", "thick"].contains(text) { return true }
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let width = Double(number), let widest = widest[String(text.dropFirst(number.count))] else { return false }
    return width <= widest
  }

  /// The greatest thickness of a fraction's line by its unit; without a unit it is a multiple of the usual one.
  private static let widest: [String: Double] = [
    "": 5, "%": 500, "px": 5, "pt": 4, "pc": 0.3, "em": 0.3, "ex": 0.6, "cm": 0.13, "mm": 1.3, "in": 0.05,
  ]
}

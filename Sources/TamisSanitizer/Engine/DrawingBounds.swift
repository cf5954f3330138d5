import TamisCore

/// The bounds on what a browser draws for a drawing or formula: how much, and where.
///
/// What one element defines, others draw again: a marker at the end of a line, a clip path for each element. References
/// inside definitions would multiply like entities of XML that refer to each other, so that a few KB keep a browser
/// busy for hours.
struct DrawingBounds {
  private let limits: Limits
  /// The definition around the current position; nil outside.
  private var definition: (id: Int, start: Int)?
  private var references = 0
  /// The size in bytes of the largest definition so far.
  private var largest = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Whether the current position is inside a definition.
  var isInDefinition: Bool { definition != nil }

  /// Notes an open element that is drawn where others refer to it.
  ///
  /// - Parameters:
  ///   - id: the id of the open element.
  ///   - start: the offset of its start tag in the output.
  mutating func beginDefinition(_ id: Int, at start: Int) {
    if definition == nil { definition = (id, start) }
  }

  /// Notes the end of an element, with the size of the output up to there.
  mutating func end(_ id: Int, at output: Int) {
    if let definition, definition.id == id {
      largest = max(largest, output - definition.start)
      self.definition = nil
    }
  }

  /// Whether the definition around the current position has room for an element.
  ///
  /// - Parameters:
  ///   - bytes: the size of its attributes.
  ///   - output: the size of the output so far.
  /// - Returns: true outside definitions.
  func hasRoom(for bytes: Int, at output: Int) -> Bool {
    definition.map { isWithinBounds(output - $0.start + bytes) } ?? true
  }

  /// Whether all references together may draw definitions of this size.
  ///
  /// Each is drawn anew: 550 uses of a path of 14 KB took a browser 11 seconds.
  private func isWithinBounds(_ size: Int) -> Bool {
    size <= limits.clipBytes && (references * size + 15) / 16 <= limits.clipBytes
  }

  /// Whether more references were asked for than there may be.
  var isExhausted: Bool { references > limits.drawingReferences || !isWithinBounds(largest) }

  /// Counts a reference to a definition; returns false when there are too many.
  mutating func takeReference() -> Bool {
    references += 1
    return references <= limits.drawingReferences && isWithinBounds(largest)
  }

  // MARK: - Names

  /// The elements that are drawn where others refer to them, except gradients, which hold no elements that are drawn.
  static let definitions: Set<String> = ["clippath", "hatch", "marker", "mask", "pattern", "symbol"]

  /// The shapes, which have no content that would inherit from them.
  static let shapes = markedLines.union(["circle", "ellipse", "rect", "text", "tspan"])

  /// The shapes that have markers (SVG 2, 11.6.4).
  static let markedLines: Set<String> = ["line", "path", "polygon", "polyline"]

  /// The attributes that draw or apply a definition.
  static let references: Set<String> = ["clip-path", "marker-end", "marker-start", "mask"]

  /// The attributes of `mpadded` by which its content leaves the place that is left for it (MathML Core, 3.3.6).
  private static let paddings: Set<String> = ["depth", "height", "lspace", "voffset", "width"]
  /// The attributes of MathML that are lengths, which engines may take when they are negative.
  private static let lengths: Set<String> = ["depth", "height", "lspace", "rspace", "width"]

  /// Whether an attribute of MathML leaves a formula in its place; it could cover the page around it.
  static func keepsPlace(_ name: String, _ value: some Collection<UInt8>, of element: String) -> Bool {
    if name == "voffset" || element == "mpadded" && paddings.contains(name) { return false }
    if name == "linethickness" { return isLine(value) }
    guard lengths.contains(name) || name == "scriptlevel" else { return true }
    let text = String(decoding: value, as: UTF8.self).trimmed().asciiLowercased()
    if namedSpaces.contains(text) { return true }
    // A number without a sign, or with a plus, and its unit.
    let digits = text.drop { $0 == "+" }.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.drop { $0 == "+" }.dropFirst(digits.count).drop(while: \.isWhitespace)
    return !digits.isEmpty && (unit == "%" || unit.count <= 3 && unit.allSatisfy { $0.isASCII && $0.isLetter })
  }

  /// The names of lengths that are not negative (MathML 3, 2.1.5.2).
  private static let namedSpaces = Set(
    ["veryverythin", "verythin", "thin", "medium", "thick", "verythick", "veryverythick"].map { $0 + "mathspace" })

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

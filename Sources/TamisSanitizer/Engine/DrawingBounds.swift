import TamisCore

/// The bounds on what a browser draws for a drawing or formula: how much, and where.
///
/// What one element defines, others draw again: a marker at each vertex, a clip path for each element. References
/// inside definitions would multiply like entities of XML that refer to each other, so that 3 KB keep a browser busy
/// for hours.
struct DrawingBounds {
  private let limits: Limits
  /// The definition around the current position; nil outside.
  private var definition: (id: Int, start: Int, bytes: Int)?
  private var references = 0

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

  /// Notes the end of an element.
  mutating func end(_ id: Int) { if definition?.id == id { definition = nil } }

  /// Whether the definition around the current position has room for an element.
  ///
  /// - Parameters:
  ///   - bytes: the size of its attributes.
  ///   - output: the size of the output so far.
  /// - Returns: true outside definitions.
  func hasRoom(for bytes: Int, at output: Int) -> Bool {
    definition.map { output - $0.start + bytes <= $0.bytes } ?? true
  }

  /// Counts a reference to a definition; returns false when there are too many.
  mutating func affordsReference() -> Bool {
    references += 1
    return references <= limits.drawingReferences
  }

  // MARK: - Names

  /// The elements that are drawn where others refer to them, but for gradients, which hold no elements that are drawn.
  static let definitions: Set<String> = ["clippath", "filter", "hatch", "marker", "mask", "pattern", "symbol"]

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
    guard lengths.contains(name), let first = value.first(where: { !$0.isHTMLSpace }) else { return true }
    // Names of lengths such as `negativethinmathspace` begin with the letter.
    return first != UInt8(ascii: "-") && first.asciiLowercased != UInt8(ascii: "n")
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

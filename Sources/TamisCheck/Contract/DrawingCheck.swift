import TamisSanitizer

/// A check that a drawing or formula stays in its place on the page, and is not drawn without bound.
///
/// CSS transforms apply to the outermost `svg` (CSS Transforms 1, 3): its overflow is hidden, and the box itself moves
/// over the page. A definition that refers to others is drawn as often as all references multiplied.
struct DrawingCheck {
  let element: OutputElements.Element
  let ancestors: [OutputElements.Element]

  /// Returns the first objection, or nil when there is none.
  func objection(to attributes: [(name: String, value: String)]) -> String? {
    for (written, value) in attributes {
      let name = written.asciiLowercased()
      switch element.namespace {
      case .html: return nil
      case .math: if movesFormula(name, value) { return "\(element.name)@\(name) paints outside of the formula" }
      case .svg:
        let isOutermost = ancestors.last?.namespace != .svg
        if isOutermost, ["transform", "overflow", "filter"].contains(name) {
          return "\(name) shows the drawing outside of its box"
        }
        guard value.contains("#") else { continue }
        if isInDefinition, Self.references.contains(name) {
          return "\(name) in a definition draws another one again"
        }
        if name.hasPrefix("marker"), !["path", "line", "polyline", "polygon"].contains(element.name) {
          return "the content of a marker inherits \(name) from \(element.name)"
        }
      }
    }
    return nil
  }

  private var isInDefinition: Bool {
    ([element] + ancestors).contains {
      $0.namespace == .svg && ["clippath", "marker", "mask", "pattern", "hatch", "symbol", "filter"].contains($0.name)
    }
  }

  private static let references: Set = [
    "clip-path", "mask", "filter", "marker-start", "marker-end",
  ]

  private func movesFormula(_ name: String, _ value: String) -> Bool {
    if name == "voffset" { return true }
    if element.name == "mpadded" { return ["width", "height", "depth", "lspace"].contains(name) }
    if ["width", "height", "depth", "lspace", "rspace", "scriptlevel"].contains(name) {
      return value.contains("-") || value.asciiLowercased().contains("negative")
    }
    guard name == "linethickness" else { return false }
    // One digit before the point, and three of a share: anything more, or another unit, is wider than a line.
    let digits = value.drop { $0 == "0" || $0.isWhitespace }.prefix { $0.isNumber }.count
    if value.hasSuffix("%") { return digits > 3 }
    return digits > 1 || ["in", "cm", "pc"].contains { value.hasSuffix($0) && digits > 0 }
  }
}

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
        if name == "transform", ancestors.last?.namespace != .svg {
          return "transform moves the drawing over the page"
        }
        if isInDefinition, Self.references.contains(name), value.asciiLowercased().contains("url(") {
          return "\(name) in a definition draws another one again"
        }
      }
    }
    return nil
  }

  private var isInDefinition: Bool {
    ([element] + ancestors).contains {
      $0.namespace == .svg && ["clippath", "marker", "mask", "pattern", "symbol", "filter"].contains($0.name)
    }
  }

  private static let references: Set = [
    "clip-path", "mask", "filter", "marker", "marker-start", "marker-mid", "marker-end",
  ]

  private func movesFormula(_ name: String, _ value: String) -> Bool {
    if name == "voffset" { return true }
    if element.name == "mpadded" { return ["width", "height", "depth", "lspace"].contains(name) }
    if ["width", "height", "depth", "lspace", "rspace"].contains(name), value.contains("-") { return true }
    guard name == "linethickness" else { return false }
    // Four digits before the point, and three of any unit but per cent, are wider than a line.
    let digits = value.drop { $0 == "0" }.prefix { $0.isNumber }.count
    return digits > (value.hasSuffix("%") ? 3 : 1)
  }
}

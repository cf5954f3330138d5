/// The names of SVG and MathML in their own spelling.
///
/// The reader reports lower case, while XML vocabularies are case-sensitive (HTML Standard, 13.2.6.5, "adjust SVG
/// attributes").
enum ForeignNames {
  static let svgElements = spelling([
    "clipPath", "linearGradient", "radialGradient", "textPath", "animateColor", "feBlend", "feColorMatrix", "feFlood",
    "feGaussianBlur", "feMerge", "feMergeNode", "feOffset",
  ])

  static let svgAttributes = spelling([
    "attributeName", "attributeType", "baseProfile", "calcMode", "clipPathUnits", "gradientTransform", "gradientUnits",
    "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "markerHeight", "markerUnits", "markerWidth",
    "maskContentUnits",
    "maskUnits", "pathLength", "patternContentUnits", "patternTransform", "patternUnits", "preserveAspectRatio",
    "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures", "spreadMethod", "startOffset",
    "stdDeviation", "systemLanguage", "tableValues", "textLength", "viewBox", "zoomAndPan",
  ])

  /// The attributes that are properties of CSS too (SVG 2, 6.6), among those that drawings without a style sheet need.
  static let presentationAttributes: Set<String> = [
    "clip-path", "clip-rule", "color", "direction", "display", "dominant-baseline", "fill", "fill-opacity", "fill-rule",
    "font-family", "font-size", "font-style", "font-variant", "font-weight", "letter-spacing", "marker-end",
    "marker-mid", "marker-start", "opacity", "paint-order", "stop-color", "stop-opacity", "stroke", "stroke-dasharray",
    "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width",
    "text-anchor", "text-decoration", "vector-effect", "visibility", "word-spacing", "writing-mode",
  ]

  /// The SVG elements that are drawn only where others refer to them (SVG 2, 5.3 and 5.5; Filter Effects, 9), without
  /// those that describe and those of the floor.
  static let neverRendered = DrawingBounds.definitions.union([
    "cursor", "font", "lineargradient", "meshgradient", "radialgradient", "solidcolor",
  ])

  static let mathAttributes = spelling(["definitionURL"])

  static let namespaceURIs: [Policy.Namespace: String] = [
    .svg: "http://www.w3.org/2000/svg", .math: "http://www.w3.org/1998/Math/MathML",
  ]

  static let xlink = "http://www.w3.org/1999/xlink"

  /// The namespaces that may be declared, though HTML parsers ignore the declarations.
  static let vocabularies = Set(namespaceURIs.values).union([xlink, "http://www.w3.org/1999/xhtml"])

  /// The SVG elements inside which browsers read HTML; only text may stay there.
  static let svgTextOnly: Set<String> = ["title", "desc"]

  /// MathML's text integration points, inside which browsers read HTML; only text may stay there.
  static let mathTextOnly: Set<String> = ["mi", "mo", "mn", "ms", "mtext", "annotation"]

  private static func spelling(_ names: [String]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: names.map { ($0.lowercased(), $0) })
  }
}

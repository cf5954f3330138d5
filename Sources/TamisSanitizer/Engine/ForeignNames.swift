/// SVG's and MathML's names in their own spelling: the reader reports lower case, XML vocabularies do not fold it
/// (HTML Standard, 13.2.6.5, "adjust SVG attributes").
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

  static let mathAttributes = spelling(["definitionURL"])

  static let namespaceURIs: [Policy.Namespace: String] = [
    .svg: "http://www.w3.org/2000/svg", .math: "http://www.w3.org/1998/Math/MathML",
  ]

  static let xlink = "http://www.w3.org/1999/xlink"

  /// Namespaces that may be declared, though HTML parsers ignore the declarations.
  static let vocabularies = Set(namespaceURIs.values).union([xlink, "http://www.w3.org/1999/xhtml"])

  /// SVG elements inside which browsers read HTML, so that only text may stay there.
  static let svgTextOnly: Set<String> = ["title", "desc"]

  /// MathML's text integration points, likewise.
  static let mathTextOnly: Set<String> = ["mi", "mo", "mn", "ms", "mtext", "annotation"]

  private static func spelling(_ names: [String]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: names.map { ($0.lowercased(), $0) })
  }
}

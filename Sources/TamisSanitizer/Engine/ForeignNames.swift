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

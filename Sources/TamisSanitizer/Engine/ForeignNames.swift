/// The names of SVG and MathML in their own spelling.
///
/// The reader reports lower case, while XML vocabularies are case-sensitive (HTML Standard, 13.2.6.5, "adjust SVG
/// attributes").
enum ForeignNames {
  static let svgElements = spelling([
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath",
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
    "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
    "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient",
    "radialGradient", "textPath",
  ])

  static let svgAttributes = spelling([
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits",
    "diffuseConstant", "edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix",
    "kernelUnitLength", "keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight",
    "markerUnits", "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength",
    "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ",
    "preserveAlpha", "preserveAspectRatio", "primitiveUnits", "refX", "refY", "repeatCount", "repeatDur",
    "requiredExtensions", "requiredFeatures", "specularConstant", "specularExponent", "spreadMethod", "startOffset",
    "stdDeviation", "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY",
    "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector", "zoomAndPan",
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
  static let xmlns = "http://www.w3.org/2000/xmlns/"

  /// The prefixes of the attributes that parsers put into namespaces (13.2.6.5, "adjust foreign attributes").
  static let attributePrefixes = [
    xlink: "xlink", "http://www.w3.org/XML/1998/namespace": "xml", xmlns: "xmlns",
  ]

  private static let qualifiedAttributes: Set<String> = [
    "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type", "xml:lang",
    "xml:space", "xmlns:xlink",
  ]

  /// Whether parsers put a foreign element's attribute into the namespace of its prefix.
  static func isQualified(_ attribute: String) -> Bool { qualifiedAttributes.contains(attribute) }

  /// Returns an element's name in its namespace's own spelling.
  static func spelling(ofElement name: String, in namespace: Policy.Namespace) -> String {
    namespace == .svg ? svgElements[name] ?? name : name
  }

  /// Returns an attribute's name in its namespace's own spelling.
  static func spelling(ofAttribute name: String, in namespace: Policy.Namespace) -> String {
    switch namespace {
    case .html: name
    case .svg: svgAttributes[name] ?? name
    case .math: mathAttributes[name] ?? name
    }
  }

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

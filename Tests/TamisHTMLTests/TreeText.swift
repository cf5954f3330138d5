import Foundation
import TamisHTML

/// A tree as html5lib's tests write it: a line for each node, indented by its depth.
enum TreeText {
  /// The tree of a document, or of a fragment in a context.
  static func tree(
    _ source: [UInt8], in context: String?, _ namespace: HTMLTree.Namespace = .html,
    _ options: HTMLOptions = HTMLOptions()
  ) -> HTMLTree {
    var builder = HTMLTreeBuilder()
    builder.read(source.span, in: context, namespace, options)
    return builder.takeTree()
  }

  static func lines(_ tree: borrowing HTMLTree, in parent: Int32, depth: Int = 0) -> [String] {
    var (lines, child) = ([String](), tree.nodes[Int(parent)].first)
    let indent = "| " + String(repeating: "  ", count: depth)
    while child >= 0 {
      let node = tree.nodes[Int(child)]
      switch node.kind {
      case .document: break
      case .doctype: lines.append(indent + doctype(tree))
      case .text: lines.append(indent + "\"\(text(tree, node))\"")
      case .comment: lines.append(indent + "<!-- \(text(tree, node)) -->")
      case .element:
        lines.append(indent + "<\(name(tree, node))>")
        lines += attributes(tree, node).map { "\(indent)  \($0)" }
        let isTemplate = node.namespace == .html && node.name == Int32(HTMLName.template.rawValue)
        if isTemplate { lines.append(indent + "  content") }
        lines += Self.lines(tree, in: child, depth: depth + (isTemplate ? 2 : 1))
      }
      child = node.next
    }
    return lines
  }

  private static func text(_ tree: borrowing HTMLTree, _ node: HTMLTree.Node) -> String {
    var (bytes, piece) = ([UInt8](), node.content.lowerBound)
    while piece >= 0 {
      bytes += tree.bytes[tree.pieces[Int(piece)].range]
      piece = tree.pieces[Int(piece)].next
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func doctype(_ tree: borrowing HTMLTree) -> String {
    guard let found = tree.doctype else { return "" }
    let ids = found.publicID.isEmpty && found.systemID.isEmpty ? "" : " \"\(found.publicID)\" \"\(found.systemID)\""
    return "<!DOCTYPE \(found.name)\(ids)>"
  }

  private static func name(_ tree: borrowing HTMLTree, _ node: HTMLTree.Node) -> String {
    let name = tree.text(ofElement: node.name)
    switch node.namespace {
    case .html: return name
    case .svg: return "svg " + (svgElements[name] ?? name)
    case .math: return "math " + name
    }
  }

  private static func attributes(_ tree: borrowing HTMLTree, _ node: HTMLTree.Node) -> [String] {
    let all = node.content.map { index in
      let attribute = tree.attributes[Int(index)]
      var name = tree.attributeTexts[Int(attribute.name)]
      if node.namespace == .svg { name = svgAttributes[name] ?? name }
      if node.namespace == .math, name == "definitionurl" { name = "definitionURL" }
      if node.namespace != .html, foreign.contains(name) { name = name.replacing(":", with: " ") }
      return (name, String(decoding: tree.bytes[attribute.value], as: UTF8.self))
    }
    return all.sorted { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }.map { "\($0.0)=\"\($0.1)\"" }
  }

  // HTML Standard, 13.2.6.1 and 13.2.6.5.
  private static let foreign: Set = [
    "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type", "xml:lang",
    "xml:space", "xmlns:xlink",
  ]
  private static let svgElements = spellings(
    """
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix \
    feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood \
    feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight \
    feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient radialGradient textPath
    """)
  private static let svgAttributes = spellings(
    """
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits glyphRef \
    gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle \
    markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform \
    patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur \
    requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles \
    surfaceScale systemLanguage tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector \
    zoomAndPan
    """)

  private static func spellings(_ words: String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: words.split(separator: " ").map { ($0.lowercased(), String($0)) })
  }
}

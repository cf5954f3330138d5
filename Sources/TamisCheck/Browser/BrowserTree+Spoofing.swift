import TamisCore
import TamisSanitizer
import TamisURL

/// Detection of what makes a reader take a link or a part of the page for another.
extension BrowserTree {
  /// The first part that does; nil when there is none.
  var spoofing: String? {
    // A link in a drawing can be inside another; the outermost counts.
    var link: (depth: Int, marks: DirectionMarks)?
    for (node, depth) in inOrder {
      if let open = link, depth <= open.depth {
        if open.marks.isOpen { return "the text of a link has a mark of direction that nothing ends" }
        link = nil
      }
      switch nodes[node].content {
      case .comment, .doctype: continue
      case .element(let element):
        if let reason = Self.spoofing(element) { return reason }
        if element.name == "style", style(in: node).leavesItsPlace {
          return "<style> lays elements over the page by their position"
        }
        if element.name == "a" { link = link ?? (depth, DirectionMarks()) }
      case .text(let text):
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        if Self.hasHiddenTags(scalars) { return "the text has tag characters, which nobody sees" }
        if link == nil { continue }
        for scalar in scalars {
          if Self.overrides.contains(scalar.value) {
            return "the text of a link is turned around (U+\(Self.hex(scalar)))"
          }
          link?.marks.read(scalar)
        }
      }
    }
    return link?.marks.isOpen == true ? "the text of a link has a mark of direction that nothing ends" : nil
  }

  private static func spoofing(_ element: Element) -> String? {
    for (attribute, value) in element.attributes {
      if attribute == "style", StyleText(Array(value.utf8)).leavesItsPlace {
        return "<\(element.name) style> lies over the page by its position"
      }
      guard addresses.contains(attribute) else { continue }
      let decoded = String(decoding: WebURL.percentDecoded(Array(value.utf8)), as: UTF8.self)
      if let scalar = invisible(in: decoded.unicodeScalars) {
        return "<\(element.name) \(attribute)> has an invisible character in its URL (U+\(hex(scalar)))"
      }
    }
    return nil
  }

  /// The attributes whose URL a reader may see and follow.
  private static let addresses: Set = ["action", "cite", "formaction", "href", "xlink:href"]
  /// The overrides, which make any order of letters look like another (UAX 9, 2.2).
  private static let overrides: ClosedRange<UInt32> = 0x202D...0x202E

  private static func hex(_ scalar: Unicode.Scalar) -> String { String(scalar.value, radix: 16, uppercase: true) }

  /// Returns the first character of a URL that is not seen, or turns the others around.
  ///
  /// Joiners belong to the scripts and emoji that they follow.
  private static func invisible(in scalars: String.UnicodeScalarView) -> Unicode.Scalar? {
    var isBeyondASCII = false
    for scalar in scalars {
      switch scalar.value {
      case 0x200C, 0x200D: if !isBeyondASCII { return scalar }
      case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFEFF:
        return scalar
      case 0xE0000...0xE007F: return scalar
      default: break
      }
      isBeyondASCII = scalar.value >= 0x80
    }
    return nil
  }

  /// Whether there are tag characters outside of the flags that consist of them (UTS 51, ED-14a).
  private static func hasHiddenTags(_ scalars: String.UnicodeScalarView) -> Bool {
    var isFlag = false
    for scalar in scalars {
      let isTag = (0xE0000...0xE007F).contains(scalar.value)
      if isTag, !isFlag { return true }
      isFlag = scalar.value == 0x1F3F4 || isTag && scalar.value != 0xE007F
    }
    return false
  }

  /// The marks of direction that are open in a text (UAX 9, 3.3.2).
  private struct DirectionMarks {
    private var embeddings = 0
    private var isolates = 0

    var isOpen: Bool { embeddings > 0 || isolates > 0 }

    mutating func read(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x202A, 0x202B: embeddings += 1
      case 0x202C: embeddings = max(0, embeddings - 1)
      case 0x2066...0x2068: isolates += 1
      case 0x2069: isolates = max(0, isolates - 1)
      default: break
      }
    }
  }
}

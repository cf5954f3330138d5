import TamisCore

/// Keeps a drawing as it looks where its style or its HTML cannot stay.
extension Walker {
  // MARK: - Styles

  /// Sets the attributes that mean the same as the declarations of a `style` that is not allowed on an SVG element.
  ///
  /// A declaration has precedence over the attribute of its name (SVG 2, 6.6).
  ///
  /// - Returns: whether all declarations are kept.
  mutating func keepStyle(_ style: AttributeList.Item, of entry: RuleTables.Element) -> Bool {
    var keepsAll = true
    for declaration in attributes.bytes[style.value].split(separator: UInt8(ascii: ";")) {
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else {
        keepsAll = keepsAll && declaration.allSatisfy(\.isHTMLSpace)
        continue
      }
      let name = String(streamSafe: declaration[..<colon]).asciiLowercased().trimmed()
      // An attribute has no precedence to give.
      var text = String(streamSafe: declaration[(colon + 1)...]).trimmed()
      if let mark = text.firstIndex(of: "!"), text[mark...].asciiLowercased().filter({ $0 != " " }) == "!important" {
        text = String(text[..<mark]).trimmed()
      }
      let value = Array(text.utf8)
      let kept = ForeignNames.presentationAttributes.contains(name) && setPresentation(name, value, of: entry)
      keepsAll = keepsAll && kept
    }
    return keepsAll
  }

  /// Sets a presentation attribute if the policy allows it; returns whether it is set.
  private mutating func setPresentation(_ name: String, _ value: [UInt8], of entry: RuleTables.Element) -> Bool {
    let attribute = tables.number(ofAttribute: name)
    guard tables.allows(attribute: attribute, on: entry.number, in: .svg) else { return false }
    attributes.addOriginal(attribute, value.span)
    guard let item = attributes.originals.last, staysInPlace(item, entry, .svg) else { return false }
    if tables.attributes[attribute].kind(in: .svg) == .paint {
      guard let paint = Paint(value, prefix: settings.policy.improvements.idPrefix) else { return false }
      attributes.set(attribute, paint.text)
    } else {
      guard !value.isEmpty, StyleFilter.isSimple(value.span) else { return false }
      attributes.set(attribute, value)
    }
    return true
  }

  // MARK: - Bounds

  /// Whether an attribute of a drawing or formula neither moves it over the page around it nor draws without bound.
  ///
  /// A reference to a definition is counted.
  mutating func staysInPlace(
    _ item: AttributeList.Item, _ entry: RuleTables.Element, _ namespace: Policy.Namespace
  ) -> Bool {
    let name = tables.text(ofAttribute: item.attribute)
    if namespace == .math {
      return DrawingBounds.keepsPlace(name, attributes.bytes[item.value], of: tables.text(ofElement: entry.number))
    }
    switch name {
    // The outermost element is a box of the page, and these are properties of CSS.
    case "transform", "overflow": return open.foreignCount > 0
    // Also `blur(9px)`, which names no element.
    case "fill", "stroke": return !drawsOther(item) || mayPaintWithPattern(entry)
    default: break
    }
    guard DrawingBounds.references.contains(name), drawsOther(item) else { return true }
    if state.drawing.isInDefinition || entry.isDefinition { return false }
    // Content inherits markers, and that of a marker would draw itself.
    if name.utf8.starts(with: "marker".utf8), !DrawingBounds.markedLines.contains(tables.text(ofElement: entry.number))
    {
      return false
    }
    return state.drawing.takeReference()
  }

  /// Whether the definition around the current position has room for an element, and may hold it.
  mutating func hasRoom(for entry: RuleTables.Element) -> Bool {
    let isNested = entry.isDefinition && state.drawing.isInDefinition
    if !isNested, state.drawing.hasRoom(for: attributes.bytes.count, at: output.count) { return true }
    note(isNested ? .structure : .limit, entry)
    return false
  }

  /// Whether the definition around the current position has room for a text.
  ///
  /// The text counts as it is written, with references, so that it has room when it is read once more.
  mutating func hasRoom(forText text: borrowing Span<UInt8>) -> Bool {
    guard state.drawing.isInDefinition else { return true }
    if state.drawing.hasRoom(for: text.count, at: output.count),
      state.drawing.hasRoom(for: OutputBuffer.size(ofText: text), at: output.count)
    {
      return true
    }
    note(.limit, "text")
    return false
  }

  /// Whether a value names another element of the drawing.
  private func drawsOther(_ item: AttributeList.Item) -> Bool {
    attributes.bytes[item.value].contains(UInt8(ascii: "#"))
  }

  /// Whether a paint cannot be a pattern that the content of a pattern inherits, or draws again.
  private mutating func mayPaintWithPattern(_ entry: RuleTables.Element) -> Bool {
    if settings.policy.elements[.svg]?.isDisjoint(with: ["hatch", "pattern"]) != false { return true }
    return !state.drawing.isInDefinition && !entry.isDefinition
      && DrawingBounds.shapes.contains(tables.text(ofElement: entry.number))
  }

  // MARK: - HTML in drawings

  /// Returns SVG's `text` for a `foreignObject`, whose HTML would end the drawing, and centres it in its box.
  ///
  /// Programs that draw diagrams write their labels so. The tags of the HTML are removed, its text and links stay.
  /// Other elements are returned unchanged.
  mutating func drawnText(for element: Int) -> Int {
    guard tables.elements[element].holdsHTMLInSVG, open.current?.namespace == .svg, !source.isInDrawnText else {
      return element
    }
    let text = tables.number(ofElement: "text")
    guard tables.elements[text].svg == .keep else { return element }
    let (left, top) = (pixels("x") ?? 0, pixels("y") ?? 0)
    let (width, height) = (pixels("width"), pixels("height"))
    attributes.removeAll()
    addOriginal("x", left + (width ?? 0) / 2)
    addOriginal("y", top + (height ?? 0) / 2)
    if width != nil { addOriginal("text-anchor", "middle") }
    // The middle of small letters is where the middle of a line of HTML is.
    if height != nil { addOriginal("dy", ".35em") }
    source.beginDrawnText()
    return text
  }

  /// Returns the value of an attribute of the source that is a number without a unit.
  private mutating func pixels(_ name: String) -> Double? {
    attributes.original(tables.number(ofAttribute: name)).flatMap { Double(String(streamSafe: $0).trimmed()) }
      .flatMap { $0.isFinite ? $0 : nil }
  }

  private mutating func addOriginal(_ name: String, _ number: Double) {
    let thousandths = Int((min(max(number, -1_000_000), 1_000_000) * 1000).rounded())
    addOriginal(name, thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)")
  }

  private mutating func addOriginal(_ name: String, _ value: String) {
    attributes.addOriginal(tables.number(ofAttribute: name), Array(value.utf8).span)
  }
}

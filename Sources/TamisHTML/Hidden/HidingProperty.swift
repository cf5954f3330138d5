import TamisCore

/// The properties of CSS that can keep an element, or the text in it, from being seen, and those that decide with them.
///
/// One table says of each how it is written, which questions it takes part in, and what its hiding values look like.
enum HidingProperty: Int, CaseIterable, Sendable {
  case display, visibility, contentVisibility, opacity, zoom, scale, translate, rotate, filter, backdropFilter
  case transform, perspective, backfaceVisibility, contain, willChange
  case animation, animationName, animationDuration, animationFillMode, animationTimeline
  case transition, transitionDuration, transitionProperty
  case position, float, clip, clipPath, left, right, top, bottom
  case inset, insetInline, insetBlock
  case width, height, maxWidth, maxHeight, minWidth, minHeight
  case margin, marginTop, marginRight, marginBottom, marginLeft, marginInline, marginBlock
  case padding, paddingTop, paddingRight, paddingBottom, paddingLeft, paddingInline, paddingBlock, border, borderLeft
  case overflow, overflowX, overflowY, overflowClipMargin, flex, flexGrow, flexBasis
  case mask, maskImage, maskSize, font, fontSize, lineHeight, textIndent, whiteSpace
  case color, textFillColor, textStroke, textStrokeWidth, textShadow
  case background, backgroundColor, backgroundImage, backgroundClip, boxShadow, all

  /// Questions about an element, each of which some properties answer together.
  struct Questions: OptionSet, Sendable {
    let rawValue: UInt16

    /// Whether the element is painted with what is in it.
    static let display = Questions(rawValue: 1 << 0)
    static let opacity = Questions(rawValue: 1 << 1)
    /// Whether its box is in the page.
    static let place = Questions(rawValue: 1 << 2)
    /// Whether its box has an area; absolute boxes in one that has none are asked where they are.
    static let size = Questions(rawValue: 1 << 3)
    /// Whether its letters are shown, and where.
    static let visibility = Questions(rawValue: 1 << 4)
    static let font = Questions(rawValue: 1 << 5)
    static let lines = Questions(rawValue: 1 << 6)
    static let color = Questions(rawValue: 1 << 7)

    static let all = Questions(rawValue: 0xFF)
    /// The values of custom properties, of which others are made.
    static let custom = Questions(rawValue: 1 << 8)
    /// Those whose answers hold for what is in the element, unless it says something else.
    static let inherited: Questions = [.size, .visibility, .font, .lines, .color]
  }

  /// What the values that hide look like.
  enum HidingValue: Sendable {
    case display, visibility, opacity, size, distance, margin, cut, shares, transform, font, anything
    /// None; the property only takes part.
    case none
  }

  /// A row of the table.
  private struct Row {
    var property: HidingProperty
    var names: String
    var questions: Questions
    var values: HidingValue

    init(_ property: HidingProperty, _ names: String, _ questions: Questions, _ values: HidingValue = .none) {
      (self.property, self.names, self.questions, self.values) = (property, names, questions, values)
    }
  }

  /// The table: names of directions of text are those from left to right, and those with a prefix of a browser mean
  /// the same as those without (Compatibility Standard, 3.1).
  private static let table: [Row] = [
    Row(.display, "display", [.display, .opacity, .place, .size, .lines, .color], .display),
    Row(.visibility, "visibility", .visibility, .visibility),
    Row(.contentVisibility, "content-visibility", .display, .visibility),
    Row(.opacity, "opacity -webkit-opacity", .opacity, .opacity),
    Row(.zoom, "zoom", .place, .opacity), Row(.scale, "scale", [.opacity, .place, .size, .color], .opacity),
    Row(.translate, "translate", [.opacity, .place, .size, .color], .distance),
    Row(.rotate, "rotate", [.place, .size, .color]),
    Row(.filter, "filter -webkit-filter", [.opacity, .size, .color], .shares),
    Row(.backdropFilter, "backdrop-filter -webkit-backdrop-filter", .size),
    Row(.transform, "transform -webkit-transform", [.opacity, .place, .size, .color], .transform),
    Row(.perspective, "perspective -webkit-perspective", .size),
    Row(.backfaceVisibility, "backface-visibility -webkit-backface-visibility", .place),
    Row(.contain, "contain", .size), Row(.willChange, "will-change", [.opacity, .place, .size]),
    Row(.animation, "animation -webkit-animation", .all),
    Row(.animationName, "animation-name -webkit-animation-name", .all),
    Row(.animationDuration, "animation-duration -webkit-animation-duration", .all),
    Row(.animationFillMode, "animation-fill-mode -webkit-animation-fill-mode", .all),
    Row(.animationTimeline, "animation-timeline", .all),
    Row(.transition, "transition -webkit-transition", [.opacity, .place, .size]),
    Row(.transitionDuration, "transition-duration -webkit-transition-duration", [.opacity, .place, .size]),
    Row(.transitionProperty, "transition-property -webkit-transition-property", [.opacity, .place, .size]),
    Row(.position, "position", [.place, .size, .lines, .color]), Row(.float, "float", [.place, .size, .lines]),
    Row(.clip, "clip", .place, .cut), Row(.clipPath, "clip-path -webkit-clip-path", .place, .cut),
    Row(.left, "left inset-inline-start", .place, .distance), Row(.right, "right inset-inline-end", .place, .distance),
    Row(.top, "top inset-block-start", .place, .distance), Row(.bottom, "bottom inset-block-end", .place, .distance),
    Row(.inset, "inset", .place, .distance), Row(.insetInline, "inset-inline", .place, .distance),
    Row(.insetBlock, "inset-block", .place, .distance),
    Row(.width, "width inline-size", [.place, .size], .size),
    Row(.height, "height block-size", [.size, .lines], .size),
    Row(.maxWidth, "max-width max-inline-size", .size, .size),
    Row(.maxHeight, "max-height max-block-size", .size, .size),
    Row(.minWidth, "min-width min-inline-size", .size), Row(.minHeight, "min-height min-block-size", [.size, .lines]),
    Row(.margin, "margin", [.place, .color], .margin),
    Row(.marginTop, "margin-top margin-block-start", [.place, .color], .margin),
    Row(.marginRight, "margin-right margin-inline-end", .color),
    Row(.marginBottom, "margin-bottom margin-block-end", .color),
    Row(.marginLeft, "margin-left margin-inline-start", [.place, .color], .margin),
    Row(.marginInline, "margin-inline", [.place, .color], .margin),
    Row(.marginBlock, "margin-block", [.place, .color], .margin),
    Row(.padding, "padding", [.place, .size, .lines]),
    Row(.paddingInline, "padding-inline", [.place, .size, .lines]),
    Row(.paddingBlock, "padding-block", [.place, .size, .lines]),
    Row(.paddingTop, "padding-top padding-block-start", [.place, .size, .lines]),
    Row(.paddingRight, "padding-right padding-inline-end", [.place, .size, .lines]),
    Row(.paddingBottom, "padding-bottom padding-block-end", [.place, .size, .lines]),
    Row(.paddingLeft, "padding-left padding-inline-start", [.place, .size, .lines]),
    Row(.border, "border border-width", .place), Row(.borderLeft, "border-left border-left-width", .place),
    Row(.overflow, "overflow", [.size, .lines]), Row(.overflowX, "overflow-x overflow-inline", [.size, .lines]),
    Row(.overflowY, "overflow-y overflow-block", [.size, .lines]),
    Row(.overflowClipMargin, "overflow-clip-margin", .size),
    Row(.flex, "flex -webkit-flex", .size), Row(.flexGrow, "flex-grow -webkit-flex-grow", .size),
    Row(.flexBasis, "flex-basis -webkit-flex-basis", .size),
    Row(.mask, "mask -webkit-mask", .place, .cut), Row(.maskImage, "mask-image -webkit-mask-image", .place, .cut),
    Row(.maskSize, "mask-size -webkit-mask-size", .place, .size),
    Row(.font, "font", [.font, .lines], .font), Row(.fontSize, "font-size", .font, .size),
    Row(.lineHeight, "line-height", .lines, .size), Row(.textIndent, "text-indent", .lines, .distance),
    Row(.whiteSpace, "white-space", .lines),
    Row(.color, "color", .color), Row(.textFillColor, "-webkit-text-fill-color", .color),
    Row(.textStroke, "-webkit-text-stroke", .color), Row(.textStrokeWidth, "-webkit-text-stroke-width", .color),
    Row(.textShadow, "text-shadow", .color),
    Row(.background, "background", .color), Row(.backgroundColor, "background-color", .color),
    Row(.backgroundImage, "background-image", .color),
    Row(.backgroundClip, "background-clip -webkit-background-clip", .color),
    Row(.boxShadow, "box-shadow -webkit-box-shadow", .color),
    Row(.all, "all", .all, .anything),
  ]

  private static let rows: [Row] = table.sorted { $0.property.rawValue < $1.property.rawValue }

  /// The questions that the property takes part in.
  var questions: Questions { Self.rows[rawValue].questions }

  /// What its values that hide look like.
  var hidingValues: HidingValue { Self.rows[rawValue].values }

  /// The names, and the property of each.
  static let (names, ofName): (NameIndex, [HidingProperty]) = {
    var (names, list) = (NameIndex(), [HidingProperty]())
    for row in table {
      for name in row.names.split(separator: " ") {
        names.add(String(name))
        list.append(row.property)
      }
    }
    return (names, list)
  }()

  /// Finds a property by its name in lower case; nil for others.
  init?(_ name: String) {
    guard let number = Self.names.number(of: name) else { return nil }
    self = Self.ofName[number]
  }

  /// The length of the longest name in bytes.
  private static let longest = 40

  /// Finds a property by its name in any case; nil for others.
  init?(_ css: borrowing Span<UInt8>, _ name: Range<Int>) {
    if let number = Self.names.number(of: css, name) {
      self = Self.ofName[number]
      return
    }
    guard name.count <= Self.longest, name.contains(where: { css[$0].asciiLowercased != css[$0] }) else { return nil }
    let lower = name.map { css[$0].asciiLowercased }
    guard let number = Self.names.number(of: lower.span, 0..<lower.count) else { return nil }
    self = Self.ofName[number]
  }
}

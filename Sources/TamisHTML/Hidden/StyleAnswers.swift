/// What a style says of each element that has it, found once: a sheet gives one style to many.
struct StyleAnswers: Sendable {
  /// What of an element is not painted.
  enum Extent {
    /// Nothing of the element is painted, nor of what is in it.
    case all
    /// Only absolute boxes inside are painted, whose place is that of an element further out.
    case flow
  }

  /// Whether a display is declared, and whether it is that of the browser.
  let declaresDisplay: Bool
  let revertsDisplay: Bool
  let isPositioned: Bool
  let isFixed: Bool
  private let isBoxInAnyCase: Bool?
  private let mayBreakLine: Bool
  private let isPlace: Bool
  private let placesFixedBoxes: (always: Bool, asBox: Bool)
  /// Whether it is painted, or not painted, whatever else is declared.
  private let isPainted: Bool
  private let isNotPainted: Bool
  private let isHiddenBox: Bool
  private let isFaded: Bool
  private let isMasked: Bool
  private let isAway: (asBox: Bool, inLines: Bool)
  private let isFlat: (padded: Bool, plain: Bool)
  /// The opacity of the element, from 0 to 1; 1 for one that fades in.
  let share: Double
  /// Whether lines have no height; nil when the element says nothing about it.
  let hasNoLines: Bool?
  /// Whether a padding above or below makes room.
  let isPaddedAbove: Bool
  /// Whether the element cuts what exceeds its height, which depends on its lines.
  let cuts: Bool
  /// Whether text is hidden by `visibility`, is too small, or begins outside; nil when the element says nothing of it.
  let hidesText: Bool?
  let isTiny: Bool?
  let indentsOut: Bool?
  /// Whether letters are seen without their color.
  let drawsOtherwise: Bool
  let textColor: HidingStyle.TextColor
  let background: HidingStyle.TextColor
  let declaresBackground: Bool
  /// Whether the background is the color of the text.
  let isOnItsColor: Bool
  /// Whether the element may lie over others than those around it.
  let isLaid: Bool

  init(_ style: HidingStyle) {
    let display = style.display
    (declaresDisplay, revertsDisplay) = (display != nil, display == "revert")
    (isPositioned, isFixed) = (style.isPositioned, style.isFixed)
    (isBoxInAnyCase, mayBreakLine) = (style.isBox, style.mayBreakLine)
    (isPlace, placesFixedBoxes) = (style.isPlace, style.placesFixedBoxes)
    isPainted = !style.changesBox || display == "contents"
    isNotPainted = display == "none" || display == "table-column" || display == "table-column-group"
    let isAsked = !isPainted && !isNotPainted
    (isHiddenBox, isFaded) = (isAsked && style.isHiddenBox, isAsked && style.isFaded)
    (isMasked, isFlat) = (
      isAsked && style.isMasked,
      isAsked ? (style.isFlat(isPadded: true), style.isFlat(isPadded: false)) : (false, false)
    )
    let isClipped = isAsked && style.isClipped
    isAway = (
      isClipped || isAsked && style.isOutside(isBox: true), isClipped || isAsked && style.isOutside(isBox: false)
    )
    (share, hasNoLines, isPaddedAbove, cuts) = (style.share, style.hasNoLines, style.isPaddedAbove, style.cuts)
    (hidesText, isTiny, indentsOut) = (style.hidesText, style.isTiny, style.indentsOut)
    (drawsOtherwise, textColor, background) = (style.drawsOtherwise, style.textColor, style.background)
    (declaresBackground, isOnItsColor, isLaid) = (style.declaresBackground, style.isOnItsColor, style.isLaid)
  }

  /// Returns what of an element is not painted.
  ///
  /// - Parameters:
  ///   - isBlock: whether the element is a block unless its display is declared.
  ///   - isPadded: whether browsers give the element a padding at its sides.
  ///   - isForScreenReaders: whether a class says that it is to be read aloud, which is asked only if it matters.
  ///   - fadesIn: whether transparent elements become visible.
  /// - Returns: the extent; nil when the element is painted.
  func hiddenExtent(
    isBlock: Bool, isPadded: Bool, isForScreenReaders: @autoclosure () -> Bool, fadesIn: @autoclosure () -> Bool
  ) -> Extent? {
    if isPainted { return nil }
    let isBox = isBox(isBlock: isBlock)
    if isNotPainted || isBox && isHiddenBox || isMasked || isFaded && !fadesIn() { return .all }
    let (isAway, isFlat) = (isBox ? isAway.asBox : isAway.inLines, isBox && (isPadded ? isFlat.padded : isFlat.plain))
    if !isAway && !isFlat || isForScreenReaders() { return nil }
    return isAway ? .all : .flow
  }

  /// Whether the element makes a box of its own, not parts of lines.
  ///
  /// - Parameter isBlock: whether it does unless its display is declared.
  /// - Returns: whether it does.
  func isBox(isBlock: Bool) -> Bool { isBoxInAnyCase ?? isBlock }

  /// Whether the line before the element ends there.
  func breaksLine(isBlock: Bool) -> Bool { mayBreakLine && isBox(isBlock: isBlock) }

  /// Whether absolute boxes inside have their place in this element.
  ///
  /// - Parameter isBox: whether the element makes a box of its own.
  /// - Returns: whether they have.
  func placesAbsoluteBoxes(isBox: Bool) -> Bool { isPlace || placesFixedBoxes(isBox: isBox) }

  /// Whether fixed boxes inside have their place in this element, not in the window.
  func placesFixedBoxes(isBox: Bool) -> Bool { placesFixedBoxes.always || isBox && placesFixedBoxes.asBox }
}

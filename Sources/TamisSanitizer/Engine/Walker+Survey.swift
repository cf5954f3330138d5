import TamisCore
import TamisHTML
import TamisURL

/// What is known about a fragment before it is walked.
///
/// A picture can be a placeholder of the next one, a box with a picture and a line a figure with its caption, and a
/// link can lead to an anchor behind it.
struct Survey {
  /// The anchors that the output has.
  var anchors = OwnAnchors(page: nil, prefix: nil)
  /// The placeholders among the sources of pictures.
  var lazySources = LazySources()
  /// The decisions about pictures and the boxes around them, by node.
  var decisions: [Int32: PictureBoxes.Decision] = [:]
  /// Whether a picture or a figure is beside text.
  var hasSides = false
}

/// Looks at a fragment before it is walked, if it has pictures or links to anchors.
extension Walker {
  /// Looks at a fragment.
  ///
  /// - Parameters:
  ///   - fragment: the fragment, which is read up to its end.
  ///   - page: the URL of its page; nil when it is not known.
  ///   - keepsSides: whether pictures may be aligned beside text.
  mutating func look(at fragment: inout MarkupSource, page: WebURL?, keepsSides: Bool) {
    let improvements = settings.policy.improvements
    let page = improvements.idPrefix == nil ? nil : page.map(settings.urls.withoutTracking)
    survey = Survey(anchors: OwnAnchors(page: page, prefix: improvements.idPrefix))
    let summary = fragment.summary(tables)
    let alignsPictures = improvements.alignsPictures && keepsSides
    let makesFigures = improvements.makesFigures && allowsFigures
    let asksPictures = summary.hasPictures && (alignsPictures || makesFigures || improvements.repairsLazyImages)
    guard asksPictures || summary.hasFragmentLinks && survey.anchors.isAsked else { return }
    let (before, isRead) = (state, log.isRead)
    log.isRead = false
    repeat {
      var boxes = PictureBoxes(alignsPictures: alignsPictures, makesFigures: makesFigures)
      fragment.rewind()
      look(at: &fragment, &boxes)
      survey.decisions = boxes.finish()
    } while survey.lazySources.hasFoundMore()
    survey.hasSides = survey.decisions.contains { $1.side != nil }
    source.removeAll()
    (state, log.isRead) = (before, isRead)
  }

  private mutating func look(at fragment: inout MarkupSource, _ boxes: inout PictureBoxes) {
    var twins = PictureTwins()
    while let event = fragment.reader.next() {
      switch event {
      case .start(let name): look(atStart: name, of: fragment, &boxes, &twins)
      case .end:
        _ = source.close()
        if !source.isDropping { boxes.close(toDepth: source.depth) }
      case .text(let range):
        guard !source.isDropping, fragment.omission == nil, fragment.isVisible(range) else { continue }
        boxes.noteText()
        twins.noteText(isScriptless: source.isScriptless)
      }
    }
  }

  private mutating func look(
    atStart name: Int32, of fragment: borrowing MarkupSource, _ boxes: inout PictureBoxes, _ twins: inout PictureTwins
  ) {
    if source.isDropping { return source.open(.nothing) }
    if fragment.omission != nil {
      source.open(.nothing)
      return source.beginDropping()
    }
    place = fragment.reader.place
    attributes.removeAll()
    fragment.addAttributes(to: &attributes, without: place.isCopy ? tables.known.id : -1)
    let entry = tables.elements[standIn(for: fragment.number(ofElement: name))]
    let namespace = entry.root ?? Policy.Namespace(place.namespace)
    let (verdict, node) = (entry.verdict(in: namespace), fragment.reader.entered)
    if namespace == .svg, entry.holdsHTMLInSVG { source.beginDrawnText() }
    source.open(.nothing)
    if verdict == .keep {
      let isPicture = namespace == .html && entry.role == .image
      let isShown = !isPicture || look(at: entry, node, of: fragment, &boxes, &twins)
      // What is no element of SVG loses its tags in a drawing.
      let space = source.isInDrawnText ? .svg : namespace
      if isShown, survey.anchors.isAsked, entry.verdict(in: space) == .keep { noteAnchors(entry, space) }
    } else if namespace == .html, becomesLink(entry) {
      boxes.noteOther()
    }
    if verdict == .drop { return source.beginDropping() }
    boxes.open(boxMark(entry), node, depth: source.depth)
    if entry.traits.contains(.scriptless) { source.beginScriptless() }
  }

  /// Notes the anchors of the current tag, as they are written.
  private mutating func noteAnchors(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) {
    var names: [[UInt8]] = []
    for original in attributes.originals
    where tables.attributes[original.attribute].kind(in: namespace) == .identifier
      && tables.allows(attribute: original.attribute, on: entry.number, in: namespace)
    {
      if let name = settings.prefixed(Array(attributes.bytes[original.value])) { names.append(name) }
    }
    survey.anchors.add(names, ofPicture: namespace == .html && entry.role == .image)
  }

  /// Decides about a picture, whose tag is the current one, and notes it; returns whether it is shown so far.
  private mutating func look(
    at picture: RuleTables.Element, _ node: Int32, of fragment: borrowing MarkupSource, _ boxes: inout PictureBoxes,
    _ twins: inout PictureTwins
  ) -> Bool {
    collect(picture, .html)
    guard showsPicture(picture) else { return false }
    if settings.policy.improvements.repairsLazyImages {
      if isEmptyPicture(isInPicture: fragment.isInPicture(tables)) { return false }
      switch twins.removal(
        by: node, sources: pictureSources, isPlaceholder: isPlaceholder, isScriptless: source.isScriptless)
      {
      case .copy:
        boxes.remove(node, because: .duplicate)
        return false
      case .placeholder(let last):
        boxes.removePicture(last, because: .placeholder)
        survey.anchors.removeLastPicture()
      case nil: break
      }
    }
    boxes.addPicture(boxMark(picture), node)
    return true
  }
}

extension Walker {
  /// The files of the current picture: its source and the candidates of its `srcset`.
  private var pictureSources: Set<[UInt8]> {
    mutating get {
      let set = attributes.value(of: tables.known.srcset).map { SourceSet.parse(Array($0).span).map(\.url) } ?? []
      return Set(set + [attributes.value(of: tables.known.src).map { Array($0) }].compactMap(\.self))
    }
  }
}

/// Finds pictures that repeat others: placeholders, and copies for readers without script.
///
/// Scripts replace the first in `<img src="blank.gif" data-id="5"><noscript><img src="5.jpg"></noscript>`, in which the
/// source of the picture is only in the copy.
struct PictureTwins {
  /// What goes because of a picture.
  enum Removal {
    /// The picture itself, since one with its source is there.
    case copy
    /// The picture before it.
    case placeholder(Int32)
  }

  /// The files of the last picture.
  private var sources: Set<[UInt8]> = []
  private var isScriptless = false
  /// The last picture if it is a placeholder and no text is behind it.
  private var placeholder: Int32?

  /// Notes a text that is not white space: a picture behind it repeats none for readers without script.
  mutating func noteText(isScriptless: Bool) {
    placeholder = nil
    if !isScriptless { self.isScriptless = false }
  }

  /// Notes a picture; returns what goes because of it.
  mutating func removal(by node: Int32, sources: Set<[UInt8]>, isPlaceholder: Bool, isScriptless: Bool) -> Removal? {
    if !isPlaceholder, isScriptless || self.isScriptless, !self.sources.isDisjoint(with: sources) {
      // The copy is behind the picture, or before it.
      self.isScriptless = false
      return .copy
    }
    let replaced = isScriptless && !isPlaceholder ? placeholder : nil
    (self.sources, self.isScriptless) = (sources, isScriptless)
    placeholder = isPlaceholder ? node : nil
    return replaced.map { .placeholder($0) }
  }
}

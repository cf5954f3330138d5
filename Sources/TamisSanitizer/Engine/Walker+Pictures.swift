import TamisCore

/// The alignment and the captions of pictures.
extension Walker {
  /// Returns the marks of a start tag for the alignment of its picture.
  mutating func boxMark(_ entry: RuleTables.Element) -> PictureBoxes.Mark {
    var mark = PictureBoxes.Mark(kind: entry.boxKind, side: nil, width: nil, isCaption: false)
    if attributes.originals.isEmpty || entry.boxKind == .none && entry.role != .image { return mark }
    let known = tables.known
    if let style = attributes.original(known.style) {
      let style = PictureStyle(style)
      (mark.side, mark.width) = (style.side, style.width)
    }
    if entry.role == .image || entry.role == .table || entry.role == .figure,
      let align = attributes.original(known.align)
    {
      mark.side = mark.side ?? PictureBoxes.Side(rawValue: String(streamSafe: align).asciiLowercased())
    }
    if entry.role == .image, let width = attributes.original(known.width) {
      mark.width = Dimension.pixels(String(streamSafe: width)) ?? mark.width
    }
    for name in attributes.original(known.class)?.split(whereSeparator: \.isHTMLSpace) ?? [] where name.count < 40 {
      let name = String(streamSafe: name).asciiLowercased()
      if mark.side == nil { mark.side = PictureClasses.side[name] }
      if PictureClasses.captions.contains(name) { mark.isCaption = true }
    }
    return mark
  }

  /// Whether figures and their captions may be written.
  var allowsFigures: Bool {
    mutating get {
      ["figure", "figcaption"].allSatisfy { tables.elements[tables.number(ofElement: $0)].html == .keep }
    }
  }

  /// Returns the element that replaces another; nil when only its content is written.
  mutating func number(replacing replacement: PictureBoxes.Replacement) -> Int? {
    switch replacement {
    case .figure: tables.number(ofElement: "figure")
    case .caption: tables.number(ofElement: "figcaption")
    case .nothing: nil
    }
  }

  /// Writes the alignment of a picture or a figure when text flows beside it, and removes all other alignments.
  mutating func align(_ entry: RuleTables.Element) {
    let align = tables.known.align
    attributes.remove(align)
    if let side = state.decision?.side, tables.allows(attribute: align, on: entry.number, in: .html) {
      attributes.set(align, side.rawValue.utf8)
    }
  }
}

/// Class names that editors use for the alignment of pictures and for captions.
///
/// The lists are as of November 2026.
enum PictureClasses {
  static let side: [String: PictureBoxes.Side] = {
    var sides: [String: PictureBoxes.Side] = [:]
    for (side, word) in [(PictureBoxes.Side.left, "left"), (.right, "right")] {
      for pattern in [
        // WordPress, Drupal, TYPO3, Plone and others; Bootstrap; MediaWiki.
        "align*", "align-*", "align_*", "align--*", "float*", "float-*", "float_*", "image-*", "image*", "img-*",
        "img_*",
        "media-*", "photo-*", "pull-*", "pull*", "t*", "floating-*", "mw-halign-*", "is-align-*", "has-align-*",
        "image-align-*", "imageblock-*", "u-float-*", "wp-image-*", "inline-*", "asset-image-*", "mt-image-*",
      ] {
        sides[pattern.replacing("*", with: word)] = side
      }
    }
    // Froala; CKEditor; Bootstrap 5.
    for (name, side) in [
      ("fr-fil", PictureBoxes.Side.left), ("fr-fir", .right), ("image-style-align-left", .left),
      ("image-style-align-right", .right), ("image-style-side", .right), ("float-start", .left), ("float-end", .right),
    ] {
      sides[name] = side
    }
    return sides
  }()

  static let captions: Set = [
    "wp-caption-text", "wp-caption-dd", "gallery-caption", "tr-caption", "caption", "caption-text", "image-caption",
    "image_caption", "img-caption", "img_caption", "imagecaption", "photo-caption", "photocaption", "picture-caption",
    "figure-caption", "figcaption", "media-caption", "thumbcaption", "captiontext", "caption_text", "legende", "legend",
    "field--name-field-caption", "sqs-html-content-caption", "image-caption-wrapper", "article-caption",
  ]
}

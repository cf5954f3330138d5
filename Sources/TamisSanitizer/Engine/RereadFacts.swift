import TamisURL

/// Facts that one reading of a fragment collects for the next, as some are known only at its end.
struct RereadFacts {
  /// The reasons for reading a fragment again, in the order in which they are checked.
  ///
  /// Later readings use the facts of earlier ones.
  enum Reading: CaseIterable {
    /// Sources turned out to be placeholders.
    case lazySources
    /// Pictures are aligned, or boxes of pictures are figures.
    case boxes
    /// Links lead to anchors in the fragment.
    ///
    /// This reading is last, since removed pictures may have anchors.
    case anchors

    static let allCases: [Reading] = [.lazySources, .boxes, .anchors]
  }

  /// The anchors of the fragment and the links to them.
  var anchors = OwnAnchors(page: nil)
  /// Placeholder sources.
  var lazySources = LazySources()
  /// The alignment of pictures.
  var boxes = PictureBoxes(alignsPictures: false, makesFigures: false)

  /// Begins a reading.
  mutating func begin() {
    anchors.begin()
    lazySources.begin()
    boxes.begin()
  }

  /// Whether another reading would change the output.
  ///
  /// - Parameters:
  ///   - reading: the reason for the other reading.
  ///   - idPrefix: the prefix of ids in the output; nil for none.
  /// - Returns: whether the other reading is needed.
  mutating func wants(_ reading: Reading, idPrefix: String?) -> Bool {
    switch reading {
    case .lazySources: lazySources.wantsSecondReading()
    case .boxes: boxes.wantsSecondReading()
    case .anchors: idPrefix.map { anchors.wantsSecondReading(prefix: $0) } ?? false
    }
  }
}

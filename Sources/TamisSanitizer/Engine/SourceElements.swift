/// The open elements of the source, with the output for each.
struct SourceElements {
  /// The output for a start tag.
  enum Made: Hashable {
    /// An element with this id in ``OpenElements``.
    case element(Int)
    /// No output, because the tags are removed.
    case nothing
    /// No output, because the element is removed with its content.
    case dropped
  }

  private var made: [Made] = []
  /// The depth at which dropping began; nil while nothing is dropped.
  private var dropDepth: Int?
  /// The depth inside a `noscript`; nil outside.
  private var scriptlessDepth: Int?

  /// The depth inside a `foreignObject` that became text; nil outside.
  private var drawnTextDepth: Int?
  /// The depth inside an element with ``ElementTraits/shields`` whose tags are removed; nil outside.
  private var unshieldedDepth: Int?

  /// The number of open elements.
  var depth: Int { made.count }

  /// Whether the current position is inside an element that is removed with its content.
  var isDropping: Bool { dropDepth != nil }

  /// Whether the current position is inside a `noscript`.
  var isScriptless: Bool { scriptlessDepth != nil }

  /// Whether the current position is inside a `foreignObject` that became text.
  var isInDrawnText: Bool { drawnTextDepth != nil }

  /// Whether the current position is inside an element with ``ElementTraits/shields`` whose tags are removed.
  var isUnshielded: Bool { unshieldedDepth != nil }

  mutating func removeAll() {
    made.removeAll(keepingCapacity: true)
    (dropDepth, scriptlessDepth, drawnTextDepth, unshieldedDepth) = (nil, nil, nil, nil)
  }

  mutating func open(_ made: Made) { self.made.append(made) }

  /// Drops everything up to the end of the innermost element.
  mutating func beginDropping() { if dropDepth == nil { dropDepth = depth } }

  /// Records that the innermost element is a `noscript`.
  mutating func beginScriptless() { if scriptlessDepth == nil { scriptlessDepth = depth } }

  /// Records that the tags of the innermost element, which has ``ElementTraits/shields``, are removed.
  mutating func beginUnshielded() { if unshieldedDepth == nil { unshieldedDepth = depth } }

  /// Records that the next element is a `foreignObject` that becomes text.
  mutating func beginDrawnText() { if drawnTextDepth == nil { drawnTextDepth = depth + 1 } }

  /// Closes the innermost element; returns the output for its start tag, nil when none is open.
  mutating func close() -> Made? {
    guard let last = made.popLast() else { return nil }
    if let depth = scriptlessDepth, made.count < depth { scriptlessDepth = nil }
    if let depth = dropDepth, made.count < depth { dropDepth = nil }
    if let depth = drawnTextDepth, made.count < depth { drawnTextDepth = nil }
    if let depth = unshieldedDepth, made.count < depth { unshieldedDepth = nil }
    return last
  }
}

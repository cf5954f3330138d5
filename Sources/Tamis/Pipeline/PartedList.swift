/// A list that is kept in parts, each of which is released when it is taken.
///
/// A document's entries go through several stages, and a value of each stage has 600 to 1,200 bytes before its texts.
/// As parts, the values of one stage are released while those of the next are made: a document of many entries is in
/// memory once, not once for each stage.
struct PartedList<Element: Sendable>: Sendable {
  /// The maximum number of elements of a part, which is the number of entries that are between two stages at once.
  static var partSize: Int { 256 }

  private(set) var parts: [[Element]] = []
  private(set) var count = 0

  /// Appends an element; no part may have been taken yet.
  mutating func append(_ element: Element) {
    if count % Self.partSize == 0 { parts.append([]) }
    parts[parts.count - 1].append(element)
    count += 1
  }

  /// Returns a part, and leaves it empty.
  ///
  /// - Parameter index: the index of the part.
  /// - Returns: its elements.
  mutating func takePart(at index: Int) -> [Element] {
    var part: [Element] = []
    swap(&part, &parts[index])
    return part
  }
}

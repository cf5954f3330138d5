import TamisCore

/// A cache of the ends of sections.
///
/// Without it, many beginnings with one distant end, or none, would cost a search each.
struct SectionClosings {
  private struct Search {
    /// The position of the next closing in the document.
    var found: Int?
    /// The offset up to which there is none.
    var searched = 0
  }

  private var searches: [Search] = Array(repeating: Search(), count: 3)

  /// Returns the next closing of a section at or after `start`, or nil when there is none so far.
  ///
  /// - Parameters:
  ///   - section: the kind of section.
  ///   - input: the available part of the document.
  ///   - start: where to begin in it.
  ///   - offset: the offset of its first byte in the document.
  /// - Returns: the index of the closing in the input; nil when there is none so far.
  mutating func next(
    _ section: TolerantReader.Section, in input: borrowing Span<UInt8>, from start: Int, offset: Int
  ) -> Int? {
    var search = searches[section.rawValue]
    if let found = search.found, found >= start + offset { return found - offset }
    search.found = nil
    let found = ByteScan.index(of: section.closing, in: input, from: max(start, search.searched - offset))
    search.found = found.map { $0 + offset }
    // The closing may be incomplete at the end.
    search.searched = offset + max(0, min(found ?? input.count, input.count - 2))
    searches[section.rawValue] = search
    return found
  }
}

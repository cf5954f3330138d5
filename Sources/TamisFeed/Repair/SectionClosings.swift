import TamisCore

/// The ends of the sections of a document, searched once: many beginnings with one distant end, or none, would otherwise
/// cost a search each.
struct SectionClosings {
  private struct Search {
    /// Where the next closing is, as a position in the document.
    var found: Int?
    /// The offset up to which there is none.
    var searched = 0
  }

  private var searches: [Search] = Array(repeating: Search(), count: 3)

  /// The next closing of a section at or after `start`; nil when there is none so far.
  ///
  /// - Parameters:
  ///   - input: what is there of the document.
  ///   - start: where to begin in it.
  ///   - offset: what its first byte is in the document.
  mutating func next(
    _ section: MarkupRepair.Section, in input: borrowing Span<UInt8>, from start: Int, offset: Int
  ) -> Int? {
    var search = searches[section.rawValue]
    if let found = search.found, found >= start + offset { return found - offset }
    search.found = nil
    let found = ByteScan.index(of: section.closing, in: input, from: max(start, search.searched - offset))
    search.found = found.map { $0 + offset }
    // Its first bytes may have come, and not its last.
    search.searched = offset + max(0, min(found ?? input.count, input.count - 2))
    searches[section.rawValue] = search
    return found
  }
}

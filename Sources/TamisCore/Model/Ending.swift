extension Feed {
  /// The way in which the reading of a document ended, which decides what missing entries mean.
  ///
  /// A feed that lacks a post may have dropped it, unless the document was cut off before the post.
  public enum Ending: Sendable, Hashable {
    /// The document was read to its end.
    case complete
    /// The document, or the reading of it, ended between two entries; more entries may follow.
    case betweenEntries
    /// The document ended inside this entry, counted from 0, which is incomplete.
    case insideEntry(Int)
    /// The document ended inside an entry that was left out.
    case insideLostEntry

    /// Whether the document was read to its end.
    public var isComplete: Bool { self == .complete }

    /// Returns the ending when only some of the entries are kept.
    ///
    /// - Parameter entries: the indexes of the kept entries, ascending.
    /// - Returns: the ending in terms of the kept entries, by their new indexes.
    package func keeping(_ entries: [Int]) -> Feed.Ending {
      guard case .insideEntry(let cut) = self else { return self }
      return entries.lastIndex(of: cut).map(Feed.Ending.insideEntry) ?? .insideLostEntry
    }
  }
}

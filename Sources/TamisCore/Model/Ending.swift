/// How the reading of a document ended: what may be concluded from what it does not have.
///
/// A feed that lacks a post may have dropped it, unless the document was cut off before it came.
public enum Ending: Sendable, Hashable {
  /// The document was read to its end.
  case complete
  /// The document, or the reading of it, ended between two entries: there may be more of them.
  case betweenEntries
  /// The document ended inside this entry, counted from 0, of which there is only the beginning.
  case insideEntry(Int)
  /// The document ended inside an entry that was left out.
  case insideLostEntry

  /// Whether nothing is missing.
  public var isComplete: Bool { self == .complete }
}

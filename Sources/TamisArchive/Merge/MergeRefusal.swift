/// Why archives are not merged: there is no use in trying it again as it is.
public struct MergeRefusal: Error, Sendable, CustomStringConvertible {
  /// What is wrong, with the names of files, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}

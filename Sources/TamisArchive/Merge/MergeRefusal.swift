/// The reason why archives cannot be merged; a retry does not help.
package struct MergeRefusal: Error, Sendable, CustomStringConvertible {
  /// The problem, with the names of files, and its remedy.
  package let description: String

  init(_ description: String) { self.description = description }
}

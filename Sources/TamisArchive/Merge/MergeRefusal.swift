/// Why archives cannot be merged; trying again does not help.
package struct MergeRefusal: Error, Sendable, CustomStringConvertible {
  /// What is wrong, with the names of files, and what to do.
  package let description: String

  init(_ description: String) { self.description = description }
}

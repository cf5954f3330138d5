/// An error that lists every mistake in a rules file, in the rules for single sites, or in a policy made in code.
public struct InvalidRules: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mistakes; those of a file are in its order, each with its line and column.
  public let findings: [Finding]

  /// Makes an error from mistakes.
  public init(findings: [Finding]) { self.findings = findings }

  /// The mistakes, one on each line.
  public var description: String { findings.map(\.description).joined(separator: "\n") }
}

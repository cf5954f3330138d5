/// Rules that cannot be used: every mistake in a rules file, in the rules for single sites, or in a policy made in code.
public struct InvalidRules: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mistakes; those of a file in its order, each with its line and column.
  public let findings: [Finding]

  /// Makes an error of mistakes.
  public init(findings: [Finding]) { self.findings = findings }

  /// One mistake a line.
  public var description: String { findings.map(\.description).joined(separator: "\n") }
}

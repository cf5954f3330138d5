// To add a target: a type in this folder that conforms to `FuzzTarget`, its row in `FuzzTargets.all`, words in
// Tests/Fuzz/dictionaries/NAME.dict, its name in the Makefile, docs/developing.md and Tests/Fuzz/oss-fuzz/build.sh
// (FuzzTests names the one that lacks it). What it finds goes into Fixtures/Fuzz/NAME, and as a case into the
// fixtures of its module.

/// A kind of input that is fuzzed, and what must hold for each.
package protocol FuzzTarget: Sendable {
  /// The name, by which the target, its dictionary and its folder in `Fixtures/Fuzz` are found.
  var name: String { get }
  /// The maximum size of an input in bytes, so that one takes milliseconds.
  var longest: Int { get }

  /// Returns what is wrong with the results for an input; nil when nothing is.
  func fault(in input: [UInt8]) -> String?

  /// Returns what an input stands for.
  func text(of input: [UInt8]) -> String

  /// Returns inputs to begin with, from files of `Fixtures`.
  func seeds(from files: SeedFiles) async throws -> [[UInt8]]
}

extension FuzzTarget {
  package func text(of input: [UInt8]) -> String { String(decoding: input, as: UTF8.self) }
}

/// All targets.
package enum FuzzTargets {
  /// The targets in the order in which a post travels through what they test.
  package static let all: [any FuzzTarget] = [
    ConfigurationTarget(), RulesTarget(), FeedTarget(), ArticleTarget(), SanitizerTarget(), SoupTarget(),
    ArchiveTarget(),
  ]

  /// Returns the target of a name; nil when there is none.
  package static func named(_ name: String) -> (any FuzzTarget)? { all.first { $0.name == name } }
}

package import Tamis
import TamisArchive
package import TamisCore

/// Decides whether pairs of posts are the same, as an archive with both does: the members `same` and `reason`.
///
/// A record has the facts of two posts, as in an export of keys, under `a` and `b`.
package struct SameMapper: RecordMapper {
  /// The release that determines the answers.
  package let provenance = Provenance("same", settings: [])
  /// True, which has no effect: records have no documents.
  package var wantsPages: Bool { true }

  /// Creates a mapper.
  package init() {}

  /// Writes `same`, and as `reason` the rule that applied, or in words what contradicts it.
  package func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    guard case .pair(let a, let b) = record.body else {
      throw RecordError(
        .body, "there is no pair: 'a' and 'b' must be objects with facts as written by tamis archive export --keys")
    }
    let (isSame, reason) = try Self.facts("a", a).isSame(as: Self.facts("b", b))
    writer.key("same")
    writer.bool(isSame)
    writer.member("reason", reason)
  }

  private static func facts(_ side: String, _ texts: [String: String]) throws(RecordError) -> PairFacts {
    do throws(PairFacts.Invalid) { return try PairFacts(texts) } catch {
      throw RecordError(.body, "'\(side).\(error.name)' is not what tamis archive export --keys writes")
    }
  }
}

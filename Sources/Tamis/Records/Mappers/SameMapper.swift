import TamisArchive
public import TamisCore

/// Says of pairs of posts whether they are one, as an archive that has both decides: the members `same` and `reason`.
///
/// A record has the facts of two posts, as an export of keys writes them, under `a` and `b`.
public struct SameMapper: RecordMapper {
  /// By what answers are made.
  public let provenance = Provenance("same", settings: [])
  /// No documents are of use.
  public var wantsPages: Bool { true }

  /// Makes a mapper.
  public init() {}

  /// Writes `same`, and the rule by which that is so, or in words what speaks against it.
  public func answer(
    _ record: Record, into findings: inout [Finding], to writer: inout JSONWriter
  ) throws(RecordError) {
    guard case .pair(let a, let b) = record.body else {
      throw RecordError(
        .body, "there is no pair: objects 'a' and 'b' with facts as tamis archive export --keys writes them")
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

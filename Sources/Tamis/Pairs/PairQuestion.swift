public import TamisArchive
public import TamisCore

/// A line that asks whether two posts are one: `{"id", "a": {facts}, "b": {facts}}`, the facts as `tamis archive export --keys` has
/// written them.
public struct PairQuestion: Sendable {
  /// The two posts.
  public let posts: (a: PairFacts, b: PairFacts)

  /// The members that are read.
  public static let members = Set(["a", "b"].flatMap { side in PairFacts.names.map { "\(side).\($0)" } })

  /// Reads a line.
  public init(_ record: Record) throws(Record.Invalid) {
    posts = (try Self.facts("a", record), try Self.facts("b", record))
  }

  /// Whether they are one, and by which rule, or what speaks against it.
  public var decision: (isSame: Bool, reason: String) { posts.a.isSame(as: posts.b) }

  private static func facts(_ side: String, _ record: Record) throws(Record.Invalid) -> PairFacts {
    var texts: [String: String] = [:]
    for name in PairFacts.names { texts[name] = try record.text("\(side).\(name)") }
    do throws(PairFacts.Invalid) { return try PairFacts(texts) } catch {
      throw Record.Invalid(
        id: record.id, message: "'\(side).\(error.name)' is not what tamis archive export --keys writes")
    }
  }
}

extension JSONWriter {
  /// Writes the members of the answer behind its id: `same`, and by which rule, or what speaks against it.
  public mutating func answer(_ question: PairQuestion) {
    let (isSame, reason) = question.decision
    key("same")
    bool(isSame)
    member("reason", reason)
  }
}

import GRDB

/// A page or a picture that is to be fetched.
package protocol WantedThing: Sendable {
  /// The number in the archive.
  var number: Int64 { get }
  /// The URL.
  var address: String { get }
  /// The number of failed attempts.
  var failures: Int { get }
}

/// What came of a request for a page or a picture.
package enum RequestOutcome<Content: Sendable & Hashable>: Sendable, Hashable {
  case came(Content)
  /// The request failed, and why; the thing is due again at a time, or with nil when all things are due.
  case failed(String, next: Int64?)
  /// The thing will not be asked for again, and why.
  case givenUp(String)
}

extension Database {
  /// An SQL condition: a thing is due at `:now`, or at any time.
  ///
  /// A thing that is due within a minute is due; times far ahead are ignored, since the clock may have been set back.
  static func isDue(now: Int64?) -> String {
    now == nil ? "isGivenUp = 0" : "isGivenUp = 0 AND (next IS NULL OR next <= :now + 60 OR asked > :now + 60)"
  }

  /// Records in a table of things that a request failed; nothing for one that did not.
  func note<Content>(_ outcome: RequestOutcome<Content>, of number: Int64, in table: String, asked: Int64?) throws {
    let (problem, next, isGivenUp): (String, Int64?, Bool)
    switch outcome {
    case .came: return
    case .failed(let reason, let time): (problem, next, isGivenUp) = (reason, time, false)
    case .givenUp(let reason): (problem, next, isGivenUp) = (reason, nil, true)
    }
    let sql =
      "UPDATE \(table) SET failures = failures + 1, problem = ?, next = ?, isGivenUp = ?, asked = ? WHERE id = ?"
    try cachedStatement(sql: sql).execute(arguments: [problem, next, isGivenUp, asked, number])
  }
}

import GRDB
package import TamisCore
import TamisFoundation

/// Stores how far the history of each feed was read, by its subscribed address.
struct HistoryStore {
  let database: Database

  func write(_ state: HistoryState, of subscription: String) throws {
    let walked = state.walked.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        subscription, state.next, state.isGuess, state.ending?.rawValue, state.fillsGap, state.documents,
        state.failures, state.retry,
        Data(walked),
      ])
  }

  /// The size in bytes of the checksums of the most documents, two of each, and of the feed's own.
  private static let mostBytes = 16 * (HistoryState.mostDocuments + 1)

  static func state(_ row: Row, from first: Int) throws -> HistoryState {
    var state = HistoryState()
    (state.next, state.isGuess) = try (row[first], row[first + 1])
    state.ending = try (row[first + 2] as String?).flatMap(HistoryState.Ending.init)
    state.fillsGap = try row[first + 3]
    // The archive may be somebody else's.
    state.documents = try max(0, min(row[first + 4], HistoryState.mostDocuments))
    state.failures = try max(0, min(row[first + 5], HistoryState.mostFailures))
    state.retry = try row[first + 6]
    let walked = Array(try (row[first + 7] as Data).prefix(mostBytes))
    state.walked = stride(from: 0, to: walked.count - 7, by: 8).map { place in
      (0..<8).reduce(Int64(0)) { $0 | Int64(walked[place + $1]) << Int64(8 * $1) }
    }
    return state
  }
}

extension Archive {
  /// Returns how far the history of each feed was read, by subscribed address.
  package func histories() throws(Archive.Failure) -> [String: HistoryState] {
    try read { database in
      guard try database.isTrue("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'history')") else {
        return [:]
      }
      let sql = "SELECT location, next, isGuess, ending, fillsGap, documents, failures, retry, walked FROM history"
      let rows = try Row.fetchAll(database, sql: sql)
      return try Dictionary(rows.map { try ($0[0], HistoryStore.state($0, from: 1)) }) { first, _ in first }
    }
  }
}

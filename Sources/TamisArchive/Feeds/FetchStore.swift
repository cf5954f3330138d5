import GRDB
package import TamisCore

/// Stores the fetch states of feeds by subscribed address.
struct FetchStore {
  let database: Database

  static let columns = [
    "address", "validatorAddress", "etag", "lastModified", "movedTo", "moveCount", "asked", "fetched", "next",
    "failingSince",
    "failureCount", "reason", "message", "status", "isGone", "gap", "lifetime", "skippedHours", "skippedDays", "quiet",
    "answerTimes", "guardDigest",
  ]
  static let selection = columns.map { "fetch." + $0 }.joined(separator: ", ")

  private static let insert =
    "INSERT OR REPLACE INTO fetch (subscription, \(columns.joined(separator: ", "))) "
    + "VALUES (\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))"

  func write(_ state: FetchState, of subscription: String) throws {
    let (failure, pace) = (state.failure, state.pace)
    try database.cachedStatement(sql: Self.insert).execute(arguments: [
      subscription, state.address, state.validators?.address, state.validators?.etag, state.validators?.lastModified,
      state.move?.address, state.move?.count, state.asked, state.fetched, state.next, failure?.since, failure?.count,
      failure?.problem.reason.rawValue, failure?.problem.message, failure?.problem.status, state.isGone, pace.gap,
      pace.lifetime, Int64(pace.skippedHours), Int64(pace.skippedDays), pace.quiet,
      state.answerTimes.map { String($0) }.joined(separator: " "), failure?.guardDigest,
    ])
  }

  static func state(_ row: Row, from first: Int) throws -> FetchState {
    var state = try FetchState(address: row[first])
    if let address = try row[first + 1] as String? {
      state.validators = try FetchState.Validators(address: address, etag: row[first + 2], lastModified: row[first + 3])
    }
    if let moved = try row[first + 4] as String? {
      state.move = try FetchState.Move(to: moved, count: row[first + 5] ?? 1)
    }
    (state.asked, state.fetched, state.next) = try (row[first + 6], row[first + 7], row[first + 8])
    if let since = try row[first + 9] as Int64? {
      let reason = try (row[first + 11] as String?).flatMap(FetchProblem.Reason.init) ?? .connect
      let problem = try FetchProblem(reason, row[first + 12] ?? "", status: row[first + 13])
      state.failure = try FetchState.Failure(
        since: since, count: row[first + 10] ?? 1, problem: problem, guardDigest: row[first + 21])
    }
    state.isGone = try row[first + 14]
    (state.pace.gap, state.pace.lifetime) = try (row[first + 15], row[first + 16])
    state.pace.skippedHours = try UInt32(truncatingIfNeeded: row[first + 17] as Int64)
    state.pace.skippedDays = try UInt8(truncatingIfNeeded: row[first + 18] as Int64)
    state.pace.quiet = try row[first + 19]
    let times: String = try row[first + 20]
    state.answerTimes = times.split(separator: " ").suffix(FetchState.lengthOfHistory).compactMap { Int($0) }
    return state
  }
}

extension Archive {
  /// Returns the fetch states of feeds by subscribed address.
  package func fetchStates() throws(Archive.Failure) -> [String: FetchState] {
    try read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT subscription, \(FetchStore.selection) FROM fetch")
      return try Dictionary(rows.map { try ($0[0], FetchStore.state($0, from: 1)) }) { first, _ in first }
    }
  }

  /// Stores fetch states by subscribed address when there is no document to record.
  package func remember(_ states: [String: FetchState]) throws(Archive.Failure) {
    guard !states.isEmpty else { return }
    try write { database in
      let store = FetchStore(database: database)
      for (subscription, state) in states.sorted(by: { $0.key < $1.key }) { try store.write(state, of: subscription) }
      try ChangeLog(database).noteFetching()
    }
  }

  /// Deletes the fetch states of feeds: they are fetched as if for the first time.
  ///
  /// - Parameter subscriptions: the addresses that are, or were, subscribed to.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func forgetFetching(of subscriptions: [String]) throws(Archive.Failure) {
    guard !subscriptions.isEmpty else { return }
    try write { database in
      for subscription in subscriptions {
        try database.execute(sql: "DELETE FROM fetch WHERE subscription = ?", arguments: [subscription])
        try database.execute(sql: "DELETE FROM history WHERE location = ?", arguments: [subscription])
      }
      try ChangeLog(database).noteFetching()
    }
  }

  /// Changes the subscribed address of a feed that has moved.
  ///
  /// - Parameters:
  ///   - old: the previously subscribed address, which is no longer subscribed to.
  ///   - new: the address to which the feed has moved.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func adopt(_ old: String, as new: String) throws(Archive.Failure) {
    try write { database in
      try database.execute(
        sql: "UPDATE OR REPLACE fetch SET subscription = ?, movedTo = NULL WHERE subscription = ?",
        arguments: [new, old])
      try database.execute(sql: "UPDATE feed SET location = ? WHERE location = ?", arguments: [new, old])
      try database.execute(sql: "UPDATE OR REPLACE history SET location = ? WHERE location = ?", arguments: [new, old])
    }
  }
}

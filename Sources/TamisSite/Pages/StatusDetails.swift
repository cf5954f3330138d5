package import TamisCore

/// How the feeds are fetched and read, for the owner of the site and for programs.
extension Site {
  /// Sets how a feed is fetched and read, and what was removed from its posts.
  func setUpkeep(_ context: inout PageContext, of status: StatusItem) {
    let item = status.item
    let reading = item.feed.status
    context.set(.source, item.feed.key.publicName)
    // The fetch state is shown below.
    context.set(.failure, status.fetching?.failure == nil ? reading.failure : nil)
    context.set(.entries, words.counted(.entries, reading.entries))
    context.set(.isPartial, reading.isPartial)
    context.set(.problems, reading.problems)
    context.set(.hasProblems, !reading.problems.isEmpty)
    context.set(.removals, reading.removals.map(removal))
    context.set(.hasRemovals, !reading.removals.isEmpty)
    context.set(.fetching, status.fetching.map(fetching))
  }

  /// Returns what a rule has removed, in words.
  func removal(_ removal: FeedStatus.Removals) -> PageContext {
    var context = PageContext(capacity: 3)
    context.set(.title, Word(rawValue: "rule_\(removal.rule)").map { words.text($0) } ?? removal.rule)
    context.set(.count, removal.count)
    context.set(.name, removal.examples.joined(separator: ", "))
    return context
  }

  private func fetching(_ state: FetchState) -> PageContext {
    var context = PageContext(capacity: 10)
    context.set(.isGone, state.isGone)
    context.set(.failure, state.failure?.problem.message)
    if let failure = state.failure, !state.isGone {
      // Without a clock there is no time to show.
      let date = failure.since > 0 ? times.minute(failure.since) : nil
      context.set(
        .since, date.map { words.text(.failingSince, [.date: $0, .times: words.counted(.times, failure.count)]) })
    }
    func sentence(_ word: Word, _ time: Int64?) -> String? { time.map { words.text(word, [.date: times.minute($0)]) } }
    context.set(.asked, sentence(.asked, state.asked))
    context.set(.fetched, sentence(.fetched, state.fetched))
    context.set(.next, sentence(.next, state.next))
    let moved: Word = state.move?.address == state.address ? .hasMovedTo : .movedTo
    context.set(.moved, (state.move?.address).ifHTTP.map { words.text(moved, [.address: $0]) })
    context.set(.times, Self.chart(state.answerTimes, span(state.answerTimes)))
    return context
  }

  /// Returns the label of a chart of response times, `The last answers took 20 to 340 ms`.
  private func span(_ times: [Int]) -> String {
    guard let least = times.min(), let most = times.max() else { return "" }
    return least == most
      ? words.text(.answerTook, [.number: "\(most)"])
      : words.text(.answersTook, [.least: "\(least)", .most: "\(most)"])
  }

  // MARK: - For programs

  /// Returns the same data as JSON (`status.json`, `status.2.json`, …); each part names the next.
  ///
  /// Times are RFC 3339 in UTC; a feed's `state` is `ok`, `partial`, `failed`, `gone` or, for one that is not fetched,
  /// `file`.
  ///
  /// - Parameters:
  ///   - number: the number of the part, counted from 1.
  ///   - count: the number of parts.
  ///   - feeds: the feeds of the part.
  /// - Returns: the file, in JSON.
  package func statusData(number: Int, of count: Int, feeds: [StatusItem]) -> SiteFile {
    let bytes = JSONWriter.line { writer in
      writer.member("generator", "Tamis")
      writer.member("title", settings.title)
      if number < count { writer.member("next", Self.path(ofStatusData: number + 1).text) }
      writer.array("feeds") { writer in for feed in feeds { feed.published.write(to: &writer) } }
    }
    return SiteFile(path: Self.path(ofStatusData: number), bytes: bytes)
  }
}

extension StatusItem {
  /// Writes the feed as an object of JSON; times are RFC 3339 in UTC.
  ///
  /// - Parameters:
  ///   - writer: the writer.
  ///   - others: writes members besides, at the end.
  package func write(to writer: inout JSONWriter, others: (inout JSONWriter) -> Void = { _ in }) {
    let reading = item.feed.status
    writer.object { writer in
      writer.member("title", item.feed.title)
      writer.member("page", Site.path(ofFeed: item.feed.slug).text)
      writer.member("source", item.feed.key.publicName)
      writer.member("state", state.rawValue)
      writer.member("posts", item.count)
      writer.member("failure", fetching?.failure?.problem.message ?? reading.failure)
      writer.member("reason", fetching?.failure?.problem.reason.rawValue)
      writer.member("status", fetching?.failure?.problem.status)
      writer.member("failing_since", fetching?.failure.map { DateText($0.since).iso })
      writer.member("failures", fetching?.failure?.count)
      writer.member("asked", fetching?.asked.map { DateText($0).iso })
      writer.member("fetched", fetching?.fetched.map { DateText($0).iso })
      writer.member("next", fetching?.next.map { DateText($0).iso })
      writer.member("moved_to", fetching?.move?.address)
      if let fetching { Self.numbers("answer_milliseconds", fetching.answerTimes, &writer) }
      if !weeks.isEmpty { Self.numbers("posts_per_week", weeks, &writer) }
      others(&writer)
    }
  }

  private static func numbers(_ name: StaticString, _ values: [Int], _ writer: inout JSONWriter) {
    writer.array(name) { writer in for value in values { writer.int(Int64(value)) } }
  }
}

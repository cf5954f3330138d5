import TamisCore
import TamisFetch
import TestSupport
import Testing

@Suite struct ScheduleTests {
  /// 1 November 2026, 00:00 UTC.
  private static let now: Int64 = 1_793_491_200

  @Test(arguments: Case.all(in: "Fetch/Schedule"))
  func nextRequestTimeMatchesFixture(_ each: Case) throws {
    let schedule = Schedule()
    var state = FetchState(address: "https://a.example/feed")
    state.pace.quiet = (Int(each.settings["quiet"] ?? "") ?? 0) - 1
    var answer = FetchAnswer(.document, address: state.address)
    answer.fields = (each.settings["fields"] ?? "").split(separator: ";").compactMap { field in
      field.firstIndex(of: ":").map {
        HeaderField(
          name: String(field[..<$0].drop { $0 == " " }), value: String(field[field.index(after: $0)...]))
      }
    }
    if let failures = each.settings["failures"].flatMap({ Int($0) }) {
      let problem = FetchProblem(.timeout, "too slow")
      state.failure = FetchState.Failure(since: Self.now, count: failures - 1, problem: problem)
      answer.outcome = .failed(problem)
    }
    let pace = FetchState.Pace(Self.feed(each.settings), dates: Self.dates(each.settings), now: Self.now)
    let next = state.after(answer, pace: pace, isNew: each.settings["quiet"] == nil, now: Self.now, schedule).next
    let seconds = try #require(next) - Self.now
    let expected = try #require(Self.seconds(each.sections["next"] ?? ""))
    #expect((expected...expected + expected / 10).contains(seconds), "\(each): \(seconds) s, not \(expected)")
  }

  private static func feed(_ settings: [String: String]) -> Feed {
    var feed = Feed()
    func add(_ name: String, _ text: String?) {
      if let text { feed.extensions.append(Feed.ExtensionElement(name: name, text: text)) }
    }
    add("ttl", settings["ttl"])
    add("sy_updateperiod", settings["period"])
    add("sy_updatefrequency", settings["frequency"])
    for hour in (settings["hours"] ?? "").split(separator: " ") { add("hour", String(hour)) }
    for day in (settings["days"] ?? "").split(separator: " ") { add("day", String(day)) }
    return feed
  }

  private static func dates(_ settings: [String: String]) -> [Int64] {
    (settings["posts"] ?? "").split(separator: " ").compactMap { Int64($0) }.map { now - $0 * 3600 }
  }

  private static func seconds(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400]
    guard let last = text.last, let unit = units[last] else { return nil }
    return Int64(text.dropLast()).map { $0 * unit }
  }

  @Test func feedIsDueAtItsNextTime() {
    let schedule = Schedule()
    var state = FetchState(address: "https://a.example/feed")
    #expect(schedule.isDue(state, now: 1000))
    (state.asked, state.next) = (1000, 5000)
    #expect(!schedule.isDue(state, now: 2000))
    #expect(schedule.isDue(state, now: 4950))
    // A clock that was set back.
    #expect(schedule.isDue(state, now: 10))
    state.isGone = true
    #expect(!schedule.isDue(state, now: 9000))
  }
}

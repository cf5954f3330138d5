import Tamis
import TestSupport
import Testing

/// `Fixtures/Plans/*.txt`: what the archive says has changed, and what must be made again because of that.
@Suite struct PlanTests {
  static let cases = Case.all(in: "Plans")

  @Test func fixtureCasesExist() { #expect(Self.cases.count >= 20) }

  @Test(arguments: cases)
  func planFollowsChangesInAnyOrder(_ each: Case) throws {
    let changes = try (each.sections["changes"] ?? "").split(separator: "\n").map {
      try PlanNotation.change(String($0))
    }
    let plan = PublishingPlan(
      changes,
      feeds: try PlanNotation.words(each.settings["feeds"]).map { FeedNumber(rawValue: try PlanNotation.number($0)) },
      counts: try PlanNotation.counts(each.settings["counts"]),
      threshold: try PlanNotation.number(each.settings["threshold"] ?? "2"),
      isUnreadOnly: each.settings["only"] == "unread")
    let expected = try #require(each.sections["plan"], "\(each)").split(separator: "\n").map(String.init)
    #expect(PlanNotation.lines(plan) == expected, "\(each)")
    // The order in which changes are told makes no difference.
    let reversed = PublishingPlan(
      changes.reversed(), feeds: plan.feeds.sorted(), counts: try PlanNotation.counts(each.settings["counts"]),
      threshold: try PlanNotation.number(each.settings["threshold"] ?? "2"),
      isUnreadOnly: each.settings["only"] == "unread")
    #expect(PlanNotation.lines(reversed) == expected, "\(each), told the other way round")
  }
}

/// Changes and plans as the cases write them.
private enum PlanNotation {
  struct Unreadable: Error { var text: String }

  static func words(_ text: String?) -> [String] { (text ?? "").split(separator: " ").map(String.init) }

  static func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
    guard let number = Number(text) else { throw Unreadable(text: text) }
    return number
  }

  /// `sea 2, land 0`.
  static func counts(_ text: String?) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for part in (text ?? "").split(separator: ",") {
      let sides = words(String(part))
      guard sides.count == 2 else { throw Unreadable(text: String(part)) }
      counts[sides[0]] = try number(sides[1])
    }
    return counts
  }

  /// `POST of FEED: BEFORE > AFTER`.
  static func change(_ line: String) throws -> PostChange {
    let sides = line.split(separator: ":", maxSplits: 1).map(String.init)
    let (head, listings) = (words(sides[0]), sides[sides.count - 1].split(separator: ">").map(String.init))
    guard sides.count == 2, head.count == 3, head[1] == "of", listings.count == 2 else { throw Unreadable(text: line) }
    return PostChange(
      post: PostNumber(rawValue: try number(head[0])), feed: FeedNumber(rawValue: try number(head[2])),
      name: "page-\(head[0])",
      before: try listing(listings[0]), after: try listing(listings[1]))
  }

  /// `DATE #ARRIVAL [in POST] TAG...`, or `-` for a post that is not shown.
  private static func listing(_ text: String) throws -> PostChange.Listing? {
    var rest = words(text)[...]
    if rest == ["-"] { return nil }
    guard rest.count >= 2, let date = rest.popFirst(), let arrival = rest.popFirst(), arrival.hasPrefix("#") else {
      throw Unreadable(text: text)
    }
    var fold: PostNumber?
    if rest.first == "in" {
      fold = PostNumber(rawValue: try number(rest.dropFirst().first ?? ""))
      rest = rest.dropFirst(2)
    }
    return PostChange.Listing(
      position: ListedPost.Position(sortDate: try place(date), arrival: try number(String(arrival.dropFirst()))),
      fold: fold,
      slugs: Array(rest))
  }

  /// As the archive has it for what has no date.
  private static let undated = Int64.min / 2

  private static func place(_ date: String) throws -> Int64 {
    if date == "undated" { return undated }
    let parts: [Int] = try date.split(separator: "-").map { try number(String($0)) }
    guard parts.count == 3,
      let place = CivilTime(year: parts[0], month: parts[1], day: parts[2], hour: 0, minute: 0, second: 0).seconds(
        offset: 0)
    else { throw Unreadable(text: date) }
    return place
  }

  private static func date(_ place: Int64) -> String {
    if place == undated { return "undated" }
    let time = CivilTime(seconds: place)
    return [time.year, time.month, time.day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }

  // MARK: - Plans

  /// A line for each thing that is to be made, and for each set that is not empty.
  static func lines(_ plan: PublishingPlan) -> [String] {
    var lines: [String] = []
    switch plan.extent {
    case .nothing: lines.append("nothing")
    case .everything(let reason): lines.append("everything: \(reason.rawValue)")
    case .changes: break
    }
    lines += plan.posts.sorted { $0.key < $1.key }.map { "post \($0.key.rawValue): \($0.value.rawValue)" }
    lines += plan.lists.map { shelf, work in
      let from = work.from.map { " from #\($0)" } ?? ""
      let touched = work.touched.isEmpty ? "" : " touched" + work.touched.sorted().map { " #\($0)" }.joined()
      return "list \(name(shelf)):\(from)\(touched)"
    }.sorted()
    lines += plan.turns.map { "turn \(name($0.query)): \(date($0.position.sortDate)) #\($0.position.arrival)" }.sorted()
    lines += set("arrivals", plan.arrivals.sorted().map { "#\($0)" })
    lines += set("slugs", plan.slugs.sorted())
    lines += set("crossing", plan.crossing.sorted())
    lines += set("years", plan.years.sorted().map { "\($0)" })
    return lines + set("feeds", plan.feeds.sorted().map { "\($0.rawValue)" })
  }

  private static func set(_ name: String, _ members: [String]) -> [String] {
    members.isEmpty ? [] : ["\(name): \(members.joined(separator: " "))"]
  }

  private static func name(_ shelf: PostQuery) -> String {
    switch shelf {
    case .all: "all"
    case .feed(let number): "feed \(number.rawValue)"
    case .category(let slug): "category \(slug)"
    case .tag(let slug): "tag \(slug)"
    case .month(let number): "month \(date(month: number))"
    }
  }

  private static func date(month number: Int64) -> String {
    "\(number / 12)-\(number % 12 < 9 ? "0" : "")\(number % 12 + 1)"
  }
}

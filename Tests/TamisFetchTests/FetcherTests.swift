import TamisCore
import TamisFetch
import TamisURL
import TestSupport
import Testing

@Suite struct FetcherTests {
  @Test(arguments: Case.all(in: "Fetch/Steps"))
  func fetchOutcomesMatchFixture(_ each: Case) async throws {
    let steps = (each.sections["server"] ?? "").split(separator: "\n").map(ScriptedTransport.Step.init)
    let transport = ScriptedTransport(steps)
    var pacing = RequestPacing()
    pacing.delay = 0
    let fetcher = Fetcher(transport: transport, pacing: pacing)
    let address = each.settings["address"] ?? "https://a.example/feed"
    let own = try #require(WebURL(address))
    let subscribed = own.removingCredentials.href
    var state = FetchState(address: subscribed)
    var lines: [String] = []
    for run in 1...(Int(each.settings["runs"] ?? "1") ?? 1) {
      let asked = state.addressToAsk(of: subscribed)
      let answer = await fetcher.fetch(asked, for: own, unless: state.validators, into: Bin())
      let now = 1_793_491_200 + Int64(run) * 86_400
      state = state.after(answer, of: subscribed, pace: nil, isNew: true, now: now, Schedule())
      lines.append(Self.text(of: answer, state, subscribed))
    }
    #expect(lines.joined(separator: "\n") == (each.sections["outcome"] ?? ""), "\(each)")
    #expect(transport.left == 0, "\(each)")
  }

  private static func text(of answer: FetchAnswer, _ state: FetchState, _ subscribed: String) -> String {
    let word =
      switch answer.outcome {
      case .document: "document"
      case .notModified: "not-modified"
      case .failed(let problem): problem.reason.rawValue
      }
    var parts = [word, answer.address, "\(answer.requests)"]
    if state.address != subscribed { parts.append("at \(state.address)") }
    if let move = state.move, move.address != state.address { parts.append("moving \(move.address)") }
    if let named = state.validators { parts += ["if"] + [named.etag, named.lastModified].compactMap { $0 } }
    if state.isGone { parts.append("gone") }
    return parts.joined(separator: " ")
  }

  /// A login that is not sent is not the reason that the user thinks of.
  @Test(arguments: [
    ("https://a.example/feed", 401, "the server does not accept the login (401)", false),
    (
      "https://a.example/feed", 403,
      "the server refuses the request (403): it may require a login, or not want this user agent", false
    ),
    ("https://b.example/feed", 401, "the server requires a login (401)", true),
  ])
  func refusalSaysWhetherLoginWasSent(_ address: String, _ status: Int, _ message: String, _ isAdvised: Bool) async {
    var identity = RequestIdentity()
    identity.credentials = HTTPRequest.Credentials(name: Secret("ann"), password: Secret("hunter2"))
    let name = isAdvised ? "" : "; asked by ann"
    let transport = ScriptedTransport([ScriptedTransport.Step("\(address) \(status) A: b\(name)")])
    let own = WebURL("https://a.example/feed")
    let answer = await Fetcher(transport: transport).fetch(address, for: own, as: identity, into: Bin())
    guard case .failed(let problem) = answer.outcome else { return #expect(Bool(false), "\(answer)") }
    #expect(problem.message == message && (problem.advice?.contains("https://a.example") == true) == isAdvised)
  }

  static let numbered = (0..<5).map { "/feed?\($0) 307 Location: /feed?\($0 + 1); Set-Cookie: n=1" }

  /// A server that waits for its cookie redirects for ever, to one address or to new ones.
  @Test(arguments: [
    (["/feed 302 Location: /feed; Set-Cookie: seen=1; Path=/"], "cookies: {seen: VALUE}"),
    (["/feed 302 Location: /wall; Set-Cookie: a=b", "/wall 303 Location: /feed"], "cookies: {a: VALUE}"),
    (["/feed 307 Location: /feed?0; Set-Cookie: n=1"] + numbered, "cookies: {n: VALUE}"),
    (["/feed 302 Location: /feed"], ""),
  ])
  func serverThatWantsItsCookieIsNoLoop(_ steps: [String], _ advice: String) async {
    let transport = ScriptedTransport(steps.map { ScriptedTransport.Step("https://a.example\($0)") })
    let answer = await Fetcher(transport: transport).fetch("https://a.example/feed", into: Bin())
    guard case .failed(let problem) = answer.outcome else { return #expect(Bool(false), "\(answer)") }
    #expect(problem.reason == .redirect && problem.message.contains("cookie") == !advice.isEmpty, "\(problem)")
    #expect(advice.isEmpty ? problem.advice == nil : problem.advice?.contains(advice) == true, "\(problem)")
  }

  @Test func failureIsCountedUntilSuccess() {
    var state = FetchState(address: "https://a.example/")
    for run in 1...3 as ClosedRange<Int64> {
      let answer = FetchAnswer(.failed(FetchProblem(.timeout, "too slow")), address: state.address)
      state = state.after(answer, pace: nil, isNew: false, now: 1000 * run, Schedule())
    }
    #expect(state.failure?.count == 3)
    #expect(state.failure?.since == 1000)
    #expect(state.fetched == nil)
    state = state.after(
      FetchAnswer(.document, address: state.address), pace: nil, isNew: true, now: 9000, Schedule())
    #expect(state.failure == nil)
    #expect(state.fetched == 9000)
  }

  /// Some servers give a new entity tag with "not modified" (RFC 9111, 4.3.4).
  @Test func validatorsOfNotModifiedAnswerAreTaken() {
    var state = FetchState(address: "https://a.example/")
    func answer(_ outcome: FetchAnswer.Outcome, _ fields: [HeaderField]) {
      var answer = FetchAnswer(outcome, address: state.address)
      answer.fields = fields
      state = state.after(answer, pace: nil, isNew: false, now: 2_000_000_000, Schedule())
    }
    let date = "Mon, 02 Mar 2026 10:00:00 GMT"
    answer(.document, [HeaderField(name: "ETag", value: "1"), HeaderField(name: "Last-Modified", value: date)])
    answer(.notModified, [HeaderField(name: "ETag", value: "2")])
    #expect(state.validators?.etag == "2" && state.validators?.lastModified == date)
  }

  /// The owner is told until the configuration has the new address.
  @Test func followedMoveStaysInState() {
    let (old, new) = ("https://a.example/old", "https://a.example/new")
    var state = FetchState(address: old)
    for (run, asked) in [(Int64(1), old), (2, old), (3, new), (4, new)] {
      var answer = FetchAnswer(.document, address: new)
      if asked == old { answer.permanent = new }
      state = state.after(answer, of: old, pace: nil, isNew: true, now: 1000 * run, Schedule())
      #expect(state.move?.address == new, "\(run)")
      #expect(state.address == (run < FetchState.movesToBelieve ? old : new), "\(run)")
    }
  }

  /// Users may allow an address they have named themselves; one that a redirect leads to gets no such advice.
  @Test(arguments: [
    ("http://10.0.0.1/", "10.0.0.1 is not a public address", true),
    (
      "https://a.example/feed",
      "a redirect from https://a.example/feed leads to https://10.0.0.1/x: 10.0.0.1 is not a public address", false
    ),
  ])
  func forbiddenAddressIsReportedWithItsRedirect(_ address: String, _ message: String, _ isAdvised: Bool) async {
    let steps = isAdvised ? [] : [ScriptedTransport.Step("\(address) 302 Location: //10.0.0.1/x")]
    let answer = await Fetcher(transport: ScriptedTransport(steps)).fetch(address, into: Bin())
    guard case .failed(let problem) = answer.outcome else {
      Issue.record("it is forbidden")
      return
    }
    #expect(problem.reason == .forbidden && problem.message == message)
    #expect((problem.advice != nil) == isAdvised)
  }

  /// At most two requests to a host are under way at once, and a busy host does not hold up another.
  @Test func requestsPerHostAreLimited() async {
    let transport = CountingTransport()
    var pacing = RequestPacing()
    (pacing.perHost, pacing.delay, pacing.atOnce) = (2, 1, 8)
    let fetcher = Fetcher(transport: transport, pacing: pacing)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { _ = await fetcher.fetch("https://\(number % 5).example/\(number)", into: Bin()) }
      }
    }
    #expect(transport.mostPerHost == 2)
    #expect(transport.most <= 8)
    #expect(transport.count == 200)
  }
}

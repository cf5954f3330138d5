package import TamisCore
package import TamisURL

/// Fetches feeds with conditional requests, follows redirects and refuses forbidden addresses.
package struct Fetcher: Sendable {
  private let transport: any HTTPTransport
  /// The rules for the addresses that may be requested.
  package let guardian: AddressGuard
  private let limits: HTTPLimits
  private let hosts: HostQueue

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - transport: sends requests.
  ///   - guardian: the rules for addresses; the transport has to apply them too, to resolved names.
  ///   - limits: the limits of responses and redirects.
  ///   - pacing: the limits of simultaneous requests.
  package init(
    transport: any HTTPTransport, guardian: AddressGuard = AddressGuard(), limits: HTTPLimits = HTTPLimits(),
    pacing: RequestPacing = RequestPacing()
  ) {
    (self.transport, self.guardian, self.limits) = (transport, guardian, limits)
    hosts = HostQueue(pacing)
  }

  /// Fetches the document at an address.
  ///
  /// - Parameters:
  ///   - address: an http or https URL; its credentials are for its own server alone.
  ///   - own: the subscribed URL, if it is another one; its credentials are for its own server alone, whatever leads
  ///     there.
  ///   - identity: what is sent to the server of the subscribed URL, and to no other.
  ///   - validators: the validators of the stored document; nil to fetch it unconditionally.
  ///   - body: receives the bytes of the document.
  /// - Returns: the outcome, with the final address and the header fields; a failure is an outcome too.
  package func fetch(
    _ address: String, for own: WebURL? = nil, as identity: RequestIdentity = RequestIdentity(),
    unless validators: FetchState.Validators? = nil, into body: any HTTPBody
  ) async -> FetchAnswer {
    guard let first = WebURL(address) else {
      return FetchAnswer(.failed(FetchProblem(.address, "this is not an address")), address: address)
    }
    var way = Way(first, for: own ?? first, as: identity)
    way.answer.guardDigest = guardian.digest
    do throws(FetchProblem) {
      while true {
        let response = try await ask(&way, unless: validators, into: body)
        guard try way.isRedirected(by: response, most: limits.redirects) else { break }
      }
      try way.answer.outcome = Self.outcome(of: &way)
    } catch {
      way.answer.outcome = .failed(error)
    }
    return way.answer
  }

  private func ask(
    _ way: inout Way, unless validators: FetchState.Validators?, into body: any HTTPBody
  ) async throws(FetchProblem) -> HTTPResponse {
    let url = way.url
    if let objection = guardian.objection(to: url) { throw way.placed(objection) }
    var request = HTTPRequest(address: url.href)
    if let identity = way.identity {
      (request.userAgent, request.credentials) = (identity.userAgent, identity.credentials)
      request.hiddenFields = identity.fields
    }
    way.isConditional = validators?.address == url.href
    if way.isConditional {
      if let etag = validators?.etag { request.fields.append(HeaderField(name: "If-None-Match", value: etag)) }
      if let date = validators?.lastModified {
        request.fields.append(HeaderField(name: "If-Modified-Since", value: date))
      }
    }
    way.answer.requests += 1
    way.answer.address = url.href
    (way.answer.status, way.answer.fields) = (nil, [])
    let turn = await hosts.turn(at: url.hostname ?? "")
    let response: HTTPResponse
    do throws(FetchProblem) { response = try await transport.send(request, into: body) } catch {
      await hosts.giveBack(turn)
      way.answer.status = error.status
      throw way.placed(error)
    }
    await hosts.giveBack(turn)
    way.answer.status = response.status
    way.answer.fields = response.fields
    way.answer.wireBytes += response.wireBytes
    way.answer.milliseconds = response.milliseconds
    return response
  }

  /// Returns the outcome for a status that is not a redirect (RFC 9110, section 15).
  ///
  /// - Throws: the problem, for a status that is a failure.
  private static func outcome(of way: inout Way) throws(FetchProblem) -> FetchAnswer.Outcome {
    let status = way.answer.status ?? 0
    if let challenge = BotChallenge(status: status, fields: way.answer.fields) {
      throw challenge.problem(status: status)
    }
    let problem: FetchProblem
    switch status {
    case 200, 203, 226: return .document
    case 304 where way.isConditional: return .notModified
    case 304: problem = FetchProblem(.http, "not modified (304), although the request was not conditional")
    case 204, 205: problem = FetchProblem(.empty, "there is no content (\(status))")
    case 206: problem = FetchProblem(.http, "partial content (206), although the whole document was requested")
    case 404: problem = FetchProblem(.notFound, "there is nothing at this address (404)")
    case 410: problem = FetchProblem(.gone, "it is gone (410): the server says that it will not come back")
    case 401, 403: problem = way.refusal(status)
    case 429: problem = FetchProblem(.rateLimited, "the server asks for fewer requests (429)")
    case 503 where way.answer.fields.value(of: "Retry-After") != nil:
      problem = FetchProblem(.rateLimited, "the server is overloaded or in maintenance (503)")
    case 500...599: problem = FetchProblem(.http, "the server has failed (\(status))")
    default: problem = FetchProblem(.http, "the server answers with status \(status)")
    }
    var reported = problem
    reported.status = status
    throw reported
  }
}

/// The state of a request along its redirects.
private struct Way {
  var answer: FetchAnswer
  /// The current URL, without fragment and credentials.
  private(set) var url: WebURL
  /// What is for the server of the subscribed URL.
  private let own: RequestIdentity
  private let origin: String?
  var isConditional = false
  private var visited: Set<WebURL> = []
  /// The URL that redirected to the current one; nil at the beginning.
  private var visitedBefore: WebURL?
  private var isPermanent = true
  /// The name of the first cookie that an answer set; nil for none.
  private var cookie: String?

  init(_ first: WebURL, for subscribed: WebURL, as identity: RequestIdentity) {
    origin = subscribed.origin
    var own = identity
    if !subscribed.username.isEmpty || !subscribed.password.isEmpty {
      own.credentials = HTTPRequest.Credentials(
        name: Self.decoded(subscribed.username), password: Self.decoded(subscribed.password))
    }
    self.own = own
    url = first.removingCredentials.removingFragment
    answer = FetchAnswer(.notModified, address: url.href)
    visited = [url]
  }

  /// What is sent to the current URL; nil for any server other than that of the subscribed URL.
  var identity: RequestIdentity? { url.origin == origin ? own : nil }

  private static func decoded(_ text: String) -> Secret {
    Secret(String(decoding: WebURL.percentDecoded(Array(text.utf8)), as: UTF8.self))
  }

  /// Returns the problem of a request that the server refuses, with what the user can do about a login.
  func refusal(_ status: Int) -> FetchProblem {
    if identity?.credentials != nil, status == 401 {
      return FetchProblem(.http, "the server does not accept the login (401)")
    }
    var problem = FetchProblem(
      .http,
      status == 401
        ? "the server requires a login (401)"
        : "the server refuses the request (\(status)): it may require a login, or not want this user agent")
    if let origin, identity == nil, !own.isEmpty {
      problem.advice =
        "what the configuration says about the requests of this feed is for \(origin) alone; if it has moved to "
        + "\(url.origin ?? "this server"), write that address"
    } else if status == 403, own.userAgent == nil {
      problem.advice = "if a browser shows it without a login, give the feed a user-agent in the configuration"
    }
    return problem
  }

  /// Returns the beginning of an address, since redirects may be of any length.
  private static func shown(_ url: WebURL) -> String {
    let text = url.href
    return text.utf8.count > 200 ? text.prefix(200) + "…" : text
  }

  /// Returns a problem whose message names the redirect that led to it, since the user did not write that address.
  func placed(_ problem: FetchProblem) -> FetchProblem {
    guard problem.reason == .forbidden, let last = visitedBefore else { return problem }
    var placed = problem
    placed.message = "a redirect from \(Self.shown(last)) leads to \(Self.shown(url)): \(problem.message)"
    placed.advice = nil
    return placed
  }

  /// Follows the redirect of a response; returns false when the response is not a redirect (RFC 9110, section 15.4).
  ///
  /// - Throws: when the redirect is invalid or not allowed.
  mutating func isRedirected(by response: HTTPResponse, most: Int) throws(FetchProblem) -> Bool {
    guard [301, 302, 303, 307, 308].contains(response.status) else { return false }
    func problem(_ words: String) -> FetchProblem { FetchProblem(.redirect, words, status: response.status) }
    let locations = Set(response.fields.filter { $0.name.asciiLowercased() == "location" }.map(\.value))
    guard let location = locations.first, !location.isEmpty else {
      throw problem("a redirect (\(response.status)) that does not say where to")
    }
    if locations.count > 1 { throw problem("a redirect to several places at once") }
    guard let found = WebURL(location, base: url) else { throw problem("a redirect to something that is not a URL") }
    guard found.isHTTP else {
      throw problem("a redirect to an address of \(found.scheme)")
    }
    if url.scheme == "https", found.scheme == "http" {
      throw problem("a redirect from https to http, which is not safe")
    }
    let next = found.removingCredentials.removingFragment
    cookie = cookie ?? response.fields.value(of: "Set-Cookie").map { String($0.prefix(60).prefix { $0 != "=" }) }
    let isNew = visited.insert(next).inserted
    if !isNew || visited.count > most + 1 {
      guard let cookie else { throw problem(isNew ? "more than \(most) redirects" : "the redirects form a loop") }
      var wall = problem(
        isNew
          ? "more than \(most) redirects, and a cookie that the server may want back"
          : "the server sets a cookie and redirects until it gets it back")
      wall.advice =
        "cookies of servers are not kept: look for another address of the feed, or give it the cookie in the "
        + "configuration, as in cookies: {\(cookie): VALUE}"
      throw wall
    }
    isPermanent = isPermanent && (response.status == 301 || response.status == 308)
    if isPermanent { answer.permanent = next.href }
    (visitedBefore, url) = (url, next)
    return true
  }
}

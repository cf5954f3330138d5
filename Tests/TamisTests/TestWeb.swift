import TamisCore
import TamisFetch
import Synchronization
import Tamis

/// A web of a test's own: pages by their addresses, as servers in good order answer, and what was asked for.
final class TestWeb: HTTPTransport {
  /// What stands at an address.
  struct Page: Sendable {
    var status = 200
    var fields: [HeaderField] = []
    var body = ""
    /// Why no server answers; nil when one does.
    var problem: FetchProblem.Reason?

    /// A document; with a validator it is answered on condition.
    static func document(_ body: String, etag: String? = nil) -> Page {
      Page(fields: etag.map { [HeaderField(name: "ETag", value: "\"\($0)\"")] } ?? [], body: body)
    }

    static func failure(_ status: Int) -> Page { Page(status: status) }

    static func unreachable(_ reason: FetchProblem.Reason) -> Page { Page(problem: reason) }

    static func redirect(_ status: Int, to address: String) -> Page {
      Page(status: status, fields: [HeaderField(name: "Location", value: address)])
    }
  }

  private let pages = Mutex<[String: Page]>([:])
  private let asked = Mutex<[HTTPRequest]>([])

  subscript(address: String) -> Page? {
    get { pages.withLock { $0[address] } }
    set { pages.withLock { $0[address] = newValue } }
  }

  /// Called before each answer.
  let beforeAnswer = Mutex<@Sendable () -> Void>({})

  /// The requests since the last time, by their addresses.
  func takeRequests() -> [HTTPRequest] {
    asked.withLock { asked in
      defer { asked = [] }
      return asked.sorted { $0.address < $1.address }
    }
  }

  func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse {
    asked.withLock { $0.append(request) }
    beforeAnswer.withLock { $0 }()
    // As libcurl ends a request of a task that was cancelled.
    if Task.isCancelled { throw FetchProblem(.timeout, "it was cancelled") }
    guard let page = self[request.address] else { return HTTPResponse(status: 404) }
    if let problem = page.problem { throw FetchProblem(problem, "no answer") }
    let etag = page.fields.value(of: "ETag")
    if let etag, request.isOnCondition, request.fields.value(of: "If-None-Match") == etag {
      return HTTPResponse(status: 304, fields: page.fields)
    }
    if page.status == 200 { try body.add(Array(page.body.utf8)) }
    return HTTPResponse(status: page.status, fields: page.fields)
  }
}

extension HTTPRequest {
  /// Whether it asks only for what has changed.
  var isOnCondition: Bool { fields.contains { ["If-None-Match", "If-Modified-Since"].contains($0.name) } }
}

import Synchronization
import TamisCore
import TamisFetch
import TamisURL

/// Answers everything after a moment, and counts what is under way at once.
final class CountingTransport: HTTPTransport {
  private struct State {
    var running: [String: Int] = [:]
    var count = 0
    var most = 0
    var mostPerHost = 0
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.count } }
  var most: Int { state.withLock { $0.most } }
  var mostPerHost: Int { state.withLock { $0.mostPerHost } }

  func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse {
    let host = WebURL(request.address)?.hostname ?? ""
    state.withLock { state in
      state.running[host, default: 0] += 1
      state.count += 1
      state.most = max(state.most, state.running.values.reduce(0, +))
      state.mostPerHost = max(state.mostPerHost, state.running[host] ?? 0)
    }
    try? await Task.sleep(for: .milliseconds(2))
    state.withLock { $0.running[host, default: 0] -= 1 }
    return HTTPResponse(status: 200)
  }
}

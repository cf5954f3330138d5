import Foundation
import Synchronization
import TamisCore
import TamisFetch

/// Answers requests from a list, and remembers what was asked.
final class ScriptedTransport: HTTPTransport {
  private let script: Mutex<[Step]>
  private let asked = Mutex<[HTTPRequest]>([])

  struct Step: Sendable {
    var address: String
    var response: HTTPResponse
    /// By whom it is to be asked.
    var name: String?

    /// A line: `ADDRESS STATUS FIELD; FIELD`.
    init(_ line: Substring) {
      let parts = line.split(separator: " ", maxSplits: 2)
      address = String(parts[0])
      response = HTTPResponse(status: Int(parts[1]) ?? 0)
      for field in parts.count > 2 ? parts[2].replacing("␍", with: "\r").components(separatedBy: "; ") : [] {
        if let asker = field.split(separator: " ").last, field.hasPrefix("asked by ") {
          name = String(asker)
        } else if let colon = field.firstIndex(of: ":") {
          let value = String(field[field.index(after: colon)...].drop { $0 == " " })
          response.fields.append(HeaderField(name: String(field[..<colon]), value: value))
        }
      }
    }
  }

  init(_ script: [Step]) { self.script = Mutex(script) }

  /// The requests, in order.
  var requests: [HTTPRequest] { asked.withLock { $0 } }

  /// How many answers were not asked for.
  var left: Int { script.withLock { $0.count } }

  func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse {
    asked.withLock { $0.append(request) }
    let step = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let step, step.address == request.address, step.name == request.credentials?.name.revealed else {
      throw FetchProblem(
        .connect, "nothing was expected at \(request.address) by \(request.credentials?.name.revealed ?? "nobody")")
    }
    if step.response.status == 200 { try body.add(Array("<rss/>".utf8)) }
    return step.response
  }
}

/// Takes what comes.
final class Bin: HTTPBody {
  func add(_ bytes: [UInt8]) throws(FetchProblem) {}
}

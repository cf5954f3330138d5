/// The limits of simultaneous requests.
package struct RequestPacing: Sendable, Hashable {
  /// The maximum number of simultaneous requests in all (default 48).
  package var atOnce = 48
  /// The maximum number of simultaneous requests to one host (default 2).
  package var perHost = 2
  /// The minimum interval in milliseconds between the beginnings of two requests to one host (default 250).
  package var delay = 250

  /// Creates the default limits.
  package init() {}
}

/// Queues requests: limits those to each host and in all, with a pause between requests to the same host.
///
/// A slow or busy host delays only its own requests.
actor HostQueue {
  /// A slot for one request; release it when the request is done.
  struct Turn: Sendable {
    fileprivate let host: String
  }

  private struct Host {
    var running = 0
    /// The time at which the next request may begin.
    var next: ContinuousClock.Instant
    var waiting: [CheckedContinuation<Turn, Never>] = []
    /// The index of the first waiting continuation.
    var head = 0

    var isWaiting: Bool { head < waiting.count }
  }

  private let pacing: RequestPacing
  private var hosts: [String: Host] = [:]
  /// The hosts with waiting requests that may be requested, in the order in which they became ready, from ``head`` on.
  private var ready: [String] = []
  private var head = 0
  private var running = 0

  init(_ pacing: RequestPacing) { self.pacing = pacing }

  /// Waits until a request to a host may begin.
  func turn(at host: String) async -> Turn {
    await withCheckedContinuation { continuation in
      let isFirst = hosts[host]?.isWaiting != true
      hosts[host, default: Host(next: .now)].waiting.append(continuation)
      if isFirst { offer(host) }
      begin()
    }
  }

  /// Ends the slot of a request.
  func giveBack(_ turn: Turn) {
    running -= 1
    let wasFull = hosts[turn.host]?.running == pacing.perHost
    hosts[turn.host]?.running -= 1
    if wasFull, hosts[turn.host]?.isWaiting == true { offer(turn.host) }
    begin()
  }

  /// Adds a host to the ready ones, now or when its pause is over.
  private func offer(_ name: String) {
    guard let host = hosts[name], host.isWaiting, host.running < pacing.perHost else { return }
    let pause = host.next - .now
    if pause <= .zero {
      ready.append(name)
      return
    }
    Task {
      try? await Task.sleep(for: pause)
      ready.append(name)
      begin()
    }
  }

  private func begin() {
    while running < pacing.atOnce, head < ready.count {
      let name = ready[head]
      head += 1
      guard var host = hosts[name], host.isWaiting, host.running < pacing.perHost else { continue }
      let continuation = host.waiting[host.head]
      host.head += 1
      if host.head == host.waiting.count { (host.waiting, host.head) = ([], 0) }
      host.running += 1
      host.next = .now + .milliseconds(pacing.delay)
      hosts[name] = host
      running += 1
      continuation.resume(returning: Turn(host: name))
      offer(name)
    }
    if head == ready.count { (ready, head) = ([], 0) }
  }
}

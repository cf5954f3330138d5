/// How much is asked of others at once.
package struct RequestPacing: Sendable, Hashable {
  /// Most requests at once in all (default 48).
  package var atOnce = 48
  /// Most requests at once to one host (default 2).
  package var perHost = 2
  /// Least milliseconds between the beginnings of two requests to one host (default 250).
  package var delay = 250

  /// The defaults.
  package init() {}
}

/// Lets requests wait for their turn: few at once to each host, with a pause between them, and not too many in all.
///
/// A host that is slow or busy holds up its own requests alone.
actor HostQueue {
  /// A slot for one request; release it when the request is done.
  struct Turn: Sendable {
    fileprivate let host: String
  }

  private struct Host {
    var running = 0
    /// When the next request may begin.
    var next: ContinuousClock.Instant
    var waiting: [CheckedContinuation<Turn, Never>] = []
    /// The first of the waiting.
    var head = 0

    var isWaiting: Bool { head < waiting.count }
  }

  private let courtesy: RequestPacing
  private var hosts: [String: Host] = [:]
  /// Hosts that have requests waiting, and may be asked, in the order in which they came to this; from ``head`` on.
  private var ready: [String] = []
  private var head = 0
  private var running = 0

  init(_ courtesy: RequestPacing) { self.courtesy = courtesy }

  /// Waits until a request to a host may begin.
  func turn(at host: String) async -> Turn {
    await withCheckedContinuation { continuation in
      let isFirst = hosts[host]?.isWaiting != true
      hosts[host, default: Host(next: .now)].waiting.append(continuation)
      if isFirst { offer(host) }
      begin()
    }
  }

  /// Says that a request is done.
  func giveBack(_ turn: Turn) {
    running -= 1
    let wasFull = hosts[turn.host]?.running == courtesy.perHost
    hosts[turn.host]?.running -= 1
    if wasFull, hosts[turn.host]?.isWaiting == true { offer(turn.host) }
    begin()
  }

  /// Puts a host among the ready, now or when its pause is over.
  private func offer(_ name: String) {
    guard let host = hosts[name], host.isWaiting, host.running < courtesy.perHost else { return }
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
    while running < courtesy.atOnce, head < ready.count {
      let name = ready[head]
      head += 1
      guard var host = hosts[name], host.isWaiting, host.running < courtesy.perHost else { continue }
      let continuation = host.waiting[host.head]
      host.head += 1
      if host.head == host.waiting.count { (host.waiting, host.head) = ([], 0) }
      host.running += 1
      host.next = .now + .milliseconds(courtesy.delay)
      hosts[name] = host
      running += 1
      continuation.resume(returning: Turn(host: name))
      offer(name)
    }
    if head == ready.count { (ready, head) = ([], 0) }
  }
}

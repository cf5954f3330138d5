import TamisCore
import TamisFetch
import TamisURL

/// Tells, from the requests of a run, whether this machine's network is away.
///
/// The network is away when no server of several has answered, or when most of those that answered at the last run do not any
/// more. Then no feed is to blame: nothing is stored about it, and it is requested again at the next run.
struct Reachability {
  /// One request: to which host, and whether a server answered.
  struct Contact: Sendable, Hashable {
    var host: String
    var isAnswered: Bool

    /// - Returns: nil when nothing was sent, or when the first server answered and only a later one did not.
    init?(_ answer: FetchAnswer, from address: String) {
      guard answer.requests > 0, let host = WebURL(address)?.hostname else { return nil }
      self.host = host
      guard case .failed(let problem) = answer.outcome, problem.status == nil,
        Self.reasons.contains(problem.reason)
      else {
        isAnswered = true
        return
      }
      if answer.requests > 1 { return nil }
      isAnswered = false
    }

    /// The problems that a missing network causes.
    ///
    /// Without a clock or certificates every secure connection fails.
    private static let reasons: Set<FetchProblem.Reason> = [.resolve, .connect, .tls, .timeout]
  }

  /// The least hosts that must fail before it is said of the network.
  private static let fewestHosts = 2
  /// The least hosts that must have worked at the last run for a part of them to count.
  private static let fewestHealthyHosts = 4

  private var answered: Set<String> = []
  private var silent: Set<String> = []
  private var healthySilent: Set<String> = []
  private var healthy: Set<String> = []

  /// Adds a request.
  ///
  /// - Parameter isHealthy: whether the host answered when it was asked before.
  mutating func add(_ contact: Contact, isHealthy: Bool) {
    if contact.isAnswered { answered.insert(contact.host) } else { silent.insert(contact.host) }
    guard isHealthy else { return }
    healthy.insert(contact.host)
    if !contact.isAnswered { healthySilent.insert(contact.host) }
  }

  /// Whether the network is away.
  var isAway: Bool {
    if answered.isEmpty { return silent.count >= Self.fewestHosts }
    return healthy.count >= Self.fewestHealthyHosts && healthySilent.subtracting(answered).count * 2 > healthy.count
  }

  /// The one finding about a run without a network.
  ///
  /// - Parameters:
  ///   - count: how many requests failed.
  ///   - noun: what was requested: `feed`, `page`, `picture`.
  ///   - problem: the problem of one of them, as an example.
  ///   - address: the address of that one.
  static func finding(_ count: Int, of noun: String, _ problem: String, at address: String) -> Finding {
    Finding(
      .error, "fetch.\(FetchProblem.Reason.offline.rawValue)",
      "no server could be reached for \(count.counted(noun)) (\(problem)): this machine seems to have no network; "
        + "none counts as failing, and each is due when it was due before; check the network, its name server and the "
        + "clock", at: SourceLocation(file: address))
  }
}

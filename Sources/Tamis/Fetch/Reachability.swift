import TamisCore
import TamisFetch
import TamisURL

/// Determines from the requests of a run whether this machine's network is unavailable.
///
/// The network is unavailable when no server of several has answered, or when most of those that answered in the last
/// run no longer do. The failure is then not attributed to any feed: nothing is stored about it, and it is requested
/// again in the next run.
struct Reachability {
  /// A request: its host, and whether a server answered.
  struct Contact: Sendable, Hashable {
    var host: String
    var isAnswered: Bool

    /// Creates the contact of a request.
    ///
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
    /// Without a clock or certificates, every secure connection fails.
    private static let reasons: Set<FetchProblem.Reason> = [.resolve, .connect, .tls, .timeout]
  }

  /// The minimum number of failing hosts for the network to count as unavailable.
  private static let fewestHosts = 2
  /// The minimum number of hosts that worked in the last run for a failing part of them to count.
  private static let fewestHealthyHosts = 4

  private var answered: Set<String> = []
  private var silent: Set<String> = []
  private var healthySilent: Set<String> = []
  private var healthy: Set<String> = []

  /// Adds a request.
  ///
  /// - Parameters:
  ///   - contact: the request.
  ///   - isHealthy: whether the host answered in the last run.
  mutating func add(_ contact: Contact, isHealthy: Bool) {
    if contact.isAnswered { answered.insert(contact.host) } else { silent.insert(contact.host) }
    guard isHealthy else { return }
    healthy.insert(contact.host)
    if !contact.isAnswered { healthySilent.insert(contact.host) }
  }

  /// Whether the network is unavailable.
  var isOffline: Bool {
    if answered.isEmpty { return silent.count >= Self.fewestHosts }
    return healthy.count >= Self.fewestHealthyHosts && healthySilent.subtracting(answered).count * 2 > healthy.count
  }

  /// Returns the single finding about a run without a network.
  ///
  /// - Parameters:
  ///   - count: the number of failed requests.
  ///   - noun: the kind of thing that was requested: `feed`, `page`, `picture`.
  ///   - problem: the problem of one of them, as an example.
  ///   - address: the address of that one.
  /// - Returns: the finding, at the address of the example.
  static func finding(_ count: Int, of noun: String, _ problem: String, at address: String) -> Finding {
    Finding(
      .error, "fetch.\(FetchProblem.Reason.offline.rawValue)",
      "no server could be reached for \(count.counted(noun)) (\(problem)): this machine seems to have no network; "
        + "none counts as failing, and each is due when it was due before; check the network, its name server and the "
        + "clock", at: Finding.Location(file: address))
  }
}

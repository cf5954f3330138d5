public import TamisCore
public import TamisURL
import Synchronization

/// Turns hostile or untidy HTML into markup that is safe to put into a page.
///
///     let sanitizer = Sanitizer(policy: .reading)
///     let html = sanitizer.sanitize(untrusted, base: url).html
///
/// Every input gets an answer, in time linear in its size. The output is balanced, holds only what the policy allows,
/// runs nothing, and is a fixed point: sanitizing it again changes no byte. A sanitizer can be shared by any number of
/// tasks.
public struct Sanitizer: Sendable {
  /// What a fragment became.
  public struct Result: Sendable {
    /// The markup.
    public let html: SanitizedHTML
    /// What it holds.
    public let facts: MarkupFacts
    /// What was taken away, the first 1,000 of it, in document order.
    public let removals: [Removal]
    /// How much was taken away in all, by rule; rules that took nothing are left out.
    public let removalCounts: [Removal.Rule: Int]
    /// What libtidy did.
    public let tidy: TidyOutcome
  }

  /// What libtidy did to a fragment.
  public enum TidyOutcome: String, Sendable, Hashable {
    /// It was not asked, for the rules do not want it or the markup was tidy once it was filtered.
    case notAsked
    /// Its repair was taken.
    case accepted
    /// Its repair lost something or did not last and was not taken, or the markup is of a kind that hangs it.
    case refused
  }

  /// The rules in force.
  public let policy: Policy
  private let engines: EnginePool
  private let limits: Limits

  /// Makes a sanitizer for a policy.
  public init(policy: Policy, limits: Limits = .standard) {
    self.policy = policy
    self.limits = limits
    engines = EnginePool(policy: policy, limits: limits)
  }

  /// Sanitizes a fragment of HTML.
  ///
  /// - Parameter base: the URL that relative URLs are resolved against; without one they stay relative or go, as the
  ///   policy says.
  /// - Parameter page: the address of the page that the fragment is from, when that is known: links to places in it that
  ///   the fragment has stay in the fragment, those to other places go to the page.
  public func sanitize(_ html: String, base: WebURL? = nil, page: WebURL? = nil) -> Result {
    var html = html
    return html.withUTF8 { sanitize(utf8: $0.span, base: base, page: page) }
  }

  /// Sanitizes a fragment given as bytes; what is not UTF-8 in it is read as windows-1252.
  public func sanitize(utf8 html: borrowing Span<UInt8>, base: WebURL? = nil, page: WebURL? = nil) -> Result {
    let engine = engines.take()
    defer { engines.giveBack(engine) }
    return engine.sanitize(html, base: base, page: page)
  }

  /// Sanitizes a fragment when nothing but the markup is asked for.
  ///
  /// The markup is that of ``sanitize(_:base:page:)``; what it holds is not gathered, which saves time.
  public func html(of html: String, base: WebURL? = nil, page: WebURL? = nil) -> SanitizedHTML {
    var html = html
    return html.withUTF8 { self.html(ofUTF8: $0.span, base: base, page: page) }
  }

  /// The same for a fragment in UTF-8; what is no UTF-8 in it is read as windows-1252.
  public func html(ofUTF8 html: borrowing Span<UInt8>, base: WebURL? = nil, page: WebURL? = nil) -> SanitizedHTML {
    let engine = engines.take()
    defer { engines.giveBack(engine) }
    return engine.sanitize(html, base: base, page: page, wantsFacts: false).html
  }
}

/// Engines that wait for work.
///
/// Each holds a libxml2 parser and belongs to one task at a time.
private final class EnginePool: Sendable {
  private let policy: Policy
  private let limits: Limits
  private let idle = Mutex<[Engine]>([])

  init(policy: Policy, limits: Limits) {
    self.policy = policy
    self.limits = limits
  }

  func take() -> Engine {
    idle.withLock { $0.popLast() } ?? Engine(policy: policy, limits: limits)
  }

  func giveBack(_ engine: Engine) {
    idle.withLock { $0.append(engine) }
  }
}

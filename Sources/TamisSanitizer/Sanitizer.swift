public import TamisCore
public import TamisURL
import Synchronization

/// Turns hostile or untidy HTML into markup that is safe to put into a page.
///
///     let sanitizer = try Sanitizer(policy: .reading)
///     let html = sanitizer.sanitize(untrusted, base: url).html
///
/// For rules that are shipped there is one already: ``reading``, ``strict``, ``text``, ``universalFeedParser``. Every
/// input gives a result, in time linear in its size. The output is balanced, holds only what the policy allows, runs
/// nothing, and is a fixed point: sanitizing it again changes no byte. A sanitizer can be shared by any number of
/// tasks.
public struct Sanitizer: Sendable {
  /// The result of sanitizing a fragment.
  public struct Result: Sendable {
    /// The markup.
    public let html: SanitizedHTML
    /// Its links, pictures and text.
    public let facts: MarkupFacts
    /// What was removed, the first 1,000 of it, in document order; removals from the output of ``Hooks`` come last,
    /// with their location in that.
    public private(set) var removals: [Removal]
    /// How much was removed in all, by rule; rules without removals are left out.
    public private(set) var removalCounts: [Removal.Rule: Int]
    /// What libtidy did.
    public let tidy: TidyOutcome

    init(
      html: SanitizedHTML, facts: MarkupFacts, removals: [Removal], removalCounts: [Removal.Rule: Int],
      tidy: TidyOutcome
    ) {
      (self.html, self.facts, self.tidy) = (html, facts, tidy)
      (self.removals, self.removalCounts) = (removals, removalCounts)
    }

    /// Adds earlier removals before the others.
    mutating func add(_ log: RemovalLog) {
      removals = Array((log.removals + removals).prefix(RemovalLog.mostRemovals))
      removalCounts.merge(log.counts, uniquingKeysWith: +)
    }
  }

  /// What libtidy did to a fragment.
  public enum TidyOutcome: String, Sendable, Hashable {
    /// It was not used: the rules do not want it, or the filtered markup was tidy.
    case notAsked
    /// Its repair was used.
    case accepted
    /// Its repair lost something or was not stable, or the markup is of a kind on which libtidy hangs: not used.
    case refused
  }

  /// The rules in force.
  public let policy: Policy
  /// Functions of the caller that change elements and URLs.
  public let hooks: Hooks?
  private let engines: EnginePool
  /// The bounds of its work.
  public let limits: Limits

  /// Makes a sanitizer.
  ///
  /// - Parameters:
  ///   - policy: the rules.
  ///   - limits: limits for hostile input.
  ///   - hooks: functions of the caller that change elements and URLs; nil for none.
  /// - Throws: when the policy crosses the ``Floor``, or has names that no document can contain.
  public init(policy: Policy, limits: Limits = .standard, hooks: Hooks? = nil) throws(InvalidRules) {
    self.init(checked: try policy.checked(), limits: limits, hooks: hooks)
  }

  private init(checked policy: Policy, limits: Limits = .standard, hooks: Hooks? = nil) {
    self.policy = policy
    self.hooks = hooks
    self.limits = limits
    engines = EnginePool(policy: policy, limits: limits, hooks: hooks)
  }

  /// For what a reader of articles needs; see ``Policy/reading``.
  public static let reading = Sanitizer(checked: .reading)

  /// For comments; see ``Policy/strict``.
  public static let strict = Sanitizer(checked: .strict)

  /// For plain text; see ``Policy/text``.
  public static let text = Sanitizer(checked: .text)

  /// With Universal Feed Parser's rules; see ``Policy/universalFeedParser``.
  public static let universalFeedParser = Sanitizer(checked: .universalFeedParser)

  /// For shipped rules, nil when there are none of that name.
  public static func shipped(named name: String) -> Sanitizer? {
    switch name {
    case "reading": reading
    case "strict": strict
    case "text": text
    case "universal-feed-parser": universalFeedParser
    default: nil
    }
  }

  /// The same for a page of another site: URLs that stay relative because there is no base would point into that site,
  /// so they are removed.
  public func droppingRelativeURLs() -> Sanitizer {
    if !policy.urls.keepsRelative { return self }
    var policy = policy
    policy.urls.keepsRelative = false
    return Sanitizer(checked: policy, limits: limits, hooks: hooks)
  }

  /// The same with another setting for libtidy.
  public func with(tidy: Policy.TidyMode) -> Sanitizer {
    Sanitizer(checked: policy.with(tidy: tidy), limits: limits, hooks: hooks)
  }

  /// The same without hooks.
  public var withoutHooks: Sanitizer { with(hooks: nil) }

  /// The same for markup that is stored and written into a page later: hooks see its tags, its URLs are not rewritten yet.
  package var forSource: Sanitizer {
    var hooks = hooks
    hooks?.rewriteURL = nil
    return with(hooks: hooks)
  }

  /// The same for markup that ``forSource`` has made: its URLs are rewritten.
  package var forPages: Sanitizer {
    var hooks = hooks
    hooks?.filterAttribute = nil
    hooks?.handleElement = nil
    return with(hooks: hooks)
  }

  /// The same without asking the hooks about some URLs: those of pictures that the caller replaces by files of its own.
  package func rewritingURLs(except urls: some Sequence<String>) -> Sanitizer {
    guard var hooks, let rewriteURL = hooks.rewriteURL else { return self }
    let kept = Set(urls.compactMap { WebURL($0)?.href })
    if kept.isEmpty { return self }
    hooks.rewriteURL = { url, use in kept.contains(url.href) ? url : rewriteURL(url, use) }
    return with(hooks: hooks)
  }

  private func with(hooks: Hooks?) -> Sanitizer {
    if self.hooks == nil { return self }
    return Sanitizer(checked: policy, limits: limits, hooks: hooks?.isEmpty == true ? nil : hooks)
  }

  /// Changes when its results may change.
  package var fingerprint: String { hooks.map { "\(policy.yaml)\nhooks: \($0.version)" } ?? policy.yaml }

  /// The same with other limits.
  public func with(limits: Limits) -> Sanitizer { Sanitizer(checked: policy, limits: limits, hooks: hooks) }

  /// Sanitizes a fragment of HTML.
  ///
  /// - Parameter base: the URL that relative URLs are resolved against; without one they stay relative or are removed,
  ///   as the policy says.
  /// - Parameter page: the URL of the page that the fragment is from, nil when not known: links to anchors that the
  ///   fragment has stay in the fragment, others go to the page.
  public func sanitize(_ html: String, base: WebURL? = nil, page: WebURL? = nil) -> Result {
    var html = html
    return html.withUTF8 { sanitize(utf8: $0.span, base: base, page: page) }
  }

  /// Sanitizes a fragment given as bytes; what is not UTF-8 in it is read as windows-1252.
  public func sanitize(utf8 html: borrowing Span<UInt8>, base: WebURL? = nil, page: WebURL? = nil) -> Result {
    let engine = engines.take()
    defer { engines.release(engine, after: html.count) }
    return engine.sanitize(html, base: base, page: page)
  }

  /// Sanitizes a fragment when only the markup is needed.
  ///
  /// The markup is that of ``sanitize(_:base:page:)``; facts are not collected, which saves time. A fragment of more than
  /// ``Limits/fragmentBytes`` becomes text, and only ``sanitize(_:base:page:)`` says so, by a removal of the rule
  /// ``Removal/Rule/limit``.
  public func sanitizedHTML(of html: String, base: WebURL? = nil, page: WebURL? = nil) -> SanitizedHTML {
    var html = html
    return html.withUTF8 { self.sanitizedHTML(ofUTF8: $0.span, base: base, page: page) }
  }

  /// The same for a fragment in UTF-8; what is no UTF-8 in it is read as windows-1252.
  public func sanitizedHTML(ofUTF8 html: borrowing Span<UInt8>, base: WebURL? = nil, page: WebURL? = nil)
    -> SanitizedHTML
  {
    let engine = engines.take()
    defer { engines.release(engine, after: html.count) }
    return engine.sanitize(html, base: base, page: page, wantsFacts: false).html
  }
}

/// Engines that wait for work.
///
/// Each holds a reader and buffers, which grow with what is sanitized, and belongs to one task at a time.
private final class EnginePool: Sendable {
  private let policy: Policy
  private let limits: Limits
  private let hooks: Sanitizer.Hooks?
  private let idle = Mutex<[Engine]>([])
  /// The most engines that wait.
  ///
  /// More are in use at once than there are processors only while tasks are suspended elsewhere.
  private static let mostIdle = 16
  /// An engine is given up after a larger fragment, in bytes, since its buffers stay as large.
  private static let largestKept = 1 << 20

  init(policy: Policy, limits: Limits, hooks: Sanitizer.Hooks?) {
    self.policy = policy
    self.limits = limits
    self.hooks = hooks
  }

  func take() -> Engine {
    idle.withLock { $0.popLast() } ?? Engine(policy: policy, limits: limits, hooks: hooks)
  }

  /// - Parameter size: the size of the fragment that the engine has read, in bytes.
  func release(_ engine: Engine, after size: Int) {
    if size > Self.largestKept { return }
    idle.withLock { idle in
      if idle.count < Self.mostIdle { idle.append(engine) }
    }
  }
}

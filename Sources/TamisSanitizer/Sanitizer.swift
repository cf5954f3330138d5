public import TamisCore
public import TamisURL
package import TamisHTML
import Synchronization

/// Turns hostile or malformed HTML into markup that is safe to put into a page.
///
///     let sanitizer = try Sanitizer(policy: .reading)
///     let html = sanitizer.sanitize(untrusted, base: url).html
///
/// The shipped rules have a sanitizer each: ``reading``, ``strict``, ``text``, ``universalFeedParser``. Every input
/// gives a result, in time linear in its size. The output is balanced, holds only what the policy allows, runs no
/// script, and is a fixed point: sanitizing it again changes no byte. A sanitizer can be shared by any number of tasks.
public struct Sanitizer: Sendable {
  /// The result of sanitizing a fragment.
  public struct Result: Sendable {
    /// The markup.
    public let html: SanitizedHTML
    /// The links, pictures and text of the markup.
    public let facts: SanitizedHTML.Facts
    /// The first 1,000 removals, in document order.
    ///
    /// Removals from what ``Hooks`` have made come last, and from output that had to be read again. They have no place
    /// in the source, and stand at line 1, column 1.
    public private(set) var removals: [Removal]
    /// The number of all removals by rule; rules without removals are left out.
    public private(set) var removalCounts: [Removal.Rule: Int]
    /// The result of libtidy.
    public let tidy: TidyOutcome
    /// The effect of a selection of parts.
    package var selectionUse = SelectionUse()

    init(
      html: SanitizedHTML, facts: SanitizedHTML.Facts, removals: [Removal], removalCounts: [Removal.Rule: Int],
      tidy: TidyOutcome
    ) {
      (self.html, self.facts, self.tidy) = (html, facts, tidy)
      (self.removals, self.removalCounts) = (removals, removalCounts)
    }

    /// Inserts the removals from the source before these, which are those from what was made of it.
    mutating func add(_ log: RemovalLog) {
      let later = removals.map { Removal(rule: $0.rule, name: $0.name, line: 1, column: 1) }
      removals = Array((log.removals + later).prefix(RemovalLog.mostRemovals))
      removalCounts.merge(log.counts, uniquingKeysWith: +)
    }
  }

  /// The result of libtidy for a fragment.
  public enum TidyOutcome: String, Sendable, Hashable {
    /// libtidy was not used: the rules do not ask for it, or the source is nested as its tags are.
    case notAsked
    /// libtidy's repair was used.
    case accepted
    /// libtidy's repair was not used.
    ///
    /// The repair lost something or was not stable, or the markup is of a kind on which libtidy hangs.
    case refused
  }

  /// The rules in force.
  public let policy: Policy
  /// Functions of the caller that change elements and URLs.
  public let hooks: Hooks?
  private let engines: EnginePool
  /// The limits for hostile input.
  public let limits: Limits

  /// Makes a sanitizer.
  ///
  /// - Parameters:
  ///   - policy: the rules.
  ///   - limits: the limits for hostile input.
  ///   - hooks: functions of the caller that change elements and URLs; nil for none.
  /// - Throws: ``InvalidRules`` when the policy crosses the ``Policy/Floor``, or has names that no document can
  ///   contain.
  public init(policy: Policy, limits: Limits = .standard, hooks: Hooks? = nil) throws(InvalidRules) {
    self.init(checked: try policy.checked(), limits: limits, hooks: hooks)
  }

  private init(checked policy: Policy, limits: Limits = .standard, hooks: Hooks? = nil) {
    self.policy = policy
    self.hooks = hooks
    self.limits = limits
    engines = EnginePool(policy: policy, limits: limits, hooks: hooks)
  }

  /// The sanitizer for reading articles; see ``Policy/reading``.
  public static let reading = Sanitizer(checked: .reading)

  /// The sanitizer with the safe default of browsers; see ``Policy/browserDefault``.
  public static let browserDefault = Sanitizer(checked: .browserDefault)

  /// The sanitizer for comments; see ``Policy/strict``.
  public static let strict = Sanitizer(checked: .strict)

  /// The sanitizer for plain text; see ``Policy/text``.
  public static let text = Sanitizer(checked: .text)

  /// The sanitizer with Universal Feed Parser's rules; see ``Policy/universalFeedParser``.
  public static let universalFeedParser = Sanitizer(checked: .universalFeedParser)

  /// Returns the sanitizer for shipped rules; nil when there are none of that name.
  public static func shipped(named name: String) -> Sanitizer? {
    switch name {
    case "browser-default": browserDefault
    case "reading": reading
    case "strict": strict
    case "text": text
    case "universal-feed-parser": universalFeedParser
    default: nil
    }
  }

  /// Returns the same sanitizer for a page of another site, without relative URLs.
  ///
  /// URLs that stay relative because there is no base URL would point into that site, so they are removed.
  package func droppingRelativeURLs() -> Sanitizer {
    if !policy.urls.keepsRelative { return self }
    var policy = policy
    policy.urls.keepsRelative = false
    return copy(policy: policy)
  }

  /// Returns the same sanitizer with another setting for libtidy.
  public func with(tidy: Policy.TidyMode) -> Sanitizer { copy(policy: policy.with(tidy: tidy)) }

  /// The same sanitizer without hooks.
  package var withoutHooks: Sanitizer { with(hooks: nil) }

  /// The same sanitizer for markup that is stored and written into a page later.
  ///
  /// Its hooks see tags, but do not rewrite URLs yet.
  package var forSource: Sanitizer {
    var hooks = hooks
    hooks?.rewriteURL = nil
    return with(hooks: hooks)
  }

  /// The same sanitizer for markup that ``forSource`` has made; its hooks only rewrite URLs.
  package var forPages: Sanitizer {
    var hooks = hooks
    hooks?.handleElement = nil
    hooks?.handleText = nil
    return with(hooks: hooks)
  }

  /// Returns the same sanitizer, which does not call the hook for some URLs.
  ///
  /// These are URLs of pictures that the caller replaces with its own files.
  package func rewritingURLs(except urls: some Sequence<String>) -> Sanitizer {
    guard var hooks, let rewriteURL = hooks.rewriteURL else { return self }
    let kept = Set(urls.compactMap { WebURL($0)?.href })
    if kept.isEmpty { return self }
    hooks.rewriteURL = { url, use in kept.contains(url.href) ? url : rewriteURL(url, use) }
    return with(hooks: hooks)
  }

  /// Returns the same sanitizer with other parts; nil for those that stay.
  private func copy(policy: Policy? = nil, limits: Limits? = nil) -> Sanitizer {
    Sanitizer(checked: policy ?? self.policy, limits: limits ?? self.limits, hooks: hooks)
  }

  private func with(hooks: Hooks?) -> Sanitizer {
    if self.hooks == nil { return self }
    let hooks = hooks?.isEmpty == true ? nil : hooks
    return Sanitizer(checked: policy, limits: limits, hooks: hooks)
  }

  /// A text that changes when the results may change.
  package var fingerprint: String { hooks.map { "\(policy.yaml)\nhooks: \($0.version)" } ?? policy.yaml }

  /// Returns the same sanitizer with other limits.
  public func with(limits: Limits) -> Sanitizer { copy(limits: limits) }

  /// Sanitizes a fragment of HTML.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - base: the base URL against which relative URLs are resolved; without one they stay relative or are removed, as
  ///     the policy says.
  ///   - page: the URL of the page that contains the fragment; nil when it is not known. Links to anchors in the
  ///     fragment stay in the fragment, other links to anchors go to the page.
  /// - Returns: the markup, its facts, and the removals.
  public func sanitize(_ html: String, base: WebURL? = nil, page: WebURL? = nil) -> Result {
    var html = html
    return html.withUTF8 { unsafe sanitize(utf8: $0.span, base: base, page: page) }
  }

  /// Sanitizes a fragment of HTML whose base URL is given as text.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - base: the base URL against which relative URLs are resolved.
  ///   - page: the URL of the page that contains the fragment; nil when it is not known.
  /// - Returns: the markup, its facts, and the removals.
  /// - Throws: ``WebURL/Invalid`` when `base` or `page` is no absolute URL.
  public func sanitize(_ html: String, base: String, page: String? = nil) throws(WebURL.Invalid) -> Result {
    let base = try WebURL(validating: base)
    let page = try page.map { page throws(WebURL.Invalid) in try WebURL(validating: page) }
    return sanitize(html, base: base, page: page)
  }

  /// Sanitizes a fragment given as bytes; bytes that are not UTF-8 are read as windows-1252.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - base: the base URL, as for ``sanitize(_:base:page:)``.
  ///   - page: the URL of the page, as for ``sanitize(_:base:page:)``.
  /// - Returns: the markup, its facts, and the removals.
  public func sanitize(utf8 html: borrowing Span<UInt8>, base: WebURL? = nil, page: WebURL? = nil) -> Result {
    let engine = engines.take()
    defer { engines.release(engine) }
    return engine.sanitize(html, base: base, page: page)
  }

  /// Sanitizes parts of a fragment.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - base: the base URL, as for ``sanitize(_:base:page:)``.
  ///   - page: the URL of the page, as for ``sanitize(_:base:page:)``.
  ///   - selection: the parts to read; nil for all.
  /// - Returns: the markup, its facts, and the removals.
  package func sanitize(
    utf8 html: borrowing Span<UInt8>, base: WebURL?, page: WebURL?, selection: PreparedSelection?
  ) -> Result {
    let engine = engines.take()
    defer { engines.release(engine) }
    return engine.sanitize(html, base: base, page: page, selection: selection)
  }

  /// Sanitizes a fragment when only the markup is needed.
  ///
  /// The markup is that of ``sanitize(_:base:page:)``; facts are not collected, which saves time. A fragment of more
  /// than ``Limits/fragmentBytes`` becomes text, which only ``sanitize(_:base:page:)`` reports, as a removal of the
  /// rule ``Removal/Rule/limit``.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - base: the base URL, as for ``sanitize(_:base:page:)``.
  ///   - page: the URL of the page, as for ``sanitize(_:base:page:)``.
  /// - Returns: the markup.
  public func sanitizedHTML(of html: String, base: WebURL? = nil, page: WebURL? = nil) -> SanitizedHTML {
    var html = html
    return html.withUTF8 { unsafe self.sanitizedHTML(ofUTF8: $0.span, base: base, page: page) }
  }

  /// Sanitizes a fragment given as bytes when only the markup is needed.
  ///
  /// Bytes that are not UTF-8 are read as windows-1252.
  ///
  /// - Parameters:
  ///   - html: the fragment.
  ///   - base: the base URL, as for ``sanitize(_:base:page:)``.
  ///   - page: the URL of the page, as for ``sanitize(_:base:page:)``.
  /// - Returns: the markup.
  public func sanitizedHTML(ofUTF8 html: borrowing Span<UInt8>, base: WebURL? = nil, page: WebURL? = nil)
    -> SanitizedHTML
  {
    let engine = engines.take()
    defer { engines.release(engine) }
    return engine.sanitize(html, base: base, page: page, wantsFacts: false).html
  }
}

/// A pool of idle engines.
///
/// Each engine holds a reader and buffers, which grow with the sanitized fragments, and is used by one task at a time.
private final class EnginePool: Sendable {
  private let policy: Policy
  private let limits: Limits
  private let hooks: Sanitizer.Hooks?
  private let idle = Mutex<[Engine]>([])
  /// The maximum number of idle engines.
  ///
  /// More engines than processors are in use at once only while tasks are suspended elsewhere.
  private static let mostIdle = 16
  /// The maximum size in bytes of the buffers of an engine that is reused.
  ///
  /// Buffers keep their size. A small fragment can need large ones: a tag of three bytes can add five nodes to the
  /// tree.
  private static let mostKeptBytes = 2 << 20

  init(policy: Policy, limits: Limits, hooks: Sanitizer.Hooks?) {
    (self.policy, self.limits, self.hooks) = (policy, limits, hooks)
  }

  func take() -> Engine {
    idle.withLock { $0.popLast() } ?? Engine(policy: policy, limits: limits, hooks: hooks)
  }

  /// Returns an engine to the pool.
  func release(_ engine: Engine) {
    if engine.keptBytes > Self.mostKeptBytes { return }
    idle.withLock { idle in
      if idle.count < Self.mostIdle { idle.append(engine) }
    }
  }
}

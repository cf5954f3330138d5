import TamisCore
import TamisDigest
import TamisFilter
import TamisPlanet
import TamisSanitizer

/// The ways of documents through the stages, by the rules that their feeds ask for.
struct Pipelines: Sendable {
  private let standard: Pipeline
  private let standardRules: String
  private let others: [String: (pipeline: Pipeline, rules: String)]
  private let filters: PreparedFilters
  private let sanitizer: Sanitizer
  private let folder: String
  private let now: Int64?
  /// The digest of what is the same for all feeds.
  private let common: String
  /// Another when feeds that want pages may have other ones.
  private let siteRules: String

  /// Changes when documents are read in another way.
  static let version = 1

  init(_ configuration: SiteBuild.Configuration) {
    func pipeline(_ policy: Policy) -> Pipeline {
      Pipeline(policy: policy, fields: configuration.fields, reportsRemovals: configuration.reportsRemovals)
    }
    standard = pipeline(configuration.policy)
    standardRules = SiteBuild.digest(of: configuration.policy)
    others = configuration.policies.mapValues { (pipeline($0), SiteBuild.digest(of: $0)) }
    now = configuration.now
    sanitizer = Sanitizer(policy: configuration.policy.droppingRelativeURLs())
    folder = configuration.subscriptions.folder.utf8Text ?? "."
    filters = PreparedFilters(in: configuration.subscriptions.folder)
    siteRules = configuration.siteRules.isEmpty ? "" : " \(configuration.siteRules.checksum)"
    common = "\(Self.version) \(configuration.fields)"
  }

  /// The one for a feed.
  subscript(settings: FeedSettings) -> Pipeline { settings.rules.flatMap { others[$0]?.pipeline } ?? standard }

  /// What the settings of a feed make of its posts.
  ///
  /// - Parameter language: that of the feed (BCP 47).
  func shaping(_ settings: FeedSettings, language: String?) -> Shaping {
    Shaping(
      settings, filters[settings.filters].filter, sanitizer: sanitizer, programsIn: folder, language: language, now: now
    )
  }

  /// What decides of a post that the archive has whether it is shown; programs are not asked again.
  func withholding(_ settings: FeedSettings) -> (filter: PostFilter, sanitizer: Sanitizer) {
    (filters[settings.filters].filter, sanitizer)
  }

  /// The digest of the rules under which a feed's bodies are sanitized.
  func rules(_ settings: FeedSettings) -> String { settings.rules.flatMap { others[$0]?.rules } ?? standardRules }

  /// The digest of how a feed's documents are read, whatever they are: 16 digits.
  func reading(_ settings: FeedSettings) -> String {
    let pages = settings.wantsPages ? siteRules : ""
    let all = "\(common) \(rules(settings)) \(settings.fingerprint) \(filters[settings.filters].fingerprint)\(pages)"
    return String(SHA256(all).hex.prefix(16))
  }
}

extension FeedSettings {
  /// Another when posts are recorded otherwise because of them, but for the filters.
  fileprivate var fingerprint: String {
    let words = [title ?? "", page ?? "", language ?? "", timeZone?.description ?? ""]
    let numbers = [maximumPosts, maximumAge].map { $0.map { String($0) } ?? "" }
    let pages = wantsPages ? ["full-text \(fullText?.rawValue ?? "") \(ArticleFilling.version)"] : []
    return (words + numbers + ["\(tags)", "\(categories)"] + pages).joined(separator: "\n")
  }
}

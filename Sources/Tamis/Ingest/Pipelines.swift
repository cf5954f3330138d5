import TamisCore
import TamisSystem
import TamisHTML
import TamisPlanet
import TamisSanitizer

/// The pipelines for documents, by the rules named in the settings of their feeds.
struct Pipelines: Sendable {
  private let standard: Pipeline
  private let standardRules: String
  private let others: [String: (pipeline: Pipeline, rules: String)]
  private let filters: PreparedFilters
  private let sanitizer: Sanitizer
  private let folder: String
  private let now: Int64?
  /// The digest of the settings that are the same for all feeds.
  private let common: String
  /// What users have added to reading: fields, and stages in code.
  private let customized: String
  /// A text that changes when feeds that want full text may get other articles.
  private let siteRules: String

  /// The version of reading documents, which is raised when they are read differently.
  static let version = 21

  init(_ configuration: SiteBuild.Configuration) {
    func pipeline(_ sanitizer: Sanitizer) -> Pipeline {
      var pipeline = Pipeline(
        sanitizer: sanitizer.forSource, fields: configuration.fields, stages: configuration.stages,
        reportsRemovals: configuration.reportsRemovals)
      pipeline.recordsRemovals = configuration.site.showsRemovals
      return pipeline
    }
    standard = pipeline(configuration.sanitizer)
    standardRules = SiteBuild.digest(of: configuration.sanitizer.forSource)
    others = configuration.sanitizers.mapValues { (pipeline($0), SiteBuild.digest(of: $0.forSource)) }
    now = configuration.now
    sanitizer = configuration.sanitizer.forSource.droppingRelativeURLs()
    folder = configuration.subscriptions.folder.utf8Text ?? "."
    filters = PreparedFilters(in: configuration.subscriptions.folder)
    siteRules = configuration.siteRules.isEmpty ? "" : " \(configuration.siteRules.checksum)"
    customized = "\(configuration.fields)\(configuration.stages.fingerprint)"
    common = "\(configuration.site.showsRemovals ? "removals " : "")\(customized)"
  }

  /// Returns the pipeline for a feed.
  subscript(settings: Planet.FeedSettings) -> Pipeline {
    var pipeline = settings.rules.flatMap { others[$0]?.pipeline } ?? standard
    pipeline.selection = PreparedSelection(settings.selection)
    return pipeline
  }

  /// Returns the changes that the settings of a feed make to its posts.
  ///
  /// - Parameters:
  ///   - settings: the settings of the feed.
  ///   - language: the language of the feed (BCP 47).
  /// - Returns: the changes.
  func shaping(_ settings: Planet.FeedSettings, language: String?) -> Shaping {
    Shaping(
      settings, filters[settings.filters].filter, sanitizer: sanitizer, programsIn: folder, language: language, now: now
    )
  }

  /// Returns the filter and the sanitizer that decide whether a stored post is shown; programs are not run again.
  func withholding(_ settings: Planet.FeedSettings) -> (filter: PostFilter, sanitizer: Sanitizer) {
    (filters[settings.filters].filter, sanitizer)
  }

  /// Returns the digest of the rules under which a feed's bodies are sanitized.
  func rules(_ settings: Planet.FeedSettings) -> String {
    settings.rules.flatMap { others[$0]?.rules } ?? standardRules
  }

  /// Returns the way a feed's documents are read, regardless of their contents: the version, and digests of the
  /// settings that decide about words and of all.
  func reading(_ settings: Planet.FeedSettings) -> String {
    let pages = settings.wantsPages ? siteRules : ""
    let all = "\(common) \(rules(settings)) \(settings.fingerprint) \(filters[settings.filters].fingerprint)\(pages)"
    let wording = "\(customized) \(settings.fingerprintOfWords)"
    return "\(Self.version) \(SHA256(wording).hex.prefix(8)) \(SHA256(all).hex.prefix(16))"
  }

  /// Returns the digest of what decides the dates of a feed's posts besides its documents, behind a space.
  func dating(_ settings: Planet.FeedSettings) -> String {
    " " + SHA256("\(settings.timeZone?.description ?? "") \(customized)").hex.prefix(8)
  }
}

extension Planet.FeedSettings {
  /// A text that changes when these settings change how posts are recorded, except by filters.
  fileprivate var fingerprint: String {
    let words = [title ?? "", page ?? "", face ?? "", language ?? "", timeZone?.description ?? ""]
    let numbers = [maximumPosts, maximumAge].map { $0.map { String($0) } ?? "" }
    // What is sent may decide what is received, so that the document is requested without its validators.
    let request = request.isEmpty ? [] : ["request \(request.fingerprint)"]
    return (words + numbers + ["\(tags)", "\(categories)", fingerprintOfWords] + request).joined(separator: "\n")
  }

  /// A text that changes when these settings change which words of a document are recorded.
  fileprivate var fingerprintOfWords: String {
    let parts = selection.isEmpty ? [] : ["remove \(selection.remove)", "only \(selection.only)"]
    let pages = wantsPages ? ["full-text \(fullText?.rawValue ?? "") \(ArticleFilling.version)"] : []
    return (parts + pages).joined(separator: "\n")
  }
}

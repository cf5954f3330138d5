public import TamisCore

/// An additional stage between reading a feed and sanitizing it.
///
///     struct WithoutAdvertisements: EntryStage {
///       var version: String { "1" }
///       func run(_ entry: FeedEntry, of feed: Feed, into findings: inout [Finding]) -> FeedEntry? {
///         entry.title?.value.hasPrefix("[Ad]") == true ? nil : entry
///       }
///     }
///
/// What it writes into an entry is as untrusted as the feed's own text, and is sanitized like it. It may run for several
/// feeds at once, and must give the same result each time.
public protocol EntryStage: Sendable {
  /// Identifies what the stage does; to be changed when that changes, so that a build reads feeds again.
  var version: String { get }

  /// Returns the entry, changed or not; nil leaves it out.
  func run(_ entry: FeedEntry, of feed: Feed, into findings: inout [Finding]) -> FeedEntry?
}

/// An additional stage after extracting, when a post is complete.
///
/// Hooks of the sanitizer see bodies alone; a stage of this kind is where URLs of thumbnails and attached files are changed.
///
/// It may run for several feeds at once, and must give the same result each time.
public protocol PostStage: Sendable {
  /// Identifies what the stage does; to be changed when that changes, so that a build reads feeds again.
  var version: String { get }

  /// Returns the post, changed or not; nil leaves it out.
  func run(_ post: Post, of feed: Feed, into findings: inout [Finding]) -> StagedPost?
}

/// The result of a stage for a post.
///
/// A stage cannot make ``SanitizedHTML``: a body that it writes is markup, and is sanitized.
public struct StagedPost: Sendable {
  /// The post; pages show only its http(s) URLs.
  public var post: Post
  /// The new body, HTML; nil when the body stays.
  ///
  /// What was extracted from the old one, such as links, stays as it is in ``post``.
  public var body: String?

  /// Makes a post, with another body if one is given.
  public init(_ post: Post, body: String? = nil) { (self.post, self.body) = (post, body) }
}

/// The additional stages of a document.
public struct Stages: Sendable {
  /// The stages between reading and sanitizing, in this order.
  public var beforeSanitizing: [any EntryStage]
  /// The stages after extracting, in this order.
  public var afterExtracting: [any PostStage]

  /// Makes a list of stages.
  public init(beforeSanitizing: [any EntryStage] = [], afterExtracting: [any PostStage] = []) {
    (self.beforeSanitizing, self.afterExtracting) = (beforeSanitizing, afterExtracting)
  }

  /// Changes when the stages may give other posts.
  var fingerprint: String {
    let versions =
      beforeSanitizing.map { "\(type(of: $0)) \($0.version)" } + ["|"]
      + afterExtracting.map { "\(type(of: $0)) \($0.version)" }
    return versions.count == 1 ? "" : versions.joined(separator: "\n")
  }

  /// Takes an entry through the stages before sanitizing; false when one leaves it out.
  func apply(to entry: inout FeedEntry, of feed: Feed, into findings: inout [Finding]) -> Bool {
    for stage in beforeSanitizing {
      guard let next = stage.run(entry, of: feed, into: &findings) else {
        findings.append(Self.leftOut(by: stage, at: entry.location))
        return false
      }
      entry = next
    }
    return true
  }

  /// Takes a post through the stages after extracting; false when one leaves it out.
  ///
  /// - Parameter sanitize: sanitizes the body that a stage wrote.
  func apply(
    to post: inout Post, of feed: Feed, into findings: inout [Finding], sanitize: (String, Post) -> SanitizedHTML
  ) -> Bool {
    for stage in afterExtracting {
      guard let next = stage.run(post, of: feed, into: &findings) else {
        findings.append(Self.leftOut(by: stage, at: post.location, named: post.title))
        return false
      }
      post = next.post
      if let body = next.body { post.content = sanitize(body, post) }
    }
    return true
  }

  /// Nothing is left out without a word, whoever wrote the stage.
  private static func leftOut(by stage: Any, at location: SourceLocation, named title: String? = nil) -> Finding {
    Finding(.note, "stage.left-out", "left out by the stage \(type(of: stage))", at: location, entry: title)
  }
}

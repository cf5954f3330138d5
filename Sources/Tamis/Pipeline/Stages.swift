// To add a stage for everybody: a module of its own that imports no other stage (its folder, Package.swift, the
// tables of HouseTests.swift and CONTRIBUTING.md), and its turn in Pipeline.swift. Raise `Pipelines.version`. A hook
// of the sanitizer is a closure and an action in TamisSanitizer/Hooks.swift, with `isEmpty`; what it sees is an
// event of TamisHTML/HTMLReader.swift; it is called in Engine/FragmentParser.swift and Walker+Improvements.swift;
// cases in Fixtures/Hooks.

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
/// The text that a stage writes into an entry is as untrusted as the feed's own text, and is sanitized like it. A stage
/// may run for several feeds at once, and must give the same result each time.
public protocol EntryStage: Sendable {
  /// The version of the stage, to be changed when its effect changes, so that a build reads feeds again.
  var version: String { get }

  /// Processes an entry.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - feed: the feed of the entry.
  ///   - findings: receives findings.
  /// - Returns: the entry, changed or not; nil leaves it out.
  func run(_ entry: Feed.Entry, of feed: Feed, into findings: inout [Finding]) -> Feed.Entry?
}

/// An additional stage after extracting, when a post is complete.
///
/// Hooks of the sanitizer see only bodies; a stage of this kind can change the URLs of thumbnails and attached files.
/// It may run for several feeds at once, and must give the same result each time.
public protocol PostStage: Sendable {
  /// The version of the stage, to be changed when its effect changes, so that a build reads feeds again.
  var version: String { get }

  /// Processes a post.
  ///
  /// - Parameters:
  ///   - post: the post.
  ///   - feed: the feed of the post.
  ///   - findings: receives findings.
  /// - Returns: the post, changed or not; nil leaves it out.
  func run(_ post: Post, of feed: Feed, into findings: inout [Finding]) -> StagedPost?
}

/// The result of a stage for a post.
///
/// A stage cannot create ``SanitizedHTML``: a body that it writes is markup, and is sanitized.
public struct StagedPost: Sendable {
  /// The post; pages show only its http(s) URLs.
  public var post: Post
  /// The new body, as HTML; nil when the body is unchanged.
  ///
  /// The data that was extracted from the old one, such as links, is kept in ``post``.
  public var body: String?

  /// Creates a result.
  ///
  /// - Parameters:
  ///   - post: the post.
  ///   - body: the new body, as HTML; nil when the body is unchanged.
  public init(_ post: Post, body: String? = nil) { (self.post, self.body) = (post, body) }
}

/// The additional stages of a document.
public struct Stages: Sendable {
  /// The stages between reading and sanitizing, in this order.
  public var beforeSanitizing: [any EntryStage]
  /// The stages after extracting, in this order.
  public var afterExtracting: [any PostStage]

  /// Creates a list of stages.
  ///
  /// - Parameters:
  ///   - beforeSanitizing: the stages between reading and sanitizing, in this order.
  ///   - afterExtracting: the stages after extracting, in this order.
  public init(beforeSanitizing: [any EntryStage] = [], afterExtracting: [any PostStage] = []) {
    (self.beforeSanitizing, self.afterExtracting) = (beforeSanitizing, afterExtracting)
  }

  /// A text that changes when the stages may give other posts.
  var fingerprint: String {
    let versions =
      beforeSanitizing.map { "\(type(of: $0)) \($0.version)" } + ["|"]
      + afterExtracting.map { "\(type(of: $0)) \($0.version)" }
    return versions.count == 1 ? "" : versions.joined(separator: "\n")
  }

  /// Takes an entry through the stages before sanitizing; returns false when one leaves it out.
  func apply(to entry: inout Feed.Entry, of feed: Feed, into findings: inout [Finding]) -> Bool {
    for stage in beforeSanitizing {
      guard let next = stage.run(entry, of: feed, into: &findings) else {
        findings.append(Self.leftOut(by: stage, at: entry.location))
        return false
      }
      entry = next
    }
    return true
  }

  /// Takes a post through the stages after extracting.
  ///
  /// - Parameters:
  ///   - post: the post, which the stages change.
  ///   - feed: the feed of the post.
  ///   - findings: the list to which problems are added, including the stage that leaves the post out.
  ///   - sanitize: a function that sanitizes the body that a stage wrote.
  /// - Returns: whether the post is kept; false when a stage leaves it out.
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

  /// Returns the finding about an entry that a stage leaves out, so that no stage does so silently.
  private static func leftOut(by stage: Any, at location: Finding.Location, named title: String? = nil) -> Finding {
    Finding(.note, "stage.left-out", "left out by the stage \(type(of: stage))", at: location, entry: title)
  }
}

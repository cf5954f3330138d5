import Tamis
import TamisCheck
import TamisCore
import TamisFeed
import TamisSanitizer

/// Feeds for the parser and the pipeline; the first byte chooses rules, URL and header.
struct FeedTarget: FuzzTarget {
  let name = "feed"
  let longest = 4000

  /// One way in which a feed is read.
  private struct Way: Sendable {
    let pipeline: Pipeline
    let sanitizer: Sanitizer
    let url: String?
    let headers: [HeaderField]

    func document(_ source: ByteArray) -> FeedDocument {
      FeedDocument(name: "feed", source: source, url: url, headers: headers)
    }
  }

  private static let ways: [Way] = ["reading", "text", "universal-feed-parser"].compactMap {
    Sanitizer.shipped(named: $0)
  }.flatMap { sanitizer in
    let header = HeaderField(name: "Content-Type", value: "text/xml; charset=iso-8859-1")
    return [(nil, []), ("https://feed.example/blog/feed?q", []), (nil, [header])].map {
      Way(pipeline: Pipeline(sanitizer: sanitizer), sanitizer: sanitizer.droppingRelativeURLs(), url: $0, headers: $1)
    }
  }

  func fault(in input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let (way, bytes) = (Self.ways[Int(first) % Self.ways.count], Array(input.dropFirst()))
    return dependence(on: bytes, way) ?? breach(bytes, way)
  }

  func text(of input: [UInt8]) -> String { String(decoding: input.dropFirst(), as: UTF8.self) }

  func seeds(from files: SeedFiles) -> [[UInt8]] {
    let feeds =
      files.sections("input", in: "Parsing") + files.files(in: "Parsing/WellFormed", withExtension: "xml")
      + files.files(in: "JSONFeeds", withExtension: "json")
      + ["rss", "rdf", "atom", "xml"].flatMap { files.files(in: "Feeds", withExtension: $0) }
    return feeds.enumerated().map { [UInt8($0.offset % Self.ways.count)] + $0.element.prefix(longest - 1) }
  }

  // MARK: - What must hold

  /// Returns whether the pieces in which a document arrives change what is read of it.
  private func dependence(on bytes: [UInt8], _ way: Way) -> String? {
    let whole = Self.parsed(way.document(ByteArray(bytes)))
    let pieces = Self.parsed(way.document(ByteArray(bytes, pieceSize: 7)))
    switch (whole, pieces) {
    case (.success(let one), .success(let other)):
      if one.feed != other.feed { return "the feed depends on the size of pieces" }
      if one.entries != other.entries { return "the entries depend on the size of pieces" }
      if one.ending != other.ending { return "the ending depends on the size of pieces" }
      if one.findings.map(Self.withoutColumn) == other.findings.map(Self.withoutColumn) { return nil }
      return "the findings depend on the size of pieces: \(one.findings) and \(other.findings)"
    case (.failure(let one), .failure(let other)):
      return Self.withoutColumn(one.finding) == Self.withoutColumn(other.finding)
        ? nil : "the failure depends on the size of pieces"
    default: return "whether this is a feed depends on the size of pieces"
    }
  }

  /// A finding without its column: libxml2 counts columns of text anew where one of its buffers begins.
  private static func withoutColumn(_ finding: Finding) -> Finding {
    var finding = finding
    finding.location.column = 0
    return finding
  }

  private static func parsed(_ document: FeedDocument) -> Result<FeedParser.Result, FeedParser.Failure> {
    do throws(FeedParser.Failure) { return .success(try FeedParser().parse(document)) } catch { return .failure(error) }
  }

  /// Returns what is wrong with the posts and findings of a document.
  private func breach(_ bytes: [UInt8], _ way: Way) -> String? {
    let output: Pipeline.Output
    do throws(FeedParser.Failure) { output = try way.pipeline.process(way.document(ByteArray(bytes))) } catch {
      return Places.fault(in: [error.finding], of: bytes)
    }
    let contract = OutputContract(policy: way.sanitizer.policy)
    for post in output.posts {
      if let breach = contract.breach(of: post.content, by: way.sanitizer, base: nil) {
        return "\(breach) in \(post.content.string.prefix(4000).debugDescription)"
      }
      if post.location.line < 1 { return "a post has no place" }
    }
    return Places.fault(in: output.findings, of: bytes)
  }
}

import TamisCore

/// Limits names to ``Limits/nameBytes`` and links to ``Limits/linkBytes``, since each of them is repeated in many
/// lists.
struct NameBounds: Sendable {
  private let most: Int
  private let mostOfFeed: Int
  private let mostOfLink: Int
  /// The parts of the present value that were cut or left out, for people.
  private var cut: [String] = []

  init(_ limits: Limits) {
    (most, mostOfFeed, mostOfLink) = (limits.nameBytes, limits.feedNameBytes, limits.linkBytes)
  }

  /// Shortens the names of a post, and leaves out addresses that are too long, since a truncated address is another
  /// address.
  mutating func apply(to post: inout Post, into findings: inout [Finding]) {
    cut.removeAll()
    shorten(&post.title, "title", to: most)
    shorten(&post.authors, "authors")
    shorten(&post.tags, "tags")
    shorten(&post.people, "people")
    shorten(&post.rights, "rights", to: most)
    for path in [\Post.Details.enclosures, \.media] {
      for index in post.details[keyPath: path].indices {
        guard var title = post.details[keyPath: path][index].title else { continue }
        shorten(&title, "title of a file", to: mostOfFeed)
        post.details[keyPath: path][index].title = title
      }
    }
    shorten(&post.thumbnailCaption, "caption", to: most)
    if let url = post.permalink?.url, url.utf8.count > mostOfLink { leaveOut(&post.permalink, "link") }
    if let url = post.comments, url.utf8.count > mostOfLink { leaveOut(&post.comments, "link to comments") }
    if let picture = post.thumbnail, picture.url.utf8.count > mostOfLink || picture.alternative.utf8.count > most {
      leaveOut(&post.thumbnail, "thumbnail")
    }
    if cut.isEmpty { return }
    findings.append(finding(at: post.location, entry: post.title))
  }

  /// Leaves out authors of a feed whose names together are longer than the title of a feed may be.
  ///
  /// Each entry of the feed without authors inherits them.
  mutating func apply(toAuthorsOf feed: inout Feed, at location: SourceLocation, into findings: inout [Finding]) {
    var left = mostOfFeed
    let kept = feed.authors.prefix { author in
      left -= (author.name?.utf8.count ?? 0) + (author.email?.utf8.count ?? 0) + (author.url?.utf8.count ?? 0)
      return left >= 0
    }
    guard kept.count < feed.authors.count else { return }
    feed.authors = Array(kept)
    cut = ["authors"]
    findings.append(finding(at: location, entry: nil))
  }

  /// Shortens the names of a feed.
  mutating func apply(to output: inout Pipeline.Output, at location: SourceLocation) {
    cut.removeAll()
    shorten(&output.title, "title", to: mostOfFeed)
    shorten(&output.subtitle, "subtitle", to: most)
    shorten(&output.rights, "rights", to: mostOfFeed)
    if !cut.isEmpty { output.findings.append(finding(at: location, entry: nil)) }
  }

  private func finding(at location: SourceLocation, entry: String?) -> Finding {
    let message = "too long to be shown in lists, and cut or left out: \(cut.joined(separator: ", "))"
    return Finding(.warning, "extract.too-long", message, at: location, entry: entry)
  }

  private mutating func shorten(_ text: inout String, _ name: String, to most: Int) {
    guard text.utf8.count > most else { return }
    text = text.prefix(bytes: most)
    cut.append(name)
  }

  /// Shortens a list to names up to the limit in all.
  private mutating func shorten(_ names: inout [String], _ name: String) {
    guard names.reduce(0, { $0 + $1.utf8.count }) > most else { return }
    var left = most
    for index in names.indices {
      names[index] = names[index].prefix(bytes: left)
      left -= names[index].utf8.count
    }
    names.removeAll(where: \.isEmpty)
    cut.append(name)
  }

  private mutating func leaveOut<Value>(_ value: inout Value?, _ name: String) {
    value = nil
    cut.append(name)
  }
}

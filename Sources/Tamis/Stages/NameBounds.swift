import TamisCore

/// Keeps the names of posts and feeds within ``Limits/nameBytes``: lists show each of them again and again.
struct NameBounds: Sendable {
  private let most: Int
  /// What was cut or left out of the value that is worked on, for people.
  private var cut: [String] = []

  init(_ limits: Limits) { most = limits.nameBytes }

  /// Shortens the names of a post, and leaves out addresses that are too long: a part of one is another.
  mutating func apply(to post: inout Post, into findings: inout [Finding]) {
    cut.removeAll()
    shorten(&post.title, "title")
    shorten(&post.authors, "authors")
    shorten(&post.categories, "categories")
    shorten(&post.people, "people")
    shorten(&post.rights, "rights")
    shorten(&post.thumbnailCaption, "caption")
    if let url = post.permalink?.url, url.utf8.count > most { leaveOut(&post.permalink, "link") }
    if let url = post.comments, url.utf8.count > most { leaveOut(&post.comments, "link to comments") }
    if post.thumbnail.map({ max($0.url.utf8.count / 4, $0.alternative.utf8.count) > most }) ?? false {
      leaveOut(&post.thumbnail, "thumbnail")
    }
    if cut.isEmpty { return }
    findings.append(finding(at: post.location, entry: post.title))
  }

  /// Shortens the names of a feed.
  mutating func apply(to output: inout Pipeline.Output, at location: SourceLocation) {
    cut.removeAll()
    shorten(&output.title, "title")
    shorten(&output.subtitle, "subtitle")
    shorten(&output.rights, "rights")
    if !cut.isEmpty { output.findings.append(finding(at: location, entry: nil)) }
  }

  private func finding(at location: SourceLocation, entry: String?) -> Finding {
    let message = "longer than \(most) bytes, and cut or left out: \(cut.joined(separator: ", "))"
    return Finding(.warning, "extract.too-long", message, at: location, entry: entry)
  }

  private mutating func shorten(_ text: inout String, _ name: String) {
    guard text.utf8.count > most else { return }
    text = text.prefix(bytes: most)
    cut.append(name)
  }

  /// Shortens a list to names of so many bytes in all.
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

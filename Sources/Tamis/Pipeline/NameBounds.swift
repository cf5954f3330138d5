import TamisCore
import TamisHTML

/// Limits names to ``Limits/nameBytes`` and links to ``Limits/linkBytes``, since each of them is repeated in many
/// lists, and what a page shows besides the body to ``Limits/detailBytes``.
struct NameBounds: Sendable {
  private let most: Int
  private let mostOfFeed: Int
  private let mostOfLink: Int
  private let limits: Limits
  /// The parts of the present value that were cut or left out, for people.
  private var cut: [String] = []

  init(_ limits: Limits) {
    (most, mostOfFeed, mostOfLink) = (limits.nameBytes, limits.feedNameBytes, limits.linkBytes)
    self.limits = limits
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
    clean(&post.enclosures)
    clean(&post.media)
    for index in post.references.indices {
      post.references[index].title = post.references[index].title.map(InvisibleText.line)
    }
    shortenTitles(of: &post.enclosures)
    shortenTitles(of: &post.media)
    shorten(&post.thumbnailCaption, "caption", to: most)
    if let url = post.permalink?.url, url.utf8.count > mostOfLink { leaveOut(&post.permalink, "link") }
    if let url = post.comments, url.utf8.count > mostOfLink { leaveOut(&post.comments, "link to comments") }
    if let picture = post.thumbnail, picture.url.utf8.count > mostOfLink || picture.alternative.utf8.count > most {
      leaveOut(&post.thumbnail, "thumbnail")
    }
    limitDetails(of: &post.details)
    if cut.isEmpty { return }
    findings.append(finding(at: post.location, entry: post.title))
  }

  /// Limits the lists of the details, in the order in which pages show them, and their size together.
  private mutating func limitDetails(of details: inout Post.Details) {
    var left = limits.detailBytes
    limit(&details.enclosures, "enclosures", limits.files, &left, Self.size)
    limit(&details.media, "media objects", limits.files, &left, Self.size)
    limit(&details.pictures, "pictures", limits.pictures, &left) { $0.url.utf8.count + $0.caption.utf8.count }
    limit(&details.transcripts, "transcripts", limits.files, &left, Self.size)
    limit(&details.chapters, "chapters", limits.files, &left) { chapter in
      [chapter.title, chapter.link, chapter.image].reduce(chapter.start.utf8.count) { $0 + ($1?.utf8.count ?? 0) }
    }
    limit(&details.references, "links to other pages", limits.files, &left) { reference in
      reference.url.utf8.count + (reference.title?.utf8.count ?? 0)
    }
    limit(&details.people, "people", limits.files, &left) { $0.utf8.count }
    var fields = details.fields.sorted { $0.key < $1.key }
    limit(&fields, "fields", .max, &left) { $0.key.utf8.count + $0.value.utf8.count }
    if fields.count < details.fields.count { details.fields = Dictionary(fields) { first, _ in first } }
  }

  private static func size(of file: Post.File) -> Int {
    file.url.utf8.count + (file.type?.utf8.count ?? 0) + (file.title?.utf8.count ?? 0)
  }

  /// Cuts a list to a number of elements and to the bytes that are left, of which each element takes some.
  private mutating func limit<Element>(
    _ list: inout [Element], _ name: String, _ most: Int, _ left: inout Int, _ size: (Element) -> Int
  ) {
    var count = 0
    for element in list.prefix(most) {
      // The names and marks of a member in JSON take some 50 bytes.
      let bytes = size(element) + 50
      if bytes > left { break }
      left -= bytes
      count += 1
    }
    guard count < list.count else { return }
    cut.append("\(list.count - count) of \(list.count) \(name)")
    list.removeSubrange(count...)
  }

  /// Leaves out authors of a feed whose names together are longer than the title of a feed may be.
  ///
  /// Each entry of the feed without authors inherits them.
  mutating func apply(toAuthorsOf feed: inout Feed, at location: Finding.Location, into findings: inout [Finding]) {
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
  mutating func apply(to output: inout Pipeline.Output, at location: Finding.Location) {
    cut.removeAll()
    shorten(&output.title, "title", to: mostOfFeed)
    shorten(&output.subtitle, "subtitle", to: most)
    shorten(&output.rights, "rights", to: mostOfFeed)
    if !cut.isEmpty { output.findings.append(finding(at: location, entry: nil)) }
  }

  private func finding(at location: Finding.Location, entry: String?) -> Finding {
    let message = "too long or too many to be shown, and cut or left out: \(cut.joined(separator: ", "))"
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

  /// Removes what nobody sees from titles and types of files.
  private func clean(_ files: inout [Post.File]) {
    for index in files.indices {
      files[index].title = files[index].title.map(InvisibleText.line)
      files[index].type = files[index].type.map(InvisibleText.line)
    }
  }

  private mutating func shortenTitles(of files: inout [Post.File]) {
    for index in files.indices {
      // Most titles are short, and are not written back.
      guard var title = files[index].title, title.utf8.count > mostOfFeed else { continue }
      shorten(&title, "title of a file", to: mostOfFeed)
      files[index].title = title
    }
  }

  private mutating func leaveOut<Value>(_ value: inout Value?, _ name: String) {
    value = nil
    cut.append(name)
  }
}

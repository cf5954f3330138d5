import TamisCore
import TamisHTML
import TamisPlanet
import TamisSanitizer
import TamisURL

/// Filters posts by a program.
///
/// Each post is written to the program as a line of JSON and read back as one, changed or not; an empty answer excludes
/// the post. The answers are as untrusted as a feed: bodies are sanitized, and URLs have to be http(s).
struct ProgramFilter: Sendable {
  private let run: ProgramRun
  private let name: String
  private let sanitizer: Sanitizer

  init(_ program: Planet.FilterProgram, in folder: String, sanitizer: Sanitizer) {
    run = ProgramRun(program, in: folder)
    name = program.command.first ?? ""
    self.sanitizer = sanitizer
  }

  func apply(to post: Post, ofFeed title: String) -> PostFilter.ProgramAnswer {
    let output: [UInt8]
    do throws(ProgramRun.Failure) { output = try run.run(Self.line(post, ofFeed: title)) } catch {
      return .failure("the filter '\(name)' failed: \(error)")
    }
    if output.allSatisfy(\.isHTMLSpace) { return .drop }
    guard let object = JSONNode(output), object.members != nil else {
      return .failure("the filter '\(name)' failed: its answer is not a JSON object")
    }
    return .keep(changed(post, by: object))
  }

  private static func line(_ post: Post, ofFeed title: String) -> [UInt8] {
    JSONWriter.line { writer in
      writer.member("feed", title)
      writer.member("id", post.id)
      writer.member("title", post.title)
      writer.member("link", post.permalink?.url)
      writer.member("excerpt", post.excerpt)
      writer.member("html", post.content.string)
      writer.member("language", post.language)
      writer.member("authors", post.authors)
      writer.member("tags", post.tags)
      writer.member("published", post.published.map(Int.init))
      writer.member("updated", post.updated.map(Int.init))
      writer.member("thumbnail", post.thumbnail?.url)
    }
  }

  /// Returns a post with the members that a program has changed: missing members are kept, an empty text or list
  /// removes a value.
  private func changed(_ post: Post, by object: JSONNode) -> Post {
    var post = post
    if let title = object["title"]?.text { post.title = Self.line(title) }
    if let excerpt = object["excerpt"]?.text { post.excerpt = Self.line(excerpt) }
    if let html = object["html"]?.text, html != post.content.string {
      post.content = sanitizer.sanitize(html, base: post.permalink.flatMap { WebURL($0.url) }).html
    }
    if let authors = object["authors"]?.texts { post.authors = Self.names(authors) }
    if let tags = object["tags"]?.texts { post.tags = Self.names(tags) }
    if let language = object["language"]?.text.flatMap(LanguageTag.normalized) {
      post.language = language
      post.direction = TextDirection(language: language)
    }
    if let link = object["link"]?.text.flatMap(WebAddress.absolute), link != post.permalink?.url {
      post.permalink = Post.Permalink(url: link, source: "filter")
    }
    if let time = object["published"]?.integer { post.published = time }
    if let time = object["updated"]?.integer { post.updated = time }
    if let thumbnail = object["thumbnail"], thumbnail.isNull || thumbnail.text?.isEmpty == true {
      post.thumbnail = nil
    }
    return post
  }

  private static func line(_ text: String) -> String { String(InvisibleText.line(text).prefix(10_000)) }

  private static func names(_ names: [String]) -> [String] {
    names.prefix(200).map { String(InvisibleText.line($0).prefix(256)) }.filter { !$0.isEmpty }
  }
}

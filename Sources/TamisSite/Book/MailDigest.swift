import TamisCore
import TamisSystem
import TamisMarkdown

/// A mail with several posts, as plain text, as Markdown, or as one page that loads nothing.
package struct MailDigest: Sendable {
  /// The format of the mail.
  package enum Form: String, Sendable, Hashable, CaseIterable {
    /// Plain text in lines of 72 columns.
    case text
    /// Markdown, without pictures.
    case markdown
    /// One HTML page, without scripts and pictures.
    case html
  }

  private let site: Site
  private let form: Form
  private let name: String
  private let isWhole: Bool
  private var count = 0
  /// The number of posts whose lists, quotations and tables are too deep for Markdown.
  package private(set) var flattened = 0

  /// Creates a digest.
  ///
  /// - Parameters:
  ///   - site: the site.
  ///   - form: the format.
  ///   - name: the part of the site in the mail; empty for all.
  ///   - isWhole: whether posts are complete rather than excerpts.
  package init(_ site: Site, _ form: Form, name: String, isWhole: Bool) {
    (self.site, self.form, self.name, self.isWhole) = (site, form, name, isWhole)
  }

  private var heading: String { name.isEmpty ? site.settings.title : "\(site.settings.title): \(name)" }

  /// Returns the part above the posts.
  ///
  /// - Parameter posts: the number of posts.
  /// - Returns: the bytes of this part, in UTF-8.
  package mutating func beginning(posts: Int) -> [UInt8] {
    let counted = site.words.counted(.posts, posts)
    switch form {
    case .text:
      var text = LineText()
      text.paragraph(LineText.plain(heading))
      text.paragraph(counted)
      text.trimEnd()
      return text.bytes
    case .markdown:
      return markdown(.empty, before: [.heading(1, heading), .paragraph(counted)])
    case .html:
      let style = BookStyle.mail
      let policy = "default-src 'none'; style-src 'sha256-\(SHA256(style).base64)'; base-uri 'none'; form-action 'none'"
      var page = XHTMLPage()
      page.write("<!DOCTYPE html>\n<html")
      page.attribute("lang", site.words.language)
      page.attribute("dir", site.words.direction.rawValue)
      page.write(">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\"")
      page.attribute("content", policy)
      page.write(">\n<meta name=\"referrer\" content=\"no-referrer\">\n")
      page.element("title", heading)
      page.write("\n<style>\(style)</style>\n</head>\n<body>\n")
      page.element("h1", heading)
      page.write("\n")
      page.element("p", class: "by", counted)
      page.write("\n")
      return page.bytes
    }
  }

  /// Returns the next post.
  package mutating func post(_ view: PostView) -> [UInt8] {
    count += 1
    switch form {
    case .text: return text(of: view)
    case .markdown: return [ASCII.lineFeed] + markdown(of: view)
    case .html: return html(of: view)
    }
  }

  /// Returns the part below the posts.
  package func end() -> [UInt8] { form == .html ? Array("</body>\n</html>\n".utf8) : [] }

  private func text(of view: PostView) -> [UInt8] {
    let lines = PostLines(view, site, isIllustrated: false)
    var text = LineText()
    text.line("")
    text.line(String(repeating: "=", count: LineText.width))
    text.paragraph(LineText.plain(lines.title))
    text.paragraph(LineText.plain(lines.byline.joined(separator: " · ")))
    text.gap()
    var links: [String] = []
    if isWhole {
      var body = TextBody(view.body, into: text)
      text = body.written()
      links = body.links
    } else {
      text.paragraph(LineText.plain(view.item.card.excerpt))
    }
    for chapter in isWhole ? lines.chapters : [] { text.paragraph(LineText.plain(chapter), first: "- ", rest: "  ") }
    text.gap()
    for (index, link) in links.enumerated() { text.line("[\(index + 1)] \(Self.address(link))") }
    if !links.isEmpty { text.gap() }
    for link in isWhole ? lines.links : Array(lines.links.prefix(1)) {
      text.paragraph(LineText.plain(link.text) + ":")
      text.line(Self.address(link.address))
    }
    if isWhole, !lines.rights.isEmpty { text.paragraph(LineText.plain(lines.rights)) }
    text.trimEnd()
    return text.bytes
  }

  /// Returns a URL in one line without spaces, which mail programs turn into a link.
  private static func address(_ text: String) -> String {
    LineText.plain(String(decoding: XHTMLRules.written(text.utf8), as: UTF8.self))
  }

  // MARK: - Markdown

  private mutating func markdown(of view: PostView) -> [UInt8] {
    let (card, lines) = (view.item.card, PostLines(view, site, isIllustrated: false))
    let before: [Markdown.Line] = [
      .heading(2, lines.title, url: (card.permalink?.url).ifHTTP), .paragraph(lines.byline.joined(separator: " · ")),
    ]
    if !isWhole { return markdown(.empty, before: before + [.paragraph(card.excerpt)]) }
    let after: [Markdown.Line] = [
      .list(lines.chapters.map { ($0, nil) }), .list(lines.links.map { ($0.text, $0.address) }),
      .paragraph(lines.rights),
    ]
    return markdown(view.content, before: before, after: after)
  }

  private mutating func markdown(
    _ html: SanitizedHTML, before: [Markdown.Line], after: [Markdown.Line] = []
  ) -> [UInt8] {
    // A mail loads nothing.
    var options = Markdown.Options()
    options.pictures = .links
    let markdown = Markdown(html, options: options, before: before, after: after)
    if markdown.isFlattened { flattened += 1 }
    return LineText.withoutMailCommands(Array(markdown.text.utf8))
  }

  // MARK: - HTML

  private func html(of view: PostView) -> [UInt8] {
    let (card, lines) = (view.item.card, PostLines(view, site, isIllustrated: false))
    var page = XHTMLPage()
    page.write("<article")
    page.attribute("lang", card.language.flatMap(LanguageTag.normalized))
    page.attribute("dir", card.direction.rawValue)
    page.write(">\n<h2>")
    if let original = (card.permalink?.url).ifHTTP {
      page.link(lines.title, to: original)
    } else {
      page.text(lines.title)
    }
    page.write("</h2>\n")
    page.byline(lines.byline)
    page.write("\n")
    if isWhole {
      page.write(XHTMLBody(view.body, ids: BodyIDs(body: count), depth: 1))
      page.write("\n")
    } else if !card.excerpt.isEmpty {
      page.element("p", card.excerpt)
      page.write("\n")
    }
    if isWhole { Site.write(lines, to: &page) }
    page.write("</article>\n")
    return LineText.withoutMailCommands(page.bytes)
  }
}

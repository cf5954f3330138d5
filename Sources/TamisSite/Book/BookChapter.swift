package import TamisCore

/// A post in a book.
package struct BookChapter: Sendable {
  /// The chapter's file, next to the other files of the book.
  package let file: SiteFile
  /// The properties of the file in the package.
  let properties: [String]
}

extension Site {
  /// Whether a book may show a kept picture, which has to be in a format that all readers support (EPUB 3.3, 3.2).
  package static func canShowInBooks(_ picture: KeptPicture) -> Bool { Book.pictureType(picture.path) != nil }

  /// Returns a chapter of a book.
  ///
  /// - Parameters:
  ///   - view: the post; its body loads nothing, and its picture paths are relative to the book's root.
  ///   - number: the number of the chapter, counted from 1.
  /// - Returns: the chapter with its file, in XHTML.
  package func bookChapter(_ view: PostView, number: Int) -> BookChapter {
    let (card, lines) = (view.item.card, PostLines(view, self, isIllustrated: true))
    let body = XHTMLBody(view.body)
    var page = XHTMLPage(title: lines.title, words: words)
    page.byline(lines.byline)
    page.write("\n<article")
    page.language(card.language, card.direction)
    page.write(">\n")
    page.element("h1", lines.title)
    page.write("\n")
    if let picture = card.thumbnail, !picture.isInBody {
      let text = picture.alternative.isEmpty ? view.details.thumbnailCaption : picture.alternative
      figure(
        picture.url, view.item.keptThumbnail ?? view.kept[picture.url], alternative: text,
        caption: view.details.thumbnailCaption,
        &page)
    }
    page.write(body)
    page.write("\n")
    for picture in view.details.pictures {
      figure(picture.url, view.kept[picture.url], alternative: picture.caption, caption: picture.caption, &page)
    }
    page.write("</article>\n")
    Self.write(lines, to: &page)
    page.finish()
    let properties = (body.hasFormulas ? ["mathml"] : []) + (body.hasDrawings ? ["svg"] : [])
    return BookChapter(file: SiteFile(path: PagePath(Book.page(number)), bytes: page.bytes), properties: properties)
  }

  /// Writes a picture next to the text, or a link to it.
  private func figure(
    _ address: String, _ kept: KeptPicture?, alternative: String, caption: String, _ page: inout XHTMLPage
  ) {
    if let kept, Self.canShowInBooks(kept) {
      page.write("<figure><img")
      page.attribute("src", kept.path.text)
      page.attribute("alt", alternative)
      page.attribute("width", "\(kept.width)")
      page.attribute("height", "\(kept.height)")
      page.write(" />")
      if !caption.isEmpty { page.element("figcaption", caption) }
      page.write("</figure>\n")
    } else if address.beginsAsHTTP {
      page.write("<p>")
      page.link(alternative.isEmpty ? words.text(.picture) : alternative, to: address)
      page.write("</p>\n")
    }
  }

  /// Writes the lines below a post.
  static func write(_ lines: PostLines, to page: inout XHTMLPage) {
    if !lines.chapters.isEmpty {
      page.write("<ul class=\"chapters\">\n")
      for chapter in lines.chapters {
        page.element("li", chapter)
        page.write("\n")
      }
      page.write("</ul>\n")
    }
    for link in lines.links {
      page.write("<p class=\"link\">")
      page.link(link.text, to: link.address)
      page.write("</p>\n")
    }
    if !lines.rights.isEmpty {
      page.element("p", class: "rights", lines.rights)
      page.write("\n")
    }
  }
}

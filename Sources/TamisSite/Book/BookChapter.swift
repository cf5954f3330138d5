package import TamisCore

/// A post in a book.
package struct BookChapter: Sendable {
  /// The file, beside which those of the book are.
  package let file: SiteFile
  /// What the package says of the file.
  let properties: [String]
}

extension Site {
  /// The pictures that a book may show, of those that an archive keeps: those of formats that all readers know (EPUB 3.3, 3.2).
  package static func canShowInBooks(_ picture: KeptPicture) -> Bool { Book.pictureType(picture.path) != nil }

  /// A chapter of a book.
  ///
  /// - Parameters:
  ///   - view: the post; its body is one that loads nothing, with pictures from the book's root.
  ///   - number: which chapter it is, from 1.
  package func bookChapter(_ view: PostView, number: Int) -> BookChapter {
    let (card, lines) = (view.item.card, PostLines(view, self))
    let body = XHTMLBody(view.body)
    var page = XHTMLPage(title: lines.title, words: words)
    page.element("p", class: "by", lines.byline.joined(separator: " · "))
    page.write("\n<article")
    page.language(card.language, card.direction)
    page.write(">\n")
    page.element("h1", lines.title)
    page.write("\n")
    if let picture = card.thumbnail, !view.details.showsPicture {
      let text = picture.alternative.isEmpty ? view.details.pictureCaption : picture.alternative
      figure(
        picture.url, picture.kept ?? view.kept[picture.url], alternative: text, caption: view.details.pictureCaption,
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
    return BookChapter(
      file: SiteFile(path: PagePath(Book.page(number)), bytes: page.bytes), properties: properties)
  }

  /// A picture beside the text, or a link to it.
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

  /// Writes what stands below a post.
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

import TamisCore

/// The files of a book besides its chapters and pictures.
extension Book {
  /// Returns the files; those of the book are in ``folder``.
  package func files() -> [SiteFile] {
    func file(_ name: String, _ bytes: [UInt8]) -> SiteFile {
      SiteFile(path: PagePath(Self.folder + name), bytes: bytes)
    }
    return [
      SiteFile(path: PagePath("META-INF/container.xml"), bytes: Array(Self.container.utf8)),
      file("package.opf", package()), file("cover.xhtml", cover()), file("nav.xhtml", contents()),
      file("feeds.xhtml", contentsByFeed()), file("toc.ncx", oldContents()),
      file("style.css", Array(BookStyle.css.utf8)),
    ]
  }

  private static let container = """
    <?xml version="1.0" encoding="utf-8"?>
    <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
    </container>

    """

  // MARK: - Pages

  private func cover() -> [UInt8] {
    var page = XHTMLPage(title: title, words: words)
    page.write("<section class=\"cover\" epub:type=\"cover\">\n")
    page.element("h1", heading)
    page.write("\n")
    if let days { page.element("p", class: "days", days) }
    page.element("p", extent)
    page.write("\n</section>\n")
    page.finish()
    return page.bytes
  }

  private func contents() -> [UInt8] {
    var page = XHTMLPage(title: words.text(.contents), words: words)
    page.write("<nav epub:type=\"toc\" id=\"toc\">\n")
    page.element("h1", words.text(.contents))
    page.write("\n<ol>\n")
    for (day, range) in entriesByDay {
      page.write("<li>")
      page.element("span", day)
      page.write("\n<ol>\n")
      for index in range {
        page.write("<li>")
        link(to: index, besides: entries[index].feed, &page)
        page.write("</li>\n")
      }
      page.write("</ol>\n</li>\n")
    }
    page.write("<li>")
    page.link(words.text(.feeds), to: "feeds.xhtml")
    page.write("</li>\n</ol>\n</nav>\n")
    page.finish()
    return page.bytes
  }

  /// Returns the chapters by feed, in the order of the feeds' names.
  private func contentsByFeed() -> [UInt8] {
    var page = XHTMLPage(title: words.text(.feeds), words: words)
    page.element("h1", words.text(.feeds))
    page.write("\n")
    let groups = Dictionary(grouping: entries.indices) { entries[$0].feed }
    for (feed, indices) in groups.sorted(by: { ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key) }) {
      page.element("h2", feed)
      page.write("\n<ul>\n")
      for index in indices {
        page.write("<li>")
        link(to: index, besides: entries[index].day, &page)
        page.write("</li>\n")
      }
      page.write("</ul>\n")
    }
    page.finish()
    return page.bytes
  }

  private func link(to index: Int, besides text: String, _ page: inout XHTMLPage) {
    let entry = entries[index]
    page.write("<a")
    page.attribute("href", Self.page(index + 1))
    page.write("><span")
    page.language(entry.language, entry.direction)
    page.write(">")
    page.text(entry.title)
    page.write("</span> <small>")
    page.text(text)
    page.write("</small></a>")
  }

  // MARK: - The package

  private func package() -> [UInt8] {
    var xml = XMLText(isSigned: false)
    xml.begin(
      "package",
      [
        "xmlns": "http://www.idpf.org/2007/opf", "version": "3.0", "unique-identifier": "id",
        "xml:lang": words.language, "dir": words.direction.rawValue,
      ])
    metadata(&xml)
    xml.begin("manifest")
    func item(_ id: String, href: String, type: String, _ properties: [String] = []) {
      xml.empty(
        "item",
        [
          "id": id, "href": href, "media-type": type,
          "properties": properties.isEmpty ? nil : properties.joined(separator: " "),
        ])
    }
    let page = "application/xhtml+xml"
    item("style", href: "style.css", type: "text/css")
    item("ncx", href: "toc.ncx", type: "application/x-dtbncx+xml")
    item("cover", href: "cover.xhtml", type: page)
    item("nav", href: "nav.xhtml", type: page, ["nav"])
    item("feeds", href: "feeds.xhtml", type: page)
    for (index, entry) in entries.enumerated() {
      item("post-\(index + 1)", href: Self.page(index + 1), type: page, entry.properties)
    }
    for (index, path) in pictures.enumerated() {
      item("picture-\(index + 1)", href: path.text, type: Self.pictureType(path) ?? "image/png")
    }
    xml.end()
    xml.begin("spine", ["toc": "ncx", "page-progression-direction": words.direction == .rightToLeft ? "rtl" : nil])
    for id in ["cover", "nav"] { xml.empty("itemref", ["idref": id]) }
    for index in entries.indices { xml.empty("itemref", ["idref": "post-\(index + 1)"]) }
    xml.empty("itemref", ["idref": "feeds"])
    xml.end()
    xml.end()
    return xml.bytes
  }

  private func metadata(_ xml: inout XMLText) {
    xml.begin("metadata", ["xmlns:dc": "http://purl.org/dc/elements/1.1/"])
    xml.element("dc:identifier", identifier, ["id": "id"])
    xml.element("dc:title", title)
    xml.element("dc:language", words.language)
    xml.element("dc:creator", site.settings.owner.name ?? site.settings.title)
    xml.element("dc:date", change.iso)
    xml.element("meta", change.iso, ["property": "dcterms:modified"])
    for mode in pictures.isEmpty ? ["textual"] : ["textual", "visual"] {
      xml.element("meta", mode, ["property": "schema:accessMode"])
    }
    for feature in ["tableOfContents", "readingOrder", "structuralNavigation"] {
      xml.element("meta", feature, ["property": "schema:accessibilityFeature"])
    }
    xml.element("meta", "unknown", ["property": "schema:accessibilityHazard"])
    xml.end()
  }

  /// Returns the contents for readers of EPUB 2.
  private func oldContents() -> [UInt8] {
    var xml = XMLText(isSigned: false)
    xml.begin(
      "ncx", ["xmlns": "http://www.daisy.org/z3986/2005/ncx/", "version": "2005-1", "xml:lang": words.language])
    xml.begin("head")
    let facts = [
      ("dtb:uid", identifier), ("dtb:depth", "2"), ("dtb:totalPageCount", "0"), ("dtb:maxPageNumber", "0"),
    ]
    for (name, content) in facts { xml.empty("meta", ["name": name, "content": content]) }
    xml.end()
    xml.begin("docTitle")
    xml.element("text", title)
    xml.end()
    xml.begin("navMap")
    var order = 0
    func begin(_ text: String, leadingTo page: String) {
      order += 1
      xml.begin("navPoint", ["id": "point-\(order)"])
      xml.begin("navLabel")
      xml.element("text", text)
      xml.end()
      xml.empty("content", ["src": page])
    }
    for (day, range) in entriesByDay {
      begin(day, leadingTo: Self.page(range.lowerBound + 1))
      for index in range {
        begin("\(entries[index].title) · \(entries[index].feed)", leadingTo: Self.page(index + 1))
        xml.end()
      }
      xml.end()
    }
    begin(words.text(.feeds), leadingTo: "feeds.xhtml")
    xml.end()
    xml.end()
    xml.end()
    return xml.bytes
  }
}

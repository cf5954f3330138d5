import TamisCore

/// A writer of a page of a book.
struct XHTMLPage {
  private(set) var bytes: [UInt8] = []

  /// Begins a part of a page.
  init() {}

  /// Begins a page.
  ///
  /// - Parameters:
  ///   - title: the title of the page.
  ///   - words: the words with the language and direction of the page.
  init(title: String, words: Site.Words) {
    write(#"<?xml version="1.0" encoding="utf-8"?>"# + "\n<!DOCTYPE html>\n")
    write(#"<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops""#)
    attribute("lang", words.language)
    attribute("xml:lang", words.language)
    attribute("dir", words.direction.rawValue)
    write(">\n<head>\n<meta charset=\"utf-8\" />\n")
    element("title", title)
    write("\n<link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\" />\n</head>\n<body>\n")
  }

  /// Ends the page.
  mutating func finish() { write("</body>\n</html>\n") }

  /// Writes markup unchanged.
  mutating func write(_ markup: String) { bytes += markup.utf8 }

  mutating func write(_ body: XHTMLBody) { bytes += body.bytes }

  mutating func text(_ text: String) { XMLText.append(text, to: &bytes) }

  mutating func attribute(_ name: String, _ value: String?) {
    guard let value else { return }
    write(" \(name)=\"")
    text(value)
    write("\"")
  }

  mutating func language(_ language: String?, _ direction: TextDirection?) {
    let tag = language.flatMap(LanguageTag.normalized)
    attribute("lang", tag)
    attribute("xml:lang", tag)
    attribute("dir", direction?.rawValue)
  }

  mutating func element(_ name: String, class look: String? = nil, _ text: String) {
    write("<\(name)")
    attribute("class", look)
    write(">")
    self.text(text)
    write("</\(name)>")
  }

  /// Writes a line of facts, each of which has the direction of its own text.
  mutating func byline(_ facts: [String]) {
    write("<p class=\"by\">")
    for (index, fact) in facts.enumerated() {
      if index > 0 { write(" · ") }
      element("bdi", fact)
    }
    write("</p>")
  }

  /// Writes a link; the path of a file of the book is written unchanged.
  mutating func link(_ text: String, to address: String) {
    write("<a")
    attribute(
      "href", address.beginsAsHTTP ? String(decoding: XHTMLRules.written(address.utf8), as: UTF8.self) : address)
    write(">")
    self.text(text)
    write("</a>")
  }
}

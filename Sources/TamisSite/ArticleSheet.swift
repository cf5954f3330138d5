import CBuiltInFiles
import TamisCore

/// A page that shows the blocks of another page, kept and dropped, each with the reason.
///
/// The sheet contains no markup of the other page, loads nothing and runs nothing.
package struct ArticleSheet {
  /// The text; may be empty.
  package struct Item: Sendable {
    /// The text; may be empty.
    package var text: String
    /// Whether the block is a heading.
    package var isHeading: Bool
    /// The number of pictures in the block.
    package var pictures: Int
    /// Whether the block is part of the article.
    package var isKept: Bool
    /// The reason, on one line.
    package var reason: String

    /// Creates an item.
    package init(text: String, isHeading: Bool, pictures: Int, isKept: Bool, reason: String) {
      (self.text, self.isHeading, self.pictures) = (text, isHeading, pictures)
      (self.isKept, self.reason) = (isKept, reason)
    }
  }

  private let title: String
  private let origin: String
  private let items: [Item]

  /// Creates a sheet.
  ///
  /// - Parameters:
  ///   - title: the title of the page.
  ///   - origin: the page's URL or file, and its facts.
  ///   - items: its blocks in document order.
  package init(title: String, origin: String, items: [Item]) {
    (self.title, self.origin, self.items) = (title, origin, items)
  }

  /// Returns the sheet as one HTML file in UTF-8, including its style sheet.
  package func page() -> [UInt8] {
    var page = PageContext()
    page.set(.lang, "en")
    page.set(.dir, "ltr")
    page.set(.pageTitle, title.isEmpty ? "(no title)" : title)
    page.set(.csp, PagePolicy.inline(Self.style))
    page.set(.sheet, Self.style)
    page.set(.generator, "Tamis")
    page.set(.origin, origin)
    page.set(.items, items.map(Self.context))
    var renderer = Renderer([:])
    let length = items.reduce(Self.style.text.utf8.count + 1024) { $0 + $1.text.utf8.count + 256 }
    return renderer.render(Self.template, page, length: length)
  }

  private static let style: StyleSheet = {
    let source = String(decoding: Array(tamis_default_css) + Array(tamis_article_css), as: UTF8.self)
    // The files are part of this binary, and a test uses them.
    guard let style = StyleSheet(source) else { preconditionFailure("the article's style sheet cannot be used") }
    return style
  }()

  private static let template = builtIn("the article's sheet") {
    try Template(Array(tamis_article_mustache), file: "article.mustache")
  }

  private static func context(_ item: Item) -> PageContext {
    var context = PageContext()
    context.set(.heading, item.isHeading ? item.text : "")
    context.set(.postText, item.isHeading ? "" : item.text)
    context.set(.count, item.pictures == 0 ? nil : item.pictures)
    context.set(.isKept, item.isKept)
    context.set(.reason, item.reason)
    return context
  }
}

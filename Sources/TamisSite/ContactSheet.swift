import CBuiltInFiles
package import TamisCore

/// A page that shows the chosen picture of each post with the reason, for review by a person.
///
/// The page loads the pictures from their URLs and runs nothing.
package struct ContactSheet {
  /// A post on the sheet.
  package struct Item: Sendable {
    /// The post's title; may be empty.
    package var title: String
    /// The location of the post: its document and line.
    package var location: String
    /// The page of the post; nil when there is none.
    package var permalink: String?
    /// The chosen picture; nil when there is none.
    package var thumbnail: Post.Thumbnail?
    /// The pictures that were not chosen, each with the reason.
    package var others: [String]

    /// Creates an item.
    package init(title: String, location: String, permalink: String?, thumbnail: Post.Thumbnail?, others: [String]) {
      self.title = title
      self.location = location
      self.permalink = permalink
      self.thumbnail = thumbnail
      self.others = others
    }
  }

  private let items: [Item]

  /// Creates a contact sheet of posts, in the given order.
  package init(_ items: [Item]) { self.items = items }

  /// Returns the page as one HTML file in UTF-8, including its style sheet.
  package func page() -> [UInt8] {
    let style = Site.Theme.standard.style
    let title = "Contact sheet"
    var page = PageContext()
    page.set(.lang, "en")
    page.set(.dir, "ltr")
    page.set(.pageTitle, title)
    page.set(.csp, PagePolicy.inline(style))
    page.set(.sheet, style)
    page.set(.generator, "Tamis")
    page.set(.postCount, items.count)
    page.set(.picturedCount, items.count { $0.thumbnail != nil })
    page.set(.items, items.map(Self.context))
    var renderer = Renderer([:])
    return renderer.render(Self.template, page, length: style.text.utf8.count + 1024 * (items.count + 1))
  }

  private static let template = builtIn("the contact sheet") {
    try Template(Array(tamis_sheet_mustache), file: "sheet.mustache")
  }

  private static func context(_ item: Item) -> PageContext {
    var context = PageContext()
    context.set(.title, item.title.isEmpty ? "(no title)" : item.title)
    context.set(.location, item.location)
    context.set(.original, item.permalink)
    context.set(.url, item.thumbnail?.url)
    // An inline picture is its own URL.
    context.set(.address, item.thumbnail.map { String($0.url.prefix($0.url.hasPrefix("data:") ? 40 : 300)) })
    context.set(.alt, item.thumbnail?.alternative)
    context.set(.width, item.thumbnail?.width)
    context.set(.height, item.thumbnail?.height)
    context.set(.reason, item.thumbnail.map { "\($0.source ?? ""): \($0.reason ?? "")" } ?? "none")
    context.set(.others, item.others)
    return context
  }
}

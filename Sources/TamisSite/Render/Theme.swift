import FoundationEssentials
import Mustache
import TamisCore

/// Templates and a style sheet: how pages look.
struct Theme: Sendable {
  let style: StyleSheet
  private let library: MustacheLibrary

  /// The theme that is part of the library.
  static let standard: Theme = {
    do {
      return try Theme(files: [
        "style.css": PackageResources.style_css, "index.mustache": PackageResources.index_mustache,
        "feed.mustache": PackageResources.feed_mustache, "post.mustache": PackageResources.post_mustache,
        "head.mustache": PackageResources.head_mustache, "header.mustache": PackageResources.header_mustache,
        "card.mustache": PackageResources.card_mustache, "foot.mustache": PackageResources.foot_mustache,
        "sheet.mustache": PackageResources.sheet_mustache,
      ])
    } catch {
      // The files are part of this binary and a test loads them.
      preconditionFailure("the theme cannot be read: \(error)")
    }
  }()

  private init(files: [String: [UInt8]]) throws {
    guard let style = StyleSheet(String(decoding: files["style.css"] ?? [], as: UTF8.self)) else {
      throw ThemeError(description: "style.css: a style sheet must not contain '<'")
    }
    self.style = style
    var library = MustacheLibrary()
    for (name, bytes) in files where name.hasSuffix(".mustache") {
      // Values are escaped before a template sees them (see HTMLText), so templates print them as they are.
      let text = "{{% CONTENT_TYPE:TEXT}}" + String(decoding: bytes, as: UTF8.self)
      try library.register(text, named: String(name.dropLast(".mustache".count)))
    }
    self.library = library
  }

  /// A page.
  func render(_ template: String, _ context: PageContext) -> [UInt8] {
    Array((library.render(context, withTemplate: template) ?? "").utf8)
  }
}

/// Why a theme cannot be used.
struct ThemeError: Error, CustomStringConvertible {
  let description: String
}

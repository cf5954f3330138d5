// To change a theme: templates and style sheets are in Themes (that of newspaper follows default.css); classes of
// bodies are written by Body/PageBodyWriter.swift. A custom property of CSS is set for light and dark in default.css
// and plain.css, and in newspaper.css where it differs. Check with `tamis theme check` and make check-site. Another
// built-in theme: its style sheet, its lines in CBuiltInFiles/site.c and its header, `names` and `sheets` here, the
// summary of `theme` (TamisPlanet/Model/SiteSettings.swift), the help of TamisCommand/SiteOptions.swift,
// docs/themes.md, docs/planet.md.

import CBuiltInFiles
import TamisCore
import TamisSystem
import TamisFoundation

extension Site {
  /// A theme: the templates and the style sheet of pages.
  public struct Theme: Sendable {
    let style: StyleSheet
    private let templates: [String: Template]
    /// The files of the theme, by name.
    package let files: [String: [UInt8]]
    /// A digest that changes with every byte of the files.
    let digest: String

    /// The names of the built-in themes.
    public static let names = [standardName, "newspaper", "plain"]

    private static let standardName = "default"

    /// The default theme.
    public static let standard = shipped(with: Array(tamis_default_css), named: standardName)

    /// Returns a built-in theme, or nil when there is none of this name.
    public static func shipped(_ name: String) -> Site.Theme? {
      name == standardName ? standard : sheets[name].map { shipped(with: $0, named: name) }
    }

    private static func shipped(with style: [UInt8], named name: String) -> Site.Theme {
      builtIn("the theme") { try Site.Theme(shippedTemplates.merging(["style.css": style]) { $1 }, named: name) }
    }

    /// The style sheets of the other built-in themes.
    private static let sheets = [
      "plain": Array(tamis_plain_css),
      // Missing files are those of the default theme.
      "newspaper": Array(tamis_default_css) + Array(tamis_newspaper_css),
    ]

    private static let shippedTemplates = [
      "index.mustache": Array(tamis_index_mustache), "list.mustache": Array(tamis_list_mustache),
      "post.mustache": Array(tamis_post_mustache), "head.mustache": Array(tamis_head_mustache),
      "header.mustache": Array(tamis_header_mustache), "card.mustache": Array(tamis_card_mustache),
      "media.mustache": Array(tamis_media_mustache),
      "foot.mustache": Array(tamis_foot_mustache), "archive.mustache": Array(tamis_archive_mustache),
      "about.mustache": Array(tamis_about_mustache), "status.mustache": Array(tamis_status_mustache),
      "notice.mustache": Array(tamis_notice_mustache),
      "search.mustache": Array(tamis_search_mustache),
      "feed.mustache": Array(tamis_feed_mustache),
    ]

    /// Reads a theme's folder: `style.css` and templates; missing files are those of the default theme.
    ///
    /// - Parameter folder: the path of the folder.
    /// - Throws: ``Site/ThemeError`` when the folder cannot be read, is not a theme, or one of its files is invalid,
    ///   with the file and line.
    public init(folder: String) throws(Site.ThemeError) {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
        throw Site.ThemeError(
          description:
            "\(folder): no such theme: neither a folder nor one of \(Self.names.joined(separator: ", "))")
      }
      var own: [String: [UInt8]] = [:]
      for name in names where name == "style.css" || name.hasSuffix(".mustache") {
        let path = FilePath("\(folder)/\(name)")
        if path.isLink, path.resolved?.isInside(FilePath(folder).resolved ?? FilePath(folder)) != true {
          throw Site.ThemeError(
            description: "\(folder)/\(name): this link leads out of the theme; its target would be published")
        }
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
          throw Site.ThemeError(description: "\(folder)/\(name): this file cannot be read")
        }
        // A byte order mark in the middle of a page would end its head, and with it the page's policy.
        own[name] = Array(data.withoutByteOrderMark)
      }
      guard !own.isEmpty else {
        throw Site.ThemeError(
          description: "\(folder): this folder is not a theme: it has no style.css and no .mustache file")
      }
      try self.init(Self.standard.files.merging(own) { $1 }, named: folder)
    }

    /// Creates a theme from files by name: `style.css` and templates.
    ///
    /// - Parameters:
    ///   - files: the bytes of the files by name.
    ///   - name: the name of the theme in messages.
    ///   - isHTML: whether the templates are HTML, in which values are refused where they are not escaped. Cases of
    ///     Mustache are not.
    /// - Throws: ``Site/ThemeError`` for the first invalid file, with its line.
    package init(_ files: [String: [UInt8]], named name: String, isHTML: Bool = true) throws(Site.ThemeError) {
      self.files = files
      guard let style = StyleSheet(String(decoding: files["style.css"] ?? [], as: UTF8.self)) else {
        throw Site.ThemeError(description: "\(name)/style.css: a style sheet must not contain '<'")
      }
      self.style = style
      var templates: [String: Template] = [:]
      for (file, bytes) in files.sorted(by: { $0.key < $1.key }) where file.hasSuffix(".mustache") {
        templates[String(file.dropLast(".mustache".count))] = try Template(
          bytes, file: "\(name)/\(file)", isHTML: isHTML)
      }
      self.templates = templates
      try Self.checkPartials(templates, name)
      digest = SHA256(files.sorted { $0.key < $1.key }.map { "\($0.key) \(SHA256($0.value).hex)\n" }.joined()).hex
    }

    /// Returns the theme with the words of a site substituted in its templates.
    func saying(_ words: Site.Words) -> Site.Theme {
      Site.Theme(style: style, templates: templates.mapValues { $0.saying(words) }, files: files, digest: digest)
    }

    private init(style: StyleSheet, templates: [String: Template], files: [String: [UInt8]], digest: String) {
      (self.style, self.templates, self.files, self.digest) = (style, templates, files, digest)
    }

    /// The maximum number of parts of a template with all that it includes.
    ///
    /// Includes can multiply: two levels of templates that each include the next one twice are four times as long.
    private static let mostParts = 100_000

    /// Checks the includes of all templates.
    ///
    /// - Throws: ``Site/ThemeError`` when a template includes a missing one, itself, or too many others.
    private static func checkPartials(_ templates: [String: Template], _ theme: String) throws(Site.ThemeError) {
      // The number of parts of each checked template.
      var sizes: [String: Int] = [:]
      func check(_ name: String, _ path: [String]) throws(Site.ThemeError) -> Int {
        if let size = sizes[name] { return size }
        guard let template = templates[name] else {
          throw Site.ThemeError(
            description: "\(theme)/\(path.last ?? name).mustache: there is no template '\(name)' to include")
        }
        guard !path.contains(name) else {
          throw Site.ThemeError(
            description:
              "\(theme)/\(name).mustache: this template includes itself: \((path + [name]).joined(separator: ", "))")
        }
        var size = template.parts.count
        for (partial, uses) in template.uses.sorted(by: { $0.key < $1.key }) {
          size += try uses * check(partial, path + [name])
          guard size <= mostParts else {
            throw Site.ThemeError(
              description:
                "\(theme)/\(name).mustache: this template has more than \(mostParts) parts, with all that it includes"
            )
          }
        }
        sizes[name] = size
        return size
      }
      for name in templates.keys.sorted() { _ = try check(name, []) }
    }

    /// Renders a page, or a part of one.
    ///
    /// - Parameters:
    ///   - name: the name of the template.
    ///   - context: the values.
    ///   - length: the approximate length in bytes.
    /// - Returns: the rendered bytes, in UTF-8; empty when there is no such template.
    package func render(_ name: String, _ context: PageContext, length: Int) -> [UInt8] {
      guard let template = templates[name] else { return [] }
      var renderer = Renderer(templates)
      return renderer.render(template, context, length: length)
    }
  }
}

extension Site {
  /// The error for a theme that cannot be used.
  public struct ThemeError: Error, CustomStringConvertible {
    /// The problem and its remedy, with the file and line.
    public let description: String
  }
}

import TamisCore

/// A writer of tags that show the site's own files of pictures.
struct PictureTags {
  /// The replacement of a tag.
  enum Replacement {
    /// No tag; its files are not needed any more.
    case nothing
    /// The tag without its end.
    case tag([UInt8])
  }

  private let pictures: BodyPictures
  private let kept: [String: KeptPicture]
  private let root: String

  /// Finds the pictures of a body.
  ///
  /// - Parameters:
  ///   - source: the body.
  ///   - kept: the pictures that the site has, by their original URLs.
  ///   - root: the relative path from the page to the site's root, or the site's URL.
  init(_ source: [UInt8], kept: [String: KeptPicture], root: String) {
    pictures = kept.isEmpty ? BodyPictures([]) : BodyPictures(source)
    (self.kept, self.root) = (kept, root)
  }

  /// Returns the body of a post with the site's own files of pictures.
  static func rewritten(_ html: SanitizedHTML, kept: [String: KeptPicture], root: String) -> String {
    if kept.isEmpty { return html.string }
    let source = Array(html.string.utf8)
    let tags = PictureTags(source, kept: kept, root: root)
    var output: [UInt8] = []
    var copied = 0
    for start in (Array(tags.pictures.choices.keys) + tags.pictures.owners.keys).sorted() {
      let tag = MarkupTag(source, at: start)
      guard let replacement = tags.replacement(of: tag, source) else { continue }
      output += source[copied..<start]
      copied = tag.end
      guard case .tag(let bytes) = replacement else { continue }
      output += bytes
      output += source[tag.contentEnd..<tag.end]
    }
    output += source[copied...]
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the replacement of a tag, or nil when it is unchanged.
  func replacement(of tag: MarkupTag, _ source: [UInt8]) -> Replacement? {
    if let owner = pictures.owners[tag.start] {
      return pictures.choices[owner].flatMap { kept[$0] } == nil ? nil : .nothing
    }
    guard let picture = pictures.choices[tag.start].flatMap({ kept[$0] }) else { return nil }
    var path: [UInt8] = []
    HTMLText.append(root + picture.path.text, to: &path)
    let isImage = tag.name == "img"
    var output = Array(source[tag.start..<tag.nameEnd])
    if isImage { output += Array(#" src=""#.utf8) + path + [UInt8(ascii: "\"")] }
    var hasSize = false
    tag.eachAttribute(source) { attribute in
      switch String(decoding: source[attribute.name], as: UTF8.self) {
      case "src" where isImage, "srcset" where isImage, "sizes" where isImage: break
      case "poster" where !isImage: output += Array(#" poster=""#.utf8) + path + [UInt8(ascii: "\"")]
      case "width", "height":
        hasSize = true
        output += source[attribute.whole]
      default: output += source[attribute.whole]
      }
    }
    if isImage, !hasSize { output += Array(#" width="\#(picture.width)" height="\#(picture.height)""#.utf8) }
    return .tag(output)
  }
}

import TamisCore

/// Writes the tags of pictures that the site has so that they show its own files.
struct PictureTags {
  /// The replacement of a tag.
  enum Replacement {
    /// Nothing: what it offers is not needed any more.
    case nothing
    /// The tag without its end.
    case tag([UInt8])
  }

  private let pictures: BodyPictures
  private let kept: [String: KeptPicture]
  private let root: String

  /// - Parameters:
  ///   - kept: what the site has, by address.
  ///   - root: the relative path from the page to the site's root, or the site's URL.
  init(_ source: [UInt8], kept: [String: KeptPicture], root: String) {
    pictures = kept.isEmpty ? BodyPictures([]) : BodyPictures(source)
    (self.kept, self.root) = (kept, root)
  }

  /// The body of a post in which its pictures are where the site has them.
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

  /// The replacement of a tag; nil when it is unchanged.
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

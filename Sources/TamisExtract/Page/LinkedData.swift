import TamisCore
import TamisJSON

/// Finds the picture of an article in JSON-LD (schema.org, `image`).
///
/// The picture is the `image` of the outermost object or of those in its `@graph`: a text, an object with a `url`, or a
/// list of either.
enum LinkedData {
  static func pictures(in blocks: [[UInt8]]) -> [PagePictures.Picture] {
    blocks.flatMap { block in
      let listener = Listener()
      let reader = JSONReader(handler: listener, limits: .standard, mends: true)
      if reader.read(block.span) { reader.finish() }
      return listener.pictures
    }
  }

  /// A handler that follows the reader through nested objects by their keys; lists add no level.
  private final class Listener: JSONHandler {
    /// An open object, with the members read so far.
    private struct Object {
      var key: String
      var type = ""
      var pictures: [String] = []
    }

    private(set) var pictures: [PagePictures.Picture] = []
    private var open: [Object] = []
    private var key = ""

    /// The types of objects whose pictures do not show the subject of an article (schema.org).
    private static let others: Set = [
      "Person", "Organization", "NewsMediaOrganization", "WebSite", "BreadcrumbList",
    ]

    func startObject() {
      open.append(Object(key: key))
      key = ""
    }

    func endObject() {
      guard let object = open.popLast() else { return }
      key = object.key
      if object.key == "image", !open.isEmpty {
        open[open.count - 1].pictures += object.pictures
      } else if isArticle(object) {
        pictures += object.pictures.map { PagePictures.Picture(url: $0, source: "json-ld") }
      }
    }

    private func isArticle(_ object: Object) -> Bool {
      open.allSatisfy { ["", "@graph"].contains($0.key) } && ["", "@graph"].contains(object.key)
        && !Self.others.contains(object.type)
    }

    func key(_ name: borrowing Span<UInt8>) { key = Self.text(name) }

    func string(_ text: borrowing Span<UInt8>) {
      guard let object = open.indices.last else { return }
      switch key {
      case "@type": open[object].type = Self.text(text)
      case "image": open[object].pictures.append(Self.text(text))
      case "url" where open[object].key == "image": open[object].pictures.append(Self.text(text))
      default: break
      }
    }

    private static func text(_ span: borrowing Span<UInt8>) -> String {
      var bytes: [UInt8] = []
      bytes.append(span, 0..<span.count)
      return String(streamSafe: bytes)
    }
  }
}

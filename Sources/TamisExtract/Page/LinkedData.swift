import TamisCore
import TamisJSON

/// Finds the picture of an article in JSON-LD: `image` of the outermost object or of those in its `@graph`, as a text, as
/// an object with a `url`, or as a list of either (schema.org, `image`).
enum LinkedData {
  static func pictures(in blocks: [[UInt8]]) -> [PagePictures.Picture] {
    blocks.flatMap { block in
      let listener = Listener()
      let reader = JSONReader(handler: listener, limits: .standard)
      if reader.read(block.span) { reader.finish() }
      return listener.pictures
    }
  }

  /// Follows where the reader is by the keys that lead there; lists add nothing.
  private final class Listener: JSONHandler {
    private(set) var pictures: [PagePictures.Picture] = []
    private var path: [String] = []
    private var key = ""

    func startObject() {
      path.append(key)
      key = ""
    }

    func endObject() { key = path.popLast() ?? "" }

    func key(_ name: borrowing Span<UInt8>) { key = Self.text(name) }

    func string(_ text: borrowing Span<UInt8>) {
      var place = path.filter { !$0.isEmpty && $0 != "@graph" }
      place.append(key)
      if place == ["image"] || place == ["image", "url"] {
        pictures.append(PagePictures.Picture(url: Self.text(text), source: "json-ld"))
      }
    }

    func null() {}
    func bool(_ value: Bool) {}
    func number(_ text: borrowing Span<UInt8>) {}
    func startArray() {}
    func endArray() {}
    func fault(_ fault: JSONFault) {}

    private static func text(_ span: borrowing Span<UInt8>) -> String {
      var bytes: [UInt8] = []
      bytes.append(span, 0..<span.count)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

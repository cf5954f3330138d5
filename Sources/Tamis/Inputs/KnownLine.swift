import TamisExtract
import TamisCore
import TamisURL

/// A line of a file of supplied pages, a JSON object: a page, a style sheet, or the real size of a picture.
enum KnownLine {
  /// A page and its URL.
  case page(WebURL, html: String)
  /// A style sheet and its URL.
  case sheet(WebURL, css: String)
  /// The size of a picture and its URL.
  case picture(WebURL, PictureSize)

  /// The reason why a line is none of these.
  struct Refusal: Error {
    /// The reason, as the beginning of a sentence.
    var message: String
  }

  /// Reads a line.
  init(_ line: [UInt8]) throws(Refusal) {
    guard let object = JSONNode(line), object.members != nil else {
      throw Refusal(message: "this is not a JSON object")
    }
    guard let url = object["url"]?.text.flatMap({ WebURL($0) }) else {
      throw Refusal(message: "'url' is missing, or not absolute")
    }
    if let html = object["html"]?.text {
      self = .page(url, html: html)
    } else if let css = object["css"]?.text {
      self = .sheet(url, css: css)
    } else if let width = object["width"]?.integer, let height = object["height"]?.integer, width > 0, height > 0 {
      self = .picture(url, PictureSize(width: Int(min(width, 100_000)), height: Int(min(height, 100_000))))
    } else {
      throw Refusal(message: "'html' is missing, and so are 'css', and 'width' and 'height' in pixels")
    }
  }

  /// Returns the finding about a line that is none.
  static func finding(_ refusal: Refusal, at location: Finding.Location) -> Finding {
    Finding(.warning, "known.line", "\(refusal.message); the line is left out", at: location)
  }
}

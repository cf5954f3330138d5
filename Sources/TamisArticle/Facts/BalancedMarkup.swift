import TamisCore
import TamisHTML

/// A piece of markup written anew, so that none of its elements ends in what follows it.
enum BalancedMarkup {
  /// Returns the markup with all elements closed, and without `article`, by which posts are told apart.
  ///
  /// The result is as untrusted as the piece.
  static func markup(of piece: String) -> String {
    var reader = HTMLReader()
    var output: [UInt8] = []
    reader.readFragment(Array(piece.utf8).span, limits: .standard)
    while let event = reader.next() {
      switch event {
      case .start(let name): start(name, reader, &output)
      case .end(let name): if let name = plainName(name, reader) { output += "</\(name)>".utf8 }
      case .text(let range): MarkupText.append(reader.builder.tree.bytes.span.extracting(range), to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func start(_ name: Int32, _ reader: borrowing HTMLReader, _ output: inout [UInt8]) {
    guard let name = plainName(name, reader) else { return }
    output += "<\(name)".utf8
    for index in reader.attributes {
      let attribute = reader.builder.tree.attributes[Int(index)]
      let name = reader.builder.tree.attributeTexts[Int(attribute.name)]
      guard isPlain(name) else { continue }
      output += " \(name)=\"".utf8
      MarkupText.append(reader.builder.tree.bytes.span.extracting(attribute.value), to: &output)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: ">"))
  }

  private static func plainName(_ name: Int32, _ reader: borrowing HTMLReader) -> String? {
    let text = reader.builder.tree.text(ofElement: name)
    return isPlain(text) && text != "article" ? text : nil
  }

  /// Whether a name of an element or an attribute can be written as it is.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") }
  }
}

import TamisCore
import TamisHTML

/// A fragment that is being read, with the walker's numbers for its names.
struct MarkupSource: ~Copyable {
  var reader = HTMLReader()
  /// The walker's numbers by the reader's.
  private var elements: [Int] = []
  private var attributes: [Int] = []

  /// Begins with a fragment; its names get numbers in the tables.
  mutating func read(_ html: borrowing Span<UInt8>, limits: Limits, _ tables: inout RuleTables) {
    reader.readFragment(html, limits: limits)
    for name in elements.count..<reader.builder.tree.elementNames.count {
      elements.append(tables.number(ofElement: reader.builder.tree.text(ofElement: Int32(name))))
    }
    for name in attributes.count..<reader.builder.tree.attributeNames.count {
      attributes.append(tables.number(ofAttribute: reader.builder.tree.attributeTexts[name]))
    }
  }

  /// The walker's number of an element.
  func number(ofElement name: Int32) -> Int { elements[Int(name)] }

  /// Adds the attributes of the element that began last to a list.
  ///
  /// - Parameter omitted: the number of one that is left out; -1 for none.
  func addAttributes(to list: inout AttributeList, without omitted: Int) {
    for index in reader.attributes {
      let attribute = reader.builder.tree.attributes[Int(index)]
      let number = attributes[Int(attribute.name)]
      if number != omitted { list.addOriginal(number, reader.builder.tree.bytes.span.extracting(attribute.value)) }
    }
  }
}

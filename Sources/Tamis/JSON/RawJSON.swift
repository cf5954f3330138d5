import TamisCore
package import TamisFeed

/// Writes an element tree as JSON, in which everything in a feed can be accessed by name.
package enum RawJSON {
  /// The format in which elements become values.
  package enum Form: Sendable {
    /// Every element is an object, every kind of child an array: the same shape for every feed.
    case uniform
    /// The format of BNRSSFeedParser: an element that has only text is a string, a single child is not an array.
    case compact
  }

  /// Returns the document in UTF-8, on one line: an object with its one element.
  package static func document(_ root: FeedParser.Element, _ form: Form) -> [UInt8] {
    JSONWriter.object { write([root], root.name, form, to: &$0) }
  }

  /// Writes elements of one name: as an array, or in the compact format a single one without an array.
  private static func write(_ elements: [FeedParser.Element], _ name: String, _ form: Form, to writer: inout JSONWriter)
  {
    writer.key(name)
    if form == .compact, elements.count == 1 { return write(elements[0], form, to: &writer) }
    writer.array { writer in for element in elements { write(element, form, to: &writer) } }
  }

  /// Writes an element: text is under `__text__`, attributes under their names, children under theirs.
  ///
  /// An attribute with the name of a child has the prefix `@`.
  private static func write(_ element: FeedParser.Element, _ form: Form, to writer: inout JSONWriter) {
    if form == .compact, element.children.isEmpty, element.attributes.isEmpty {
      writer.string(element.text)
      return
    }
    let groups = Dictionary(grouping: element.children, by: \.name)
    writer.object { writer in
      var seen: Set<String> = []
      for attribute in element.attributes {
        let isTaken = groups[attribute.name] != nil || attribute.name == "__text__"
        let name = isTaken ? "@\(attribute.name)" : attribute.name
        if seen.insert(name).inserted { writer.member(name, attribute.value) }
      }
      if !element.text.isEmpty { writer.member("__text__", element.text) }
      for child in element.children where seen.insert(child.name).inserted {
        write(groups[child.name] ?? [], child.name, form, to: &writer)
      }
    }
  }
}

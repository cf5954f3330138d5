public import TamisFeed

/// An element tree as JSON, in which everything a feed says can be reached by name.
public enum RawJSON {
  /// How elements become values.
  public enum Form: Sendable {
    /// Every element is an object, every kind of child an array: the same shape for every feed.
    case uniform
    /// BNRSSFeedParser's: an element of text alone is a string, an only child is no array.
    case compact
  }

  /// The document: an object with its one element.
  public static func document(_ root: RawElement, _ form: Form) -> JSONValue {
    let value = value(of: root, form)
    return .object([(root.name, form == .uniform ? .array([value]) : value)])
  }

  /// Text is under `__text__`, attributes under their names, children under theirs.
  ///
  /// Where an attribute has the name of a child, it is under that name with an `@` before it.
  private static func value(of element: RawElement, _ form: Form) -> JSONValue {
    if form == .compact, element.children.isEmpty, element.attributes.isEmpty { return .string(element.text) }
    var object = JSONObject()
    let groups = Dictionary(grouping: element.children, by: \.name)
    for attribute in element.attributes {
      let isTaken = groups[attribute.name] != nil || attribute.name == "__text__"
      object.set(isTaken ? "@\(attribute.name)" : attribute.name, attribute.value)
    }
    if !element.text.isEmpty { object.set("__text__", element.text) }
    for child in element.children where object[child.name] == nil {
      let values = (groups[child.name] ?? []).map { value(of: $0, form) }
      object[child.name] = form == .compact && values.count == 1 ? values[0] : .array(values)
    }
    return object.value
  }
}

import TamisCore
import TamisSanitizer

/// Detection of names that hide properties from the scripts of a page ("DOM clobbering").
extension BrowserTree {
  /// The first `id` or `name` that hides a property of the document or of a form; nil when there is none.
  ///
  /// The elements that can are those of the HTML Standard, 3.1.7 (named access on documents) and 4.10.3 (forms).
  var clobbering: String? {
    /// The depth of the open form.
    var form: Int?
    var formIDs: Set<String> = []
    for (node, _) in inOrder where isHTML(node, ["form"]) { formIDs.insert(element(node)?.value("id") ?? "") }
    for (node, depth) in inOrder {
      if let open = form, depth <= open { form = nil }
      guard let element = element(node), element.namespace == .html else { continue }
      if let name = Self.nameInDocument(element), NamedProperties.document.contains(name) {
        return "<\(element.name)> hides 'document.\(name)'"
      }
      let isInForm = form != nil || element.value("form").map(formIDs.contains) ?? false
      if isInForm, Self.listed.contains(element.name),
        let name = ["id", "name"].lazy.compactMap({ element.value($0) }).first(where: NamedProperties.form.contains)
      {
        return "<\(element.name)> hides the property '\(name)' of its form"
      }
      if element.name == "form" { form = form ?? depth }
    }
    return nil
  }

  /// The elements that are properties of their form by `id` or `name`.
  private static let listed: Set = ["button", "fieldset", "img", "input", "object", "output", "select", "textarea"]

  /// The name by which an element is a property of the document.
  private static func nameInDocument(_ element: Element) -> String? {
    let name = element.value("name").flatMap { $0.isEmpty ? nil : $0 }
    switch element.name {
    case "embed", "form", "iframe": return name
    case "img":
      // An image with a name has its id too.
      guard let name else { return nil }
      return NamedProperties.document.contains(name) ? name : element.value("id") ?? name
    case "object":
      return [name, element.value("id")].compactMap { $0 }.first(where: NamedProperties.document.contains)
    default: return nil
    }
  }
}

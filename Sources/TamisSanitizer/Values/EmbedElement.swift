/// The kind of embedded content, by the element's name.
enum EmbedElement: Hashable {
  case none
  /// The element `iframe`.
  case frame
  /// The element `object`.
  case object
  /// The element `param`.
  case parameter
  /// The element `embed`.
  case plugIn
  /// The element `script`.
  case script
  /// The element `area` of an image map.
  case area
  /// The element `image` of a drawing.
  case drawnPicture
  /// One of ``EmbedCode/components``.
  case component

  static func of(_ name: String) -> EmbedElement {
    switch name {
    case "iframe": .frame
    case "object": .object
    case "param": .parameter
    case "embed": .plugIn
    case "script": .script
    case "area": .area
    case "image": .drawnPicture
    default: EmbedCode.components[name] == nil ? .none : .component
    }
  }
}

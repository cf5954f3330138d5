public import TamisSanitizer

/// Keeps the address of a frame in a link.
@Sendable public func withoutFrames(_ element: inout Sanitizer.Hooks.Element) -> Sanitizer.Hooks.ElementAction {
  guard element.name == "iframe" else { return .followPolicy }
  (element.name, element["href"], element["src"]) = ("a", element["src"], nil)
  return .followPolicy
}

import TamisCore
import TamisURL

/// Finds out what a page says of itself.
struct FactCascade {
  /// Reads the facts of a page.
  static func facts(of tape: PageTape, url: WebURL?) -> PageFacts {
    var facts = PageFacts()
    for element in tape.elements.indices {
      switch tape.name(of: element) {
      case "title" where facts.title == nil:
        facts.title = .init(value: tape.text(in: element).collapsingSpace(), source: "title")
      case "meta":
        let name = tape.value(of: "property", in: element) ?? tape.value(of: "name", in: element)
        guard let name = name?.asciiLowercased(), let content = tape.value(of: "content", in: element) else { continue }
        switch name {
        case "og:title": facts.title = .init(value: content.collapsingSpace(), source: name)
        case "description", "og:description": facts.description = .init(value: content.collapsingSpace(), source: name)
        default: break
        }
      default: break
      }
    }
    return facts
  }
}

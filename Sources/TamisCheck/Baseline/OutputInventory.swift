import TamisCore
import TamisSanitizer
import TamisURL

/// What a reader finds in an output, and what in it is not only there for the reader.
struct OutputInventory {
  /// Words of the text, and for pictures, each as often as it occurs.
  private(set) var words: [String: Int] = [:]
  /// Links without what follows readers, pictures that do not count readers, media; each as often as it occurs.
  private(set) var resources: [String: Int] = [:]
  /// What acts, loads, navigates, follows or counts; each as often as it occurs.
  private(set) var risks: [String: Int] = [:]

  private let tracking: TrackingRules

  /// - Parameter tracking: who is taken to follow or count readers.
  init(_ html: String, tracking: TrackingRules) {
    self.tracking = tracking
    var scanner = OutputScanner(html)
    var text: [UInt8] = []
    // What cannot be read ends the inventory; the promise reports it.
    while let token = try? scanner.next() {
      switch token {
      case .text(let range): text += scanner[range]
      case .end: text.append(ASCII.space)
      case .start(let name, let attributes, _):
        text.append(ASCII.space)
        add(element: name.asciiLowercased(), attributes.map { ($0.name.asciiLowercased(), $0.value) })
      }
    }
    for word in text.split(whereSeparator: \.isHTMLSpace) {
      words[String(decoding: word, as: UTF8.self), default: 0] += 1
    }
  }

  private mutating func add(element: String, _ attributes: [(name: String, value: String)]) {
    if Self.riskyElements.contains(element) { risks["<\(element)>", default: 0] += 1 }
    let values = Dictionary(attributes, uniquingKeysWith: { first, _ in first })
    for (name, value) in attributes {
      if Self.riskyAttributes.contains(name) { risks["\(element)@\(name)", default: 0] += 1 }
      if let scheme = Self.scheme(of: value, in: name) { risks["the scheme \(scheme):", default: 0] += 1 }
    }
    switch element {
    case "a":
      guard let href = values["href"] else { return }
      let isProtected = values["rel"]?.contains("noopener") == true || href.hasPrefix("#")
      if !isProtected { risks["links without noopener", default: 0] += 1 }
      let clean = tracking.withoutParameters(Array(href.utf8).span)
      if clean != nil { risks["tracking parameters", default: 0] += 1 }
      resources["the link \(clean.map { String(decoding: $0, as: UTF8.self) } ?? href)", default: 0] += 1
    case "img":
      for word in (values["alt"] ?? "").split(whereSeparator: \.isWhitespace) { words[String(word), default: 0] += 1 }
      guard let source = values["src"] ?? values["srcset"] else { return }
      let isPixel = [values["width"], values["height"]].contains { ["0", "1"].contains($0) }
      if isPixel || tracking.isTracker(Array(source.utf8).span) {
        risks["tracking pictures", default: 0] += 1
      } else {
        resources["the picture \(source)", default: 0] += 1
      }
    case "audio", "video", "source", "track":
      for name in ["src", "poster"] {
        if let source = values[name] { resources["the medium \(source)", default: 0] += 1 }
      }
    default: break
    }
  }

  private static func scheme(of value: String, in attribute: String) -> String? {
    guard ["href", "src", "action", "cite", "poster", "xlink:href"].contains(attribute),
      let colon = value.firstIndex(of: ":")
    else { return nil }
    let scheme = value[..<colon].asciiLowercased()
    let isScheme =
      !scheme.isEmpty && scheme.utf8.allSatisfy { $0.isASCIIAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0) }
    return isScheme && !["http", "https", "mailto", "tel"].contains(scheme) ? scheme : nil
  }

  /// Controls, and elements that take part in forms or that scripts draw on.
  private static let riskyElements: Set = [
    "button", "canvas", "command", "datalist", "dialog", "fieldset", "form", "input", "keygen", "optgroup", "option",
    "output", "select", "textarea", "use",
  ]
  /// Attributes that act, load, place or shadow.
  private static let riskyAttributes: Set = [
    "accesskey", "action", "autofocus", "autoplay", "background", "contenteditable", "draggable", "dynsrc",
    "formmethod",
    "lowsrc", "method", "name", "style", "tabindex", "target", "usemap",
  ]
}

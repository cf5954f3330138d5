import TamisCore
import TamisSanitizer
import TamisURL

/// The visible content of an output, and the parts of it that act, load or track.
struct OutputInventory {
  /// The words of the text and of alternative texts, with counts.
  private(set) var words: [String: Int] = [:]
  /// The links without tracking parameters, the pictures that are not trackers, and the media, with counts.
  private(set) var resources: [String: Int] = [:]
  /// The parts that act, load, navigate or track, with counts.
  private(set) var risks: [String: Int] = [:]

  private let known: Known
  private var openDrawings = 0

  /// The lists of the compared rules.
  struct Known {
    /// The known trackers.
    let tracking: TrackingRules
    /// The prefixes of element identifiers that cannot shadow anything of the page.
    let identifiers: [String]
    /// The prefixes of class names without a meaning in the page's styles.
    let classes: [String]

    /// Creates the union of the lists of all policies and of the reading rules.
    init(_ policies: [Policy]) {
      let all = (policies + [.reading]).map(\.improvements)
      var lists = Policy.reading.improvements
      for improvements in all {
        lists.trackingParameters.formUnion(improvements.trackingParameters)
        lists.trackingHosts.formUnion(improvements.trackingHosts)
      }
      tracking = TrackingRules(lists)
      identifiers = all.compactMap(\.idPrefix).filter { !$0.isEmpty }
      classes = all.flatMap { $0.classPrefixes ?? [] }
    }
  }

  init(_ html: String, known: Known) {
    self.known = known
    var scanner = OutputScanner(html)
    var text: [UInt8] = []
    // Unreadable markup ends the inventory; the output contract reports it.
    while let token = try? scanner.next() {
      switch token {
      case .text(let range): text += scanner[range]
      case .end(let name):
        if name.asciiLowercased() == "svg" { openDrawings -= 1 }
        if !Self.inline.contains(name.asciiLowercased()) { text.append(ASCII.space) }
      case .start(let name, let attributes, _):
        if name.asciiLowercased() == "svg" { openDrawings += 1 }
        if !Self.inline.contains(name.asciiLowercased()) { text.append(ASCII.space) }
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
      if isForeign(name, value) { risks["ids or classes of the surrounding page (\(name))", default: 0] += 1 }
      if Self.riskyAttributes.contains(name) { risks["\(element)@\(name)", default: 0] += 1 }
      if let scheme = Self.scheme(of: value, in: name) { risks["the scheme \(scheme):", default: 0] += 1 }
    }
    switch element {
    case "a":
      guard let href = values["href"] else { return }
      let isProtected = values["rel"]?.contains("noopener") == true || href.hasPrefix("#") || openDrawings > 0
      if !isProtected { risks["links without noopener", default: 0] += 1 }
      let clean = known.tracking.withoutParameters(Array(href.utf8).span)
      if clean != nil { risks["tracking parameters", default: 0] += 1 }
      if href.hasPrefix("#") {
        // The same link, whatever prefix its target has.
        let name = href.dropFirst()
        let prefix = known.identifiers.first { name.hasPrefix($0) } ?? ""
        resources["the link #\(name.dropFirst(prefix.count))", default: 0] += 1
        return
      }
      resources["the link \(clean.map { String(decoding: $0, as: UTF8.self) } ?? href)", default: 0] += 1
    case "img":
      for word in (values["alt"] ?? "").split(whereSeparator: \.isWhitespace) { words[String(word), default: 0] += 1 }
      guard let source = values["src"] ?? values["srcset"] else { return }
      let isPixel = [values["width"], values["height"]].contains { ["0", "1"].contains($0) }
      if isPixel || known.tracking.isTracker(Array(source.utf8).span) {
        risks["tracking pictures", default: 0] += 1
      } else {
        resources["the picture \(source)", default: 0] += 1
      }
    case "audio", "video", "source", "track":
      for name in ["src", "poster"] {
        guard let source = values[name] else { continue }
        if known.tracking.isTracker(Array(source.utf8).span) {
          risks["tracking pictures", default: 0] += 1
        } else {
          resources["the audio or video \(source)", default: 0] += 1
        }
      }
    default: break
    }
  }

  /// Whether an identifier or a class could be one of the surrounding page.
  private func isForeign(_ name: String, _ value: String) -> Bool {
    switch name {
    case "id", "name": !known.identifiers.contains { value.utf8.starts(with: $0.utf8) }
    case "class":
      value.split(whereSeparator: \.isWhitespace).contains { word in
        !known.classes.contains { word.utf8.starts(with: $0.utf8) }
      }
    default: false
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

  /// The elements that do not separate the words before and after them.
  private static let inline: Set = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u",
    "var", "wbr",
  ]
  /// The controls, and elements that are part of forms or that scripts draw on.
  private static let riskyElements: Set = [
    "button", "canvas", "command", "datalist", "dialog", "fieldset", "form", "input", "keygen", "optgroup", "option",
    "output", "select", "textarea", "use",
  ]
  /// The attributes that act, load, position or shadow.
  private static let riskyAttributes: Set = [
    "accesskey", "action", "autofocus", "autoplay", "background", "contenteditable", "draggable", "dynsrc",
    "formmethod",
    "lowsrc", "method", "style", "tabindex", "target", "usemap",
  ]
}

import TamisCore
import TamisSanitizer

/// A check of the attributes of one element.
struct AttributeCheck {
  let policy: Policy
  let element: OutputElements.Element

  typealias Objection = (rule: OutputContract.Breach.Rule, message: String)

  /// Returns the first objection, or nil when there is none.
  func objection(to attributes: [(name: String, value: String)]) -> Objection? {
    var seen: Set<String> = []
    for (written, value) in attributes {
      let name = written.asciiLowercased()
      let what = "\(element.name)@\(name)"
      guard seen.insert(name).inserted else { return (.grammar, "\(what) is written twice") }
      if let objection = Policy.Floor.objection(toAttribute: name) {
        return (.attribute, "\(what) is below the floor: \(objection)")
      }
      if let forced = policy.forcedAttributes[element.name]?[name] {
        guard value == forced else { return (.attribute, "\(what) is '\(value)' instead of '\(forced)'") }
        continue
      }
      let isAdded = isAdded(name, value: value)
      guard isAllowed(name) || isAdded else { return (.attribute, "\(what) is not allowed") }
      if !isAdded, let other = unlisted(value, of: name) {
        return (.attribute, "\(what): '\(other)' is not among the allowed values")
      }
      if let objection = objection(to: name, value) { return (objection.rule, "\(what): \(objection.message)") }
    }
    return nil
  }

  /// Returns the objection to an element without an attribute that the policy forces on it; nil when it has all.
  func objection(toAbsenceFrom attributes: [(name: String, value: String)]) -> Objection? {
    guard let forced = policy.forcedAttributes[element.name] else { return nil }
    let missing = forced.keys.sorted().first { name in !attributes.contains { $0.name.asciiLowercased() == name } }
    return missing.map { (.attribute, "\(element.name)@\($0) is missing") }
  }

  private func isAllowed(_ name: String) -> Bool {
    let lists = policy.attributes[element.namespace] ?? [:]
    if lists["*"]?.contains(name) == true || lists[element.name]?.contains(name) == true { return true }
    return lists.contains { key, names in
      guard key == "*" || Self.stands(key, for: element.name) else { return false }
      return names.contains(name) || names.contains { Self.stands($0, for: name) }
    }
  }

  /// Whether a name of a policy, which may end with `*`, stands for a name of the output.
  static func stands(_ listed: String, for name: String) -> Bool {
    if listed == name { return true }
    guard listed.utf8.last == UInt8(ascii: "*"), listed.utf8.count > 1 else { return false }
    let isPlain = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._:".utf8.contains($0) }
    return isPlain && name.utf8.starts(with: listed.utf8.dropLast()) && name.utf8.count >= listed.utf8.count
  }

  /// Returns the part of a value that is not among those that the policy lists; nil when all is.
  private func unlisted(_ value: String, of name: String) -> String? {
    guard let list = policy.values[element.name]?[name] ?? policy.values["*"]?[name] else { return nil }
    if name == "class" { return Self.words(value).map { String(Substring($0)) }.first { !list.contains($0) } }
    // The words of `rel` and `type` are written in lower case.
    return list.contains(value) || list.contains { $0.asciiLowercased() == value } ? nil : value
  }

  /// Whether the sanitizer adds the attribute itself.
  private func isAdded(_ name: String, value: String) -> Bool {
    let improvements = policy.improvements
    switch (element.namespace, element.name, name) {
    case (.html, "a", "rel"), (.svg, "a", "rel"): return value == improvements.linkRelations.joined(separator: " ")
    case (.html, "img", "loading"): return improvements.loadsImagesLazily && value == "lazy"
    default: return false
    }
  }

  private func objection(to name: String, _ value: String) -> Objection? {
    let improvements = policy.improvements
    switch name {
    case "srcset", "imagesrcset":
      for url in Self.candidates(value) {
        if let objection = objection(toURL: url, of: name) { return (.url, objection) }
      }
    case "itemtype":
      for url in Self.words(value) {
        if let objection = objection(toURL: String(Substring(url)), of: name) { return (.url, objection) }
      }
    case "align":
      if improvements.alignsPictures, ["img", "figure"].contains(element.name), !["left", "right"].contains(value) {
        return (.attribute, "'\(value)' is not left or right")
      }
    case "style": return styleObjection(value).map { (.style, $0) }
    case "id", "name":
      if element.namespace == .html || name == "id", let prefix = improvements.idPrefix,
        !value.utf8.starts(with: prefix.utf8)
      {
        return (.name, "'\(value)' does not begin with '\(prefix)'")
      }
    case "for", "form", "popovertarget", "commandfor", "interestfor", "invoketarget", "anchor", "contextmenu":
      guard element.namespace == .html else { break }
      guard let prefix = improvements.idPrefix else {
        return (.attribute, "'\(value)' can name an element of the page around, on which a click acts")
      }
      if let other = Self.words(value).first(where: { !$0.starts(with: prefix.utf8) }) {
        return (.name, "'\(Substring(other))' names an element, and does not begin with '\(prefix)'")
      }
    case "headers", "list", "itemref", "aria-activedescendant",
      "aria-controls", "aria-describedby", "aria-details", "aria-errormessage", "aria-flowto", "aria-labelledby",
      "aria-owns":
      if element.namespace != .math || name.hasPrefix("aria"), let prefix = improvements.idPrefix,
        let other = Self.words(value).first(where: { !$0.starts(with: prefix.utf8) })
      {
        return (.name, "'\(Substring(other))' names an element, and does not begin with '\(prefix)'")
      }
    case "class":
      if let prefixes = improvements.classPrefixes,
        let other = Self.words(value).first(where: { word in !prefixes.contains { word.starts(with: $0.utf8) } })
      {
        return (.name, "'\(Substring(other))' has none of the allowed class prefixes")
      }
    case "xmlns", "xmlns:xlink":
      if !Self.vocabularies.contains(value) { return (.attribute, "'\(value)' is not a known namespace") }
    default: break
    }
    let isRead = element.namespace != .html && name != "id" && name != "class"
    if isRead || ["imagesizes", "media", "sizes"].contains(name), Self.nesting(of: value) > 32 {
      return (.place, "brackets nest so deeply that browsers end the page")
    }
    if Self.urlAttributes.contains(name) { return objection(toURL: value, of: name).map { (.url, $0) } }
    if Self.paints.contains(name), element.namespace == .svg {
      if !Self.isHarmlessPaint(value) { return (.style, "'\(value)' loads something") }
      if let prefix = improvements.idPrefix, value.utf8.starts(with: "url(".utf8),
        !value.utf8.starts(with: "url(#\(prefix)".utf8)
      {
        return (.name, "'\(value)' refers to an id without the prefix")
      }
    }
    return nil
  }

  /// The largest number of brackets that are open at one place of a value.
  private static func nesting(of value: String) -> Int {
    var (open, most) = (0, 0)
    for byte in value.utf8 {
      if "([{".utf8.contains(byte) { open += 1 } else if ")]}".utf8.contains(byte), open > 0 { open -= 1 }
      most = max(most, open)
    }
    return most
  }

  private static func words(_ value: String) -> [Substring.UTF8View] { value.utf8.split(whereSeparator: \.isHTMLSpace) }

  // MARK: - URLs

  /// Returns the objection to a URL.
  ///
  /// The scheme is parsed as in browsers: leading white space and controls are ignored, and so are tabs and line ends
  /// anywhere (URL Standard, 4.4).
  private func objection(toURL value: String, of name: String) -> String? {
    if value.isEmpty { return nil }
    if isLocal(name), !value.hasPrefix("#") { return "'\(value)' is not a fragment of the same document" }
    let bytes = value.utf8.drop { $0 <= 0x20 }.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    let end = bytes.firstIndex { !($0.isASCIIAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0)) }
    guard let end, end > 0, bytes[0].isASCIILetter, bytes[end] == UInt8(ascii: ":") else { return nil }
    let scheme = String(decoding: bytes[..<end], as: UTF8.self).asciiLowercased()
    if scheme == "data", policy.urls.allowsDataImages, isImageSource(name) {
      let type = String(decoding: bytes[(end + 1)...].prefix { $0 != 0x2C && $0 != 0x3B }, as: UTF8.self)
      return Self.imageTypes.contains(type.asciiLowercased()) ? nil : "data: of the type '\(type)' is not a picture"
    }
    if ["http", "https"].contains(scheme), !bytes[(end + 1)...].starts(with: "//".utf8) {
      return "'\(value)' leads elsewhere on pages of the same scheme"
    }
    if let objection = Policy.Floor.objection(toScheme: scheme) {
      return "'\(scheme):' is below the floor: \(objection)"
    }
    let single = policy.urls.schemesByAttribute
    let schemes = single[element.name]?[name] ?? single["*"]?[name] ?? policy.urls.schemes
    return schemes.contains(scheme) ? nil : "the scheme '\(scheme)' is not allowed"
  }

  /// Whether a URL may only be a fragment: references of drawings, image maps, and `xml:base`.
  private func isLocal(_ name: String) -> Bool {
    name == "xml:base" || (name == "usemap" && element.namespace == .html)
      || (element.namespace == .svg && element.name != "a" && ["href", "src", "xlink:href"].contains(name))
  }

  private func isImageSource(_ name: String) -> Bool {
    element.namespace == .html && ["img", "source", "video", "audio", "track"].contains(element.name)
      && ["src", "srcset", "poster"].contains(name)
  }

  /// Returns the URLs of a `srcset` (HTML Standard, 4.8.4.3.10): each ends at white space, a descriptor at a comma
  /// outside parentheses.
  private static func candidates(_ sourceSet: String) -> [String] {
    var urls: [String] = []
    // By bytes: to Swift, a comma and a following combining letter are one character.
    var rest = sourceSet.utf8[...]
    while true {
      rest = rest.drop { $0 == UInt8(ascii: ",") || $0.isHTMLSpace }
      guard !rest.isEmpty else { return urls }
      let url = rest.prefix { !$0.isHTMLSpace }
      rest = rest.dropFirst(url.count)
      urls.append(String(Substring(url)))
      guard url.last != UInt8(ascii: ",") else { continue }
      var depth = 0
      rest = rest.drop { byte in
        if byte == UInt8(ascii: "(") { depth += 1 } else if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
        return byte != UInt8(ascii: ",") || depth > 0
      }
    }
  }

  // MARK: - Styles

  /// Returns the objection to a style; the sanitizer writes declarations as `name: value;` with plain tokens only.
  private func styleObjection(_ style: String) -> String? {
    let bytes = Array(style.utf8)
    let isComment = zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "*") }
    if isComment || bytes.contains(where: "\\@{}<".utf8.contains) {
      return "'\(style)' holds more than plain declarations"
    }
    for declaration in bytes.split(separator: UInt8(ascii: ";")) {
      let name = declaration.prefix { $0 != UInt8(ascii: ":") }
      let property = String(decoding: name, as: UTF8.self).trimmed().asciiLowercased()
      let family = String(decoding: property.utf8.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
      let styles = policy.styles
      let isAllowed =
        styles.properties.contains(property) || styles.families.contains(family)
        || element.namespace == .svg && styles.svgProperties.contains(property)
      if !isAllowed { return "the property '\(property)' is not allowed" }
      let value = String(decoding: declaration.dropFirst(name.count + 1), as: UTF8.self).asciiLowercased()
      if property == "position", ["fixed", "absolute", "sticky"].contains(where: value.contains) {
        return "'position:\(value)' leaves the fragment"
      }
      if !Self.hasOnlyColorFunctions(declaration) {
        return "'\(String(decoding: declaration, as: UTF8.self))' calls a function"
      }
    }
    return nil
  }

  private static func hasOnlyColorFunctions(_ text: ArraySlice<UInt8>) -> Bool {
    text.split(separator: UInt8(ascii: "("), omittingEmptySubsequences: false).dropLast().allSatisfy { part in
      let name = part.map(\.asciiLowercased)
      return ["rgb", "rgba", "hsl", "hsla"].contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
  }

  private static func isHarmlessPaint(_ value: String) -> Bool {
    var text = Array(value.trimmed().utf8)[...]
    while text.starts(with: "url(#".utf8) {
      // A fallback for a missing element may follow.
      guard let end = text.firstIndex(of: UInt8(ascii: ")")), !text[..<end].dropFirst(5).contains(UInt8(ascii: "("))
      else {
        return false
      }
      text = text[(end + 1)...].drop(while: \.isHTMLSpace)
    }
    return !text.contains(UInt8(ascii: "\\")) && hasOnlyColorFunctions(text)
  }

  // MARK: - Lists

  /// The attributes whose value is a URL in browsers or older programs (HTML Standard, 3.2.3 and the index of
  /// attributes; HTML 4.01; SVG 2, 16).
  private static let urlAttributes: Set = [
    "action", "altimg", "archive", "background", "cdgroup", "cite", "classid", "code", "codebase", "data", "datasrc",
    "definitionurl", "dynsrc", "href", "icon", "itemid", "longdesc", "lowsrc", "manifest", "poster", "profile", "src",
    "template", "urn", "usemap", "vrml",
    "xlink:href", "xml:base",
  ]
  private static let paints: Set = [
    "clip-path", "color-profile", "cursor", "fill", "filter", "marker", "marker-end", "marker-mid", "marker-start",
    "mask",
    "stroke",
  ]
  private static let imageTypes: Set = [
    "image/avif", "image/bmp", "image/gif", "image/jpeg", "image/jpg", "image/png", "image/webp", "image/x-icon",
  ]
  private static let vocabularies: Set = [
    "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/1999/xlink",
  ]
}

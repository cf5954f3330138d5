/// The lower limit of every policy: nothing in here can be allowed.
public enum Floor {
  /// Elements that run script, load documents, change the page around them, or whose content HTML reads as raw text
  /// (HTML Standard, 13.2.6.4; the noscript and annotation-xml holes are those of the mXSS literature).
  public static let elements: Set<String> = [
    "annotation-xml", "applet", "base", "basefont", "bgsound", "body", "discard", "embed", "feimage", "fencedframe",
    "foreignobject", "frame", "frameset", "handler", "head", "html", "iframe", "isindex", "link", "listener", "meta",
    "noembed", "noframes", "noscript", "object", "param", "plaintext", "portal", "script", "set", "slot", "style",
    "template", "title", "animate", "animatecolor", "animatemotion", "animatetransform", "mpath", "xmp",
  ]

  /// Elements of the floor that harm nothing in SVG.
  static let harmlessInSVG: Set<String> = ["title"]

  /// Elements that are removed with their content: it is code, not text.
  static let droppedWithContent: Set<String> = ["script", "style"]

  /// Why an attribute cannot be allowed; nil when it can.
  public static func objection(toAttribute name: String) -> String? {
    // By bytes: Swift compares a letter with a combining mark as another character.
    if name.utf8.starts(with: "on".utf8) { return "event handlers run script" }
    switch name {
    case "srcdoc": return "a document inside an attribute is not sanitized"
    case "attributionsrc", "formaction", "ping", "http-equiv", "is", "slot", "nonce":
      return "it loads, navigates or changes the page"
    case "attributename", "values", "from", "to", "by": return "animation can set any attribute"
    default: return nil
    }
  }

  /// Why an element cannot be allowed in a namespace; nil when it can.
  public static func objection(toElement name: String, in namespace: Policy.Namespace) -> String? {
    if namespace == .svg, harmlessInSVG.contains(name) { return nil }
    if namespace != .html, name == "font" || ElementTraits.of(name).contains(.breaksOut) {
      return "browsers end the drawing or the formula where this HTML element begins"
    }
    if namespace == .html, name == "image" { return "browsers read it as 'img'; allow that" }
    return elements.contains(name) ? "it can run script, load a document or change the surrounding page" : nil
  }

  /// Why a URL scheme cannot be allowed; nil when it can.
  public static func objection(toScheme scheme: String) -> String? {
    switch scheme {
    case "javascript", "vbscript", "livescript", "mocha", "data", "blob", "filesystem", "about", "view-source", "jar":
      "its URLs can hold script or documents"
    default: nil
    }
  }
}

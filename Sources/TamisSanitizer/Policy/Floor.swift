extension Policy {
  /// The restrictions on every policy: no policy can allow these names.
  public enum Floor {
    /// Elements that run script, load documents, change the page around them, contain raw text, or show others again,
    /// as often as they refer to each other (`use`), or wherever they stand (`selectedcontent`).
    ///
    /// The source is the HTML Standard, 13.2.6.4; the noscript and annotation-xml holes are those of the mXSS
    /// literature.
    public static let elements: Set<String> = [
      "annotation-xml", "applet", "base", "basefont", "bgsound", "body", "dialog", "discard", "embed", "feimage",
      "fencedframe", "filter", "foreignobject", "frame", "frameset", "handler", "head", "html", "iframe", "isindex",
      "link", "listener", "meta",
      "noembed", "noframes", "noscript", "object", "param", "plaintext", "portal", "script", "selectedcontent", "set",
      "slot", "style",
      "template", "title", "animate", "animatecolor", "animatemotion", "animatetransform", "mpath", "use", "xmp",
    ]

    /// Elements of the floor that are harmless in SVG.
    static let harmlessInSVG: Set<String> = ["title"]

    /// Elements that are removed with their content, which is code, not text.
    static let droppedWithContent: Set<String> = ["script", "style"]

    /// Returns the reason why an attribute cannot be allowed; nil when it can.
    public static func objection(toAttribute name: String) -> String? {
      // The comparison is by bytes: to Swift, a letter with a combining mark is another character.
      if name.utf8.starts(with: "on".utf8) { return "event handlers run script" }
      switch name {
      case "srcdoc": return "a document inside an attribute is not sanitized"
      case "attributionsrc", "formaction", "patchsrc", "ping", "http-equiv", "is", "slot", "nonce":
        return "it loads, navigates or changes the page"
      case "accesskey", "autofocus": return "it takes the keys or the focus of the page around it"
      case "marker", "marker-mid", "stroke-dasharray": return "it draws any number of times along a line"
      case "filter": return "browsers compute a few filters for a minute"
      case "attributename", "values", "from", "to", "by": return "animation can set any attribute"
      default: return nil
      }
    }

    /// Returns the reason why an element cannot be allowed in a namespace; nil when it can.
    ///
    /// - Parameters:
    ///   - name: the name of the element, in lower case.
    ///   - namespace: the namespace.
    /// - Returns: the reason in words; nil when the element can be allowed.
    public static func objection(toElement name: String, in namespace: Policy.Namespace) -> String? {
      if namespace == .svg, harmlessInSVG.contains(name) { return nil }
      if namespace != .html, name == "font" || ElementTraits.of(name).contains(.breaksOut) {
        return "browsers end the drawing or the formula where this HTML element begins"
      }
      if name == "filter" { return "browsers compute a few filters for a minute" }
      if namespace == .html, name == "image" { return "browsers read it as 'img'; allow that" }
      return elements.contains(name) ? "it can run script, load a document or change the surrounding page" : nil
    }

    /// Returns the reason why a URL scheme cannot be allowed; nil when it can.
    public static func objection(toScheme scheme: String) -> String? {
      switch scheme {
      case "javascript", "vbscript", "livescript", "mocha", "data", "blob", "filesystem", "about", "view-source", "jar":
        "its URLs can hold script or documents"
      default: nil
      }
    }
  }
}

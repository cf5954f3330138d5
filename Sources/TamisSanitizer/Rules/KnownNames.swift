import TamisCore

/// The names that rules are likely to mean, which are compared with misspelled names.
///
/// They are the elements and attributes of the HTML Standard's index
/// (https://html.spec.whatwg.org/multipage/indices.html), those that it calls obsolete, and the SVG and MathML names in
/// the shipped rules.
enum KnownNames {
  static func elements(_ namespace: Policy.Namespace) -> Set<String> { elements[namespace] ?? [] }

  static func attributes(_ namespace: Policy.Namespace) -> Set<String> { attributes[namespace] ?? [] }

  private static let elements = byNamespace { namespace in
    let shipped = shippedPolicies.reduce(into: Set<String>()) { $0.formUnion($1.elements[namespace] ?? []) }
    return shipped.union(namespace == .html ? ElementTable.known : namespace == .svg ? ["metadata", "textpath"] : [])
  }

  private static let attributes = byNamespace { namespace in
    let shipped = shippedPolicies.reduce(into: Set<String>()) { names, policy in
      for list in (policy.attributes[namespace] ?? [:]).values { names.formUnion(list) }
    }
    return shipped.union(namespace == .html ? htmlAttributes : namespace == .svg ? svgAttributes : [])
  }

  private static func byNamespace(_ names: (Policy.Namespace) -> Set<String>) -> [Policy.Namespace: Set<String>] {
    Dictionary(uniqueKeysWithValues: Policy.Namespace.allCases.map { ($0, names($0)) })
  }

  static var properties: Set<String> {
    shippedPolicies.reduce(into: Set<String>()) { $0.formUnion($1.styles.properties) }
  }

  /// The shipped rules files; `browser-default` is not among them, because it is read with the names of this list.
  private static let shippedPolicies: [Policy] = [.reading, .strict, .universalFeedParser]

  /// Returns the known name that is likely meant; nil when there is none.
  ///
  /// One letter may be added, missing or different, or two may be exchanged.
  static func near(_ name: String, in known: Set<String>) -> String? {
    name.utf8.count > 2 ? NearestName.of(name, among: known, limit: 1) : nil
  }

  private static let svgAttributes = words("lengthadjust method path side spacing startoffset textlength")

  private static let htmlAttributes = words(
    """
    abbr accept accept-charset accesskey action align alink allow allowfullscreen alt async autocapitalize autocomplete \
    autofocus autoplay axis background bgcolor border bordercolor cellpadding cellspacing char charoff charset checked \
    cite class classid clear code codebase codetype color cols colspan compact content contenteditable controls coords \
    crossorigin data datetime declare decoding default defer dir dirname disabled download draggable enctype \
    enterkeyhint face fetchpriority for form formaction formenctype formmethod formnovalidate formtarget frame \
    frameborder headers height hidden high href hreflang hspace http-equiv id imagesizes imagesrcset inert inputmode \
    integrity is itemid itemprop itemref itemscope itemtype kind label lang language link list loading longdesc loop low \
    marginheight marginwidth max maxlength media method min minlength multiple muted name nohref nomodule nonce noshade \
    novalidate nowrap open optimum pattern ping placeholder playsinline popover poster preload profile readonly \
    referrerpolicy rel required rev reversed role rows rowspan rules sandbox scheme scope scrolling selected shape size \
    sizes slot span spellcheck src srcdoc srclang srcset standby start step style summary tabindex target text title \
    translate type usemap valign value valuetype version vlink vspace width wrap xml:base xml:lang
    """)

  private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}

import TamisCore

/// The names that rules are likely to mean, which are compared with misspelled names.
///
/// They are the elements and attributes of the HTML Standard's index
/// (https://html.spec.whatwg.org/multipage/indices.html), those that it calls obsolete, and the SVG and MathML names in
/// the shipped rules.
enum KnownNames {
  static func elements(_ namespace: Policy.Namespace) -> Set<String> {
    let shipped = shippedPolicies.reduce(into: Set<String>()) { $0.formUnion($1.elements[namespace] ?? []) }
    return namespace == .html ? shipped.union(htmlElements) : shipped
  }

  static func attributes(_ namespace: Policy.Namespace) -> Set<String> {
    let shipped = shippedPolicies.reduce(into: Set<String>()) { names, policy in
      for list in (policy.attributes[namespace] ?? [:]).values { names.formUnion(list) }
    }
    return namespace == .html ? shipped.union(htmlAttributes) : shipped
  }

  static var properties: Set<String> {
    shippedPolicies.reduce(into: Set<String>()) { $0.formUnion($1.styles.properties) }
  }

  private static var shippedPolicies: [Policy] { Policy.shippedNames.compactMap(Policy.shipped(named:)) }

  /// Returns the known name that is likely meant; nil when there is none.
  ///
  /// One letter may be added, missing or different, or two may be exchanged.
  static func near(_ name: String, in known: Set<String>) -> String? {
    name.utf8.count > 2 ? NearestName.of(name, among: known, limit: 1) : nil
  }

  private static let htmlElements = words(
    """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br \
    button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed \
    fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img \
    input ins isindex kbd keygen label legend li link listing main map mark marquee menu menuitem meta meter nav nobr \
    noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby \
    s samp script search section select slot small source spacer span strike strong style sub summary sup table tbody td \
    template textarea tfoot th thead time title tr track tt u ul var video wbr xmp
    """)

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

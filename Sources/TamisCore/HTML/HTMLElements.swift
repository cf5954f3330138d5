/// Sets of element names from the HTML Standard, in lower case, shared by all modules.
///
/// The output checker (`TamisCheck`) does not use them, since it shares no knowledge with what it checks.
package enum HTMLElements {
  /// Elements without content and end tag: the void elements (13.1.2), and those that are serialized like them (13.3).
  ///
  /// `command` and `isindex`, which older lists contain, are not included: browsers read content in both.
  package static let void = words(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")

  /// All elements of the index of elements, and those that the Standard calls obsolete (16.2); `svg` and `math`.
  package static let known = words(
    """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br \
    button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed \
    fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img \
    input ins isindex kbd keygen label legend li link listing main map mark marquee menu menuitem meta meter nav nobr \
    noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby \
    s samp script search section select slot small source spacer span strike strong style sub summary sup table tbody td \
    template textarea tfoot th thead time title tr track tt u ul var video wbr xmp
    """
  ).union(["svg", "math"])

  /// `h1` to `h6`.
  package static let headings = words("h1 h2 h3 h4 h5 h6")

  /// Elements whose start tag closes an open paragraph (13.2.6.4.7).
  package static let blocks = headings.union(
    words(
      """
      address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form header \
      hgroup hr li listing main menu nav ol p pre search section summary table ul
      """))

  /// Formatting elements, which browsers reopen after they were implicitly closed (13.2.4.3).
  package static let formatting = words("a b big code em font i nobr s small strike strong tt u")

  /// Elements that can be inside a word (4.5, and their predecessors).
  package static let inWords = words(
    """
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strike strong \
    sub sup time tt u var wbr
    """)

  /// Elements at which a browser leaves SVG and MathML (13.2.6.5).
  package static let endingForeignContent = headings.union(
    words(
      """
      b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta nobr ol p pre ruby s \
      small span strong strike sub sup table tt u ul var
      """))

  /// Returns a space-separated list of names as a set.
  package static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}

/// The style of books and mails, which is minimal since readers have fonts, sizes and colors of their own, also at
/// night.
enum BookStyle {
  /// The rules for both.
  static let common = """
    .by, .link, .rights, small, .caption, figcaption { font-size: 0.85em; }
    .by { margin: 0 0 1em; }
    .link, .rights { margin: 0.5em 0; }
    .rights { opacity: 0.8; }
    h1, h2, h3, h4, h5, h6, [role="heading"] { line-height: 1.2; margin: 1.2em 0 0.5em; text-align: start; }
    div.h1, div.h2, div.h3, div.h4, div.h5, div.h6, div.b, div.strong, div.summary { font-weight: bold; }
    div.i, div.em, div.cite, div.address { font-style: italic; }
    div.details, div.p, div.pre { margin: 1em 0; }
    div.small { font-size: smaller; }
    div.s { text-decoration: line-through; }
    div.u { text-decoration: underline; }
    pre, code, kbd, samp, div.pre, div.code { font-family: monospace; }
    pre, div.pre { white-space: pre-wrap; overflow-wrap: break-word; font-size: 0.85em; }
    img, svg { max-width: 100%; height: auto; }
    svg:not([width], :has(text, image)) { width: 1.5em; }
    figure { margin: 1em 0; }
    .center { text-align: center; }
    .caption { display: block; }
    blockquote { margin: 1em 1.5em; padding: 0; }
    table { border-collapse: collapse; }
    td, th { border: 1px solid currentColor; padding: 0.2em 0.4em; text-align: start; vertical-align: top; }

    """

  /// The rules for books only.
  static let css =
    common + """
      body { margin: 0 2%; line-height: 1.5; }
      article > h1 { page-break-before: avoid; margin-top: 0.5em; }
      .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0); }
      nav ol, .chapters { list-style: none; padding: 0; }
      nav ol ol { margin: 0 0 1em 1em; }
      .cover { text-align: center; margin-top: 25%; }
      .cover h1 { text-align: center; font-size: 2em; }

      """

  /// The rules for mails only.
  static let mail =
    common + """
      :root { color-scheme: light dark; }
      body { max-width: 40em; margin: 1em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5; }
      article { border-top: 1px solid currentColor; margin-top: 1.5em; }
      .unseen { font-size: 0.85em; }

      """
}

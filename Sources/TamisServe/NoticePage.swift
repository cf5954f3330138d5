import TamisCore
import TamisSystem

/// A page in place of those of a site: the site is being built, or could not be.
struct NoticePage: Sendable, Hashable {
  /// The heading.
  let title: String
  /// The text below it, with its lines.
  let text: String

  /// Creates a page.
  init(title: String, text: String) { (self.title, self.text) = (title, text) }

  private static let style =
    "body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}"
    + "pre{white-space:pre-wrap;overflow-wrap:anywhere}"

  /// The markup of the page, whose policy allows its style alone.
  var markup: String {
    let policy =
      "default-src &#39;none&#39;; style-src &#39;sha256-\(SHA256(Self.style).base64)&#39;; base-uri &#39;none&#39;"
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escaped(title))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>\(Self.escaped(title))</h1>
      <pre>\(Self.escaped(text))</pre>
      </main>
      </body>
      </html>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}

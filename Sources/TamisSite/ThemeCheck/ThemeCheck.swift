package import TamisCore

/// A check of a theme for things that the page policy blocks, requests to other hosts, and missing structure
/// for screen readers.
package struct ThemeCheck {
  private let theme: Site.Theme
  private let name: String
  private var findings: [Finding] = []

  /// Checks a theme.
  ///
  /// - Parameters:
  ///   - theme: the theme.
  ///   - name: its name in the findings.
  /// - Returns: the findings about the style, the templates and the pages; empty when there are none.
  package static func findings(in theme: Site.Theme, named name: String) -> [Finding] {
    var check = ThemeCheck(theme: theme, name: name)
    check.style()
    check.templates()
    check.pages()
    return check.findings
  }

  private mutating func report(
    _ severity: Finding.Severity, _ code: String, _ message: String, in file: String, line: Int = 0
  ) {
    findings.append(Finding(severity, code, message, at: Finding.Location(file: "\(name)/\(file)", line: line)))
  }

  // MARK: - The style sheet

  private mutating func style() {
    let text = Self.withoutComments(String(decoding: theme.files["style.css"] ?? [], as: UTF8.self))
    for (number, line) in Self.lines(text) {
      let line = line.lowercased()
      if line.contains("@import") {
        report(.error, "theme.request", "@import loads another file; put its rules here", in: "style.css", line: number)
      }
      if Self.loads(line) {
        report(
          .error, "theme.request", "url(…) loads a file; only data: URLs are allowed", in: "style.css",
          line: number)
      }
    }
    for (number, line) in Self.lines(text) {
      let line = line.lowercased().filter { $0 != " " }
      // What an author has put on one side of the screen stays there in both writing directions.
      if line.contains("[align=") || line.contains(":dir(") { continue }
      for property in Self.sided where line.contains(property) {
        report(
          .warning, "theme.direction",
          "\(property) names a side of the screen; use start or end, for scripts from right to left", in: "style.css",
          line: number)
      }
    }
  }

  /// The properties that name a side of the screen rather than of the text.
  private static let sided =
    ["margin", "padding", "border"].flatMap { ["\($0)-left", "\($0)-right"] }
    + ["text-align", "float", "clear"].flatMap { ["\($0):left", "\($0):right"] }

  /// Returns the style sheet without comments but with the same line numbers.
  private static func withoutComments(_ text: String) -> String {
    var parts = text.split(separator: "/*", omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      let end = parts[index].firstRange(of: "*/")
      let comment = parts[index][..<(end?.lowerBound ?? parts[index].endIndex)]
      parts[index] = String(comment.filter { $0 == "\n" }) + parts[index][(end?.upperBound ?? parts[index].endIndex)...]
    }
    return parts.joined()
  }

  /// Whether a line has a `url()` that is neither a data URL nor an anchor in the page.
  private static func loads(_ line: String) -> Bool {
    line.split(separator: "url(", omittingEmptySubsequences: false).dropFirst().contains { rest in
      let address = rest.drop { $0 == " " || $0 == "\"" || $0 == "'" }
      return !address.hasPrefix("data:") && !address.hasPrefix("#")
    }
  }

  // MARK: - Templates

  private static let refused = [
    "<script", "<iframe", "<object", "<embed", "<form", "<base", "<frame", "<applet", "javascript:",
  ]

  private mutating func templates() {
    for (file, bytes) in theme.files.sorted(by: { $0.key < $1.key }) where file.hasSuffix(".mustache") {
      for (number, line) in Self.lines(String(decoding: bytes, as: UTF8.self)) {
        let lower = line.lowercased()
        for word in Self.refused where lower.contains(word) {
          // The policy of the search page allows its form to submit to the search engine.
          if word == "<form", file == "search.mustache" { continue }
          report(.error, "theme.policy", "pages hold no \(word)", in: file, line: number)
        }
        if lower.contains("<style") {
          report(
            .error, "theme.policy",
            "a <style> is refused by the pages' policy; write <link rel=\"stylesheet\" href=\"{{root}}{{style}}\">",
            in: file,
            line: number)
        }
        for (attribute, value) in Self.attributes(lower) {
          if attribute.hasPrefix("on") {
            report(.error, "theme.policy", "\(attribute)= is a script; pages run no script", in: file, line: number)
          } else if attribute == "style" {
            report(
              .error, "theme.policy", "style= is refused by the pages' policy; put it into style.css", in: file,
              line: number)
          } else if ["src", "srcset", "poster", "data"].contains(attribute), Self.isElsewhere(value) {
            report(.error, "theme.request", "\(attribute)= loads \(value.prefix(60))", in: file, line: number)
          } else if attribute == "href", lower.contains("<link"), Self.isElsewhere(value),
            ["stylesheet", "preload", "preconnect", "dns-prefetch", "icon", "modulepreload", "manifest"].contains(
              where: lower.contains)
          {
            report(.error, "theme.request", "<link> loads \(value.prefix(60))", in: file, line: number)
          }
        }
      }
    }
  }

  private static func isElsewhere(_ value: String) -> Bool {
    !value.isEmpty && !value.hasPrefix("{{") && !value.hasPrefix("data:") && !value.hasPrefix("#")
  }

  /// Returns the attributes in a line, whatever tags they are in.
  private static func attributes(_ line: String) -> [(String, String)] {
    line.split(separator: "=\"", omittingEmptySubsequences: false).reduce(into: (name: "", list: [(String, String)]()))
    {
      state, piece in
      if !state.name.isEmpty { state.list.append((state.name, String(piece.prefix { $0 != "\"" }))) }
      state.name = String(piece.reversed().prefix { $0.isLetter || $0 == "-" }.reversed())
    }.list
  }

  // MARK: - Pages

  private mutating func pages() {
    for (file, bytes) in SamplePages(theme).all { check(file, bytes) }
    guard let arabic = Site.Words.shipped("ar") else { return }
    let mirrored = SamplePages(theme, arabic).all.filter { !Self.root(of: $0.page).contains("dir=\"rtl\"") }
    for file in Set(mirrored.map(\.file)).sorted() {
      report(
        .warning, "theme.page",
        "this page does not say its direction: <html lang=\"{{lang}}\" dir=\"{{dir}}\">; Arabic runs from right to left",
        in: file)
    }
  }

  /// Returns the `html` start tag of a page.
  private static func root(of page: [UInt8]) -> String {
    let text = String(decoding: page.prefix(1000), as: UTF8.self)
    return text.firstRange(of: "<html").map { String(text[$0.lowerBound...].prefix { $0 != ">" }) } ?? ""
  }

  private mutating func check(_ file: String, _ bytes: [UInt8]) {
    let page = String(decoding: bytes, as: UTF8.self).lowercased()
    func count(_ text: String) -> Int { page.split(separator: text, omittingEmptySubsequences: false).count - 1 }
    // A drawing may have a title too.
    let head = page[..<(page.firstRange(of: "</head>")?.lowerBound ?? page.endIndex)]
    let titles = head.split(separator: "<title>", omittingEmptySubsequences: false)
    let wanted: [(Bool, String)] = [
      (page.hasPrefix("<!doctype html>"), "does not begin with <!doctype html>"),
      (page.contains("<html lang=\""), "has no language: <html lang=\"{{lang}}\">"),
      (page.contains("<meta charset=\"utf-8\">"), "does not say <meta charset=\"utf-8\">"),
      (
        Self.beginsWithPolicy(page),
        "does not begin its <head> with <meta charset> and the Content-Security-Policy, {{csp}}: what is before it is not bound by it"
      ),
      (Site.wrote(bytes), "has no generator near its beginning: <meta name=\"generator\" content=\"{{generator}}\">"),
      (page.contains("name=\"viewport\""), "has no viewport: the page would be tiny on a phone"),
      (titles.count == 2 && !titles[1].hasPrefix("</title>"), "has no title, or several"),
      (count("<h1") == 1, "has \(count("<h1")) headings of the first level; it needs one"),
      (count("<main") == 1, "has \(count("<main")) <main>; it needs one"),
      (!page.contains("<img") || count("<img") == count(" alt=\""), "has a picture without alt=\"\""),
    ]
    for (isWell, problem) in wanted where !isWell { report(.error, "theme.page", "this page \(problem)", in: file) }
    if count("<nav") > 0, count("<nav") != count("<nav aria-label") + count("<nav class") {
      report(.warning, "theme.page", "a <nav> has no name: aria-label=\"…\"", in: file)
    }
  }

  /// Whether the head of a page begins with its encoding and its policy.
  private static func beginsWithPolicy(_ page: String) -> Bool {
    guard let head = page.firstRange(of: "<head>") else { return false }
    let rest = page[head.upperBound...].split(separator: "<").filter { !$0.allSatisfy(\.isWhitespace) }
    guard rest.count > 1, page[head.upperBound...].drop(while: \.isWhitespace).first == "<" else { return false }
    return rest[0].hasPrefix("meta charset=") && rest[1].contains("http-equiv=\"content-security-policy\"")
      && rest[0].trimmed().hasSuffix(">")
  }

  private static func lines(_ text: String) -> [(Int, Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
  }
}

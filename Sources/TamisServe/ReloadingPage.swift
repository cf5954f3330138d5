import TamisSystem

/// Adds a script to a page that reloads it when the site has changed; the page on disk stays without any.
enum ReloadingPage {
  /// The target that answers with the present version of the site; no file can have it.
  static let versionTarget = "/.tamis/version"

  /// The script: it asks for the version every 0.7 seconds while its page is looked at.
  static let script = """
    const version = document.currentScript.dataset.version
    setInterval(async () => {
      if (document.hidden) return
      try {
        const answer = await fetch("\(versionTarget)")
        if (answer.ok && await answer.text() !== version) location.reload()
      } catch {}
    }, 700)
    """

  /// What the policy of a page needs besides for the script (Content Security Policy Level 3, 2.4).
  private static let sources = [("script-src", "'sha256-\(SHA256(script).base64)'"), ("connect-src", "'self'")]

  /// Returns a policy that also allows the script.
  static func policy(_ policy: String) -> String {
    var directives = policy.split(separator: ";").map { String($0.drop { $0 == " " }) }
    for (name, source) in sources {
      if let index = directives.firstIndex(where: { $0.hasPrefix(name + " ") }) {
        // The search page has a script and connections of its own.
        if !directives[index].contains(source) { directives[index] += " " + source }
      } else {
        directives.append(name + " " + source)
      }
    }
    return directives.joined(separator: "; ")
  }

  private static let tag = Array(#"<meta http-equiv="Content-Security-Policy" content=""#.utf8)
  /// The number of bytes at the beginning of a page that are searched for its policy.
  private static let head = 8192

  /// Returns a page with the script, which its own policy allows.
  ///
  /// - Parameters:
  ///   - bytes: the page.
  ///   - version: the version of the site that the page is part of.
  /// - Returns: the page.
  static func page(_ bytes: [UInt8], version: String) -> [UInt8] {
    var page = bytes
    page += "<script data-version=\"\(version)\">\(script)</script>\n".utf8
    guard let start = page.prefix(head).firstRange(of: tag)?.upperBound,
      let end = page[start...].firstIndex(of: UInt8(ascii: "\""))
    else { return page }
    let written = String(decoding: page[start..<end], as: UTF8.self)
    let policy = Self.policy(written.replacing("&#39;", with: "'"))
    page.replaceSubrange(start..<end, with: policy.replacing("'", with: "&#39;").utf8)
    return page
  }
}

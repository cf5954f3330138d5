import TamisCore

/// The headers that a server should send with every page: the page's own policy, and headers that a page cannot set
/// itself.
struct ServerHeaders {
  private let policy: String
  /// The policy that also allows the script of the search page; nil for a site without it.
  private let scriptPolicy: String?
  /// The other headers.
  private let others: [(name: String, value: String)]

  private static let policyName = "Content-Security-Policy"
  /// The paths of search pages, as a regular expression.
  ///
  /// The expression holds wherever the site is on its server; other pages of that name refuse the script by the policy
  /// that they contain.
  private static let searchPath = #"/search\.html$"#

  init(_ settings: SiteSettings) {
    let end = "; frame-ancestors 'none'"
    policy = PagePolicy.served(settings) + end
    scriptPolicy = settings.search == .page ? PagePolicy.served(settings, allowsScript: true) + end : nil
    others =
      [
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
      ] + (settings.isUnlisted ? [("X-Robots-Tag", "noindex")] : [])
  }

  /// The headers for Netlify and compatible hosts (https://docs.netlify.com/routing/headers/).
  ///
  /// Such a host joins the headers of all patterns that match, and a browser applies every policy that it gets, so that
  /// a pattern of the search page could not allow its script. The policy of all pages allows it here; the policy that
  /// each page contains refuses it on all the others.
  var netlify: String {
    let fields = [(name: Self.policyName, value: scriptPolicy ?? policy)] + others
    return "# Written by Tamis.\n/*\n" + fields.map { "  \($0.name): \($0.value)\n" }.joined()
  }

  /// The headers as a file to include in a `server` block of nginx.
  ///
  /// A `location` of the search page would inherit nothing from the other ones, such as a root or a password.
  var nginx: String {
    let variable = "$tamis_policy"
    let choice =
      scriptPolicy.map { script in
        """
        set \(variable) "\(policy)";
        if ($uri ~ "\(Self.searchPath)") {
        set \(variable) "\(script)";
        }

        """
      } ?? ""
    let fields = [(name: Self.policyName, value: scriptPolicy == nil ? policy : variable)] + others
    return "# Written by Tamis: include this file in the server block.\n" + choice
      + fields.map { "add_header \($0.name) \"\($0.value)\" always;\n" }.joined() + "error_page 404 /404.html;\n"
  }

  /// The headers as a file to import in a site block of Caddy.
  var caddy: String {
    func block(_ matcher: String, _ fields: [(name: String, value: String)]) -> String {
      "header \(matcher){\n" + fields.map { "\t\($0.name) \"\($0.value)\"\n" }.joined() + "}\n"
    }
    var headers = block("", [(Self.policyName, policy)] + others)
    if let scriptPolicy {
      headers =
        "@search path_regexp \(Self.searchPath)\n@others not path_regexp \(Self.searchPath)\n" + block("", others)
        + block("@others ", [(Self.policyName, policy)]) + block("@search ", [(Self.policyName, scriptPolicy)])
    }
    return "# Written by Tamis: import this file in the site block.\n" + headers
      + "handle_errors {\n\t@missing expression {err.status_code} == 404\n\trewrite @missing /404.html\n\tfile_server\n}\n"
  }
}

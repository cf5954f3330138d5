import TamisCore

/// The headers that a server should send with every page: the page's own policy, and headers that a page cannot set
/// itself.
struct ServerHeaders {
  private typealias Field = (name: String, value: String)

  private let fields: [Field]
  /// The headers of the search page, where its script is allowed, and its path on the server; nil for a site without.
  private let search: (path: String, fields: [Field])?

  init(_ options: Site.Options) {
    fields = Self.fields(options, policy: PagePolicy.served(options))
    let folder = options.address.flatMap { $0.split(separator: "/", maxSplits: 2).dropFirst(2).first } ?? ""
    search =
      options.search == .page
      ? (
        "/\(folder)\(Site.searchPath.text)",
        Self.fields(options, policy: PagePolicy.served(options, allowsScript: true))
      ) : nil
  }

  private static func fields(_ options: Site.Options, policy: String) -> [Field] {
    [
      ("Content-Security-Policy", policy + "; frame-ancestors 'none'"),
      ("Referrer-Policy", "no-referrer"),
      ("X-Content-Type-Options", "nosniff"),
      ("X-Frame-Options", "DENY"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ] + (options.isUnlisted ? [("X-Robots-Tag", "noindex")] : [])
  }

  /// The headers for Netlify and compatible hosts (https://docs.netlify.com/routing/headers/).
  ///
  /// Such a host joins the headers of all patterns that match, and a browser applies every policy that it gets, so that
  /// a pattern of the search page could not allow its script. The policy of all pages allows it here; the policy that
  /// each page contains refuses it on all the others.
  var netlify: String {
    "# Written by Tamis.\n/*\n" + (search?.fields ?? fields).map { "  \($0.name): \($0.value)\n" }.joined()
  }

  /// The headers as a file to include in a `server` block of nginx.
  ///
  /// A `location` with headers of its own has no others (https://nginx.org/en/docs/http/ngx_http_headers_module.html).
  var nginx: String {
    func lines(_ fields: [Field]) -> String {
      fields.map { "add_header \($0.name) \"\($0.value)\" always;\n" }.joined()
    }
    return "# Written by Tamis: include this file in the server block.\n" + lines(fields)
      + (search.map { "location = \"\($0.path)\" {\n\(lines($0.fields))}\n" } ?? "") + "error_page 404 /404.html;\n"
  }

  /// The headers as a file to import in a site block of Caddy.
  var caddy: String {
    func block(_ matcher: String, _ fields: [Field]) -> String {
      "header \(matcher){\n" + fields.map { "\t\($0.name) \"\($0.value)\"\n" }.joined() + "}\n"
    }
    // Headers of several matchers that match would be sent together.
    let headers =
      search.map { search in
        "@search path \"\(search.path)\"\n@others not path \"\(search.path)\"\n" + block("@others ", fields)
          + block("@search ", search.fields)
      } ?? block("", fields)
    return "# Written by Tamis: import this file in the site block.\n" + headers
      + "handle_errors {\n\t@missing expression {err.status_code} == 404\n\trewrite @missing /404.html\n\tfile_server\n}\n"
  }
}

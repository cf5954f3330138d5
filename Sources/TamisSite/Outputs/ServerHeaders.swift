/// The headers that a server should send with every page: the page's own policy, and headers that a page cannot set
/// itself.
struct ServerHeaders {
  private let fields: [(name: String, value: String)]

  init(_ options: Site.Options) {
    let policy = PagePolicy.served(options)
    fields =
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
  var netlify: String {
    "# Written by Tamis.\n/*\n" + fields.map { "  \($0.name): \($0.value)\n" }.joined()
  }

  /// The headers as a file to include in a `server` block of nginx.
  var nginx: String {
    "# Written by Tamis: include this file in the server block.\n"
      + fields.map { "add_header \($0.name) \"\($0.value)\" always;\n" }.joined() + "error_page 404 /404.html;\n"
  }

  /// The headers as a file to import in a site block of Caddy.
  var caddy: String {
    "# Written by Tamis: import this file in the site block.\nheader {\n"
      + fields.map { "\t\($0.name) \"\($0.value)\"\n" }.joined()
      + "}\nhandle_errors {\n\t@missing expression {err.status_code} == 404\n\trewrite @missing /404.html\n\tfile_server\n}\n"
  }
}

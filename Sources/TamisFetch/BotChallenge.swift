package import TamisCore

/// A service before a server that asks visitors for proof that they are people, which a feed reader cannot give.
///
/// A service is recognized by what its answers alone have: header fields of refused requests, which some of them
/// document, and for pages that are sent with a status of success, addresses and names in the page.
package struct BotChallenge: Sendable, Hashable {
  /// The name of the service.
  package let service: String

  /// What answers of a service have.
  private struct Evidence {
    let service: String
    /// The name of a header field of a refused request, and how its value begins.
    var field: (name: String, value: String)?
    /// Texts of which a page has at least one.
    var markers: [String] = []
  }

  /// Sources: Cloudflare, "Detect a Challenge Page response"; AWS WAF, "How actions work"; Vercel, "Attack challenge
  /// mode"; the pages themselves for the others, as they were in 2026.
  private static let table = [
    Evidence(service: "Cloudflare", field: ("cf-mitigated", "challenge"), markers: ["window._cf_chl_opt"]),
    Evidence(service: "Anubis", markers: ["/.within.website/x/cmd/anubis/", "id=\"anubis_challenge\""]),
    Evidence(service: "DataDome", field: ("x-datadome", ""), markers: ["https://ct.captcha-delivery.com/"]),
    Evidence(service: "AWS WAF", field: ("x-amzn-waf-action", ""), markers: ["window.gokuProps"]),
    Evidence(
      service: "Vercel", field: ("x-vercel-mitigated", "challenge"),
      markers: ["<title>Vercel Security Checkpoint</title>"]),
    Evidence(service: "Kasada", field: ("x-kpsdk-ct", "")),
    Evidence(service: "Imperva", markers: ["Incapsula incident ID"]),
    Evidence(service: "Sucuri", markers: ["sucuri_cloudproxy_js="]),
    Evidence(service: "DDoS-Guard", markers: ["/.well-known/ddos-guard/js-challenge/"]),
    Evidence(service: "HUMAN", markers: ["id=\"px-captcha\""]),
    Evidence(service: "go-away", markers: ["/.well-known/.git.gammaspectra.live/git/go-away/"]),
  ]

  /// The number of bytes of a page that are searched.
  private static let searched = 64 << 10

  /// Recognizes a refused request by its answer; nil when no known service refused it.
  ///
  /// - Parameters:
  ///   - status: the status.
  ///   - fields: the header fields.
  package init?(status: Int, fields: [HeaderField]) {
    // Some services mark every answer, and only refusals are challenges.
    guard [202, 401, 403, 405, 429, 503].contains(status) else { return nil }
    let found = Self.table.first { evidence in
      guard let field = evidence.field, let value = fields.value(of: field.name) else { return false }
      return value.asciiLowercased().hasPrefix(field.value)
    }
    guard let found else { return nil }
    service = found.service
  }

  /// Recognizes a page that was sent in place of a document; nil when it is of no known service.
  ///
  /// A page that only mentions a service can be taken for its challenge, so that this tells why something is no feed,
  /// and never that it is none.
  ///
  /// - Parameter page: the beginning of the page.
  package init?(page: [UInt8]) {
    let beginning = page.prefix(Self.searched)
    let found = Self.table.first { $0.markers.contains { ByteScan.contains(Array($0.utf8), in: beginning) } }
    guard let found else { return nil }
    service = found.service
  }

  /// Returns the problem of a request that met the challenge.
  ///
  /// - Parameter status: the status of the answer; nil when there was none.
  /// - Returns: the problem, with what can be done.
  package func problem(status: Int?) -> FetchProblem {
    let code = status.map { " (\($0))" } ?? ""
    let message = "\(service) asks for proof that a person reads this\(code), which no feed reader can give"
    var problem = FetchProblem(.challenge, message, status: status)
    problem.advice = "only the owner of the feed can help, and exempt its address from the check"
    return problem
  }
}

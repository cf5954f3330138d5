extension Planet {
  /// The settings for what the requests for a feed send to the feed's own server.
  package struct RequestSettings: Sendable, Hashable {
    /// The user agent; nil for that of all requests.
    package var userAgent: String?
    /// The user name and the password (HTTP Basic, RFC 7617); nil for none.
    package var login: Planet.Login?
    /// Header fields, whose names differ in any case.
    package var headers: [Planet.SentField] = []
    /// Cookies, whose names differ.
    package var cookies: [Planet.SentField] = []

    /// Whether a setting of the feed could not be read.
    ///
    /// Nothing is asked then: what comes without a login may be another document, and would replace the right one, and
    /// what a misspelled filter is to hold back would be shown.
    package var isFaulty = false

    /// Whether nothing is added.
    package var isEmpty: Bool { !isFaulty && self == RequestSettings() }

    /// The secrets that are named, each once.
    package var secrets: [Planet.SecretName] {
      var seen: Set<Planet.SecretName> = []
      let names = [login?.user.secret, login?.password] + (headers + cookies).map(\.value.secret)
      return names.compactMap(\.self).filter { seen.insert($0).inserted }
    }

    /// These settings without those that name a secret.
    package var withoutSecrets: RequestSettings {
      var settings = self
      settings.login = nil
      settings.headers.removeAll { $0.value.secret != nil }
      settings.cookies.removeAll { $0.value.secret != nil }
      return settings
    }

    /// A text that changes when other things are sent, except by another value of a secret.
    package var fingerprint: String {
      let login = login.map { RequestText.login($0) } ?? ""
      return [userAgent ?? "", login, RequestText.fields(headers), RequestText.fields(cookies)].joined(separator: "\n")
    }

    /// Whether two settings send the same, as far as they could be read.
    package static func == (lhs: RequestSettings, rhs: RequestSettings) -> Bool {
      lhs.userAgent == rhs.userAgent && lhs.login == rhs.login && lhs.headers == rhs.headers
        && lhs.cookies == rhs.cookies
    }

    /// Hashes what is sent.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(userAgent)
      hasher.combine(login)
      hasher.combine(headers)
      hasher.combine(cookies)
    }
  }

  /// A user name and a password.
  package struct Login: Sendable, Hashable {
    /// The user name.
    package var user: Planet.SentText
    /// The password, which a configuration names and does not contain.
    package var password: Planet.SecretName
  }

  /// A header field or a cookie.
  package struct SentField: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The value.
    package var value: Planet.SentText
  }

  /// A text that is sent: as the configuration has it, or the value of a secret.
  package enum SentText: Sendable, Hashable {
    /// The text itself, which is no secret.
    case text(String)
    /// The value of a secret, which is not in the configuration.
    case secret(Planet.SecretName)

    /// The secret; nil for a text.
    package var secret: Planet.SecretName? { if case .secret(let name) = self { name } else { nil } }
  }

  /// The name of a secret, under which its value is looked up when a feed is fetched.
  package struct SecretName: Sendable, Hashable {
    /// The name: capital letters, digits and `_`.
    package var name: String
    /// The line of the configuration that names it, from 1.
    package var line: Int

    /// Whether two names are equal, wherever they are written.
    package static func == (lhs: SecretName, rhs: SecretName) -> Bool { lhs.name == rhs.name }

    /// Hashes the name without its line.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The maximum length of a name, in bytes (64).
    static let longest = 64

    /// Whether a text is the name of a secret.
    ///
    /// Small letters are refused, so that a password written in place of a name is hardly ever taken for one.
    package static func isValid(_ text: some StringProtocol) -> Bool {
      let bytes = text.utf8
      return (1...longest).contains(bytes.count) && bytes.first.map { (0x41...0x5A).contains($0) } == true
        && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
  }

  /// The maximum number of header fields, and of cookies, of one feed or group (50).
  package static let mostSentFields = 50
  /// The maximum length of a value that is sent, in bytes (4096).
  package static let longestSentText = 4096

  /// Returns the reason why a text cannot be sent; nil when it can.
  ///
  /// - Parameters:
  ///   - text: the text, without white space around it.
  ///   - use: what it is sent as.
  /// - Returns: the reason as the end of a sentence, which does not contain the text.
  package static func objection(toSending text: String, as use: SentUse) -> String? {
    if text.isEmpty { return "is empty" }
    if text.utf8.count > longestSentText { return "is longer than \(longestSentText) bytes" }
    if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      return "has a line break or another control character"
    }
    switch use {
    case .user where text.contains(":"): return "has a colon, which no user name of HTTP Basic can have"
    case .cookie where text.contains(";"): return "has a semicolon, which ends a cookie; write each cookie by itself"
    case .user, .cookie, .field: return nil
    }
  }

  /// What a text is sent as.
  package enum SentUse: Sendable { case field, cookie, user }
}

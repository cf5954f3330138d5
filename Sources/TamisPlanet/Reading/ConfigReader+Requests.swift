import TamisCore
import TamisSystem
import TamisYAML

// No finding contains a value, which may be a secret in the wrong place.
extension ConfigReader {
  mutating func userAgent(_ node: YAMLNode) -> String? {
    guard let text = line(node) else { return nil }
    return sendable(text, as: .field, at: node.location)
  }

  mutating func login(_ node: YAMLNode) -> Planet.Login? {
    guard case .mapping = node.content else {
      yaml.report("a login is written as {user: somebody, password: {secret: NAME}}", at: node.location)
      return nil
    }
    var (user, password): (Planet.SentText?, Planet.SecretName?) = (nil, nil)
    for (key, value) in yaml.pairs(node, "login") {
      switch key.text {
      case "user": user = sentText(value, as: .user)
      case "password": password = hidden(value, "a password")
      default: yaml.unknown(key, ["user", "password"], "setting of login")
      }
    }
    for name in ["user", "password"] where node[name] == nil {
      yaml.report("a login needs '\(name)'", at: node.location)
    }
    guard let user, let password else { return nil }
    return Planet.Login(user: user, password: password)
  }

  mutating func headers(_ node: YAMLNode) -> [Planet.SentField] {
    sentFields(node, "headers") { reader, key, value in
      let name = key.text.asciiLowercased()
      if let objection = SentNames.objection(toHeader: key.text) {
        reader.yaml.report(objection, at: key.location)
        return nil
      }
      if name == "authorization" { return reader.hidden(value, "an authorization").map { .secret($0) } }
      return reader.sentText(value, as: .field)
    }
  }

  mutating func cookies(_ node: YAMLNode) -> [Planet.SentField] {
    sentFields(node, "cookies") { reader, key, value in
      if SentNames.isToken(key.text) { return reader.sentText(value, as: .cookie) }
      reader.yaml.report("a cookie is named by letters, digits, '-' and '_', without '='", at: key.location)
      return nil
    }
  }

  private mutating func sentFields(
    _ node: YAMLNode, _ what: String,
    _ read: (inout ConfigReader, YAMLKey, YAMLNode) -> Planet.SentText?
  ) -> [Planet.SentField] {
    var (fields, names): ([Planet.SentField], Set<String>) = ([], [])
    for (key, value) in yaml.pairs(node, what) {
      guard fields.count < Planet.mostSentFields else {
        yaml.report("there are more than \(Planet.mostSentFields) \(what) here", at: key.location)
        break
      }
      guard let text = read(&self, key, value) else { continue }
      guard names.insert(what == "headers" ? key.text.asciiLowercased() : key.text).inserted else {
        yaml.report("'\(key.text)' is given twice; remove one", at: key.location)
        continue
      }
      if case .text(let text) = text, SentNames.looksSecret(key.text, text) {
        doubt("the value of '\(key.text)' looks like a secret; \(Self.remedy)", at: key.location)
      }
      fields.append(Planet.SentField(name: key.text, value: text))
    }
    return fields
  }

  // MARK: - Values

  private static var remedy: String {
    "write {secret: NAME} in its place, and the value into the environment variable "
      + "\(ChildProcess.secretPrefix)NAME or the file of secrets (fetch: secrets)"
  }

  /// Reads a text, or the name of a secret.
  private mutating func sentText(_ node: YAMLNode, as use: Planet.SentUse) -> Planet.SentText? {
    if case .mapping = node.content { return secret(node).map { .secret($0) } }
    guard let text = yaml.string(node)?.trimmed() else { return nil }
    return sendable(text, as: use, at: node.location).map { .text($0) }
  }

  private mutating func sendable(_ text: String, as use: Planet.SentUse, at location: Finding.Location) -> String? {
    guard let objection = Planet.objection(toSending: text, as: use) else { return text }
    yaml.report("this value \(objection)", at: location)
    return nil
  }

  /// Reads the name of a secret where no text is taken.
  private mutating func hidden(_ node: YAMLNode, _ what: String) -> Planet.SecretName? {
    if node.text == nil { return secret(node) }
    yaml.report("\(what) does not belong into this file; \(Self.remedy)", at: node.location)
    return nil
  }

  private mutating func secret(_ node: YAMLNode) -> Planet.SecretName? {
    var name: Planet.SecretName?
    let pairs = yaml.pairs(node, "a secret")
    if pairs.isEmpty, node.isNull || node.isMapping {
      yaml.report("a value is missing here; write {secret: NAME}", at: node.location)
    }
    for (key, value) in pairs {
      guard key.text == "secret" else {
        yaml.unknown(key, ["secret"], "setting of a value")
        continue
      }
      guard let text = yaml.string(value) else { continue }
      if Planet.SecretName.isValid(text) {
        name = Planet.SecretName(name: text, line: value.location.line)
      } else {
        yaml.report(
          "a secret is named by capital letters, digits and '_', as in {secret: NAME}; its value does not belong here",
          at: value.location)
      }
    }
    return name
  }
}

extension YAMLNode {
  fileprivate var isMapping: Bool { if case .mapping = content { true } else { false } }
}

/// The names of header fields and cookies that can be sent.
private enum SentNames {
  /// Whether a text is a token (RFC 9110, section 5.6.2), as header fields and cookies are named.
  static func isToken(_ text: String) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  private static let longest = 256

  /// Returns the reason why a header field cannot be set; nil when it can.
  static func objection(toHeader text: String) -> String? {
    guard isToken(text) else {
      return "a header field is named by letters, digits and hyphens, without spaces and colons"
    }
    let name = text.asciiLowercased()
    if name == "cookie" { return "cookies are written under 'cookies', as in {session: {secret: NAME}}" }
    if name == "user-agent" { return "the user agent is written beside 'headers', as 'user-agent'" }
    guard requestsOwn.contains(name) || name.hasPrefix("proxy-") else { return nil }
    return "'\(text)' is decided by each request itself; remove it"
  }

  /// The header fields that frame a request, choose a connection, or make a request conditional.
  private static let requestsOwn: Set<String> = [
    "accept-encoding", "connection", "content-encoding", "content-length", "cookie2", "expect", "host",
    "http2-settings", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
    "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Whether a field most likely has a secret value, by its name and its value.
  static func looksSecret(_ name: String, _ value: String) -> Bool {
    let name = name.asciiLowercased()
    return name.hasSuffix("sid") || words.contains { name.contains($0) }
      || value.utf8.count >= 24 && value.contains(where: \.isNumber)
        && value.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.=+/%".utf8.contains($0) }
  }

  private static let words = ["auth", "credential", "key", "login", "pass", "secret", "sess", "token"]
}

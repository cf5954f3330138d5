package import TamisCore
import TamisFetch
package import TamisSystem
import TamisPlanet

/// The values of secrets, from environment variables and a file beside the configuration.
package struct SecretStore: Sendable {
  private var values: [String: Secret] = [:]
  /// The findings about the file.
  package private(set) var findings: [Finding] = []

  /// Creates a store without secrets.
  package init() {}

  /// Creates a store from the environment, and from a file for what the environment does not have.
  ///
  /// - Parameters:
  ///   - environment: the environment variables; those count whose names begin with ``ChildProcess/secretPrefix``.
  ///   - file: a file with lines of the form `NAME=value`; nil for none.
  package init(environment: [String: String], file: FilePath?) {
    if let file { read(file) }
    for (name, text) in environment where name.hasPrefix(ChildProcess.secretPrefix) && !text.trimmed().isEmpty {
      values[String(name.dropFirst(ChildProcess.secretPrefix.count))] = Secret(text.trimmed())
    }
  }

  /// Returns the value of a secret; nil when it has none.
  package subscript(name: String) -> Secret? { values[name] }

  // MARK: - The file

  /// The maximum size of the file, in bytes (1 MiB).
  private static let mostBytes = 1 << 20

  private mutating func read(_ file: FilePath) {
    do throws(ReadFailure) {
      let bytes = try FileSource(file).beginning(Self.mostBytes + 1)
      guard bytes.count <= Self.mostBytes, let text = String(validating: bytes, as: UTF8.self) else {
        return note(.error, "this is no file of secrets: it is not UTF-8, or larger than \(Self.mostBytes) bytes", file)
      }
      if file.isOpenToOthers {
        note(.warning, "other users of this machine can read these secrets; run: chmod 600 \(file)", file)
      }
      for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
        read(line.trimmed(), file, line: index + 1)
      }
    } catch {
      let message = file.kind == nil ? file.absence : "the secrets cannot be read: \(error.message)"
      note(.error, message, file)
    }
  }

  private mutating func read(_ line: String, _ file: FilePath, line number: Int) {
    if line.isEmpty || line.hasPrefix("#") { return }
    let name = line.prefix { $0 != "=" }.trimmed()
    guard line.contains("="), Planet.SecretName.isValid(name) else {
      return note(
        .error, "a secret is a line NAME=value, whose name has capital letters, digits and '_'", file, line: number)
    }
    let value = line.drop { $0 != "=" }.dropFirst().trimmed()
    if values[name] != nil {
      return note(.warning, "the secret '\(name)' is given before; this line is left out", file, line: number)
    }
    if let first = value.first, value.count > 1, first == value.last, first == "\"" || first == "'" {
      note(
        .warning, "quotation marks are part of the value of '\(name)'; remove them if they are not", file, line: number)
    }
    if value.isEmpty {
      note(.warning, "the secret '\(name)' has no value", file, line: number)
    } else {
      values[name] = Secret(value)
    }
  }

  private mutating func note(_ severity: Finding.Severity, _ message: String, _ file: FilePath, line: Int = 0) {
    let location = Finding.Location(file: file.description, line: line, column: line == 0 ? 0 : 1)
    findings.append(Finding(severity, "secrets.file", message, at: location))
  }
}

// MARK: - What is sent

extension SecretStore {
  /// Returns what the requests for a feed send to its own server.
  ///
  /// - Parameter settings: the settings of the feed.
  /// - Returns: the values, with those of secrets.
  /// - Throws: the problem, when a setting could not be read, or a secret is missing or cannot be sent.
  func identity(of settings: Planet.RequestSettings) throws(FetchProblem) -> RequestIdentity {
    if settings.isFaulty {
      throw FetchProblem(.request, "a setting of the feed has a mistake, so that nothing was asked")
    }
    var identity = RequestIdentity()
    identity.userAgent = settings.userAgent
    if let login = settings.login {
      let name = try value(of: login.user, as: .user)
      identity.credentials = HTTPRequest.Credentials(name: name, password: try value(of: login.password, as: .field))
    }
    for header in settings.headers {
      identity.fields.append(RequestIdentity.Field(name: header.name, value: try value(of: header.value, as: .field)))
    }
    var cookies: [String] = []
    for cookie in settings.cookies {
      cookies.append("\(cookie.name)=\(try value(of: cookie.value, as: .cookie).revealed)")
    }
    if !cookies.isEmpty {
      identity.fields.append(RequestIdentity.Field(name: "Cookie", value: Secret(cookies.joined(separator: "; "))))
    }
    return identity
  }

  private func value(of text: Planet.SentText, as use: Planet.SentUse) throws(FetchProblem) -> Secret {
    switch text {
    case .text(let text): Secret(text)
    case .secret(let name): try value(of: name, as: use)
    }
  }

  private func value(of name: Planet.SecretName, as use: Planet.SentUse) throws(FetchProblem) -> Secret {
    guard let secret = self[name.name] else {
      throw Self.problem(
        "has no value", name,
        "set the environment variable \(ChildProcess.secretPrefix)\(name.name), or write a line \(name.name)=value into "
          + "the file of secrets (fetch: secrets in tamis.yaml, or --set fetch.secrets=FILE)")
    }
    if let objection = Planet.objection(toSending: secret.revealed, as: use) {
      throw Self.problem(objection, name, "correct its value")
    }
    return secret
  }

  /// Returns the problem with a secret, which is named in the advice alone: pages show the message.
  private static func problem(_ fault: String, _ name: Planet.SecretName, _ remedy: String) -> FetchProblem {
    var problem = FetchProblem(.request, "a secret that its requests need \(fault), so that nothing was asked")
    problem.advice = "'\(name.name)', which line \(name.line) of the configuration names: \(remedy)"
    return problem
  }
}

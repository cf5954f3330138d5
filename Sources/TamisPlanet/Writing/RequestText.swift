/// Writes what requests send as YAML.
enum RequestText {
  static func login(_ login: Planet.Login) -> String {
    "{user: \(text(login.user)), password: \(secret(login.password))}"
  }

  static func fields(_ fields: [Planet.SentField]) -> String {
    "{\(fields.map { "\(YAMLText.inFlow($0.name)): \(text($0.value))" }.joined(separator: ", "))}"
  }

  private static func text(_ text: Planet.SentText) -> String {
    switch text {
    case .text(let text): YAMLText.inFlow(text)
    case .secret(let name): secret(name)
    }
  }

  private static func secret(_ name: Planet.SecretName) -> String { "{secret: \(name.name)}" }
}
